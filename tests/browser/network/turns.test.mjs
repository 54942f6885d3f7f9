/** Requests at once up to a limit, in turns between readers, the middle first if asked for, and what may wait last. */

import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";

import { FaultyHost, gate, meeting, on, slow } from "../support/faults.mjs";
import { startNetwork, until } from "../support/network.mjs";
import { written } from "../support/written.mjs";

/** 25 chunks of 4 x 4, and a document that says 10,000, of which none is stored. */
const GRID = { shape: [20, 20], chunks: [4, 4] };
const MANY = { shape: [100, 100], chunks: [1, 1] };

describe("turns", () => {
  let network;
  let near;
  before(async () => {
    const [document] = written("many", { ...MANY, shape: [0, 0] }).values();
    const many = JSON.stringify({ ...JSON.parse(document), shape: MANY.shape });
    const group = JSON.stringify({ zarr_format: 3, node_type: "group" });
    network = await startNetwork(new Map([
      ...["grid", "group/one", "group/two"].flatMap((name) => [...written(name, GRID)]),
      ["/group/zarr.json", Buffer.from(group)],
      ["/many/zarr.json", Buffer.from(many)],
    ]));
    ({ near } = network);
  });
  afterEach(() => network.settle());
  after(() => network?.close());

  /** Open an array as `globalThis.array`. */
  const open = (name, options = {}) =>
    network.run(
      async ({ RectilinearArray }, { name, options }) => {
        globalThis.array = await RectilinearArray.open(`/near/${name}`, options);
      },
      { name, options },
    );
  const paths = () => near.asked().map(([, path]) => path);

  for (const [how, options, expected] of [["by default", {}, 24], ["if told to", { concurrency: 7 }, 7]]) {
    test(`10,000 chunks are ${expected} requests at once ${how}, shared by the reads of a source`, async () => {
      const [most, total, values] = await network.run(
        async ({ RectilinearArray, slice }, options) => {
          let [flying, most, total] = [0, 0, 0];
          const answer = async (request) => {
            if (request.url.endsWith("zarr.json")) return fetch(request);
            total += 1;
            most = Math.max(most, ++flying);
            await new Promise((done) => setTimeout(done));
            flying -= 1;
            return new Response(null, { status: 404 });
          };
          const array = await RectilinearArray.open("/near/many", { ...options, fetch: answer });
          const halves = [slice(0, 50), slice(50, 100)].map((rows) => array.get([rows]));
          const regions = await Promise.all(halves);
          return [most, total, regions.map(({ data }) => data.every((value) => value === 0) && data.length)];
        },
        options,
      );
      assert.deepEqual([most, total, values], [expected, 10_000, [5000, 5000]]);
    });
  }

  test("the host sees no more at once either", async () => {
    near.rules = [on(/\/c\//, meeting(4)), slow(15)];
    await open("grid", { concurrency: 4 });
    const count = await network.run(async () => {
      const regions = await Promise.all([globalThis.array.get(), globalThis.array.get([0]), globalThis.array.get([null, 7])]);
      return regions.reduce((sum, { data }) => sum + data.length, 0);
    });
    assert.equal(count, 400 + 20 + 20);
    assert.equal(FaultyHost.most(near.log), 4);
    assert.equal(near.asked().length, 25);
  });

  test("the arrays of a group share the requests of their source", async () => {
    near.rules = [on(/\/c\//, meeting(3)), slow(15)];
    const values = await network.run(async ({ Group }) => {
      const group = await Group.open("/near/group", { concurrency: 3 });
      const arrays = await Promise.all([group.array("one"), group.array("two")]);
      const regions = await Promise.all(arrays.map((array) => array.get()));
      return regions.map(({ data }) => data.at(-1));
    });
    assert.deepEqual(values, [399, 399]);
    assert.equal(FaultyHost.most(near.log), 3);
    assert.equal(near.asked().length, 2 * 25);
  });

  test("a small read that starts after a huge one gets every other turn", async () => {
    const [before, last, huge] = await network.run(async ({ RectilinearArray, slice }) => {
      const asked = [];
      const answer = async (request) => {
        if (request.url.endsWith("zarr.json")) return fetch(request);
        asked.push(new URL(request.url).pathname.replace(/.*\/c\//, ""));
        await new Promise((done) => setTimeout(done, 1));
        return new Response(null, { status: 404 });
      };
      const array = await RectilinearArray.open("/near/many", { concurrency: 4, fetch: answer });
      let hugeIsDone = false;
      const leave = new AbortController();
      const huge = array.get([slice(0, 99)], { signal: leave.signal }).then(() => (hugeIsDone = true), () => undefined);
      while (asked.length < 40) await new Promise((done) => setTimeout(done, 1));
      const before = asked.length;
      await array.get([99, slice(0, 8)]);
      const last = Math.max(...asked.flatMap((key, nth) => (key.startsWith("99/") ? [nth] : [])));
      const verdict = [before, last, hugeIsDone];
      leave.abort();
      await huge;
      return verdict;
    });
    assert.equal(huge, false);
    // Eight turns of its own, as many of the other's, and some that had begun.
    assert.ok(last < before + 2 * 8 + 8, `asked for its last chunk at ${last}, having come at ${before}`);
  });

  test('order: "center" asks for the middle first and for the corners last', async () => {
    await open("grid", { concurrency: 1, cacheBytes: 0 });
    await network.run(async () => (await globalThis.array.get(null, { order: "center" })).shape);
    const asked = paths();
    assert.equal(asked[0], "c/2/2");
    assert.deepEqual(asked.slice(1, 5).sort(), ["c/1/2", "c/2/1", "c/2/3", "c/3/2"]);
    assert.deepEqual(asked.slice(-4).sort(), ["c/0/0", "c/0/4", "c/4/0", "c/4/4"]);
    near.log = [];
    await network.run(async () => (await globalThis.array.get()).shape);
    assert.deepEqual(paths().slice(0, 3), ["c/0/0", "c/0/1", "c/0/2"]);
  });

  test("a prefetch waits for every read, and moves up where a read wants the same chunk", async () => {
    const held = gate();
    near.rules = [on(/c\/0\/0$/, held)];
    await open("grid", { concurrency: 1, cacheBytes: 1 << 20 });
    await network.run(() => void (globalThis.prefetching = globalThis.array.prefetch([{ start: 0, stop: 12, step: null }])));
    await until(() => held.held === 1);
    await network.run(() => {
      globalThis.reading = Promise.all([[9, 17], [19, 19], [16, 3]].map((index) => globalThis.array.get(index)));
      return new Promise((done) => setTimeout(done, 50));
    });
    held.open();
    const values = await network.run(async () => (await globalThis.reading).map(({ data }) => data[0]));
    assert.deepEqual(values, [9 * 20 + 17, 19 * 20 + 19, 16 * 20 + 3]);
    await network.run(() => globalThis.prefetching.then(() => null));
    const asked = paths();
    assert.deepEqual(asked.slice(0, 4).sort(), ["c/0/0", "c/2/4", "c/4/0", "c/4/4"]);
    assert.equal(new Set(asked).size, asked.length);
    assert.equal(asked.length, 15 + 2);
    const again = await network.run(async () => (await globalThis.array.get([{ start: 0, stop: 12, step: null }])).data.at(-1));
    assert.deepEqual([again, near.asked().length], [239, 17]);
  });
});
