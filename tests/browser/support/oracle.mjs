/**
 * Tests that every array of the oracle, read over HTTP in a page, equals its writer's values: by bytes, or element by
 * element where JavaScript represents items otherwise than they are stored. Chunks are cached; the tests of stores and
 * of Node read without a cache.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { chosen } from "./chosen.mjs";
import { openPage } from "./chromium.mjs";
import { inBatches } from "./in-batches.mjs";
import { oracle } from "./paths.mjs";

/** Lists of arrays, by their contents. */
const LISTS = {
  "arrays of zarr-python": "index.json",
  filters: "index-filters.json",
  "data types that no typed array holds as they are stored": "index-dtypes.json",
  "Zarr v2": "index-v2.json",
  "older spellings of grids, and proposals": "index-grids.json",
  "objects, ragged arrays and base64, which numcodecs writes": "index-objects.json",
  "arrays of TensorStore": "index-tensorstore.json",
  "lzma, whose module is loaded on demand": "index-lzma.json",
  "pcodec, whose module is loaded on demand": "index-pcodec.json",
  "zfpy, whose module is loaded on demand": "index-zfp.json",
};

/** Every array of the lists. */
export const oracleEntries = async () => (await Promise.all(Object.values(LISTS).map((list) => oracle(list)))).flat();

/** In a page: reads arrays one after the other; returns lists of what is wrong with the values of each. */
export async function readEntries({ RectilinearArray, support }, { entries }) {
  const lists = [];
  for (const entry of entries) {
    const url = new URL(`/data/${entry.path}`, location.href).href;
    const compare = async () => {
      if (entry.class) return support.compareElements(RectilinearArray, url, entry);
      const bytes = new Uint8Array(await (await fetch(`/data/${entry.expected}`)).arrayBuffer());
      return support.compareEntry(RectilinearArray, url, entry, bytes, { proposals: entry.proposals });
    };
    const found = await compare().catch((error) => [`${error.name}: ${error.message}`]);
    lists.push(found.map((failure) => `${entry.name}: ${failure}`));
  }
  return lists;
}

/** Defines the tests of these lists of entries for the browser that `browse` launches. */
function readsLists(browse, lists) {
  for (const [about, entries] of lists) {
    describe(about, () => {
      let page;
      const failuresOf = inBatches(entries, (batch) => page.run(readEntries, { entries: batch }));
      before(async () => (page = await openPage({}, { browse })));
      after(() => page?.close());

      for (const entry of entries) {
        test(`${entry.name}: ${entry.about}`, async () => {
          assert.deepEqual(await failuresOf(entry), []);
        });
      }

      test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
    });
  }
}

/** Defines the tests of all arrays. */
export async function readsTheOracle(browse) {
  const lists = Object.entries(LISTS).map(async ([about, list]) => [about, await oracle(list)]);
  readsLists(browse, await Promise.all(lists));
}

/** Defines the tests of one array of each kind, or of all arrays where the environment has ALL=1. */
export async function readsChosen(browse) {
  if (process.env.ALL === "1") return readsTheOracle(browse);
  const few = await chosen(await oracleEntries());
  return readsLists(browse, [["each data type, codec, grid and format", few]]);
}
