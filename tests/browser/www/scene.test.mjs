/** The explorer's pieces of a map in Node: how they fare where chunks of the array cannot be read. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { imported } from "../support/in-node.mjs";
import { siteModule } from "../support/site-modules.mjs";

const { RectilinearArray } = await imported("node.js");
const { createScene } = await siteModule("map/scene.js");
const { planMap } = await siteModule("map/plan.js");
const { viewOf } = await siteModule("map/view.js");
const { makeDecoder } = await siteModule("model/decode.js");
const { ownSource } = await siteModule("model/sources.js");

const SIZE = [1024, 2048];
const metadata = {
  zarr_format: 3, node_type: "array", shape: SIZE, data_type: "float32", fill_value: 7,
  chunk_grid: { name: "regular", configuration: { chunk_shape: [1024, 1024] } },
  chunk_key_encoding: { name: "default" }, codecs: [{ name: "bytes", configuration: { endian: "little" } }],
};

/**
 * A scene of an array whose chunks are answered by `answer(key)`, and `planAt(view)`, a plan of it on a screen. `fails(selection)`
 * gives the failure of a read, of a host, where there is one.
 */
async function scene(t, answer, fails = () => undefined) {
  const get = (key) => (key.endsWith("zarr.json") ? new TextEncoder().encode(JSON.stringify(metadata)) : answer(key.replace(/^\//, "")));
  const array = await RectilinearArray.open({ get });
  t.after(() => array.free());
  const own = makeDecoder(array, false);
  const failing = async (selection) => {
    const failure = fails(selection);
    if (failure) throw Object.assign(new Error("the host failed"), { name: "StoreError", ...failure });
  };
  const decoder = { ...own, readCells: (from, selection, signal) => failing(selection).then(() => own.readCells(from, selection, signal)) };
  const dataset = { shape: SIZE, axes: [{ name: "y" }, { name: "x" }], decoder, sources: [ownSource(array, decoder)], grid: array.chunkGrid };
  const dropped = [];
  const made = createScene({ onPiece() {}, onDrop: (piece) => dropped.push(piece), prepare() {} });
  return { made, dropped, planAt: (numbers) => planMap(dataset, [0, 0], [0, 1], viewOf(numbers, SIZE), [600, 1200]) };
}

const BAD = new TextEncoder().encode("no");

test("a bad chunk that several pieces share is one fault, and the other chunk is drawn", async (t) => {
  const { made, planAt } = await scene(t, (key) => (key === "c/0/0" ? BAD : undefined));
  const plan = planAt();
  assert.equal(plan.touched.length, 2);
  assert.ok(plan.pieces.length >= 8, `${plan.pieces.length} pieces`); // four at least of the bad chunk
  const { faults, range } = await made.load({ ...plan, pieces: plan.pieces.toSorted((a, b) => a.box[1][0] - b.box[1][0]) });
  assert.deepEqual([faults.length, faults[0].name, range], [1, "CodecError", [7, 7]]);
});

test("where every chunk is bad the step is refused", async (t) => {
  const { made, planAt } = await scene(t, () => BAD);
  await assert.rejects(made.load(planAt()), { name: "CodecError" });
});

test("as the map moves, what a host failed at is asked for again, and what is damaged is not", async (t) => {
  for (const [status, again] of [[503, 0], [403, 1]]) {
    let isDown = true;
    const { made, planAt, dropped } = await scene(t, () => undefined, ([, { start }]) => isDown && start < 1024 && { status, key: "c/0/0" });
    assert.equal((await made.load(planAt())).faults.length, 1);
    isDown = false;
    const { faults } = await made.load(planAt());
    assert.equal(faults.length, again);
    assert.equal(dropped.length > 0, !again); // each piece that is read anew takes the place of its failure
    assert.equal(made.drawn().filter(({ isLost }) => isLost).length > 0, Boolean(again));
  }
});

test("pieces that were lost before are not good ones", async (t) => {
  const { made, planAt } = await scene(t, (key) => (key === "c/0/0" ? BAD : undefined));
  await made.load(planAt());
  const left = planAt([512, 512, 2]);
  const more = { ...left.pieces[0], key: `${left.pieces[0].key} more` }; // one that is new, of the same chunk
  const known = planAt().pieces.filter(({ box }) => box[1][1] <= 1024);
  await assert.rejects(made.load({ ...left, pieces: [...known, more] }), { name: "CodecError" });
});
