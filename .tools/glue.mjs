// Mends the glue of the main module: node .tools/glue.mjs FILE.js, beside its FILE_bg.wasm. Calls that throw would fill
// the table of JavaScript values: a page that reads for hours from a host that fails would run out of memory. And names
// of imports end in hashes, which pages would download twice, as hashes do not compress: they get short names.
import { readFileSync, writeFileSync } from "node:fs";

import { IMPORTS, TYPES, counted, leb, section, sectionOf, unleb } from "./wasm-sections.mjs";

const [FUNCTION_TYPE, EXTERNREF] = [0x60, 0x6f];

// Reads a section: numbers, bytes after their length, and single bytes.
function reading(module, number) {
  let { at } = sectionOf(module, number);
  const next = () => {
    const [value, end] = unleb(module, at);
    at = end;
    return value;
  };
  const bytes = () => {
    const length = next();
    at += length;
    return module.subarray(at - length, at);
  };
  return { next, bytes, byte: () => module[at++] };
}

// Imported functions: where from, their names and the numbers of their types.
function importsOf(module) {
  const { next, bytes, byte } = reading(module, IMPORTS);
  return Array.from({ length: next() }, () => {
    const [from, name] = [bytes(), bytes().toString()];
    if (byte() !== 0) throw new Error(`the module imports ${name}, which is not a function`);
    return { from, name, type: next() };
  });
}

// Names of the imported functions that return JavaScript values.
function returningValues(module) {
  const { next, bytes, byte } = reading(module, TYPES);
  const results = Array.from({ length: next() }, () => {
    if (byte() !== FUNCTION_TYPE) throw new Error("the module has a type that is not a function type");
    bytes();
    return bytes();
  });
  return importsOf(module).flatMap(({ name, type }) => (results[type].includes(EXTERNREF) ? [name] : []));
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

// Names without their hashes, by the names of imports that have one; alike names are numbered.
function shortNames(imports) {
  const names = new Set(imports.map(({ name }) => name));
  const short = new Map();
  for (const name of names) {
    const plain = name.replace(/_[0-9a-f]{16}$/, "");
    if (plain === name) continue;
    let free = plain;
    for (let nth = 2; names.has(free); nth++) free = `${plain}_${nth}`;
    names.add(free);
    short.set(name, free);
  }
  return short;
}

// The module and its glue with short names of imports.
function withShortNames(glue, module) {
  const imports = importsOf(module);
  const short = shortNames(imports);
  const isKnown = short.size > 0 && [...short.keys()].every((name) => glue.split(name).length === 2 && glue.includes(` ${name}: function(`));
  if (!isKnown) throw new Error("the glue gives imports in a way that is not known");
  const list = imports.map(({ from, name, type }) => Buffer.concat([counted(from), counted(Buffer.from(short.get(name) ?? name)), Buffer.from([0, ...leb(type)])]));
  const { start, end } = sectionOf(module, IMPORTS);
  const named = section(IMPORTS, Buffer.concat([Buffer.from(leb(imports.length)), ...list]));
  return {
    glue: [...short].reduce((text, [name, other]) => text.replace(` ${name}: function(`, ` ${other}: function(`), glue),
    module: Buffer.concat([module.subarray(0, start), named, module.subarray(end)]),
  };
}

const [file] = process.argv.slice(2);
const wasm = file.replace(/\.js$/, "_bg.wasm");
const module = readFileSync(wasm);
const mended = withShortNames(withoutLeaks(readFileSync(file, "utf8"), module), module);
writeFileSync(file, mended.glue);
writeFileSync(wasm, mended.module);
