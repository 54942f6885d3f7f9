// Reads what other arrays of a group have for the items of a list: the columns of a table.
import { slice } from "rectilinear-zarr";
import { makeDecoder } from "./decode.js";
import { areTimes, kindOf } from "./dataset.js";

/** The arrays along the same one axis as a list's, as far as the store says its members: their paths. */
export function columnsFor({ catalog, path, shape, names }) {
  if (shape.length !== 1 || !names[0]) return [];
  const folder = path.split("/").slice(0, -1).join("/");
  const isAlike = (entry) => entry.kind === "array" && !entry.error && entry.path !== path && entry.path.split("/").slice(0, -1).join("/") === folder
    && entry.shape?.length === 1 && entry.shape[0] === shape[0] && entry.dimensionNames?.[0] === names[0];
  return catalog.entries.filter(isAlike).map((entry) => entry.path);
}

/** The items of a column from one to before another, and `words(item)` for those that are numbers. */
export async function readColumn({ catalog }, path, [from, to]) {
  const array = await catalog.open(path);
  try {
    const selection = [slice(from, to)];
    if (kindOf(array.dtype) === "words") return { items: [...(await array.get(selection)).data] };
    const isTimes = await areTimes(array);
    const decoder = makeDecoder(array, isTimes, isTimes ? (await import("./times.js")).calendarOf(array.attrs.calendar) : undefined);
    const { values } = await decoder.read(array, selection);
    return { items: Array.from(values, (v, i) => (Number.isNaN(v) ? v : (values.exact?.[i] ?? v))), words: decoder.words };
  } finally {
    array.free();
  }
}
