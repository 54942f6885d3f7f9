// Finds the arrays that hold one plane at several levels of detail: the one that is open, and the coarser levels of its pyramid.
import { makeDecoder } from "./decode.js";

/** Path of the pyramid's group that an array belongs to: the nearest one above it whose attributes list levels. */
function pyramidAbove(catalog, path) {
  const attrsAt = (at) => (at === "" ? catalog.attrs : catalog.entries.find((entry) => entry.path === at)?.attrs);
  const folders = path.split("/").slice(0, -1);
  const above = folders.map((_, i) => folders.slice(0, folders.length - i).join("/")).concat("");
  return above.find((at) => attrsAt(at)?.multiscales ?? attrsAt(at)?.ome?.multiscales);
}

/** Whether a level lies along the cells of another, and then the length and the place of its cells in those. */
export function placeIn([a, b, c, d, e, f], base) {
  if (b || d || base[1] || base[3]) return undefined; // turned grids
  const scale = [e / base[4], a / base[0]];
  return scale.every((times) => times > 0) ? { scale, offset: [(f - base[5]) / base[4], (c - base[2]) / base[0]] } : undefined;
}

const sourceOf = (array, level, decoder, more) => ({
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
  if (at === undefined) return none;
  const [{ Levels }, { alongImage }] = await Promise.all([import("rectilinear-zarr/levels"), import("./along-image.js")]);
  const group = at === "" ? undefined : await catalog.groupAt(at, signal);
  const levels = await Levels.open(group ?? catalog.group, { signal }).finally(() => group?.free());
  const opened = [];
  const free = () => {
    levels.free();
    for (const each of opened) each.free();
  };
  try {
    const within = at === "" ? path : path.slice(at.length + 1);
    const folder = within.split("/").slice(0, -1).join("/");
    const own = levels.find((level) => level.path === within) ?? levels.find((level) => level.path === folder);
    const variable = own?.path === within ? undefined : within.split("/").at(-1);
    for (const level of own ? levels.slice(own.index + 1) : []) {
      const placed = placeIn(level.transform, own.transform);
      if (!placed || (variable && level.variables && !level.variables.includes(variable))) continue;
      const coarser = await levels.array(level.index, variable);
      opened.push(coarser);
      if (coarser.shape.length !== array.shape.length) continue;
      const names = array.dimensionNames ?? levels.axes.map(({ name }) => name);
      const spatial = spatialOf(levels, names);
      opened.at(-1).placed = sourceOf(coarser, level.index - own.index, makeDecoder(coarser, false), { axes: spatial, ...placed });
    }
    const channelAxis = levels.axes.findIndex(({ type }) => type === "channel");
    return {
      sources: opened.flatMap(({ placed }) => placed ?? []),
      georeference: own && { crs: levels.crs, transform: own.from === "pixels" ? undefined : own.transform },
      image: own && levels.kind === "ome" ? {
        axes: levels.axes, isPlaced: own.from.startsWith("coordinateTransformations"),
        along: (d, size) => alongImage(levels.axes[d], size, [own.scale[d], own.translation[d]], levels.channels),
      } : undefined,
      channels: levels.channels, channelAxis: channelAxis < 0 ? undefined : channelAxis,
      free,
    };
  } catch (error) {
    free();
    throw error;
  }
}

/** Rows and columns of a pyramid's arrays: its axes of space, the last two where it names none. */
function spatialOf(levels, names) {
  const found = levels.axes.flatMap(({ type }, d) => (type === "space" ? [d] : [])).slice(-2);
  return found.length === 2 ? found : [names.length - 2, names.length - 1];
}
