/** Functions for a page that begin with helpers, which a function's own text cannot import. */

/** What `page.run` takes as `body`, an arrow function with braces: the same with the text of helpers before its first line. */
export function withHelpers(helpers, body) {
  const text = body.toString();
  const at = text.indexOf("{", text.indexOf("=>")) + 1;
  return { toString: () => text.slice(0, at) + helpers + text.slice(at) };
}
