/** Bands of assets: an array, or by the best practices for Zarr a part of one, `variable[dimension=label]`. */
import { failure } from "../stores/common.js";

/** Most labels that an error lists. */
const MOST_SHOWN = 20;

/** Most labels of a dimension that are looked through. */
const MOST_LABELS = 100_000;

/**
 * Splits the name of a band: `reflectance[band=blue]` is `reflectance`, with a label along a dimension.
 *
 * @param {string} band
 * @returns {{ name: string, labels: [string, string][] } | undefined} undefined where it is a name alone
 */
export function partOf(band) {
  const [, name, inside] = /^([^[\]]+)\[([^[\]]+)\]$/.exec(band) ?? [];
  if (name === undefined) return undefined;
  const labels = inside.split(",").map((part) => /^\s*([^=]+?)\s*=\s*(?:"([^"]*)"|'([^']*)'|(.*?))\s*$/.exec(part));
  return labels.every(Boolean) ? { name, labels: labels.map((/** @type {any} */ [, dimension, double, single, bare]) => [dimension, double ?? single ?? bare]) } : undefined;
}

/** Path of a name in a group; in a pyramid it lies in the first level. */
function pathOf(group, name) {
  const { layout } = group.attrs.multiscales ?? {};
  const level = layout?.[0]?.asset ?? layout?.[0]?.group;
  return level === undefined ? name : `${level}/${name}`;
}

const shown = (list) => `${list.slice(0, MOST_SHOWN).map(String).join(", ")}${list.length > MOST_SHOWN ? ", …" : ""}`;

/** Labels along a dimension: those of its coordinate array, else those that the catalog states. */
async function labelsOf(group, array, dimension, stated, signal) {
  const coordinates = await group.coordinates(array);
  try {
    const found = coordinates[dimension];
    if (found && found.shape.length === 1 && found.shape[0] <= MOST_LABELS) {
      const isTime = / since /i.test(found.attrs.units ?? "") || /datetime64/.test(found.dtype);
      return [...(isTime ? (await found.decodeTime({ signal })).labels : (await found.get(null, { signal })).data)].map(String);
    }
    const values = stated?.[dimension]?.values;
    return Array.isArray(values) ? values.map(String) : undefined;
  } finally {
    for (const each of Object.values(coordinates)) each.free();
  }
}

/**
 * The array of a band, and the selection of it that the band is: an index along each dimension that the band names, else
 * null for all of an axis.
 *
 * @param {any} group
 * @param {string} band
 * @param {any} dimensions what the catalog states of dimensions
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ array: any, selection: (number | null)[] }>}
 */
export async function bandIn(group, band, dimensions, signal) {
  if (typeof group.array !== "function") throw failure("NotFoundError", `the asset is an array, and has no band ${JSON.stringify(band)}`);
  const whole = (array) => ({ array, selection: array.shape.map(() => null) });
  const part = partOf(band);
  if (!part) return whole(await group.array(pathOf(group, band), { signal }));
  const { name, labels } = part;
  const array = await group.array(pathOf(group, name), { signal });
  try {
    const { selection } = whole(array);
    for (const [dimension, label] of labels) {
      const axis = array.dimensionNames?.indexOf(dimension) ?? -1;
      const what = `the array ${JSON.stringify(name)} of the band ${JSON.stringify(band)}`;
      if (axis < 0) throw failure("NotFoundError", `${what} has no dimension ${JSON.stringify(dimension)}; it has ${array.dimensionNames ? shown(array.dimensionNames.map((each) => JSON.stringify(each))) : "none with a name"}`);
      const along = await labelsOf(group, array, dimension, dimensions, signal);
      if (!along) throw failure("NotFoundError", `${what} has no labels along ${JSON.stringify(dimension)}, neither a coordinate array nor "cube:dimensions" of the catalog; open({ band: ${JSON.stringify(name)} }) opens the array, of ${array.shape[axis]} along it`);
      const index = along.indexOf(label);
      if (index < 0 || index >= array.shape[axis]) throw failure("NotFoundError", `${what} has no label ${JSON.stringify(label)} along ${JSON.stringify(dimension)}; the labels are ${shown(along)}`);
      selection[axis] = index;
    }
    return { array, selection };
  } catch (error) {
    array.free();
    throw error;
  }
}
