/** Compares an opened array with its entry in the oracle's index. Runs in pages and in Node. */

import { chunkBoxes, cut, strides } from "./boxes.mjs";
import { crc32 } from "./crc32.mjs";
import { bytesOf, className, fillValue, itemSize } from "./dtypes.mjs";

/** JSON text, with non-finite numbers written as in the index. */
const strict = (value) =>
  JSON.stringify(value, (_, item) => {
    if (typeof item === "bigint") return Number(item);
    return typeof item === "number" && !Number.isFinite(item) ? { number: String(item) } : item;
  });

const same = (a, b) => strict(a) === strict(b);

/** List of differences, as sentences. */
class Report {
  failures = [];

  expect(what, got, expected) {
    if (!same(got, expected)) this.failures.push(`${what}: got ${strict(got)}, expected ${strict(expected)}`);
  }
}

function compareProperties(report, array, entry) {
  report.expect("shape", array.shape, entry.shape);
  report.expect("dtype", array.dtype, entry.dtype);
  report.expect("zarrFormat", array.zarrFormat, entry.zarrFormat ?? 3);
  report.expect("dimensionNames", array.dimensionNames ?? null, entry.dimensionNames);
  report.expect("writeChunkSizes", array.writeChunkSizes, entry.writeChunkSizes);
  report.expect("readChunkSizes", array.readChunkSizes, entry.readChunkSizes);
  report.expect("attrs", sorted(array.attrs), sorted(entry.attributes));
  const fill = fillValue(entry.fillValueText, entry.dtype);
  if (!Object.is(array.fillValue, fill)) {
    report.failures.push(`fillValue: got ${typeof array.fillValue} ${array.fillValue}, expected ${typeof fill} ${fill}`);
  }
}

/** Attributes with sorted keys, whose order has no meaning. */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]));
}

function compareRegion(report, what, region, { shape, crc32: checksum }, dtype) {
  const items = shape.reduce((a, b) => a * b, 1);
  const { data } = region;
  report.expect(`${what} shape`, region.shape, shape);
  if (items > 0) report.expect(`${what} stride`, region.stride, strides(shape));
  report.expect(`${what} class`, Object.prototype.toString.call(data).slice(8, -1), className(dtype));
  report.expect(`${what} length`, data.length, items);
  report.expect(`${what} crc32`, crc32(bytesOf(data, dtype)), checksum);
}

/** All selections of an entry in the index. */
export const selectionsOf = (entry) => [...entry.selections, ...entry.negativeSelections, ...entry.listSelections];

/** Converts a selection of the index to one of the package. */
export const toSelection = (selection) =>
  selection.map((item) => {
    if (item === null || typeof item === "number" || Array.isArray(item)) return item;
    const [start, stop, step] = item.slice;
    return { start, stop, step };
  });

function compareGrid(report, { chunkGrid: grid }, entry) {
  report.expect("chunkGrid.shape", grid.shape, entry.writeChunkSizes.map((sizes) => sizes.length));
  for (const { coords, start, stop } of chunkBoxes(entry.writeChunkSizes)) {
    report.expect(`bounds(${coords})`, grid.bounds(coords), { start, stop });
    const last = stop.map((end) => end - 1);
    report.expect(`chunkAt(${start})`, grid.chunkAt(start), { coords, within: start.map(() => 0) });
    report.expect(`chunkAt(${last})`, grid.chunkAt(last), { coords, within: last.map((i, axis) => i - start[axis]) });
  }
}

/** Reads all selections and all chunks at the same time, so that they share requests. */
async function compareReads(report, array, entry, bytes) {
  const selections = selectionsOf(entry).map(async (expected) => {
    const region = await array.get(toSelection(expected.selection));
    compareRegion(report, `get(${JSON.stringify(expected.selection)})`, region, expected, entry.dtype);
  });
  const points = entry.pointSelections.map(async (expected) => {
    const region = await array.getPoints(expected.points);
    compareRegion(report, `getPoints(${JSON.stringify(expected.points)})`, region, expected, entry.dtype);
  });
  const chunks = [entry.writeChunkSizes, entry.readChunkSizes].flatMap((sizes, nth) =>
    [...chunkBoxes(sizes)].map(async ({ coords, start, stop }) => {
      const shape = start.map((from, axis) => stop[axis] - from);
      const expected = { shape, crc32: crc32(cut(bytes, entry, start, stop)) };
      const options = [undefined, { grid: "inner" }][nth];
      compareRegion(report, `getChunk(${coords}, ${JSON.stringify(options)})`, await array.getChunk(coords, options), expected, entry.dtype);
    }),
  );
  await Promise.all([...selections, ...points, ...chunks]);
}

/** Compares an array with its entry in the index; `bytes` are its values. Returns the differences. */
export async function compareArray(array, entry, bytes) {
  const report = new Report();
  compareProperties(report, array, entry);
  const whole = await array.get();
  compareRegion(report, "get()", whole, entry, entry.dtype);
  const got = bytesOf(whole.data, entry.dtype);
  const differs = bytes.findIndex((byte, i) => byte !== got[i]);
  if (differs >= 0) report.failures.push(`item ${Math.floor(differs / itemSize(entry.dtype))} of the whole array differs`);
  compareRegion(report, "get(null)", await array.get(null), entry, entry.dtype);
  compareGrid(report, array, entry);
  await compareReads(report, array, entry, bytes);
  return report.failures;
}

/** Opens `source`, compares and frees; an exception counts as a difference. */
export async function compareEntry(RectilinearArray, source, entry, bytes, options = {}) {
  try {
    const array = await RectilinearArray.open(source, { path: entry.arrayPath ?? "", proposals: entry.proposals, ...options });
    const failures = await compareArray(array, entry, bytes);
    array.free();
    return failures;
  } catch (error) {
    return [`${error?.name}: ${error?.message}\n${error?.stack}`];
  }
}
