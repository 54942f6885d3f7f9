// Opens an array of a catalog with the coordinates of its axes, through the package's public API only.
import { slice } from "rectilinear-zarr";

import { onCells } from "../earth/sphere/cells.js";
import { makeAxis } from "./axis.js";
import { makeDecoder } from "./decode.js";
import { areLabels, attrsOf, imageOf } from "./image.js";
import { photoOf } from "./photo.js";
import { coarserLevels, ownSource } from "./sources.js";

const LONGEST_COORDINATE = 1e6;
const NUMBERS = /^(bool|u?int|b?float|complex|numpy\.)/;
const WORDS = /^(string|bytes|variable_length_bytes|fixed_length_utf32|null_terminated_bytes|v2:object)$/;

/** How the page shows items: as "numbers" with colours or a line, as "words" in a list, or not at all: "none". */
export const kindOf = (dtype) => (NUMBERS.test(dtype) ? "numbers" : WORDS.test(dtype) ? "words" : "none");

const nameOf = (path, place) => path.split("/").at(-1) || place.name;

/** What an array is called that has no title: a TIFF's images have numbers for names, and the first of them is the picture. */
function titleOf({ place }, path, name, image) {
  if (image?.level) return `${name}, level ${image.level}`;
  if (image || !/\.tiff?$/i.test(place.name) || !/^\d+$/.test(path)) return name;
  return path === "0" ? place.name : `${place.name}, ${path}`;
}

/** The folders to look in for coordinates: the array's own, and those above it. */
function foldersOf(path) {
  const folders = path.split("/").slice(0, -1);
  return folders.map((_, i) => folders.slice(0, folders.length - i).join("/")).concat("");
}

/** Whether attributes or type say that items may be times, or the shape that they may be bounds of some, which have the units of those: to be sure, the package looks for what lies along the array's dimensions. */
const mayBeTimes = ({ attrs, shape, timeUnit }) => shape.length > 0 && (Boolean(timeUnit) || (typeof attrs.units === "string" && /\ssince\s/i.test(attrs.units)) || (attrs.units === undefined && shape.length > 1 && shape.at(-1) === 2));

/** Whether the package knows the items of an array as times, by none of them. */
export const areTimes = async (array) => mayBeTimes(array) && array.decodeTime(array.shape.map(() => slice(0, 0))).then(() => true, () => false);

/** Why the package decodes no item of an array, in its words: of nothing, it says so without a request. */
const refusalOf = async (array) => {
  if (array.shape.length === 0) return undefined; // its one item is read anyway
  return array.get(array.shape.map(() => slice(0, 0))).then(() => undefined, ({ name, message }) => (name === "UnsupportedError" ? message : undefined));
};

/** `{ values, attrs, labels }` of the 1-D array named as the dimension, or undefined where there is none that fits. */
async function coordinate(catalog, path, name, size, signal) {
  if (!name || size === 0 || size > LONGEST_COORDINATE || path.split("/").at(-1) === name) return undefined;
  const beside = foldersOf(path).map((folder) => (folder ? `${folder}/${name}` : name));
  const listed = catalog.complete || catalog.followed ? new Set(catalog.entries.map((entry) => entry.path)) : undefined;
  const at = listed ? beside.find((each) => listed.has(each)) : beside[0];
  if (at === undefined) return undefined;
  let found;
  try {
    found = await catalog.open(at, signal);
    const kind = kindOf(found.dtype);
    if (found.shape.length !== 1 || found.shape[0] !== size || kind === "none" || found.dtype.startsWith("complex")) return undefined;
    if (kind === "words") return { values: [...(await found.get(null, { signal })).data].map(String), attrs: found.attrs };
    const { values, labels } = await makeDecoder(found, await areTimes(found)).read(found, null, signal);
    return { values: [...values], attrs: found.attrs, labels, path: at };
  } catch (error) {
    if (signal?.aborted) throw error;
    return undefined; // no coordinates: the page says indices
  } finally {
    found?.free();
  }
}

/** The position along a time axis of the label that is the nearest to a date, of a period its first one. */
async function nearestStep(catalog, { name, coordinate: { path } }, date) {
  const array = await catalog.open(path);
  try {
    const { selection } = await array.sel({ [name]: date }, { method: "nearest" });
    const at = selection[name];
    return typeof at === "number" ? at : (at.start ?? at[0]);
  } finally {
    array.free();
  }
}

