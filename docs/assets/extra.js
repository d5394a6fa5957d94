// Tells screen readers and keyboards what the theme leaves out, also of what it adds later.

const missing = [
  [".md-search", "aria-label", "Search"],
  [".md-typeset__scrollwrap", "tabindex", "0"],
  [".md-code__nav", "role", "none"], // the button that copies: a landmark for each block of code would be too much
];

function complete() {
  for (const [selector, attribute, value] of missing) {
    for (const node of document.querySelectorAll(`${selector}:not([${attribute}])`)) node.setAttribute(attribute, value);
  }
}

complete();
new MutationObserver(complete).observe(document.body, { childList: true, subtree: true });
