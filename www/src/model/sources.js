// Finds the arrays that hold one plane at several levels of detail: the one that is open, and the coarser levels of its pyramid.

/** Path of the pyramid's group that an array belongs to: the nearest one above it whose attributes list levels. */
function pyramidAbove(catalog, path) {
  const attrsAt = (at) => (at === "" ? catalog.attrs : catalog.entries.find((entry) => entry.path === at)?.attrs);
  const folders = path.split("/").slice(0, -1);
  const above = folders.map((_, i) => folders.slice(0, folders.length - i).join("/")).concat("");
  return above.find((at) => attrsAt(at)?.multiscales ?? attrsAt(at)?.ome?.multiscales);
}

/** An array as the source of a picture. */
export const sourceOf = (array, level, decoder, more) => ({
  level, array, decoder, shape: array.shape, grid: array.innerChunkGrid ?? array.chunkGrid, shards: array.innerChunkGrid && array.chunkGrid,
  dtype: array.dtype, path: array.path, ...more,
});

/** The array itself as the source of its picture. */
export const ownSource = (array, decoder) => sourceOf(array, 0, decoder, { axes: undefined, scale: [1, 1], offset: [0, 0] });

const none = { sources: [], free() {} };

/**
 * The coarser levels of the array at `path`, finest first, its own `georeference`, and `free()`; none where it
 * belongs to no pyramid. Of an image, its `channels`, the `channelAxis` that they lie along, and in `image` its axes, what
 * stands along each of the array's, `along(d, size)`, and whether its metadata say where it lies, too. Each level has
 * the `axes` that the levels differ along, and the cells of a level begin at `offset` and are `scale` cells of the array long.
 */
export async function coarserLevels(catalog, path, array, signal) {
  const at = catalog.groupAt ? pyramidAbove(catalog, path) : undefined;
  return at === undefined ? none : import("./levels.js").then(({ levelsAt }) => levelsAt(at, catalog, path, array, signal));
}
