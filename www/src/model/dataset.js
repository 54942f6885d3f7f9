// Opens an array with the coordinate arrays that stand beside it, through the package's public API only.
import { RectilinearArray } from "rectilinear-zarr";
import { makeAxis } from "./axis.js";
import { makeDecoder } from "./decode.js";
import { units } from "./format.js";

export const CACHE_BYTES = 256 * 2 ** 20; // decoded chunks the package keeps for this page
const LONGEST_COORDINATE = 1e6;
const DRAWN = /^(bool|u?int(8|16|32|64)|float(16|32|64))$/;

/** The address of the array `name` that stands beside the one at `url`. */
function sibling(url, name) {
  const beside = new URL(url);
  beside.pathname = beside.pathname.replace(/\/*$/, "").replace(/[^/]*$/, encodeURIComponent(name));
  return beside.href;
}

const nameOf = (url) => decodeURIComponent(new URL(url).pathname.replace(/\/+$/, "").split("/").at(-1) || url);

/** `{ values, attrs }` of the 1-D array named as the dimension, or undefined where there is none that fits. */
async function coordinate(url, name, size, options) {
  if (!name || size === 0 || size > LONGEST_COORDINATE || nameOf(url) === name) return undefined;
  let found;
  try {
    found = await RectilinearArray.open(sibling(url, name), options);
    if (found.shape.length !== 1 || found.shape[0] !== size || !DRAWN.test(found.dtype)) return undefined;
    const { data } = await found.get(null, { signal: options.signal });
    return { values: [...makeDecoder(found.attrs).values(data)], attrs: found.attrs };
  } catch (error) {
    if (options.signal?.aborted) throw error;
    return undefined; // no coordinates: the page says indices
  } finally {
    found?.free();
  }
}

/** An array as the page needs it. Rejects with the package's own errors, and with one where the type can't be drawn. */
export async function openDataset(url, { signal, onRequest, onCoordinateRequest }) {
  const array = await RectilinearArray.open(url, { signal, onRequest, cacheBytes: CACHE_BYTES });
  try {
    if (!DRAWN.test(array.dtype)) {
      throw Object.assign(new Error(`The package opened the array, but this page draws numbers only, and its data type is ${array.dtype}.`), { name: "NotDrawn" });
    }
    const { attrs } = array;
    const names = array.shape.map((_, d) => array.dimensionNames?.[d] ?? null);
    const options = { signal, onRequest: onCoordinateRequest, zarrFormat: array.zarrFormat };
    const found = await Promise.all(names.map((name, d) => (names.indexOf(name) === d ? coordinate(url, name, array.shape[d], options) : undefined)));
    const name = nameOf(url);
    return {
      url,
      array, // to read from, and to free; what is below stays readable after that
      grid: array.chunkGrid,
      shape: array.shape,
      dtype: array.dtype,
      zarrFormat: array.zarrFormat,
      attrs,
      name,
      title: [attrs.long_name, attrs.title, attrs.standard_name].find((text) => typeof text === "string" && text) ?? name,
      units: units(attrs.units),
      axes: names.map((axisName, d) => makeAxis(axisName ?? `axis ${d}`, array.shape[d], found[d])),
      decoder: makeDecoder(attrs),
    };
  } catch (error) {
    array.free();
    throw error;
  }
}
