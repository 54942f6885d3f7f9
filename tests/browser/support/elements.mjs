/** Compares arrays element by element with what the index says JavaScript must see. Runs in pages. */

import { chunkBoxes, indices, strides } from "./boxes.mjs";
import { toSelection } from "./compare.mjs";

/** An element as the index spells it: a byte array as a list, a bigint and what JSON lacks as objects. */
function spelled(element) {
  if (typeof element === "bigint") return { bigint: String(element) };
  if (typeof element === "number" && !Number.isFinite(element)) return { number: String(element) };
  if (Object.is(element, -0)) return { number: "-0" };
  if (element instanceof Uint8Array || Array.isArray(element)) return Array.from(element, spelled);
  return element;
}

const text = (elements) => JSON.stringify(elements);

/** The indices that one part of a selection picks of an axis, as Python's slices do. */
function picked(part, extent) {
  if (part === null) return Array.from({ length: extent }, (_, i) => i);
  if (typeof part === "number") return [part < 0 ? part + extent : part];
  const [start, stop, step] = part.slice;
  const by = step ?? 1;
  const [least, most] = by > 0 ? [0, extent] : [-1, extent - 1];
  const clip = (bound) => Math.min(Math.max(bound < 0 ? bound + extent : bound, least), most);
  const from = start === null ? (by > 0 ? least : most) : clip(start);
  const to = stop === null ? (by > 0 ? most : least) : clip(stop);
  return Array.from({ length: Math.max(0, Math.ceil((to - from) / by)) }, (_, i) => from + i * by);
}

/** The elements of the items that lists of indices pick; an item may be several elements. */
function elementsAt(entry, axes) {
  const step = strides(entry.shape);
  const each = entry.values.length / entry.shape.reduce((a, b) => a * b, 1);
  const positions = [...indices(axes.map((axis) => axis.length))].map((index) =>
    index.reduce((sum, at, axis) => sum + axes[axis][at] * step[axis], 0),
  );
  return positions.flatMap((item) => entry.values.slice(item * each, (item + 1) * each));
}

/** Open `source` and compare everything with `entry`; returns sentences about what differs. */
export async function compareElements(RectilinearArray, source, entry) {
  const failures = [];
  const expect = (what, got, expected) => {
    if (text(got) !== text(expected)) failures.push(`${what}: got ${text(got)}, expected ${text(expected)}`);
  };
  const compare = (what, region, axes, shape) => {
    expect(`${what} shape`, region.shape, shape);
    expect(`${what} class`, Object.prototype.toString.call(region.data).slice(8, -1), entry.class);
    expect(what, Array.from(region.data, spelled), elementsAt(entry, axes));
    if (entry.class === "Array") {
      const isRight = (element) => typeof element === "string" || element instanceof Uint8Array;
      if (!region.data.every(isRight)) failures.push(`${what}: an element is neither a string nor a Uint8Array`);
    }
  };

  try {
    const array = await RectilinearArray.open(source, { cacheBytes: 1 << 20 });
    expect("dtype", array.dtype, entry.dtype);
    expect("fillValue", spelled(array.fillValue), entry.fill);
    expect("timeUnit", array.timeUnit ?? null, entry.timeUnit);
    const whole = entry.shape.map((extent) => picked(null, extent));
    compare("get()", await array.get(), whole, entry.shape);
    for (const { selection, shape } of [...entry.selections, ...entry.negativeSelections]) {
      const axes = entry.shape.map((extent, axis) => picked(selection[axis] ?? null, extent));
      compare(`get(${text(selection)})`, await array.get(toSelection(selection)), axes, shape);
    }
    for (const { coords, start, stop } of chunkBoxes(entry.writeChunkSizes)) {
      const shape = start.map((from, axis) => stop[axis] - from);
      const axes = shape.map((length, axis) => Array.from({ length }, (_, i) => start[axis] + i));
      compare(`getChunk(${coords})`, await array.getChunk(coords), axes, shape);
    }
    array.free();
  } catch (error) {
    failures.push(`${error?.name}: ${error?.message}\n${error?.stack}`);
  }
  return failures;
}
