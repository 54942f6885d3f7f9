/**
 * Chunks of a view that are stored as they are shown: plain items in little endian. Their bytes are handed over as they
 * are stored, so that a reader of the view copies them no more often than a reader of the store.
 */

import { padded } from "../views/view.js";

/** Whether Zarr v3 metadata store items as they are in memory. */
function isPlainV3({ codecs }, itemBytes) {
  const [{ name, configuration }, ...others] = codecs.map((codec) => (typeof codec === "string" ? { name: codec } : codec));
  return name === "bytes" && others.length === 0 && (configuration?.endian === "little" || itemBytes === 1);
}

/** Whether Zarr v2 metadata store items as they are in memory. */
function isPlainV2({ compressor, filters, order, dtype }) {
  return !compressor && !filters?.length && order === "C" && typeof dtype === "string" && !dtype.startsWith(">");
}

/** Whether chunks of a view are stored as they are shown, wherever they are whole chunks of the array. @param {any} view */
function isStoredPlain({ array, order, type: { name, itemBytes, options, read } }) {
  const { dtype, metadata, shape } = array;
  if (!metadata || order || options || read || shape.length === 0 || dtype !== name || name === "string") return false;
  return metadata.zarr_format === 2 ? isPlainV2(metadata) : isPlainV3(metadata, itemBytes);
}

/** Whether the chunks of an array have the shape of the view's, wherever they lie; undefined for grids that are not regular, where it differs by chunk. */
function isSameGrid({ array: { chunkGrid }, chunkShape }) {
  return chunkGrid.isRegular ? chunkShape.every((edge, axis) => chunkGrid.runs(axis)[0]?.edge === edge) : undefined;
}

/** Coordinates of the stored chunk that is exactly a chunk of the view, if there is one. */
function storedAt(view, at) {
  const { array, chunkShape: edges, shape } = view;
  const start = at.map((nth, axis) => nth * edges[axis]);
  // A chunk that reaches past the array's end may hold any items there.
  if (start.some((first, axis) => first + edges[axis] > shape[axis])) return undefined;
  const isSame = view.once("isSameGrid", () => ({ value: isSameGrid(view) })).value;
  if (isSame !== undefined) return isSame ? at : undefined;
  const { chunkGrid } = array;
  const { coords, within } = chunkGrid.chunkAt(start);
  if (within.some((steps) => steps > 0)) return undefined;
  const { stop } = chunkGrid.bounds(coords);
  return stop.every((end, axis) => end === start[axis] + edges[axis]) ? coords : undefined;
}

/**
 * Bytes of a chunk of a view where they are stored as they are shown, or not stored at all. Undefined where no stored
 * chunk is exactly this one, at once, and where the stored bytes have another length, which a read explains. Bytes of a
 * `Map` are its own.
 *
 * @param {import("../views/view.js").RegularView} view
 * @param {number[]} coords
 * @param {AbortSignal} [signal]
 * @returns {Promise<Uint8Array | undefined> | undefined}
 */
export function storedBytes(view, coords, signal) {
  if (!view.once("isStoredPlain", () => ({ value: isStoredPlain(view) })).value) return undefined;
  const at = storedAt(view, coords);
  return at && bytesAt(view, at, signal);
}

async function bytesAt({ array, chunkShape, type }, at, signal) {
  const bytes = await array.getEncoded(at, { signal, copy: false });
  if (bytes === undefined) {
    // A second request for the missing chunk is saved: a read of no items tells the class of the data.
    const { data, shape } = await array.get(at.map(() => ({ start: 0, stop: 0, step: null })));
    return new Uint8Array(padded(data, shape, chunkShape, type).buffer);
  }
  if (bytes.length !== chunkShape.reduce((size, edge) => size * edge, type.itemBytes)) return undefined;
  // Clients make typed arrays of the bytes where they lie.
  return bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
}
