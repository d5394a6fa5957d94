// Numbers in the words of a language.

/**
 * How a language counts: `form` chooses what stands after a number by the language's plural, `count` writes both.
 * `separator` stands before each three digits; the browser's own way to write numbers loads its tables of languages.
 */
export function counting(language, separator) {
  let rules = null;
  const form = (number, forms) => {
    rules ??= new Intl.PluralRules(language);
    return forms[rules.select(number)] ?? forms.other;
  };
  const count = (number, forms) => `${String(number).replace(/\B(?=(\d{3})+$)/g, separator)} ${form(number, forms)}`;
  return { count, form };
}
