/** The range of the colours in the explorer's links, in Node: it stands where whoever opens the link would not find the same. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { siteModule } from "../support/site-modules.mjs";

globalThis.document = { baseURI: "https://page.example/explorer/" };
const { linkOf } = await siteModule("page/link.js");
const { rangeOf } = await siteModule("reading/range.js");

/** A state in which one of three steps of an array is drawn. */
function stateOf({ dtype = "float32", decoder = {}, join, ...more } = {}) {
  const shape = [3, 8, 12];
  const dataset = { path: "t2m", shape, dtype, kind: "numbers", decoder, axes: ["time", "y", "x"].map((name) => ({ name })), usual: [1, 2] };
  const span = { making: "1,2;undefined;undefined", range: [0, 9], channels: new Map() };
  return { dataset, catalog: { place: { base: "https://data.example/store.zarr" } }, axes: [1, 2], index: [1, 4, 6], plane: { shown: [{}, {}], join }, found: [1, 5], own: [1, 5], span, ...more };
}

test("the steps that were drawn before widen it, unless each has its own or its type bounds it", () => {
  assert.deepEqual(linkOf(stateOf(), {}).range, [0, 9]);
  assert.equal(linkOf(stateOf(), { each: true }).range, undefined);
  assert.deepEqual(linkOf(stateOf({ userRange: [2, 3] }), {}).range, [2, 3]);
  assert.equal(linkOf(stateOf({ decoder: { range: [0, 100] } }), {}).range, undefined);
  assert.equal(linkOf(stateOf({ dtype: "bool" }), {}).range, undefined);
});

test("a difference has none of the bounds of its array", () => {
  const state = stateOf({ decoder: { range: [0, 100] }, join: "difference" });
  assert.deepEqual(linkOf(state, {}).range, [-9, 9]);
  assert.deepEqual(rangeOf(state), [-5, 5]);
});

test("a picture of another version beside it has the same", () => {
  const beside = { range: [-4, 7], own: [2, 7] };
  assert.deepEqual(linkOf(stateOf(), {}, beside).range, [-4, 9]);
  // What both find as they open is not said.
  assert.equal(linkOf(stateOf({ span: undefined }), {}, { range: [2, 7], own: [2, 7] }).range, undefined);
  assert.deepEqual(linkOf(stateOf({ span: undefined, isMoved: true }), {}, { range: [2, 7], own: [2, 7] }).range, [1, 7]);
});
