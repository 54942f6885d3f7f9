// The difference of two arrays as an array of its own, whose chunks are made of both as they are asked for: what statistics of such a picture read.
import { RectilinearArray, slice } from "rectilinear-zarr";
import { joined } from "../reading/layers.js";

const PLACES = ["coordinates", "grid_mapping"]; // attributes that hold for the difference too
const RAW = /^(u?int(8|16|32|64)|float(32|64))$/;

const written = (document) => new TextEncoder().encode(JSON.stringify(document, (_, v) => (typeof v === "bigint" ? Number(v) : v)));

const metadata = ({ shape, dtype, names, attributes, grid }) => written({
  zarr_format: 3, node_type: "array", shape, data_type: dtype, fill_value: dtype === "float64" ? "NaN" : 0, attributes,
  ...(names && { dimension_names: names }), chunk_grid: grid, chunk_key_encoding: { name: "default" }, codecs: [{ name: "bytes", configuration: { endian: "little" } }],
});

const regular = (shape) => ({ name: "regular", configuration: { chunk_shape: shape } });

const runsOf = (grid, rank) => Array.from({ length: rank }, (_, d) => [...grid.runs(d)].map(({ edge, count }) => [edge, count]));

/** The length of the chunk with a number along an axis that has these runs of chunks. */
function edgeAt(runs, nth) {
  let left = nth;
  for (const [edge, count] of runs) {
    if (left < count) return edge;
    left -= count;
  }
  return runs.at(-1)[0];
}

/** Items of a chunk that the array's end cuts off at `shape`, as those of one that is whole. */
function whole(values, shape, edges) {
  if (String(shape) === String(edges)) return values;
  const all = new Float64Array(edges.reduce((n, edge) => n * edge, 1)).fill(NaN);
  const row = shape.at(-1);
  for (let from = 0; from < values.length; from += row) {
    let [nth, at, size] = [from / row, 0, edges.at(-1)];
    for (let d = shape.length - 2; d >= 0; d--) {
      at += (nth % shape[d]) * size;
      nth = Math.floor(nth / shape[d]);
      size *= edges[d];
    }
    all.set(values.subarray(from, from + row), at);
  }
  return all;
}

/** The array that is drawn less the one that is taken off it, with the coordinates beside it: `{ array, free() }`. */
export async function differenceOf({ dataset, against, catalog }, signal) {
  const { path, shape, grid, attrs } = dataset;
  const runs = runsOf(grid, shape.length);
  const members = new Map(); // by path: promises of arrays, undefined where nothing is

  const memberAt = (at) => {
    if (!members.has(at)) members.set(at, catalog.open(at).catch(() => undefined));
    return members.get(at);
  };

  /** Metadata of an array beside the difference: the same items, in one chunk. */
  async function describedAt(at) {
    const array = await memberAt(at);
    if (!array || !RAW.test(array.dtype)) return undefined;
    return metadata({ shape: array.shape, dtype: array.dtype, names: array.dimensionNames, attributes: array.attrs, grid: regular(array.shape.map((n) => Math.max(1, n))) });
  }

  async function itemsAt(at, reading) {
    const array = await memberAt(at);
    const { data } = await array.get(null, { signal: reading });
    return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  }

  async function chunkAt(coords, reading) {
    const { start, stop } = grid.bounds(coords);
    const selection = start.map((from, d) => slice(from, stop[d]));
    const { values } = joined({ join: "difference" }, await Promise.all([dataset, against.dataset].map((one) => one.decoder.read(one.array, selection, reading))));
    const items = whole(values, start.map((from, d) => stop[d] - from), coords.map((nth, d) => edgeAt(runs[d], nth)));
    return new Uint8Array(items.buffer, items.byteOffset, items.byteLength);
  }

  async function get(key, { signal: reading } = {}) {
    const [, at, document, coords] = /^\/(.*?)\/?(?:(zarr\.json)|c((?:\/\d+)*))$/.exec(key) ?? [];
    if (at === undefined) return undefined;
    if (document && at !== path) return at ? describedAt(at) : undefined;
    if (!document) return at === path ? chunkAt(coords.split("/").slice(1).map(Number), reading) : itemsAt(at, reading);
    const grids = grid.isRegular ? regular(runs.map(([[edge]]) => edge)) : { name: "rectilinear", configuration: { kind: "inline", chunk_shapes: runs } };
    return metadata({ shape, dtype: "float64", names: dataset.array.dimensionNames, attributes: Object.fromEntries(PLACES.filter((name) => name in attrs).map((name) => [name, attrs[name]])), grid: grids });
  }

  const array = await RectilinearArray.open({ get }, { path, signal });
  return {
    array,
    async free() {
      array.free();
      for (const member of members.values()) (await member)?.free();
    },
  };
}
