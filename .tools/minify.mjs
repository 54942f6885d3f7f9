// Minifies the output of wasm-bindgen: node .tools/minify.mjs FILE.js..., each beside its FILE_bg.wasm. Minifies the
// JavaScript, and shortens the names of the module's imports and exports: half of an import's name is a hash that does
// not compress, and exports are named by class and method, here and there. Also stops calls that throw from leaking
// slots of the table of JavaScript values.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

import { EXPORTS, IMPORTS, TYPES, counted, section, sectionOf, unleb } from "./wasm-sections.mjs";

const require = createRequire(new URL("../tests/package.json", import.meta.url));
const { minifySync } = await import(require.resolve("rolldown/utils"));

// a, b, … z, aa, ab, …
const letters = (i) => (i < 26 ? "" : letters(Math.floor(i / 26) - 1)) + String.fromCharCode(97 + (i % 26));

const [FUNCTION_TYPE, EXTERNREF] = [0x60, 0x6f];

// Names of the imported functions that return JavaScript values.
function returningValues(module) {
  let at;
  const number = () => {
    const [value, end] = unleb(module, at);
    at = end;
    return value;
  };
  const bytes = () => {
    const length = number();
    at += length;
    return module.subarray(at - length, at);
  };
  at = sectionOf(module, TYPES).at;
  const results = Array.from({ length: number() }, () => {
    if (module[at++] !== FUNCTION_TYPE) throw new Error("the module has a type that is not a function type");
    bytes();
    return bytes();
  });
  at = sectionOf(module, IMPORTS).at;
  const imports = Array.from({ length: number() }, () => {
    bytes();
    const name = bytes().toString();
    if (module[at++] !== 0) throw new Error(`the module imports ${name}, which is not a function`);
    return [name, results[number()]];
  });
  return imports.filter(([, result]) => result.includes(EXTERNREF)).map(([name]) => name);
}

// Fixes a leak in the glue. wasm-bindgen allocates a slot of the table of JavaScript values for the result of each
// call, also for a call that throws, and then never frees the slot. With the fix, such a call returns the error as its
// result. It stores the index of the slot that this result will get, which is the next free one, so freeing the error
// frees the slot.
function withoutLeaks(glue, module) {
  const changed = returningValues(module).reduce(
    (text, name) => text.replace(`${name}: function() { return handleError(`, `${name}: function() { return handleErrorAsResult(`),
    glue,
  );
  // The module of virtual stores does not export the function that frees a slot: it takes plain values only, and calls
  // no function that throws.
  if (changed === glue || !glue.includes("wasm.__externref_table_dealloc(")) return glue;
  return `${changed}
function handleErrorAsResult(f, args) {
    try {
        return f.apply(this, args);
    } catch (e) {
        const idx = wasm.__externref_table_alloc();
        wasm.__externref_table_dealloc(idx);
        wasm.__wbindgen_exn_store(idx);
        return e;
    }
}
`;
}

// Takes the parameters of initialization as the package's own calls pass them, in an object, without the warnings about
// those of older versions.
function withOwnParameters(glue) {
  const kept = glue.split(/if \((\w+) !== undefined\) \{\s*if \(Object\.getPrototypeOf\(\1\) === Object\.prototype\) \{\s*\(\{\1\} = \1\)\s*\} else \{\s*console\.warn\('using deprecated [^']*'\)\s*\}\s*\}/);
  if (kept.length !== 5) throw new Error("the glue takes parameters in a way that is not known");
  return kept.map((part, nth) => (nth % 2 ? `({${part}} = ${part} ?? {})` : part)).join("");
}

// Lets src/web/load/parts.js add imports to the main module and see its exports, for the parts that load later.
function withParts(glue) {
  const changed = glue
    .replaceAll("const imports = __wbg_get_imports();", "const imports = sharing(__wbg_get_imports());")
    .replace("wasm.__wbindgen_start();", "shared(wasm);\n    wasm.__wbindgen_start();");
  if (changed.split("sharing(").length !== 3 || !changed.includes("shared(wasm)")) throw new Error("the glue starts the module in a way that is not known");
  return `import { shared, sharing } from "./parts.js";\n${changed}`;
}

// Renames the imports or the exports of a module.
function renamed(module, kind, names) {
  const { start, at: content, end } = sectionOf(module, kind);
  let at = content;
  const parts = [];
  for (const [name, short] of names) {
    const found = module.indexOf(counted(Buffer.from(name)), at);
    if (found < 0) throw new Error(`expected ${name} after the names before it`);
    parts.push(module.subarray(at, found), counted(Buffer.from(short)));
    at = found + counted(Buffer.from(name)).length;
  }
  parts.push(module.subarray(at, end));
  return Buffer.concat([module.subarray(0, start), section(kind, Buffer.concat(parts)), module.subarray(end)]);
}

for (const file of process.argv.slice(2)) {
  const wasm = file.replace(/\.js$/, "_bg.wasm");
  const module = readFileSync(wasm);
  const compiled = new WebAssembly.Module(module);
  const names = new Map(WebAssembly.Module.imports(compiled).map(({ name }, i) => [name, letters(i)]));
  // Other names than those of imports and slots, which the parts of the main module look up in the same place.
  const functions = WebAssembly.Module.exports(compiled).filter(({ kind }) => kind === "function");
  const exported = new Map(functions.map(({ name }, i) => [name, `_${letters(i)}`]));
  writeFileSync(wasm, renamed(renamed(module, IMPORTS, names), EXPORTS, exported));

  const text = withoutLeaks(withOwnParameters(readFileSync(file, "utf8")), module);
  const glue = (file.endsWith("/rectilinear_zarr.js") ? withParts(text) : text).replaceAll(/\bwasm\.(\w+)/g, (called, name) => `wasm.${exported.get(name) ?? name}`);
  const { code, errors } = minifySync(file, glue, { module: true, sourcemap: false });
  if (errors.length) throw new Error(`${file}: ${errors.map(({ message }) => message).join("; ")}`);
  const short = code.replaceAll(/\b__wb\w+(?=:)/g, (name) => names.get(name) ?? name);
  // Some bundlers do not find a file by a template literal.
  writeFileSync(file, short.replaceAll(/new URL\(`([^`$]*)`/g, 'new URL("$1"'));
}
