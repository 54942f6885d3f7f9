/** Arrays laid end to end: values as numpy concatenates them, in the requests that each of them takes by itself. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { chosen } from "../support/chosen.mjs";
import { openPage } from "../support/chromium.mjs";
import { startNode } from "../support/in-node.mjs";
import { FIXTURES, NEIGHBOURS, oracle } from "../support/paths.mjs";

const year = await oracle("months.json");
const { buffer } = Uint8Array.from(await readFile(join(FIXTURES, year.expected)));
const values = new Int16Array(buffer);
const SETS = join(NEIGHBOURS, "kerchunk");

/** Sizes of the stored chunks along time, month by month, and of those that are decoded one by one. */
const STORED = [[31], [10, 10, 9], [15, 15, 1], [30], [12, 12, 7], [30], [20, 11], [31], [7, 7, 7, 7, 2], [8, 8, 8, 7], [16, 14], [31]];
const READ = STORED.with(6, [5, 5, 5, 5, 5, 5, 1]).with(7, new Array(31).fill(1));

const slice = (start, stop, step = null) => ({ start, stop, step });

const SELECTIONS = [
  [],
  [30],
  [-1, -1, -1],
  [slice(25, 70)],
  [slice(null, null, 17), 2],
  [slice(300, 20, -29), null, slice(5, 0, -2)],
  [[365, 0, 59, 60, 0, 152], [3, 1]],
  [Array.from({ length: 366 }, (_, day) => day % 50 === 9), null, 4],
  [slice(40, 40)],
];

/** The coordinates that a selection picks along an axis. */
function picked(asked, extent) {
  const all = Array.from({ length: extent }, (_, at) => at);
  if (asked === undefined || asked === null) return all;
  if (typeof asked === "number") return [all.at(asked)];
  if (Array.isArray(asked)) return typeof asked[0] === "boolean" ? all.filter((at) => asked[at]) : asked.map((at) => all.at(at));
  const { start, stop } = asked;
  const step = asked.step ?? 1;
  const along = step > 0 ? all.slice(start ?? 0, stop ?? extent) : all.slice((stop ?? -1) + 1, (start ?? extent - 1) + 1).reverse();
  return along.filter((_, nth) => nth % Math.abs(step) === 0);
}

/** Values of the year by the rules of numpy. */
function expected(selection) {
  const [days, rows, columns] = year.shape.map((extent, axis) => picked(selection[axis], extent));
  const items = days.flatMap((day) => rows.flatMap((row) => columns.map((column) => values[(day * 4 + row) * 6 + column])));
  const shape = [days, rows, columns].map((axis) => axis.length).filter((_, axis) => typeof selection[axis] !== "number");
  return { shape, items };
}

/** In a page or in Node: the arrays that are not right beside themselves, along their first axis or their last. */
async function besideThemselves({ RectilinearArray, support }, entries) {
  const failures = [];
  const check = async (entry) => {
    const { path, arrayPath, proposals, dtype } = entry;
    const source = globalThis.sourceOf?.(entry) ?? new URL(`/data/${path}`, location.href);
    const array = await RectilinearArray.open(source, { path: arrayPath, proposals, workers: 0 });
    // Text of one length is a list of as many strings.
    const listed = ({ data }) => (Array.isArray(data) ? data : [...support.bytesOf(data, dtype)]);
    const one = listed(await array.get());
    for (const axis of new Set([0, array.shape.length - 1])) {
      const twice = await RectilinearArray.concat([array, array], axis);
      const doubled = (list, at) => (at === axis ? [...list, ...list] : list);
      const [shape, sizes] = [array.shape.map((extent, at) => (at === axis ? 2 * extent : extent)), array.writeChunkSizes.map(doubled)];
      const rows = array.shape.slice(0, axis).reduce((rows, extent) => rows * extent, 1);
      const row = (nth) => one.slice((one.length / rows) * nth, (one.length / rows) * (nth + 1));
      const expected = Array.from({ length: rows }, (_, nth) => doubled(row(nth), axis)).flat();
      const found = await twice.get();
      const isRight = JSON.stringify([listed(found), found.shape]) === JSON.stringify([expected, shape]);
      if (!isRight || JSON.stringify(twice.writeChunkSizes) !== JSON.stringify(sizes)) failures.push([path, axis]);
      twice.free();
    }
    array.free();
  };
  await Promise.all(entries.filter(({ itemBytes }) => itemBytes !== null).map(check));
  return failures;
}

