// Numbers the functions of a module, in its name section, in an order that compresses well; wasm-opt sorts by the
// names: node .tools/arrange.mjs FILE. gzip looks back 32 kB, far less than a module, so functions that share bytes
// have to stand close together. After each function comes the one that has most in common with the last few.
import { readFileSync, writeFileSync } from "node:fs";

import { CODE, CUSTOM, counted, leb, section, sectionOf, unleb } from "./wasm-sections.mjs";

// Length in bytes of the sequences that functions share; and the most functions that may share a sequence for it to
// count.
const [LENGTH, COMMON] = [5, 400];
// Factor by which the weight of a shared sequence decreases with each function that follows.
const FADING = 0.9;
// Long functions share more than short ones: a sum of weights is divided by this power of the length.
const [POWER, LEAST] = [0.65, 40];

const [file] = process.argv.slice(2);
const module = readFileSync(file);

// The body of each function.
function bodies() {
  const found = [];
  let [count, at] = unleb(module, sectionOf(module, CODE).at);
  for (; count > 0; count--) {
    const [length, start] = unleb(module, at);
    at = start + length;
    found.push(module.subarray(start, at));
  }
  return found;
}

const functions = bodies();
// The sequences of each function, and the functions with each sequence.
const sequences = functions.map((body) => {
  const found = new Set();
  for (let at = 0; at + LENGTH <= body.length; at++) found.add(body.readUIntBE(at, LENGTH));
  return found;
});
const owners = new Map();
sequences.forEach((found, i) => {
  for (const sequence of found) {
    if (!owners.has(sequence)) owners.set(sequence, []);
    owners.get(sequence).push(i);
  }
});

const weight = functions.map(({ length }) => (length + LEAST) ** -POWER);
const byLength = functions.map((_, i) => i).sort((a, b) => functions[b].length - functions[a].length);
const shared = new Float64Array(functions.length);
const left = new Set(byLength);
const order = [];
for (let next = byLength[0]; next !== undefined; ) {
  left.delete(next);
  order.push(next);
  for (const i of left) shared[i] *= FADING;
  for (const sequence of sequences[next]) {
    const others = owners.get(sequence);
    if (others.length > COMMON) continue;
    const rare = Math.log(functions.length / others.length);
    for (const i of others) shared[i] += rare;
  }
  next = undefined;
  for (const i of left) if (next === undefined || shared[i] * weight[i] > shared[next] * weight[next]) next = i;
}

// Names by that order, in a name section, which wasm-opt reads.
const imported = WebAssembly.Module.imports(new WebAssembly.Module(module)).filter(({ kind }) => kind === "function").length;
const place = new Array(functions.length);
order.forEach((i, nth) => (place[i] = nth));
const names = place.flatMap((nth, i) => [Buffer.from(leb(imported + i)), counted(Buffer.from(String(nth).padStart(6, "0")))]);
const FUNCTIONS = 1;
const listed = section(FUNCTIONS, Buffer.concat([Buffer.from(leb(place.length)), ...names]));
writeFileSync(file, Buffer.concat([module, section(CUSTOM, Buffer.concat([counted(Buffer.from("name")), listed]))]));
