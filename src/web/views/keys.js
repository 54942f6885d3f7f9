/** Keys of a store of regular arrays, in Zarr v3 and v2. */

const DOCUMENT = /^(?:(.*)\/)?(zarr\.json|\.zarray|\.zattrs|\.zgroup|\.zmetadata)$/;

/** Patterns of chunk keys by format: path, then coordinates. */
const CHUNK = { 3: /^(?:(.*)\/)?c((?:\/(?:0|[1-9]\d*))*)$/, 2: /^(?:(.*)\/)?((?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*))*)$/ };

/**
 * Path of a key, with the name of a document or the coordinates of a chunk; undefined for a key of neither. A key is
 * one without its first slash.
 *
 * @param {string} key
 * @param {2 | 3} format
 * @returns {{ path: string, name?: string, coords?: number[] } | undefined}
 */
export function parsed(key, format) {
  if (!key.startsWith("/")) return undefined;
  const [, folder = "", name] = DOCUMENT.exec(key.slice(1)) ?? [];
  if (name) return (name === "zarr.json") === (format === 3) ? { path: folder, name } : undefined;
  const [, path = "", coords] = CHUNK[format].exec(key.slice(1)) ?? [];
  if (coords === undefined) return undefined;
  return { path, coords: (format === 3 ? coords.split("/").slice(1) : coords.split(".")).map(Number) };
}

/** Coordinates of a chunk in an array of so many axes: Zarr v2 names the chunk of an array without axes "0". */
export const coordsOf = (coords, rank, format) => (format === 2 && rank === 0 && coords.length === 1 && coords[0] === 0 ? [] : coords);
