/** The readers that are compared over networks, each with the same verbs. Runs inside the page. */

import * as today from "rectilinear-zarr";

import * as zarrita from "/zarrita/zarrita.js";

/** A package of ours, which `load` gives. */
const ours = (load) => (options) => ({
  open: async (url) => (await load()).RectilinearArray.open(url, options),
  get: (array, selection, signal) => array.get(selection, { signal }),
  async group(url, names) {
    const group = await (await load()).Group.open(url);
    return Promise.all(names.map((name) => group.array(name)));
  },
});

/** zarrita over a FetchStore as `wrap` makes it. */
const theirs = (wrap) => ({
  open: (url) => zarrita.open.v3(wrap(new zarrita.FetchStore(url)), { kind: "array" }),
  get: (array, selection, signal) => zarrita.get(array, selection, { signal }),
  async group(url, names) {
    const store = await zarrita.withConsolidatedMetadata(wrap(new zarrita.FetchStore(url)), { format: "v3" });
    const group = await zarrita.open.v3(store, { kind: "group" });
    return Promise.all(names.map((name) => zarrita.open.v3(group.resolve(name), { kind: "array" })));
  },
});

/** By name: ours, and the package that BEFORE names; zarrita as it comes, with joined ranges, and with a cache of bytes above these. */
export const READERS = {
  ours: ours(() => today),
  before: ours(() => import("/before/index.js")),
  plain: () => theirs((store) => store),
  joining: () => theirs(zarrita.withRangeCoalescing),
  wrapped: () => theirs((store) => zarrita.withByteCaching(zarrita.withRangeCoalescing(store))),
};

/** The selection of a square tile. */
export const tile = (edge, [row, column]) => [row, column].map((nth) => zarrita.slice(nth * edge, nth * edge + edge));

/** Reads that are measured: opened first where that is not the point, then timed; the sum of what came tells that it is right. */
const TASKS = {
  tiles: async (reader, array, tiles) => Promise.all(tiles.map((at) => reader.get(array, tile(array.shape[0] / 16, at)))),
  series: async (reader, array, [row, column]) => [await reader.get(array, [null, row, column])],
};

/** Milliseconds and the sum of all values. */
export async function measure({ reader: name, options, task, url, wanted }) {
  const reader = READERS[name](options);
  const array = task === "group" ? undefined : await reader.open(url);
  const started = performance.now();
  const came = task === "group" ? await reader.group(url, wanted) : await TASKS[task](reader, array, wanted);
  const ms = Math.round(performance.now() - started);
  const sum = task === "group" ? came.reduce((all, { shape }) => all + shape[1], 0) : came.reduce((all, { data }) => data.reduce((a, b) => a + b, all), 0);
  return { ms, sum };
}
