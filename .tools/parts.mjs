// Makes the files of the main module's parts: node .tools/parts.mjs CUT DIRECTORY. CUT is the cutter's folder, whose
// modules are optimised; DIRECTORY has the first part, bound by wasm-bindgen. A later part carries the modules of the
// functions that it shares with others, and every part the mark of this build, in custom sections.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { CUSTOM, counted, section } from "./wasm-sections.mjs";

/** Files of the parts, the first one first. */
export const PARTS = ["", "opening_", "virtual_", "codecs_", "grids_", "calls_", "answers_", "zones_"].map((part) => `rectilinear_zarr_${part}bg.wasm`);

const custom = (name, content) => section(CUSTOM, Buffer.concat([counted(Buffer.from(name)), content]));

// Numbers of the modules that parts share, by part, from the cutter's list of them.
function sharedBy(text, files) {
  const found = [...text.matchAll(/^\/\* ([a-z, ]+) \*\/\nconst __chunk_(\d+) = /gm)];
  const there = files.filter((name) => name.startsWith("chunk_"));
  if (found.length !== there.length || !found.every(([, , number]) => there.includes(`chunk_${number}.wasm`))) {
    throw new Error(`the cutter lists its shared modules in a way that is not known: ${there}`);
  }
  const needs = new Map();
  for (const [, parts, number] of found) for (const part of parts.split(", ")) needs.set(part, [...(needs.get(part) ?? []), number]);
  return needs;
}

function make(cut, directory) {
  const files = readdirSync(cut).sort();
  const read = (name) => readFileSync(join(cut, name));
  const expected = PARTS.slice(1).map((file) => `split_${/_([a-z]+)_bg/.exec(file)[1]}.wasm`);
  const found = files.filter((name) => /^split_.*\.wasm$/.test(name));
  if (found.join() !== [...expected].sort().join()) throw new Error(`expected the parts ${expected}, found ${found}`);
  const needs = sharedBy(read("__wasm_split.js").toString(), files);
  const later = expected.map((name) => {
    const numbers = needs.get(/_([a-z]+)\./.exec(name)[1]) ?? [];
    return Buffer.concat([read(name), ...numbers.map((number) => custom(`shared ${number}`, read(`chunk_${number}.wasm`)))]);
  });
  const modules = [readFileSync(join(directory, PARTS[0])), ...later];
  const hash = createHash("sha256");
  for (const module of modules) hash.update(module);
  const mark = hash.digest("hex").slice(0, 16);
  modules.forEach((module, nth) => writeFileSync(join(directory, PARTS[nth]), Buffer.concat([module, custom("build", Buffer.from(mark))])));
  const list = Object.fromEntries([...needs].map(([part, numbers]) => [part, numbers.map((number) => `shared ${number}`)]));
  const text = `/** Mark of the build, which each part of the main module carries, and the sections with modules that parts share. */
export const BUILD = "${mark}";
export const SHARED = ${JSON.stringify(list)};
`;
  writeFileSync(join(directory, "build.js"), text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) make(...process.argv.slice(2));
