/** The option `timeout`: requests for which no byte comes are given up and repeated, and those that are slow are not. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";

import { first, gate, on, slow, stall, trickle } from "../support/faults.mjs";
import { startNetwork, until } from "../support/network.mjs";
import { PACKAGE } from "../support/paths.mjs";
import { written } from "../support/written.mjs";

const node = await import(pathToFileURL(join(PACKAGE, "node.js")));

/** An array of seven chunks of ten slices each, as the host sends them. */
const LONG = { shape: [7, 40960], chunks: [1, 40960] };

describe("requests without a byte", () => {
  let network;
  let near;
  let far;
  before(async () => {
    network = await startNetwork(new Map([...written("plain", { shape: [16, 16], chunks: [4, 4] }), ...written("long", LONG)]));
    ({ near, far } = network);
  });
  afterEach(() => network.settle());
  after(() => network?.close());

  const read = (name, selection, options = {}) =>
    network.run(
      async ({ RectilinearArray, support }, { name, selection, options }) => {
        let found;
        const error = await support.rejection(async () => {
          const { data } = await (await RectilinearArray.open(`/near/${name}`, options)).get(selection);
          found = [data.length, data[0]];
        });
        return error ?? found;
      },
      { name, selection, options },
    );
  const chunks = () => near.log.filter(({ path }) => path.includes("/c/"));

  for (const [what, fault] of [["a body that stops in its middle", () => stall(7)], ["a body that never starts", () => stall(0)], ["no answer", gate]]) {
    test(`${what}: given up, let go and repeated`, async () => {
      near.rules = [on(/\/c\//, first(1, fault()))];
      assert.deepEqual(await read("plain", [5, 5], { timeout: 4000 }), [1, 85]);
      assert.equal(chunks().length, 2);
      await until(() => chunks()[0].end);
      assert.ok(chunks()[0].aborted);
    });
  }

  test("it is an error after the retries, which says for how long nothing came", async () => {
    near.rules = [on(/\/c\//, stall(7))];
    const error = await read("plain", [5, 5], { timeout: 1500, retries: 1 });
    assert.deepEqual([error.name, chunks().length], ["StoreError", 2], JSON.stringify(error));
    assert.match(error.message, /no byte came for 1500 ms.*timeout/);
    await until(() => chunks().every(({ end, aborted }) => end && aborted));
  });

  test("documents and refusals have it too", async () => {
    near.rules = [on(/zarr\.json$/, first(1, stall(7))), on(/\/c\//, first(1, (exchange) => Object.assign(exchange, { status: 503, stallAfter: 0 })))];
    assert.deepEqual(await read("plain", [5, 5], { timeout: 4000 }), [1, 85]);
    assert.equal(near.log.length, 4);
  });

  test("0 and Infinity wait for what is slow, which less does not", async () => {
    near.rules = [on(/\/c\//, slow(900))];
    // As JSON has no Infinity, by a number that no timer takes.
    for (const timeout of [0, 2 ** 40]) {
      near.log = [];
      assert.deepEqual(await read("plain", [5, 5], { timeout }), [1, 85]);
      assert.equal(chunks().length, 1);
    }
    near.log = [];
    const held = gate();
    near.rules = [on(/\/c\//, held)];
    const error = await read("plain", [5, 5], { timeout: 2000, retries: 0 });
    held.open();
    assert.equal(error.name, "StoreError");
    assert.match(error.key, /\/c\//);
  });

  test("a body that takes longer is read, as long as bytes come", async () => {
    near.rules = [on(/\/c\//, trickle(400))];
    assert.deepEqual(await read("long", [0, null], { timeout: 3500 }), [40960, 0]);
    assert.equal(chunks().length, 1);
  });

  test("so are those that the browser holds back behind six others", async () => {
    near.rules = [on(/\/c\//, trickle(400))];
    assert.deepEqual(await read("long", null, { timeout: 3500, cacheBytes: 0 }), [7 * 40960, 0]);
    assert.deepEqual(chunks().map(({ aborted }) => aborted), new Array(7).fill(false));
  });

  test("a fetch and a stream of the caller's that heed no signal", async () => {
    const found = await network.run(async ({ RectilinearArray }) => {
      const values = [];
      for (const hang of [() => new Promise(() => {}), () => new Response(new ReadableStream({}))]) {
        let asked = 0;
        const answer = (request) => (/\/c\//.test(request.url) && asked++ === 0 ? hang() : fetch(request));
        const array = await RectilinearArray.open("/near/plain", { fetch: answer, timeout: 3000 });
        values.push((await array.get([5, 5])).data[0], asked);
      }
      return values;
    });
    assert.deepEqual(found, [85, 2, 85, 2]);
  });

  test("in Node", async () => {
    far.rules = [on(/\/c\//, first(1, stall(7)))];
    const array = await node.RectilinearArray.open(`${far.url}/plain`, { timeout: 3000 });
    assert.equal((await array.get([5, 5])).data[0], 85);
  });

  test("in Node, which holds no request back, one that hangs is given up while others go on", async () => {
    far.rules = [on(/\/c\/0\/0$/, gate()), on(/\/c\/1\/0$/, trickle(400))];
    const array = await node.RectilinearArray.open(`${far.url}/long`, { timeout: 3000, retries: 0 });
    const ended = [];
    const slow = array.get([1, null]).then(({ data }) => ended.push(data[0]));
    const hung = array.get([0, 5]).catch((error) => ended.push(error.name));
    await Promise.all([slow, hung]);
    assert.deepEqual(ended, ["StoreError", 40960]);
  });

  test("an abort ends a read that waits, with its own reason", async () => {
    near.rules = [on(/\/c\//, stall(7))];
    const reason = await network.run(async ({ RectilinearArray }) => {
      const array = await RectilinearArray.open("/near/plain");
      const controller = new AbortController();
      const reading = array.get([5, 5], { signal: controller.signal });
      setTimeout(() => controller.abort(new Error("enough")), 100);
      return reading.then(() => "read", (error) => error.message);
    });
    assert.equal(reason, "enough");
    await until(() => chunks().every(({ end, aborted }) => end && aborted));
  });

  for (const timeout of [-1, "soon"]) {
    test(`timeout: ${JSON.stringify(timeout)} is a TypeError`, async () => {
      assert.match((await read("plain", [5, 5], { timeout })).message, /the option timeout must be a number of at least 0/);
    });
  }
});