const DOWN = /^(y|rlat|northing|projection_y_coordinate|grid_latitude)$/i;
const ACROSS = /^(x|rlon|easting|projection_x_coordinate|grid_longitude)$/i;

/** The axes to draw: rows, then columns. Latitude and longitude, or rows and columns by their names, or those of a photo whose colours come last; else the last two. */
function usualAxes(axes, kind, photo) {
  const rank = axes.length;
  if (rank < 2 || kind === "words") return rank ? [rank - 1] : [];
  const at = (wanted) => axes.findIndex((axis) => axis.kind === wanted);
  if (at("lat") >= 0 && at("lon") >= 0) return [at("lat"), at("lon")];
  const [down, across] = [DOWN, ACROSS].map((pattern) => axes.findIndex(({ name, kind: own }) => pattern.test(name) || (pattern === DOWN && own === "up")));
  if (down >= 0 && across >= 0) return [down, across];
  if (photo) return [0, 1, 2].filter((d) => d !== photo.axis);
  return [rank - 2, rank - 1];
}

/** An array as the page needs it. Rejects with the package's own errors. */
export async function openDataset(catalog, path, { signal }) {
  const array = await catalog.open(path, signal);
  let levels;
  try {
    const { attrs, shape, dtype } = array;
    const image = imageOf(catalog, path);
    // A pyramid that cannot be opened leaves the array, which is one level.
    levels = await coarserLevels(catalog, path, array, signal).catch((error) => {
      if (signal?.aborted) throw error;
      return { sources: [], free() {} };
    });
    const stated = levels.image?.axes.length === shape.length ? levels.image : undefined;
    const names = shape.map((_, d) => array.dimensionNames?.[d] ?? (stated?.axes[d].name || null));
    // Images have no arrays of coordinates.
    const coordinateOf = (name, d) => (stated ? stated.along(d, shape[d]) : coordinate(catalog, path, name, shape[d], signal));
    const found = await Promise.all(names.map((name, d) => (names.indexOf(name) === d || stated ? coordinateOf(name, d) : undefined)));
    const name = image?.name ?? nameOf(path, catalog.place);
    const axes = names.map((axisName, d) => makeAxis(axisName ?? `axis ${d}`, shape[d], found[d]));
    const refusal = await refusalOf(array);
    const kind = refusal ? "none" : kindOf(dtype);
    const isTimes = await areTimes(array);
    const times = isTimes ? await import("./times.js") : undefined;
    const decoder = makeDecoder(array, isTimes, times?.calendarOf(attrs.calendar));
    decoder.ticks = times?.timeTicks;
    const isLabels = areLabels(catalog, path, dtype);
    const about = isLabels ? (await import("../labels/find.js")).aboutLabels(attrsOf(catalog, path)) : undefined;
    if (about) Object.assign(decoder, { labels: about.colouring, words: about.sayer(decoder.words) });
    const photo = image ? undefined : photoOf(array);
    return await onCells(catalog, {
      path,
      array, // to read from; what is below stays readable after it is freed
      sources: [ownSource(array, decoder), ...levels.sources],
      georeference: levels.georeference,
      isPlaced: Boolean(stated?.isPlaced), // whether metadata of an image say where its cells lie
      channels: levels.channels?.length ? levels.channels : photo?.channels, // of an image, as OME describes them, and the axis that they lie along
      channelAxis: levels.channelAxis ?? photo?.axis,
      begin: names.map((each) => image?.begin[each]), // positions along the axes that it opens at, where its metadata say so
      /** The step along a time axis that is the nearest to a date of the axis's own calendar. Rejects where there is no such date. */
      stepAt: (d, date) => nearestStep(catalog, axes[d], date),
      free() {
        levels.free();
        array.free();
      },
      grid: array.innerChunkGrid ?? array.chunkGrid, // of what is decoded one by one
      shards: array.innerChunkGrid && array.chunkGrid,
      isLabels,
      isBare: catalog.isBare?.(array), // whether its attributes are still to be asked for
      shape, dtype, kind, refusal, attrs, name, names, axes,
      codecs: array.codecs,
      zarrFormat: array.zarrFormat,
      fillValue: array.fillValue,
      title: [attrs.long_name, attrs.title, attrs.standard_name].find((text) => typeof text === "string" && text) ?? titleOf(catalog, path, name, image),
      decoder,
      catalog, // to find what stands beside it
      usual: usualAxes(axes, kind, photo),
    }, signal);
  } catch (error) {
    levels?.free();
    array.free();
    throw error;
  }
}
