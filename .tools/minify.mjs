// Makes small what wasm-bindgen wrote: node .tools/minify.mjs FILE.js..., each beside its FILE_bg.wasm. The JavaScript is
// minified, and what the module imports of it gets short names: half of each is a hash, which compresses in neither file.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(new URL("../tests/package.json", import.meta.url));
const { minifySync } = await import(require.resolve("rolldown/utils"));

// a, b, … z, aa, ab, …
const letters = (i) => (i < 26 ? "" : letters(Math.floor(i / 26) - 1)) + String.fromCharCode(97 + (i % 26));

// A number as WebAssembly's sections have it, seven bits a byte.
const leb = (n) => (n < 128 ? [n] : [(n % 128) + 128, ...leb(Math.floor(n / 128))]);
function unleb(bytes, at) {
  let [value, end] = [0, at];
  do value += (bytes[end] % 128) * 128 ** (end - at);
  while (bytes[end++] > 127);
  return [value, end];
}

const IMPORTS = 2;

// The module with other names in its section of imports. Sections follow a header of eight bytes, each with its number.
function renamed(module, names) {
  let start = 8;
  let [length, at] = unleb(module, start + 1);
  while (module[start] !== IMPORTS) {
    start = at + length;
    [length, at] = unleb(module, start + 1);
  }
  const end = at + length;
  const section = [];
  for (const [name, short] of names) {
    const found = module.indexOf(Buffer.from([...leb(name.length), ...Buffer.from(name)]), at);
    if (found < 0) throw new Error(`the module imports no ${name} after the ones before it`);
    section.push(module.subarray(at, found), Buffer.from([short.length, ...Buffer.from(short)]));
    at = found + leb(name.length).length + name.length;
  }
  section.push(module.subarray(at, end));
  const content = Buffer.concat(section);
  return Buffer.concat([module.subarray(0, start), Buffer.from([IMPORTS, ...leb(content.length)]), content, module.subarray(end)]);
}

for (const file of process.argv.slice(2)) {
  const wasm = file.replace(/\.js$/, "_bg.wasm");
  const module = readFileSync(wasm);
  const names = new Map(WebAssembly.Module.imports(new WebAssembly.Module(module)).map(({ name }, i) => [name, letters(i)]));
  writeFileSync(wasm, renamed(module, names));

  const { code, errors } = minifySync(file, readFileSync(file, "utf8"), { module: true, sourcemap: false });
  if (errors.length) throw new Error(`${file}: ${errors.map(({ message }) => message).join("; ")}`);
  const short = code.replaceAll(/\b__wb\w+(?=:)/g, (name) => names.get(name) ?? name);
  // Not every bundler finds a file by a template.
  writeFileSync(file, short.replaceAll(/new URL\(`([^`$]*)`/g, 'new URL("$1"'));
}
