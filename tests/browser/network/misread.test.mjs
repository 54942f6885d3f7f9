/** Hosts that answer with other bytes than were asked for, and say so: what is asked again, and what is refused. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";

import { openPage } from "../support/chromium.mjs";
import { exposes, forMethod, hidesLength, misreadsSuffixes, on, partUnasked } from "../support/faults.mjs";
import { itemsAt, startNetwork } from "../support/network.mjs";
import { PACKAGE } from "../support/paths.mjs";
import { startPreview } from "../support/preview.mjs";
import { indexSize, written } from "../support/written.mjs";

const SHARDED = { shape: [64, 64], chunks: [32, 32], inner: [8, 8] };
const INDEX = indexSize(16);
const SHARD = 32 * 32 * 4 + INDEX;
const INNER = 8 * 8 * 4;
const END = `bytes=${SHARD - INDEX}-${SHARD - 1}`;

const { RectilinearArray } = await import(pathToFileURL(join(PACKAGE, "node.js")));

describe("the server that make demo starts", () => {
  const HOURS = "data/clear-sky-2024.zarr/hours/ghi";
  let preview;
  let page;
  before(async () => {
    preview = await startPreview();
    page = await openPage({ "/demo": preview.handle });
  });
  after(() => Promise.all([page?.close(), preview?.close()]));

  test("the explorer's sharded array reads over HTTP as it does from the same files in memory", async () => {
    const found = await page.run(async ({ RectilinearArray }, path) => {
      const requests = [];
      const array = await RectilinearArray.open(`/demo/${path}`, { onRequest: (request) => requests.push(request), concurrency: 1 });
      const far = { get: async (key) => {
        const answer = await fetch(`/demo/${path}${key}`);
        return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : undefined;
      } };
      const whole = await RectilinearArray.open(far);
      const selection = [null, 12, 20, null];
      // One after the other: Chromium answers HEAD from its cache, without a length, where the whole value is in it.
      const region = await array.get(selection);
      const expected = await whole.get(selection);
      const isSame = region.data.every((value, at) => value === expected.data[at]);
      const some = region.data.some((value) => value > 0);
      return { isSame, some, length: region.data.length, suffixes: requests.filter(({ range }) => range?.[0] < 0).length };
    }, HOURS);
    assert.deepEqual(found, { isSame: true, some: true, length: 12 * 72, suffixes: 1 });
  });

  test("the same in Node, and a range of the first byte alone, which it answers with everything", async () => {
    const array = await RectilinearArray.open(`${preview.url}/${HOURS}`);
    const { data } = await array.get([5, 12, 20, 36]);
    assert.ok(data[0] > 0);
    const answer = await fetch(`${preview.url}/${HOURS}/zarr.json`, { headers: { range: "bytes=0-0" } });
    assert.equal(answer.status, 206);
    assert.match(answer.headers.get("content-range"), /^bytes 0-[1-9]/);
    await answer.body.cancel();
  });
});

describe("misread ranges", () => {
  const files = () => new Map([...written("sharded", SHARDED), ...written("plain", { shape: [16, 16], chunks: [8, 8] })]);
  let network;
  let near;
  let far;
  before(async () => ({ near, far } = network = await startNetwork(files())));
  afterEach(() => network.settle());
  after(() => network?.close());

  const read = (...wanted) => itemsAt(network, ...wanted);

  test("a suffix that is misread is asked for again by its place, and never as a suffix after that", async () => {
    near.rules = [misreadsSuffixes];
    assert.deepEqual(await read("/near/sharded", [[0, 9], [0, 33], [33, 0]]), [9, 33, 33 * 64]);
    const inner = (nth) => `bytes=${nth * INNER}-${(nth + 1) * INNER - 1}`;
    assert.deepEqual(near.asked(), [
      [`bytes=-${INDEX}`, "c/0/0"], [END, "c/0/0"], [inner(1), "c/0/0"],
      ["HEAD", "c/0/1"], [`bytes=${SHARD - INDEX}-${SHARD}`, "c/0/1"], [inner(0), "c/0/1"],
      // Two shards were of one length: a third one may be too.
      [`bytes=${SHARD - INDEX}-`, "c/1/0"], [inner(0), "c/1/0"],
    ]);
  });

  test("the same of another origin that takes headers, whether it lets pages read Content-Range or not", async () => {
    for (const rules of [[misreadsSuffixes, exposes("Content-Range")], [misreadsSuffixes]]) {
      await network.settle();
      far.rules = rules;
      assert.deepEqual(await read(`${far.url}/sharded`, [[0, 9], [0, 33]], { headers: { "x-api-key": "k" } }), [9, 33]);
      assert.equal(far.asked().filter(([method]) => method.startsWith("bytes=-")).length, 1);
    }
  });

  test("a host that tells no lengths either gives the whole shard", async () => {
    far.rules = [misreadsSuffixes, forMethod("HEAD", hidesLength)];
    assert.deepEqual(await read(`${far.url}/sharded`, [[0, 9], [0, 33]], { headers: { "x-api-key": "k" } }), [9, 33]);
    assert.deepEqual(far.asked().filter(([method]) => method === "all").map(([, path]) => path), ["c/0/0", "c/0/1"]);
  });

  test("a 206 to a request for a whole chunk is an error, and is not kept", async () => {
    near.rules = [on(/\/c\//, partUnasked(8))];
    const places = [[0, 0]];
    const error = await read("/near/plain", places, { persist: "misread" });
    assert.deepEqual([error.name, error.status], ["StoreError", 206], JSON.stringify(error));
    assert.match(error.key, /c\/0\/0$/);
    assert.match(error.message, /expected the whole value, received a part/);
    const kept = await network.run(async () => (await (await caches.open("misread")).keys()).length);
    assert.equal(kept, 0);
    near.rules = [];
    assert.deepEqual(await read("/near/plain", places, { persist: "misread" }), [0]);
    await network.run(() => caches.delete("misread"));
  });

  test("so is one to a document, and one whose range may not be read", async () => {
    near.rules = [on(/zarr\.json$/, partUnasked(1))];
    assert.equal((await read("/near/plain", [[0, 0]])).status, 206);
    far.rules = [on(/\/c\//, partUnasked(0))];
    assert.equal((await read(`${far.url}/plain`, [[0, 0]])).status, 206);
  });

  test("a 206 that says that it is the whole value is the value", async () => {
    near.rules = [partUnasked(0)];
    assert.deepEqual(await read("/near/plain", [[9, 9]]), [9 * 16 + 9]);
    far.rules = [exposes("Content-Range"), partUnasked(0)];
    assert.deepEqual(await read(`${far.url}/plain`, [[9, 9]]), [9 * 16 + 9]);
  });

  test("another part than was asked for is an error", async () => {
    near.rules = [on(/\/c\//, (exchange) => (exchange.range = exchange.range?.replace(/=(\d+)-(\d+)$/, (_, a, b) => `=${+a + 4}-${+b + 4}`)))];
    const error = await read("/near/sharded", [[0, 9]]);
    assert.deepEqual([error.name, error.status], ["StoreError", 206]);
    assert.match(error.message, /another part/);
  });
});
