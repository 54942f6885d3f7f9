/** Chunks that workers send, each most of what it is sent in: they go from there to their places, and are the same items. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";

const AXES = { rows: [300, 700, 500], columns: [600, 500] };

/** Arrays of chunks of 0.6 MB and more; of the last one rows begin where no words can. */
const ARRAYS = [
  { dtype: "float32", ...AXES },
  { dtype: "float32", ...AXES, order: [1, 0] },
  { dtype: "int64", rows: [300, 200], columns: [600, 500] },
  { dtype: "uint8", rows: [1300], columns: [1700, 1701] },
];

const SELECTIONS = [
  [null],
  [[{ step: -1 }, { step: -1 }]],
  [[{ start: 17, stop: 400, step: 3 }, { start: 1, step: 2 }]],
  [[{ start: 250, stop: 420 }, 601]],
  [[[3, 499, 250], null]],
  [null, { as: "float64" }],
  [null, { minmax: true, int64: "number" }],
];

/** In the page: what differs from reads without workers or by definition, and how many answers filled most of their memory. */
async function read({ RectilinearArray }, { dtype, rows, columns, order, selections }) {
  const { spyOnWorkers, until } = await import("/support/gzipped.mjs");
  const spied = spyOnWorkers();
  const TYPES = { float32: Float32Array, int64: BigInt64Array, uint8: Uint8Array };
  const starts = (edges) => edges.map((_, at) => edges.slice(0, at).reduce((sum, edge) => sum + edge, 0));
  const [height, width] = [rows, columns].map((edges) => edges.reduce((sum, edge) => sum + edge, 0));
  const isMissing = (y, x) => y < rows[0] && x >= columns[0];
  const number = (y, x) => (isMissing(y, x) ? 7 : (y * 31 + x * 7) % 251);
  const item = (y, x) => (dtype === "int64" ? BigInt(number(y, x)) : number(y, x));
  const document = {
    zarr_format: 3,
    node_type: "array",
    shape: [height, width],
    data_type: dtype,
    chunk_grid: { name: "rectilinear", configuration: { kind: "inline", chunk_shapes: [rows, columns] } },
    chunk_key_encoding: { name: "default" },
    codecs: [
      ...(order ? [{ name: "transpose", configuration: { order } }] : []),
      { name: "bytes", configuration: { endian: "little" } },
      { name: "gzip", configuration: { level: 1 } },
    ],
    fill_value: 7,
  };
  const gzip = async (items) =>
    new Uint8Array(await new Response(new Response(items).body.pipeThrough(new CompressionStream("gzip"))).arrayBuffer());
  const store = new Map([["/zarr.json", new TextEncoder().encode(JSON.stringify(document))]]);
  for (const [row, y] of starts(rows).entries()) {
    for (const [column, x] of starts(columns).entries()) {
      if (isMissing(y, x)) continue;
      const [tall, wide] = [rows[row], columns[column]];
      const place = order ? (at) => [at % tall, Math.floor(at / tall)] : (at) => [Math.floor(at / wide), at % wide];
      const at = (_, nth) => item(y + place(nth)[0], x + place(nth)[1]);
      store.set(`/c/${row}/${column}`, await gzip(TYPES[dtype].from({ length: tall * wide }, at)));
    }
  }
  const [alone, array] = await Promise.all([0, 2].map((workers) => RectilinearArray.open(store, { workers, cacheBytes: 0 })));
  await until(async () => (await array.get(), spied.answered > 0));
  const before = spied.large.length;
  const differing = [];
  const same = (what, found, expected) => {
    const isSame = found.length === expected.length && found.every((value, at) => Object.is(value, expected[at]));
    if (!isSame || !found.length) differing.push(what);
  };
  const whole = TYPES[dtype].from({ length: height * width }, (_, at) => item(Math.floor(at / width), at % width));
  same("definition", (await array.get()).data, whole);
  // The caller's own array has other items in it already.
  const out = new TYPES[dtype](height * width).fill(item(1, 1));
  same("out", (await array.get(null, { out })).data, whole);
  for (const [selection, options] of selections) {
    // Two at once share their chunks.
    const [one, two, expected] = await Promise.all([array, array, alone].map((array) => array.get(selection, options)));
    const what = JSON.stringify([selection, options]);
    same(what, one.data, expected.data);
    same(`${what} again`, two.data, expected.data);
    same(`${what} shape`, [...one.shape, ...(one.range ?? [])], [...expected.shape, ...(expected.range ?? [])]);
  }
  const points = [[0, 0], [height - 1, width - 1], [rows[0] - 1, columns[0]], [5, 599]];
  same("points", (await array.getPoints(points)).data, points.map(([y, x]) => item(y, x)));
  for await (const { data, start, shape } of array.stream()) {
    const place = (at) => item(start[0] + Math.floor(at / shape[1]), start[1] + (at % shape[1]));
    same(`part at ${start}`, data, Array.from(data, (_, at) => place(at)));
  }
  return { differing, large: spied.large.length - before };
}

/** In the page: a stream that nobody takes from until workers have sent all that they will, and how many chunks that is. */
async function pause({ RectilinearArray }) {
  const { differs, gzipped, spyOnWorkers, until } = await import("/support/gzipped.mjs");
  const spied = (globalThis.spied = spyOnWorkers());
  const array = (globalThis.array = await RectilinearArray.open(await gzipped(60, 150_000), { workers: 2, cacheBytes: 0 }));
  await until(async () => (await array.get(), spied.answered > 0));
  await until(() => spied.answered === spied.sent);
  const before = spied.large.length;
  const data = [];
  for await (const part of array.stream()) {
    // The calling thread decodes some of the 60 itself; two workers have two batches each from the start.
    await until(() => spied.large.length - before >= 4 && spied.answered === spied.sent);
    data[part.coords[0]] = part.data;
  }
  return { differs: differs(data.flatMap((part) => [...part])), sent: spied.large.length - before };
}

describe("chunks that workers send", () => {
  let page;
  before(async () => (page = await openPage()));
  after(() => page?.close());

  for (const array of ARRAYS) {
    test(`${array.dtype}${array.order ? ", transposed" : ""}`, async () => {
      await page.renew();
      const found = await page.run(read, { ...array, selections: SELECTIONS });
      assert.deepEqual(found.differing, []);
      assert.ok(found.large > 10, `${found.large} large parcels came from workers`);
    });
  }

  test("that waited are gone once they were taken, but for what is used again", async () => {
    await page.renew();
    const { differs, sent } = await page.run(pause);
    assert.ok(differs === -1 && sent >= 4, `${sent} chunks came from workers; item ${differs} differs`);
    const session = await (await page.browser.pages()).at(-1).createCDPSession();
    for (let round = 0; round < 2; round++) await session.send("HeapProfiler.collectGarbage");
    const held = await page.run(() => globalThis.spied.large.filter((buffer) => buffer.deref()).length);
    assert.ok(held <= 16, `${held} buffers are held`);
  });

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});
