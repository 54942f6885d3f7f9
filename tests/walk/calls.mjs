/**
 * Which functions of a linked module run: `counted` puts a call before each function's body, and the names tell the file
 * of a function, because a module of Rust is a file.
 */

import { readFile, writeFile } from "node:fs/promises";

import binaryen from "binaryen";

/** The module with a call `ran(index)` of `from` at the start of each function, and the names of the functions. */
export function counted(wasm, from) {
  const module = binaryen.readBinary(wasm);
  const { MutableGlobals, NontrappingFPToInt, BulkMemory, SignExt, ReferenceTypes, Multivalue } = binaryen.Features;
  module.setFeatures(MutableGlobals | NontrappingFPToInt | BulkMemory | SignExt | ReferenceTypes | Multivalue);
  module.addFunctionImport("ran", from, "ran", binaryen.i32, binaryen.none);
  const names = [];
  for (let at = 0; at < module.getNumFunctions(); at++) {
    const reference = module.getFunctionByIndex(at);
    const { name, module: imported, body } = binaryen.getFunctionInfo(reference);
    // wasm-bindgen interprets descriptions, and knows no calls there.
    if (imported || !pathOf(name) || name.includes("describe")) continue;
    const call = module.call("ran", [module.i32.const(names.length)], binaryen.none);
    binaryen.Function.setBody(reference, module.block(null, [call, body], binaryen.getExpressionType(body)));
    names.push(name);
  }
  // Loading compares this mark with that of build.js.
  module.addCustomSection("build", new TextEncoder().encode("walk"));
  const bytes = module.emitBinary();
  module.dispose();
  return { bytes, names };
}

/**
 * The path of names of the module that a mangled name lies in, or undefined where it is none of the crate's. A method of a
 * trait is taken to lie where its type does.
 */
export function pathOf(name) {
  const parts = [];
  let at = name.indexOf("_ZN") + 3;
  while (/\d/.test(name[at] ?? "")) {
    const digits = /^\d+/.exec(name.slice(at))[0];
    at += digits.length;
    parts.push(name.slice(at, (at += Number(digits))));
  }
  const first = parts.find((part) => part !== "_");
  if (first === "rectilinear_zarr" || first === "rectilinear_zarr_kernels") return parts;
  // An `impl` block is one name, with its type (and its trait) inside.
  const inside = /^_?\$LT\$(?:impl\$u20\$)?(?:\$RF\$)?(?:mut\$u20\$)?((?:rectilinear_zarr|rectilinear_zarr_kernels)(?:\.\.\w+)+)/.exec(first ?? "");
  return inside?.[1].split("..");
}

const [input, output, list] = process.argv.slice(2);
const { bytes, names } = counted(await readFile(input), "./ran.js");
await writeFile(output, bytes);
await writeFile(list, JSON.stringify(names.map(pathOf)));
