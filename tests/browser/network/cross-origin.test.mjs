/** Requests to another origin: never a preflight where anything else does, and what is refused is not tried again. */

import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";

import { exposes, forMethod, hidesLength, ignoresRange, namesNoTags, on, refusesPreflights, status, withoutCors } from "../support/faults.mjs";
import { startNetwork } from "../support/network.mjs";
import { indexSize, written } from "../support/written.mjs";

/** Eight shards in a row, each of 8 x 8 items and 16 inner chunks. */
const LAYOUT = { shape: [8, 64], chunks: [8, 8], inner: [2, 2] };
const INDEX = indexSize(16);
const LENGTH = 8 * 8 * 4 + INDEX;
const FIRST_CHUNK = "bytes=0-15";

const range = (start, stop = "") => `bytes=${start}-${stop && stop - 1}`;
/** The index by its place, from the length that HEAD told: one byte more is asked for, which must not exist. */
const measured = (length) => range(length - INDEX, length + 1);
/** The index by its place, from a length that is known. */
const lastOf = (length) => range(length - INDEX, length);

/** A shard with so many bytes of nothing before its index. */
const padded = (bytes, padding) => Buffer.concat([bytes.subarray(0, -INDEX), Buffer.alloc(padding), bytes.subarray(-INDEX)]);

describe("another origin", () => {
  const files = () => written("row", LAYOUT);
  let network;
  let far;
  before(async () => ({ far } = network = await startNetwork(files())));
  afterEach(async () => {
    await network.settle();
    far.files = files();
  });
  after(() => network?.close());

  /** The first item of each of these shards, read one after the other; or the error. */
  const read = (shards) =>
    network.run(
      async ({ RectilinearArray, support }, { url, shards }) => {
        const values = [];
        const error = await support.rejection(async () => {
          const array = await RectilinearArray.open(url, { retries: 0 });
          for (const shard of shards) values.push((await array.get([0, shard * 8])).data[0]);
        });
        return error ?? values;
      },
      { url: `${far.url}/row`, shards },
    );
  const right = (shards) => shards.map((shard) => shard * 8);
  /** Requests shard by shard. */
  const asked = (shards) => shards.map((shard) => far.asked().filter(([, path]) => path === `c/0/${shard}`).map(([what]) => what));
  const preflights = () => far.log.filter(({ method }) => method === "OPTIONS").length;

  test("HEAD tells a shard's length; two of one length make the third one's index a range without end", async () => {
    const shards = [0, 1, 2, 3];
    assert.deepEqual(await read(shards), right(shards));
    const told = ["HEAD", measured(LENGTH), FIRST_CHUNK];
    const guessed = [range(LENGTH - INDEX), FIRST_CHUNK];
    assert.deepEqual(asked(shards), [told, told, guessed, guessed]);
    assert.equal(preflights(), 0);
  });

  for (const [what, paddings, third] of [
    ["a longer shard brings more than its index", [0, 0, 500], [range(LENGTH - INDEX)]],
    ["a shorter one is asked for again", [100, 100, 0], [range(LENGTH + 100 - INDEX), lastOf(LENGTH)]],
    ["one that ends before the guess is asked for its length", [2000, 2000, 0], [range(LENGTH + 2000 - INDEX), "HEAD", measured(LENGTH)]],
  ]) {
    test(`a wrong guess is mended: ${what}`, async () => {
      paddings.forEach((padding, shard) => far.files.set(`/row/c/0/${shard}`, padded(far.files.get(`/row/c/0/${shard}`), padding)));
      assert.deepEqual(await read([0, 1, 2]), right([0, 1, 2]));
      assert.deepEqual(asked([2]), [[...third, FIRST_CHUNK]]);
      assert.equal(preflights(), 0);
    });
  }

  for (const [how, rule] of [["405", status(405)], ["403", status(403)], ["no Content-Length", hidesLength]]) {
    test(`HEAD is answered with ${how}: suffixes, with a preflight, and HEAD is not tried again`, async () => {
      far.rules = [forMethod("HEAD", rule)];
      assert.deepEqual(await read([0, 1]), right([0, 1]));
      const [first, second] = asked([0, 1]);
      const suffix = `bytes=-${INDEX}`;
      assert.deepEqual(first, ["HEAD", "OPTIONS", suffix, FIRST_CHUNK]);
      assert.deepEqual(second.filter((what) => what !== "OPTIONS"), [suffix, FIRST_CHUNK]);
    });
  }

  test("HEAD and preflights are refused: each shard comes whole, once, and neither is tried again", async () => {
    far.rules = [forMethod("HEAD", status(405)), refusesPreflights];
    assert.deepEqual(await read([0, 1, 2]), right([0, 1, 2]));
    assert.deepEqual(asked([0, 1, 2]), [["HEAD", "OPTIONS", "all"], ["all"], ["all"]]);
  });

  test("ranges are ignored: each shard comes whole, once, and lengths are not asked for again", async () => {
    far.rules = [on(/c\//, ignoresRange)];
    assert.deepEqual(await read([0, 1, 2]), right([0, 1, 2]));
    assert.deepEqual(asked([0, 1, 2]), [["HEAD", measured(LENGTH)], ["all"], ["all"]]);
    assert.equal(preflights(), 0);
  });

  test("a host that was down for a while is not known for refusing anything", async () => {
    const values = async () => {
      const read = ({ support }) => support.rejection(async () => (globalThis.value = (await globalThis.array.get([0, 0])).data[0]));
      return (await network.run(read))?.name ?? (await network.run(() => globalThis.value));
    };
    await network.run(async ({ RectilinearArray }, url) => (globalThis.array = await RectilinearArray.open(url, { retries: 0 })).path, `${far.url}/row`);
    far.rules = [status(500)];
    assert.equal(await values(), "StoreError");
    far.reset();
    assert.equal(await values(), 0);
    assert.deepEqual(asked([0]), [["HEAD", measured(LENGTH), FIRST_CHUNK]]);
  });

  for (const [how, rules] of [["a date", []], ["a date alone", [namesNoTags]], ["an ETag that may be read", [exposes("ETag")]]]) {
    test(`a shard written anew since its index was read, on a host that gives ${how}, is an error that says so`, async () => {
      far.rules = rules;
      await network.run(async ({ RectilinearArray }, url) => {
        globalThis.array = await RectilinearArray.open(url);
        await globalThis.array.get([0, 0]);
      }, `${far.url}/row`);
      far.files.set("/row/c/0/0", written("row", { ...LAYOUT, isReversed: true }).get("/row/c/0/0"));
      const found = await network.run(async ({ support }) => {
        const error = await support.rejection(() => globalThis.array.get([2, 2]));
        return [error?.name, error?.message, (await globalThis.array.get([2, 2])).data[0]];
      });
      assert.match(found[1] ?? "no error", /changed while it was read/);
      assert.deepEqual([found[0], found[2]], ["StoreError", 2 * 64 + 2]);
      assert.equal(far.log.filter(({ ifRange }) => ifRange).length + preflights(), 0);
    });
  }

  test("a host without CORS is an error that says so", async () => {
    far.rules = [withoutCors];
    const error = await read([0]);
    assert.equal(error.name, "StoreError");
    assert.match(error.message, /CORS/);
  });
});
