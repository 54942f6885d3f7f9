/** 20,000 chunks over a bad network, with readers who leave: every value right, nothing left behind, memory flat. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { launchAlone } from "../support/chromium.mjs";
import { cut, slow, status, wrongLength } from "../support/faults.mjs";
import { recordInstances } from "../support/instances.mjs";
import { startNetwork, until } from "../support/network.mjs";
import { written } from "../support/written.mjs";

const CHUNKS = 20_000;
/** Chunks read by one call into the page. */
const STEP = 1000;
/** After so many the caches are warm: memory is compared from here on. */
const WARM = 5000;
/** Share of requests that go wrong. */
const FAULTS = 0.05;
/** Share of requests that are answered late: most reads wait for one, so readers who leave do so while requests run. */
const SLOW = 0.3;

const PLAIN = { shape: [800, 800], chunks: [8, 8], gzip: true };
const SHARDED = { shape: [800, 800], chunks: [80, 80], inner: [8, 8], gzip: true };

/** Numbers from 0 to 1, the same ones each time. */
function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Some faults, all of which may pass, and answers that take long enough for readers to leave. */
function faults(rate, seed) {
  const next = random(seed);
  const kinds = [status(500), status(503, { "Retry-After": "0" }), status(429), cut(0), cut(11), wrongLength(5)];
  return (exchange) => {
    if (next() < rate) kinds[Math.floor(next() * kinds.length)](exchange);
    if (next() < SLOW) slow(100)(exchange);
  };
}

/** Reads random boxes with twelve readers at a time until so many chunks came, in the page. Says what was wrong. */
async function readChunks(_, { count, seed }) {
  const next = globalThis.random(seed);
  const found = { chunks: 0, aborts: 0, wrong: [] };
  const pick = (limit) => Math.floor(next() * limit);

  async function readOne() {
    const array = globalThis.arrays[pick(globalThis.arrays.length)];
    const [rows, columns] = [1 + pick(5), 1 + pick(5)];
    const [top, left] = [pick(100 - rows) * 8, pick(100 - columns) * 8];
    const box = [{ start: top, stop: top + rows * 8, step: null }, { start: left, stop: left + columns * 8, step: null }];
    const controller = new AbortController();
    const reason = new Error("leaves");
    const leaves = next() < 0.2 && setTimeout(() => controller.abort(reason), pick(60));
    try {
      const { data } = await array.get(box, { signal: controller.signal });
      const isRight = (value, at) => value === (top + Math.floor(at / (columns * 8))) * 800 + left + (at % (columns * 8));
      if (data.length !== rows * columns * 64 || !data.every(isRight)) found.wrong.push(`values of ${top}, ${left}`);
      found.chunks += rows * columns;
    } catch (error) {
      if (error !== reason) found.wrong.push(String(error?.stack ?? error));
      found.aborts += 1;
    }
    clearTimeout(leaves);
  }

  const reader = async () => {
    while (found.chunks < count && found.wrong.length === 0) await readOne();
  };
  await Promise.all(Array.from({ length: 12 }, reader));
  return found;
}

describe("a soak", () => {
  let network;
  // Faults at random may meet the first read, which ordinary first reads do not.
  const files = new Map([...written("plain", PLAIN), ...written("sharded", SHARDED)]);
  before(async () => (network = await startNetwork(files, { browse: launchAlone, before: recordInstances })));
  after(() => network?.close());

  /** Bytes of WebAssembly memory, and of the page's objects after a collection. */
  async function memory() {
    const [tab] = (await network.page.browser.pages()).slice(-1);
    const session = await tab.createCDPSession();
    await session.send("HeapProfiler.collectGarbage");
    const { JSHeapUsedSize: objects } = await tab.metrics();
    await session.detach();
    const wasm = await network.run(() => globalThis.instances[0].memory.buffer.byteLength);
    return { wasm, objects };
  }

  test(`${CHUNKS} chunks with faults and aborts`, { timeout: 900_000 }, async () => {
    const { near, far } = network;
    await network.run(
      async ({ RectilinearArray }, { urls, random }) => {
        globalThis.random = eval(`(${random})`);
        const open = (url) => RectilinearArray.open(url, { retries: 9, cacheBytes: 0 });
        globalThis.arrays = await Promise.all(urls.map(open));
      },
      { urls: [`${near.url}/plain`, `${near.url}/sharded`, `${far.url}/plain`, `${far.url}/sharded`], random: String(random) },
    );
    near.rules = [faults(FAULTS, 1)];
    far.rules = [faults(FAULTS, 2)];
    let [chunks, aborts, warm] = [0, 0, undefined];
    while (chunks < CHUNKS) {
      const found = await network.run(readChunks, { count: STEP, seed: chunks });
      assert.deepEqual(found.wrong, []);
      chunks += found.chunks;
      aborts += found.aborts;
      if (chunks >= WARM) warm ??= await memory();
    }
    await until(() => near.inFlight === 0 && far.inFlight === 0);
    const log = [...near.log, ...far.log];
    const faulty = log.filter(({ status, isCut }) => status >= 400 || isCut).length;
    assert.ok(faulty > 0.02 * log.length, `${faulty} faults in ${log.length} requests`);
    const dropped = log.filter(({ aborted }) => aborted).length;
    assert.ok(aborts > 100 && dropped > 10, `${aborts} reads and ${dropped} requests aborted`);
    const end = await memory();
    console.log(`    ${log.length} requests, ${faulty} faults, ${aborts} reads and ${dropped} requests aborted; WebAssembly ${warm.wasm} to ${end.wasm} bytes, objects ${warm.objects} to ${end.objects}`);
    assert.ok(end.wasm <= warm.wasm + (1 << 20), `WebAssembly memory grew from ${warm.wasm} to ${end.wasm}`);
    assert.ok(end.objects <= warm.objects * 1.5 + (4 << 20), `objects grew from ${warm.objects} to ${end.objects} bytes`);
    // Nothing is asked for that nobody waits for, once what was aborted has come.
    await network.settle();
    await network.run(() => new Promise((done) => setTimeout(done, 500)));
    assert.deepEqual([near.log.length, far.log.length], [0, 0]);
    assert.deepEqual(network.page.errors, []);
  });
});
