// Minifies hand-written JavaScript into the package: node .tools/minify-web.mjs DIRECTORY FILE.js... Functions, classes
// and exports keep their names, for stack traces.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";

const require = createRequire(new URL("../tests/package.json", import.meta.url));
const { minifySync } = await import(require.resolve("rolldown/utils"));

const OPTIONS = { module: true, mangle: { toplevel: false, keepNames: true }, compress: { keepNames: { function: true, class: true } } };

// Constants whose unused calls bundlers may drop. The minifier removes these comments, so they are put back.
const PURE = /const (\w+) = \/\* @__PURE__ \*\/ /g;

function minified(name, text) {
  const { code, errors } = minifySync(name, text, OPTIONS);
  if (errors.length) throw new Error(`${name}: ${errors.map(({ message }) => message).join("; ")}`);
  // Some bundlers do not resolve a path in a template literal.
  const quoted = code.replaceAll(/\b(import\(|new URL\()`([^`$]*)`/g, '$1"$2"');
  return [...text.matchAll(PURE)].reduce((marked, [, constant]) => {
    const start = new RegExp(`\\bconst ${constant}=|(?<=[,;])${constant}=`);
    if (!start.test(marked)) throw new Error(`${name}: constant ${constant} is missing after minification`);
    return marked.replace(start, "$&/* @__PURE__ */");
  }, quoted);
}

const [directory, ...files] = process.argv.slice(2);
for (const file of files) {
  const name = basename(file);
  writeFileSync(join(directory, name), minified(name, readFileSync(file, "utf8")));
}
