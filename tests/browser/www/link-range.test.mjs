/** The range of the colours in the explorer's links, in Node: it stands where whoever opens the link would not find the same. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { siteModule } from "../support/site-modules.mjs";

globalThis.document = { baseURI: "https://page.example/explorer/" };
const { linkOf } = await siteModule("page/link.js");
const { createComposite } = await siteModule("reading/channels.js");
const { rangeOf } = await siteModule("reading/range.js");
const { makingOf } = await siteModule("reading/span.js");
const { channelsOf } = await siteModule("take/reads.js");

/** A state in which one of three steps of an array is drawn. */
function stateOf({ dtype = "float32", decoder = {}, join, ...more } = {}) {
  const shape = [3, 8, 12];
  const dataset = { path: "t2m", shape, dtype, kind: "numbers", decoder, axes: ["time", "y", "x"].map((name) => ({ name })), usual: [1, 2] };
  const span = { making: makingOf({ axes: [1, 2] }), range: [0, 9], channels: new Map() };
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

/** A state of three channels drawn over each other, the ranges of whose values are `ranges`, and of the steps before `spans`. */
function channelsAt(ranges, spans, more = {}) {
  const dataset = { path: "0", shape: [3, 8, 12], dtype: "uint16", kind: "numbers", decoder: {}, usual: [1, 2], axes: ["c", "y", "x"].map((name) => ({ name, say: (n) => `c ${n}` })) };
  const axes = [1, 2];
  const composite = createComposite({ dataset, axes });
  const span = { making: makingOf({ axes: [1, 2], composite: { axis: 0 } }), range: undefined, channels: new Map(spans.map((range, channel) => [channel, range])) };
  return { ...stateOf(), dataset, axes, composite, span, scene: { rangeOf: (channel) => ranges[channel] }, ...more };
}

test("a channel has a window where the link would find another range", () => {
  const state = channelsAt([[0, 5], [1, 4], [2, 3]], [[0, 9], [1, 4], [2, 3]]);
  assert.equal(linkOf(state, {}).channels, "0:ff0000:0:9,1,2");
  assert.equal(linkOf(state, { each: true }).channels, "0,1,2");
  assert.equal(linkOf({ ...state, isMoved: true }, { each: true }).channels, "0:ff0000:0:5,1:00ff00:1:4,2:0000ff:2:3");
  const beside = { rangeOf: (channel) => [0, 7 + channel], ownOf: (channel) => (channel === 1 ? [0, 8] : [0, 1]) };
  assert.equal(linkOf(state, {}, beside).channels, "0:ff0000:0:9,1,2:0000ff:0:9");
  state.composite.channels[0].window = [1, 2];
  assert.equal(linkOf(state, {}).channels, "0:ff0000:1:2,1,2");
});

test("code has the channels as the page shows them", () => {
  const state = channelsAt([[0, 5], [1, 4], [2, 3]], [[0, 9]]);
  const looks = state.composite.looks(() => [0, 9]);
  const plane = { selection: [0, null, null], selections: [[1, null, null], [2, null, null]] };
  assert.deepEqual(channelsOf({ ...state, plane, looks }).map(({ range, selection }) => [range, selection[0]]), [[[0, 9], 0], [[0, 9], 1], [[0, 9], 2]]);
});
