// Makes the JavaScript that wasm-bindgen wrote small: node .tools/minify.mjs FILE...
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(new URL("../tests/package.json", import.meta.url));
const { minifySync } = await import(require.resolve("rolldown/utils"));

for (const file of process.argv.slice(2)) {
  const { code, errors } = minifySync(file, readFileSync(file, "utf8"), { module: true, sourcemap: false });
  if (errors.length) throw new Error(`${file}: ${errors.map(({ message }) => message).join("; ")}`);
  // Not every bundler finds a file by a template.
  writeFileSync(file, code.replaceAll(/new URL\(`([^`$]*)`/g, 'new URL("$1"'));
}
