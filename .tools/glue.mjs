// Mends the glue of the main module: node .tools/glue.mjs FILE.js, beside its FILE_bg.wasm. Calls that throw would fill
// the table of JavaScript values: a page that reads for hours from a host that fails would run out of memory.
import { readFileSync, writeFileSync } from "node:fs";

import { IMPORTS, TYPES, sectionOf, unleb } from "./wasm-sections.mjs";

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

// The glue without a leak: wasm-bindgen allocates a slot of the table of JavaScript values for the result of each call,
// also for a call that throws, and then never frees the slot. Here such a call returns the error as its result. It stores
// the index of the slot that this result will get, which is the next free one, so freeing the error frees the slot.
function withoutLeaks(glue, module) {
  const throws = (name) => `${name}: function() { return handleError(`;
  const names = returningValues(module).filter((name) => glue.includes(throws(name)));
  const isKnown = names.length > 0 && glue.includes("function handleError(f, args)") && glue.includes("wasm.__externref_table_dealloc(");
  if (!isKnown) throw new Error("the glue handles errors in a way that is not known");
  const changed = names.reduce((text, name) => text.replace(throws(name), `${name}: function() { return handleErrorAsResult(`), glue);
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

const [file] = process.argv.slice(2);
const module = readFileSync(file.replace(/\.js$/, "_bg.wasm"));
writeFileSync(file, withoutLeaks(readFileSync(file, "utf8"), module));
