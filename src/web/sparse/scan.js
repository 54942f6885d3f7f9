/** Reads that go through all of a sparse matrix: of the axis that it is not compressed by, and as a dense array. */
import { slice } from "../common/slice.js";
import { bytesOf, checkIndices, dataOptions, elementsOf, gathered, indexOptions, outside } from "./compressed.js";
import { checkBytes, shown } from "./faults.js";
import { Spans, integers, kindOf, union } from "./spans.js";

/** Elements of a part: as many chunks as reach the first number, in pieces of the second where chunks are larger. */
const [ENOUGH, MOST] = [2 ** 18, 2 ** 21];

/** Largest number of bytes that a scan reads or gives, unless the caller says otherwise. */
const LIMIT = 2 ** 28;

/** Ends of the parts of an array, at ends of its chunks where these are not too large. */
function* partsOf(array, length) {
  const grid = array.innerChunkGrid ?? array.chunkGrid;
  let [start, stop] = [0, 0];
  while (stop < length) {
    stop = Math.min(length, grid.bounds(grid.chunkAt([stop]).coords).stop[0]);
    while (stop - start > MOST) {
      yield [start, start + MOST];
      start += MOST;
    }
    if (stop - start < ENOUGH && stop < length) continue;
    if (stop > start) yield [start, stop];
    start = stop;
  }
}

/** Reads indices part by part, the next part while the caller works on one. */
async function* indicesOf(matrix, length, { signal, onProgress }) {
  const read = async (/** @type {number[]} */ [start, stop]) => {
    const { data } = await matrix.indices.get([slice(start, stop)], indexOptions(matrix, signal)).catch((error) => outside(matrix, error));
    checkIndices(matrix, data, (place) => start + place);
    return { start, stop, indices: data };
  };
  const parts = partsOf(matrix.indices, length);
  const begin = () => {
    const { value } = parts.next();
    const reading = value && read(value);
    // A failure is reported when its part is awaited, which a caller that stops early never does.
    reading?.catch(() => {});
    return reading;
  };
  for (let reading = begin(); reading; ) {
    const part = await reading;
    reading = begin();
    yield part;
    onProgress?.({ elements: part.stop, totalElements: length });
  }
}

/** Number of elements, and all pointers; the bytes of a scan are checked first. */
async function scanned(matrix, { signal, maxBytes = LIMIT }, Data, what, remedy) {
  const { pointers, indices } = matrix;
  const whole = new Spans([0, pointers.length]);
  const last = pointers.length > 0 ? (await pointers.around(new Spans([pointers.length - 1, pointers.length]), signal))(pointers.length) : 0;
  const bytes = 8 * (pointers.length + 1) + last * ((await kindOf(indices, { signal })).BYTES_PER_ELEMENT + Data.BYTES_PER_ELEMENT);
  checkBytes(bytes, maxBytes, what, remedy);
  return { last, pointerOf: await pointers.of(whole, signal) };
}

/** Calls `visit` with the place in a part, the index and the row of each of its elements. */
function eachElement({ start, stop, indices }, from, pointerOf, visit) {
  let row = from;
  for (let at = start; at < stop; at++) {
    while (pointerOf(row + 1) <= at) row++;
    visit(at - start, indices[at - start], row);
  }
  return row;
}

