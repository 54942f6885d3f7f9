/** Compares arrays element by element with the values in the index. Runs in pages. */

import { chunkBoxes, indices, strides } from "./boxes.mjs";
import { selectionsOf, toSelection } from "./compare.mjs";

/** Element in the spelling of the index: a byte array as a list, bigints and non-finite numbers as objects. */
export function spelled(element) {
  if (typeof element === "bigint") return { bigint: String(element) };
  if (typeof element === "number" && !Number.isFinite(element)) return { number: String(element) };
  if (Object.is(element, -0)) return { number: "-0" };
  if (ArrayBuffer.isView(element) || Array.isArray(element)) return Array.from(element, spelled);
  if (element && typeof element === "object") {
    return Object.fromEntries(Object.entries(element).map(([name, value]) => [name, spelled(value)]));
  }
  return element;
}

const text = (elements) => JSON.stringify(elements);

/** Indices that one part of a selection picks from an axis, by the rules of Python's slices. */
function picked(part, extent) {
  if (part === null) return Array.from({ length: extent }, (_, i) => i);
  const inside = (index) => (index < 0 ? index + extent : index);
  if (typeof part === "number") return [inside(part)];
  if (Array.isArray(part)) return typeof part[0] === "boolean" ? part.flatMap((flag, i) => (flag ? [i] : [])) : part.map(inside);
  const [start, stop, step] = part.slice;
  const by = step ?? 1;
  const [least, most] = by > 0 ? [0, extent] : [-1, extent - 1];
  const clip = (bound) => Math.min(Math.max(bound < 0 ? bound + extent : bound, least), most);
  const from = start === null ? (by > 0 ? least : most) : clip(start);
  const to = stop === null ? (by > 0 ? most : least) : clip(stop);
  return Array.from({ length: Math.max(0, Math.ceil((to - from) / by)) }, (_, i) => from + i * by);
}

/** Elements of the items at these indices; an item may have several elements. */
function elementsOf(entry, items) {
  const step = strides(entry.shape);
  const each = entry.values.length / entry.shape.reduce((a, b) => a * b, 1);
  const positions = items.map((index) => index.reduce((sum, at, axis) => sum + at * step[axis], 0));
  return positions.flatMap((item) => entry.values.slice(item * each, (item + 1) * each));
}

/** Indices of the items that lists of indices pick, one list for each axis. */
const product = (axes) => [...indices(axes.map((axis) => axis.length))].map((index) => index.map((at, axis) => axes[axis][at]));

/** Compares each field of a struct, read alone and with others; `expect` takes a name, a value and the expected one. */
async function compareFields(expect, array, fields) {
  const top = fields.filter(({ path }) => !path.includes("."));
  const known = (name, offset, shape) => ({ name, offset, ...(shape && { shape }) });
  const listed = array.fields.map(({ name, offset, shape }) => known(name, offset, shape));
  expect("fields", listed, top.map(({ path, offset, shape }) => known(path, offset, shape)));
  const { data: together } = await array.get(null, { fields: fields.map(({ path }) => path) });
  expect("fields together", Object.keys(together), fields.map(({ path }) => path));
  for (const { path, class: name, values, shape: lengths } of fields) {
    if (lengths) {
      const error = await array.get(null, { fields: path, as: "float64" }).then(() => null, (error) => error);
      expect(`field ${path} as another type`, error?.name, "UnsupportedError");
    }
    const { data, shape } = await array.get(null, { fields: path });
    expect(`field ${path} shape`, shape, array.shape);
    if (name) expect(`field ${path} class`, Object.prototype.toString.call(data).slice(8, -1), name);
    expect(`field ${path}`, Array.from(data, spelled), values);
    expect(`field ${path} of several`, Array.from(together[path], spelled), values);
  }
}

/** Opens `source` and compares all reads with `entry`; returns the differences as sentences. */
export async function compareElements(RectilinearArray, source, entry) {
  const failures = [];
  const expect = (what, got, expected) => {
    if (text(got) !== text(expected)) failures.push(`${what}: got ${text(got)}, expected ${text(expected)}`);
  };
  const compare = (what, region, items, shape) => {
    expect(`${what} shape`, region.shape, shape);
    expect(`${what} class`, Object.prototype.toString.call(region.data).slice(8, -1), entry.class);
    expect(what, Array.from(region.data, spelled), elementsOf(entry, items));
    if (entry.class === "Array") {
      const isText = (element) => typeof element === "string" || element instanceof Uint8Array;
      const isRight = (element) => entry.dtype === "v2:object" || isText(element);
      if (!region.data.every(isRight)) failures.push(`${what}: an element is neither a string nor a Uint8Array`);
    }
  };

  try {
    const array = await RectilinearArray.open(source, { cacheBytes: 1 << 20 });
    expect("dtype", array.dtype, entry.dtype);
    expect("zarrFormat", array.zarrFormat, entry.zarrFormat ?? 3);
    expect("dimensionNames", array.dimensionNames ?? null, entry.dimensionNames);
    expect("attrs", array.attrs, entry.attributes);
    expect("fillValue", spelled(array.fillValue), entry.fill);
    expect("timeUnit", array.timeUnit ?? null, entry.timeUnit);
    const whole = entry.shape.map((extent) => picked(null, extent));
    compare("get()", await array.get(), product(whole), entry.shape);
    for (const { selection, shape } of selectionsOf(entry)) {
      const axes = entry.shape.map((extent, axis) => picked(selection[axis] ?? null, extent));
      compare(`get(${text(selection)})`, await array.get(toSelection(selection)), product(axes), shape);
    }
    for (const { points } of entry.pointSelections) {
      const items = points.map((point) => point.map((at, axis) => (at < 0 ? at + entry.shape[axis] : at)));
      compare(`getPoints(${text(points)})`, await array.getPoints(points), items, [points.length]);
    }
    for (const { coords, start, stop } of chunkBoxes(entry.writeChunkSizes)) {
      const shape = start.map((from, axis) => stop[axis] - from);
      const axes = shape.map((length, axis) => Array.from({ length }, (_, i) => start[axis] + i));
      compare(`getChunk(${coords})`, await array.getChunk(coords), product(axes), shape);
    }
    if (entry.fields) await compareFields(expect, array, entry.fields);
    else expect("fields", array.fields, undefined);
    array.free();
  } catch (error) {
    failures.push(`${error?.name}: ${error?.message}\n${error?.stack}`);
  }
  return failures;
}
