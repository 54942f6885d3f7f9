/** Requests to the page's own origin: shard ends by suffix, ranges that overlap in time, and one version of a value. */

import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";

import { FaultyHost, gate, namesNoTags, namesNoVersions, on, slow } from "../support/faults.mjs";
import { startNetwork, until } from "../support/network.mjs";
import { indexSize, written } from "../support/written.mjs";

const SHARDED = { shape: [64, 64], chunks: [32, 32], inner: [8, 8] };
const ARRAYS = { sharded: SHARDED, zipped: { ...SHARDED, gzip: true }, plain: { shape: [8, 4096], chunks: [8, 4096] } };
const INNER_BYTES = 8 * 8 * 4;
const INDEX = `bytes=-${indexSize(16)}`;

describe("same origin", () => {
  const files = () => new Map(Object.entries(ARRAYS).flatMap(([name, layout]) => [...written(name, layout)]));
  let network;
  let near;
  before(async () => ({ near } = network = await startNetwork(files())));
  afterEach(async () => {
    await network.settle();
    near.files = files();
  });
  after(() => network?.close());

  test("the index of a shard is one suffix range, and then come the inner chunks", async () => {
    const value = await network.run(async ({ RectilinearArray }, url) => {
      const array = await RectilinearArray.open(url);
      return (await array.get([33, 9])).data[0];
    }, "/near/sharded");
    assert.equal(value, 33 * 64 + 9);
    const second = `bytes=${INNER_BYTES}-${2 * INNER_BYTES - 1}`;
    assert.deepEqual(near.asked(), [[INDEX, "c/1/0"], [second, "c/1/0"]]);
  });

  test("six ranges of one value are under way at once: the browser does not put them in a row", async () => {
    // One range shows that the host knows them; then each row is a request of its own, held until six have come.
    await network.run(async ({ RectilinearArray }, url) => {
      globalThis.array = await RectilinearArray.open(url, { coalesceGap: 0 });
      return (await globalThis.array.get([7, 7])).shape;
    }, "/near/plain");
    const held = gate();
    near.rules = [on(/c\/0\/0$/, held)];
    near.log = [];
    const rows = [0, 1, 2, 3, 4, 5];
    const reading = network.run(async (_, rows) => {
      const regions = await Promise.all(rows.map((row) => globalThis.array.get([row, row])));
      return regions.map(({ data }) => data[0]);
    }, rows);
    await until(() => held.held === 6);
    held.open();
    assert.deepEqual(await reading, rows.map((row) => row * 4096 + row));
    assert.equal(FaultyHost.most(near.log.filter(({ range }) => range)), 6);
  });

  test("no If-Range goes along: ETags are compared here, and hosts with machines or proxies would send whole values", async () => {
    await network.run(async ({ RectilinearArray }, url) => {
      const array = await RectilinearArray.open(url);
      await array.get([0, 0]);
      await array.get([0, 63]);
    }, "/near/sharded");
    assert.equal(near.asked().length, 4);
    assert.deepEqual(near.log.filter(({ ifRange }) => ifRange), []);
  });

  /** Read of a shard, have it written anew with its inner chunks elsewhere, and read of it twice more. */
  async function readRewritten(name) {
    const read = ([row, column]) =>
      network.run(
        async ({ support }, { index }) => {
          let value;
          const error = await support.rejection(async () => (value = (await globalThis.array.get(index)).data[0]));
          return error ?? value;
        },
        { index: [row, column] },
      );
    await network.run(async ({ RectilinearArray }, url) => {
      globalThis.array = await RectilinearArray.open(url);
    }, `/near/${name}`);
    assert.equal(await read([0, 0]), 0);
    near.files.set(`/${name}/c/0/0`, written(name, { ...ARRAYS[name], isReversed: true }).get(`/${name}/c/0/0`));
    const error = await read([0, 9]);
    assert.equal(await read([0, 9]), 9);
    return error;
  }

  for (const [named, rules] of [["an ETag", []], ["a date", [namesNoTags]]]) {
    test(`a shard written anew since its index was read, by ${named}: an error that says so, and the next read works`, async () => {
      near.rules = rules;
      const error = await readRewritten("sharded");
      assert.equal(error.name, "StoreError");
      assert.match(error.message, /changed while it was read/);
    });
  }

  test("on a host that names no versions, a checksum of the chunk tells, and the next read works", async () => {
    near.rules = [namesNoVersions];
    assert.equal((await readRewritten("zipped")).name, "CodecError");
  });

  test("slow answers change nothing", async () => {
    near.rules = [slow(30)];
    const total = await network.run(async ({ RectilinearArray }, url) => {
      const { data } = await (await RectilinearArray.open(url)).get();
      return data.every((value, at) => value === at);
    }, "/near/sharded");
    assert.equal(total, true);
    // Four shards: four indexes, four shards' worth of inner chunks that lie side by side.
    assert.equal(near.asked().length, 8);
  });
});