/** Reads columns of CSR, or rows of CSC: the elements at these indices, compressed by them. */
export async function readAcross(matrix, runs, options) {
  const { data, pointers, majorName, minorName } = matrix;
  const { signal, maxBytes = LIMIT } = options;
  const Data = await kindOf(data, dataOptions(matrix, options));
  const remedy = `a copy of the matrix that is compressed by ${minorName} is read in part; or read ${majorName} in parts, or raise maxBytes`;
  const what = `${matrix.name} is compressed by ${majorName}, so that a read of ${minorName} goes through all of it, which`;
  const { last, pointerOf } = await scanned(matrix, options, Data, what, remedy);
  const wanted = new Spans(union(runs.ends));
  const [low, high] = [wanted.ends[0] ?? 0, wanted.ends.at(-1) ?? 0];
  checkBytes(4 * (high - low), maxBytes, `a table of the ${minorName}`, "select some that lie together");
  const slots = new Int32Array(high - low).fill(-1);
  for (let slot = 0, at = 0; at < wanted.ends.length; at += 2) {
    for (let index = wanted.ends[at]; index < wanted.ends[at + 1]; index++) slots[index - low] = slot++;
  }
  const found = [];
  const starts = new Float64Array(wanted.length + 1);
  let row = 0;
  for await (const part of wanted.length > 0 ? indicesOf(matrix, last, options) : []) {
    const places = [];
    /** @type {number[][]} */
    const [hits, rows] = [[], []];
    row = eachElement(part, row, pointerOf, (place, index, at) => {
      const slot = index >= low && index < high ? slots[index - low] : -1;
      if (slot < 0) return;
      places.push(place);
      hits.push(slot);
      rows.push(at);
      starts[slot + 1]++;
    });
    if (places.length === 0) continue;
    // Chunks of the data without a hit before the first or after the last one are not read.
    const [first, end] = [places[0], places.at(-1) + 1];
    const { data: values } = await data.get([slice(part.start + first, part.start + end)], dataOptions(matrix, options));
    const known = integers(rows.length, pointers.length);
    known.set(rows);
    found.push({ hits: Int32Array.from(hits), rows: known, values: Data.from(places, (place) => values[place - first]) });
  }
  signal?.throwIfAborted();
  for (let slot = 0; slot < wanted.length; slot++) starts[slot + 1] += starts[slot];
  const all = { indices: integers(starts.at(-1), pointers.length), data: new Data(starts.at(-1)) };
  const next = starts.slice();
  for (const { hits, rows, values } of found) {
    hits.forEach((slot, nth) => {
      all.indices[next[slot]] = rows[nth];
      all.data[next[slot]++] = values[nth];
    });
  }
  const pointerTo = (index) => starts[wanted.placeOf(index)];
  const bytes = bytesOf(runs.count, elementsOf(runs.ends, pointerTo), pointers.length, Data);
  checkBytes(bytes, maxBytes, `the result of ${runs.count} ${minorName}`, "select fewer of them");
  return gathered(runs, pointerTo, (pointer) => pointer, all.indices, all.data);
}

/** Array for a dense result: that of the caller, set to zeros, or a new one. @param {any} out @param {any} Data @param {number} length */
function outOf(out, Data, length) {
  if (out === undefined) return new Data(length);
  /** @type {boolean} */
  const isItems = ArrayBuffer.isView(out);
  if (!isItems || out[Symbol.toStringTag] !== Data.name) throw new TypeError(`the option out is a ${Data.name}, as the result is`);
  if (out.length !== length) throw new RangeError(`the option out has ${out.length} items, and the result ${length}`);
  return out.fill(Data.name.startsWith("Big") ? 0n : 0);
}

/** Reads the whole matrix as a dense array in C order. */
export async function readDense(matrix, options) {
  const { data, shape, format } = matrix;
  const { maxBytes = LIMIT, out } = options;
  const Data = await kindOf(data, dataOptions(matrix, options));
  const [height, width] = shape;
  const bytes = height * width * Data.BYTES_PER_ELEMENT;
  checkBytes(bytes, maxBytes, `the dense array of shape ${shown(shape)}`, "read some rows or columns, or raise maxBytes");
  const { last, pointerOf } = await scanned(matrix, options, Data, `a read of all of ${matrix.name}`, "read some rows or columns, or raise maxBytes");
  const dense = outOf(out, Data, height * width);
  const [byRow, byIndex] = format === "csr" ? [width, 1] : [1, width];
  const isTruth = data.dtype === "bool";
  let row = 0;
  for await (const part of indicesOf(matrix, last, options)) {
    const { data: values } = await data.get([slice(part.start, part.stop)], dataOptions(matrix, options));
    row = eachElement(part, row, pointerOf, (place, index, at) => {
      const to = at * byRow + index * byIndex;
      // Elements that are stored several times are added, as scipy adds them.
      dense[to] = isTruth ? dense[to] || values[place] : dense[to] + values[place];
    });
  }
  return { data: dense, shape: [height, width], stride: [width, 1] };
}
