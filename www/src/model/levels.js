// Opens the coarser levels of a pyramid, and what its metadata say of an image. Loaded with the first pyramid.
import { Levels } from "rectilinear-zarr/levels";
import { alongImage } from "./along-image.js";
import { makeDecoder } from "./decode.js";
import { sourceOf } from "./sources.js";

/** Whether a level lies along the cells of another, and then the length and the place of its cells in those. */
export function placeIn([a, b, c, d, e, f], base) {
  if (b || d || base[1] || base[3]) return undefined; // turned grids
  const scale = [e / base[4], a / base[0]];
  return scale.every((times) => times > 0) ? { scale, offset: [(f - base[5]) / base[4], (c - base[2]) / base[0]] } : undefined;
}

/** As `coarserLevels`, of the pyramid whose group is at a path. */
export async function levelsAt(at, catalog, path, array, signal) {
  const group = at === "" ? undefined : await catalog.groupAt(at, signal);
  const levels = (at === "" && catalog.takeLevels?.()) || (await Levels.open(group ?? catalog.group, { signal }).finally(() => group?.free()));
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
      let coarser = await levels.array(level.index, variable);
      // Levels without their attributes are taken for what the first one is, but one of another type may be packed.
      if (catalog.isBare?.(array) && coarser.dtype !== array.dtype) coarser = (coarser.free(), await catalog.open(level.path, signal));
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
