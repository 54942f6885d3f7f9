// Names the functions of a module in an order in which it compresses well, for wasm-opt to sort by:
// node .tools/arrange.mjs FILE. Compressors look back some 32 kB, and a module is many times that: functions that share
// bytes have to stand close together. Each function is followed by the one that has most in common with the last few.
import { readFileSync, writeFileSync } from "node:fs";

import { CODE, CUSTOM, IMPORTS, counted, leb, section, sectionOf, unleb } from "./wasm-sections.mjs";

// Bytes of a stretch that functions may share; and the most functions with a stretch that still says something.
const [LENGTH, COMMON] = [5, 400];
// What a stretch counts in each function after the one that had it, of what it counted before.
const FADING = 0.9;
// Long functions share more than short ones: a sum of shared stretches counts less by this power of the length.
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
// The stretches of each function, and the functions of each stretch.
const stretches = functions.map((body) => {
  const found = new Set();
  for (let at = 0; at + LENGTH <= body.length; at++) found.add(body.readUIntBE(at, LENGTH));
  return found;
});
const owners = new Map();
stretches.forEach((found, i) => {
  for (const stretch of found) {
    if (!owners.has(stretch)) owners.set(stretch, []);
    owners.get(stretch).push(i);
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
  for (const stretch of stretches[next]) {
    const others = owners.get(stretch);
    if (others.length > COMMON) continue;
    const rare = Math.log(functions.length / others.length);
    for (const i of others) shared[i] += rare;
  }
  next = undefined;
  for (const i of left) if (next === undefined || shared[i] * weight[i] > shared[next] * weight[next]) next = i;
}

// Names in that order, in a section of names that wasm-opt understands.
const [imported] = unleb(module, sectionOf(module, IMPORTS).at);
const place = new Array(functions.length);
order.forEach((i, nth) => (place[i] = nth));
const names = place.flatMap((nth, i) => [Buffer.from(leb(imported + i)), counted(Buffer.from(String(nth).padStart(6, "0")))]);
const FUNCTIONS = 1;
const listed = section(FUNCTIONS, Buffer.concat([Buffer.from(leb(place.length)), ...names]));
writeFileSync(file, Buffer.concat([module, section(CUSTOM, Buffer.concat([counted(Buffer.from("name")), listed]))]));