/** Lists of arrays that are joined to themselves. */
const LISTS = ["index.json", "index-filters.json", "index-v2.json", "index-grids.json"];
const withAxes = async (list) => (await oracle(list)).filter(({ shape }) => shape.length > 0);

describe("arrays end to end", () => {
  let page;
  before(async () => (page = await openPage({ "/sets": SETS })));
  after(() => page?.close());

  test("twelve months in twelve stores and formats read as the year that numpy makes of them", async () => {
    const found = await page.run(async ({ RectilinearArray, support }, { year, selections }) => {
      const array = await support.openYear(RectilinearArray, year);
      const regions = [];
      for (const selection of selections) regions.push(await array.get(selection));
      const named = await array.get({ time: 59, lon: [5, 0] });
      const { shape, dtype, dimensionNames, attrs, fillValue, path, zarrFormat, writeChunkSizes, readChunkSizes, chunkGrid } = array;
      return {
        properties: { shape, dtype, dimensionNames, attrs, fillValue, path, zarrFormat, writeChunkSizes, readChunkSizes },
        isRegular: chunkGrid.isRegular,
        runs: chunkGrid.runs(0).slice(0, 5),
        found: chunkGrid.chunkAt([91, 3, 5]),
        bounds: chunkGrid.bounds([6, 0, 1]),
        inner: array.innerChunkGrid.shape,
        regions: [...regions, named].map(({ data, shape }) => ({ shape, items: [...data] })),
      };
    }, { year, selections: SELECTIONS });
    assert.deepEqual(found.properties, {
      shape: [366, 4, 6],
      dtype: "int16",
      dimensionNames: ["time", "lat", "lon"],
      attrs: { units: "K", scale_factor: 0.01, add_offset: 280, _FillValue: -9999 },
      fillValue: -9999,
      path: "",
      zarrFormat: 3,
      writeChunkSizes: [STORED.flat(), [4], [4, 2]],
      readChunkSizes: [READ.flat(), [4], [4, 2]],
    });
    assert.equal(found.isRegular, false);
    assert.deepEqual(found.runs, [
      { edge: 31, count: 1 },
      { edge: 10, count: 2 },
      { edge: 9, count: 1 },
      { edge: 15, count: 2 },
      { edge: 1, count: 1, encoded: 15 },
    ]);
    assert.deepEqual(found.found, { coords: [7, 0, 1], within: [0, 3, 1] });
    assert.deepEqual(found.bounds, { start: [90, 0, 4], stop: [91, 4, 6] });
    assert.deepEqual(found.inner, [READ.flat().length, 1, 2]);
    const wanted = [...SELECTIONS.map(expected), expected([59, undefined, [5, 0]])];
    for (const [nth, region] of found.regions.entries()) assert.deepEqual(region, wanted[nth], JSON.stringify(SELECTIONS[nth]));
  });

  /** The requests for chunks that something in the page makes, in order of their URLs. */
  async function asked(body) {
    page.site.requests.length = 0;
    await page.run(body, year);
    const chunks = page.site.requests.filter(({ url }) => url.startsWith("/data/months/") && !/zarr\.json$|\/\.z/.test(url));
    return chunks.map(({ url, headers }) => `${url.slice("/data/months/".length)} ${headers.range ?? ""}`.trim()).sort();
  }

  test("a read makes the requests that its months make by themselves, and no others", async () => {
    const together = await asked(async ({ RectilinearArray, support }, year) => (await support.openYear(RectilinearArray, year)).get());
    const apart = await asked(async ({ RectilinearArray, support }, year) =>
      Promise.all((await support.openMonths(RectilinearArray, year)).map((month) => month.get())),
    );
    assert.deepEqual(together, apart);
    // Two chunks a stretch of days; of a shard its index, and all that is in it.
    assert.equal(together.length, 2 + 6 + 6 + 2 + 6 + 2 + 2 * 4 + 2 * 2 + 10 + 8 + 4 + 2);
    const borders = await asked(async ({ RectilinearArray, support }, year) =>
      (await support.openYear(RectilinearArray, year)).get([[30, 31, 59, 60], 0, 0]),
    );
    assert.deepEqual(borders, ["feb.zarr/c/0/0/0", "feb.zarr/c/2/0/0", "jan.zarr/c/0/0/0", "mar.zarr/c/0/0/0"]);
  });

  test("chunks, streams and points are those of the year", async () => {
    const found = await page.run(async ({ RectilinearArray, support }, year) => {
      const array = await support.openYear(RectilinearArray, year);
      const { chunkGrid, innerChunkGrid } = array;
      const chunks = [];
      for (let nth = 0; nth < chunkGrid.shape[0]; nth++) {
        const { data, shape } = await array.getChunk([nth, 0, 1]);
        chunks.push({ ...chunkGrid.bounds([nth, 0, 1]), shape, items: [...data] });
      }
      const streams = [];
      for (const order of ["grid", "center"]) {
        const parts = [];
        for await (const { data, coords, start, stop } of array.stream([null, null, [4, 5]], { order })) {
          parts.push({ start, stop, box: innerChunkGrid.bounds(coords), items: [...data] });
        }
        streams.push(parts);
      }
      const points = [[0, 0, 0], [-1, 3, 5], [213, 1, 2], [59, 0, 4], [59, 0, 4], [152, 2, 5]];
      return { chunks, streams, points, items: [...(await array.getPoints(points)).data] };
    }, year);
    assert.deepEqual(found.chunks.map(({ shape }) => shape), STORED.flat().map((days) => [days, 4, 2]));
    for (const { start, stop, items } of found.chunks) assert.deepEqual(items, expected([slice(start[0], stop[0]), null, slice(4, 6)]).items);
    for (const parts of found.streams) {
      assert.equal(parts.length, READ.flat().length);
      for (const { start, stop, box, items } of parts) {
        assert.deepEqual([start[0], stop[0], box.start[2]], [box.start[0], box.stop[0], 4]);
        assert.deepEqual(items, expected([slice(start[0], stop[0]), slice(start[1], stop[1]), slice(4, 6)]).items);
      }
    }
    const middle = found.streams[1].findIndex(({ start, stop }) => start[0] <= 183 && stop[0] > 183);
    assert.ok(middle < 40, "from the middle of the year outwards");
    assert.deepEqual(found.items, found.points.map((point) => expected(point).items[0]));
  });

  test("a plan tells what is asked for, and a prefetch asks for it", async () => {
    const found = await page.run(async ({ RectilinearArray, support, slice }, year) => {
      const array = await support.openYear(RectilinearArray, year);
      const selection = [slice(25, 70), 0, 0];
      const { requests, ...plan } = array.plan(selection);
      const progress = [];
      await array.prefetch(selection, { onProgress: ({ chunks, totalChunks }) => progress.push([chunks, totalChunks]) });
      return { plan, keys: requests.map(({ key }) => key), progress: progress.at(-1), kept: array.plan(selection).requests };
    }, year);
    assert.deepEqual(found.plan, { shape: [45], bytes: 90, chunks: 5, storedChunks: 5 });
    assert.deepEqual(found.keys, ["c/0/0/0", "c/0/0/0", "c/1/0/0", "c/2/0/0", "c/0/0/0"]);
    assert.deepEqual(found.progress, [5, 5]);
    assert.deepEqual(found.kept, []);
  });

  test("values come as the numbers that are wanted, where they are wanted", async () => {
    const found = await page.run(async ({ RectilinearArray, support }, year) => {
      const array = await support.openYear(RectilinearArray, year);
      const out = new Float32Array(366 * 24);
      const { data, range } = await array.get(null, { as: "float32", minmax: true, out });
      const texture = await array.get([8], { texture: { format: "r32float", rowAlignment: 32 } });
      const items = [...out].map((item) => (Number.isNaN(item) ? null : item));
      return { isOut: data === out, items, range, texture: [texture.width, texture.height, texture.bytesPerRow] };
    }, year);
    const wanted = [...values].map((item) => (item === -9999 ? null : Math.fround(item * 0.01 + 280)));
    const numbers = wanted.filter((item) => item !== null);
    assert.equal(found.isOut, true);
    assert.deepEqual(found.items, wanted);
    assert.deepEqual(found.range, [Math.min(...numbers), Math.max(...numbers)]);
    assert.deepEqual(found.texture, [6, 4, 32]);
  });

  test("workers decode each month by its own codecs", async () => {
    await page.renew();
    const items = await page.run(
      async ({ RectilinearArray, support }, year) => [...(await (await support.openYear(RectilinearArray, year, { workers: 2 })).get()).data],
      year,
    );
    assert.deepEqual(items, [...values]);
  });

  test("what is joined can be joined again, along the same axis and others", async () => {
    const found = await page.run(async ({ RectilinearArray, support, slice }, year) => {
      const [jan, feb, mar] = await support.openMonths(RectilinearArray, year);
      const { concat } = RectilinearArray;
      const quarter = await concat([await concat([jan, feb], 0), mar], -3);
      const wide = await concat([quarter, quarter], "lon");
      const tall = await concat([wide, wide], "lat");
      const alone = await concat([jan], 0);
      return {
        quarter: quarter.writeChunkSizes,
        shape: tall.shape,
        items: [...(await tall.get([[90, 0], slice(2, 6), [11, 0, 5, 6]])).data],
        alone: [...(await alone.get([slice(3, 9)])).data],
        sizes: alone.writeChunkSizes,
      };
    }, year);
    assert.deepEqual(found.quarter, [STORED.slice(0, 3).flat(), [4], [4, 2]]);
    assert.deepEqual(found.shape, [91, 8, 12]);
    const items = [90, 0].flatMap((day) => [2, 3, 0, 1].flatMap((row) => expected([day, row, [5, 0, 5, 0]]).items));
    assert.deepEqual(found.items, items);
    assert.deepEqual(found.alone, expected([slice(3, 9)]).items);
    assert.deepEqual(found.sizes, [[31], [4], [4, 2]]);
  });

  test("one chunk and two, edges that extents cut, and arrays of nothing", async () => {
    const found = await page.run(async ({ RectilinearArray, support: { counting } }) => {
      const read = async (...parts) => {
        const joined = await RectilinearArray.concat(await Promise.all(parts.map((part) => RectilinearArray.open(counting(...part)))), 0);
        return { sizes: joined.writeChunkSizes, runs: joined.chunkGrid.runs(0), items: [...(await joined.get()).data] };
      };
      return [
        await read([100, 100], [100, 50, 100]),
        await read([55, 20], [55, 20, 55]),
        await read([0, 9], [7, 10], [0, 3], [5, 5, 7], [0, 2]),
        await read([0, 9], [0, 4]),
      ];
    });
    const upTo = (count) => Array.from({ length: count }, (_, at) => at);
    assert.deepEqual(found, [
      { sizes: [[100, 50, 50]], runs: [{ edge: 100, count: 1 }, { edge: 50, count: 2 }], items: upTo(200) },
      {
        sizes: [[20, 20, 15, 20, 20, 15]],
        runs: [{ edge: 20, count: 2 }, { edge: 15, count: 1, encoded: 20 }, { edge: 20, count: 3 }],
        items: upTo(110),
      },
      { sizes: [[7, 5]], runs: [{ edge: 7, count: 1, encoded: 10 }, { edge: 5, count: 1 }], items: upTo(12) },
      { sizes: [[]], runs: [{ edge: 9, count: 0 }], items: [] },
    ]);
  });

  test("references to NetCDF files beside plain Zarr", async () => {
    const found = await page.run(async ({ RectilinearArray, Group }) => {
      const member = async (name) => (await Group.open(`/sets/${name}.json`, { workers: 0 })).array("t2m");
      // Zarr v2 over one file, v3 over three, v2 over two.
      const parts = await Promise.all(["single", "months", "combined"].map(member));
      const plain = { zarr_format: 2, shape: [2, 8, 12], chunks: [2, 8, 12], dtype: ">i2", order: "C", fill_value: -32768, compressor: null, filters: null };
      const bytes = Uint8Array.from({ length: 2 * 8 * 12 * 2 }, (_, at) => (at % 2 ? at >> 1 : 0));
      const store = new Map([["/.zarray", new TextEncoder().encode(JSON.stringify(plain))], ["/0.0.0", bytes]]);
      const joined = await RectilinearArray.concat([...parts, await RectilinearArray.open(store)], "time");
      return { sizes: joined.writeChunkSizes, items: [...(await joined.get()).data], last: [...(await joined.get([-1, 0])).data] };
    });
    const stored = ["single-t2m.bin", "months-t2m.bin", "combined-t2m.bin"].map((name) => readFile(join(SETS, name)));
    const bytes = Uint8Array.from(Buffer.concat(await Promise.all(stored)));
    const plain = Int16Array.from({ length: 2 * 8 * 12 }, (_, at) => at % 256);
    assert.deepEqual(found.sizes, [[31, 31, 29, 31, 31, 31, 2], [8], [12]]);
    assert.deepEqual(found.items, [...new Int16Array(bytes.buffer), ...plain]);
    assert.deepEqual(found.last, [...plain.subarray(96, 108)]);
  });

  for (const list of LISTS) {
    test(`every array of ${list} beside itself, along its first axis and its last, in Node`, async () => {
      const node = await startNode();
      assert.deepEqual(await node.run(besideThemselves, await withAxes(list)), []);
    });
  }

  test("an array of each kind beside itself, along its first axis and its last", async () => {
    const entries = await chosen((await Promise.all(LISTS.map(withAxes))).flat());
    assert.deepEqual(await page.run(besideThemselves, entries), []);
  });

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});
