// Minifies the package's JavaScript. Functions, classes and exports keep their names, for stack traces.
import { createRequire } from "node:module";

const require = createRequire(new URL("../tests/package.json", import.meta.url));
const { minifySync } = await import(require.resolve("rolldown/utils"));

const OPTIONS = { module: true, mangle: { toplevel: false, keepNames: true }, compress: { keepNames: { function: true, class: true } } };

// Constants whose unused calls bundlers may drop. The minifier removes these comments, so they are put back.
const PURE = /^(?:export )?const (\w+) = \/\* @__PURE__ \*\/ /gm;

/** Text of a file, minified. */
export function minified(name, text) {
  const { code, errors } = minifySync(name, text, OPTIONS);
  if (errors.length) throw new Error(`${name}: ${errors.map(({ message }) => message).join("; ")}`);
  // Some bundlers do not resolve a path in a template literal.
  const quoted = code.replaceAll(/\b(import\(|new URL\()`([^`$]*)`/g, '$1"$2"');
  // An address that a user gives is imported as it is: bundlers know so by comments, which the minifier drops.
  const ignored = quoted.replaceAll(/\bimport\((?=[\w$])/g, "import(/* webpackIgnore: true */ /* @vite-ignore */ ");
  return [...text.matchAll(PURE)].reduce((marked, [, constant]) => {
    const start = new RegExp(`\\bconst ${constant}=|(?<=[,;])${constant}=`);
    if (!start.test(marked)) throw new Error(`${name}: constant ${constant} is missing after minification`);
    return marked.replace(start, "$&/* @__PURE__ */");
  }, ignored);
}
