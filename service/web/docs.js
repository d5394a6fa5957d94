"use strict";

const dark = matchMedia("(prefers-color-scheme: dark)");

function followColorScheme() {
  document.documentElement.classList.toggle("dark-mode", dark.matches);
}

dark.addEventListener("change", followColorScheme);
followColorScheme();

// Swagger UI gives these fields no name that a screen reader could announce.
const NAMES = {
  ".body-param__text": "Request body",
  ".content-type": "Content type",
  ".examples-select-element": "Example",
};

function repair() {
  for (const [selector, name] of Object.entries(NAMES)) {
    for (const field of document.querySelectorAll(`${selector}:not([aria-label])`)) field.ariaLabel = name;
  }
  for (const field of document.querySelectorAll("[data-param-name] select:not([aria-label])")) {
    field.ariaLabel = field.closest("[data-param-name]").dataset.paramName;
  }
  // As a region, a table would not be announced as a table.
  for (const table of document.querySelectorAll("table[role=region]")) table.removeAttribute("role");
  // The keyboard scrolls only what has the focus.
  for (const text of document.querySelectorAll("pre.microlight:not([tabindex])")) text.tabIndex = 0;
}

const contract = document.querySelector("#contract");
new MutationObserver(repair).observe(contract, { childList: true, subtree: true });

const accessible = ({ React }) => ({
  components: {
    // A link inside the button that opens an operation would be an interactive element inside another.
    DeepLink: ({ text }) => text,
    // There is only one server to choose.
    ServersContainer: () => null,
  },
  wrapComponents: {
    // All content of the page belongs to a landmark.
    InfoContainer: (Info) => (props) =>
      React.createElement("section", { "aria-label": "About this API" }, React.createElement(Info, props)),
  },
});

/** A part of the contract with what its references name in their places; Swagger UI names schemas by `$$ref`. */
function resolved(part, whole) {
  if (Array.isArray(part)) return part.map((each) => resolved(each, whole));
  if (part === null || typeof part !== "object") return part;
  const { $ref, ...own } = part;
  if ($ref) return { ...resolved(at(whole, $ref.slice(2).split("/")), whole), ...own, $$ref: $ref };
  return folded(Object.fromEntries(Object.entries(own).map(([name, each]) => [name, resolved(each, whole)])));
}

/** A schema with the fields of the groups that it consists of. */
function folded({ allOf, ...own }) {
  if (!allOf) return own;
  const parts = [...allOf, own];
  return {
    ...own,
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  };
}

function at(part, path) {
  return path.reduce((found, name) => found[name], part);
}

// Swagger UI's own way reads the whole contract for each operation that is opened, which takes four times as long.
const quick = {
  fn: { resolveSubtree: async (whole, path) => ({ spec: resolved(at(whole, path), whole), errors: [] }) },
};

// The contract comes from this service, and no external validator receives it.
SwaggerUIBundle({
  domNode: contract,
  url: "/openapi.json",
  validatorUrl: null,
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  plugins: [accessible, quick],
});
