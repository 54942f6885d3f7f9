/** Reads along the axis that a sparse matrix is compressed by: rows of CSR, columns of CSC. */
import { checkBytes, invalidValue } from "./faults.js";
import { PLAIN } from "./pointers.js";
import { MOST, Spans, integers, kindOf, union } from "./spans.js";

/** Largest result of a read, unless the caller says otherwise: that of `get`. */
const LIMIT = 2 ** 31;

/** Options that convert to a type, if it is not that of the array: converting costs a copy of each chunk. */
const converted = ({ dtype }, as) => as && as !== dtype && { ...PLAIN, as };

/** Options of reads of the indices: numbers of 32 bits where all that are valid fit. */
export const indexOptions = ({ indices, minor }, signal) => ({ signal, ...converted(indices, minor > MOST + 1 ? "float64" : "int32") });

/** Options of reads of the data. Zeros that are stored stay zeros, although 0 is the fill value. */
export const dataOptions = ({ data }, { as, int64, signal }) => ({ signal, ...(int64 && { int64 }), ...converted(data, as) });

/** Checks indices that were read: `placeAt` gives the place of one in its array. */
export function checkIndices({ indices, minor }, values, placeAt) {
  for (let nth = 0; nth < values.length; nth++) {
    const index = values[nth];
    if (index >= 0 && index < minor) continue;
    throw invalidValue(indices.path, placeAt(nth), `index ${index} is outside the axis of length ${minor}`);
  }
}

/** Error for an index that does not fit 32 bits, as a fault of the store. */
export function outside({ indices, minor }, error) {
  if (error.name !== "RangeError") throw error;
  throw invalidValue(indices.path, undefined, `an index is outside the axis of length ${minor}: ${error.message}`, { cause: error });
}

/**
 * Elements of runs in the order that was asked for.
 *
 * @param {{ ends: number[], count: number }} runs
 * @param {(row: number) => number} pointerOf
 * @param {(pointer: number) => number} placeOf place of a pointer in `indices` and `data`
 */
export function gathered({ ends, count }, pointerOf, placeOf, indices, data) {
  const total = elementsOf(ends, pointerOf);
  const indptr = integers(count + 1, total);
  const isInOrder = ends.every((end, at) => at === 0 || ends[at - 1] < end) && indices.length === total;
  const result = isInOrder ? { indptr, indices, data } : { indptr, indices: new indices.constructor(total), data: new data.constructor(total) };
  let row = 0;
  for (let at = 0; at < ends.length; at += 2) {
    const [start, stop] = [pointerOf(ends[at]), pointerOf(ends[at + 1])];
    const to = indptr[row];
    if (!isInOrder && stop > start) {
      const from = placeOf(start);
      result.indices.set(indices.subarray(from, from + stop - start), to);
      result.data.set(data.subarray(from, from + stop - start), to);
    }
    for (let index = ends[at]; index < ends[at + 1]; index++) indptr[++row] = to + pointerOf(index + 1) - start;
  }
  return result;
}

/** Number of elements of runs, repeated ones counted each time. */
export function elementsOf(ends, pointerOf) {
  let total = 0;
  for (let at = 0; at < ends.length; at += 2) total += pointerOf(ends[at + 1]) - pointerOf(ends[at]);
  return total;
}

/** Bytes of a result with so many rows and elements. */
export function bytesOf(count, total, minor, Data) {
  const pointer = total > MOST ? 8 : 4;
  return (count + 1) * pointer + total * ((minor > MOST + 1 ? 8 : 4) + Data.BYTES_PER_ELEMENT);
}

/** Number of elements and bytes that a read of runs gives. */
export async function sizeOf(matrix, runs, options) {
  const { pointers, data, minor } = matrix;
  const Data = await kindOf(data, dataOptions(matrix, options));
  // Runs that touch, repeat or fall have ends of their own, also where a union of them would go on.
  const elements = elementsOf(runs.ends, await pointers.around(runs, options.signal));
  return { elements, bytes: bytesOf(runs.count, elements, minor, Data) };
}

/** Reads runs: pointers first, then indices and data of the elements, each element once. */
export async function readRuns(matrix, runs, options) {
  const { pointers, minor } = matrix;
  const { signal, maxBytes = LIMIT } = options;
  const rows = new Spans(union(runs.ends));
  // Properties of a freed array throw, which must not leave a promise behind.
  const [ofIndices, ofData] = [indexOptions(matrix, signal), dataOptions(matrix, options)];
  const [pointerOf, Data] = await Promise.all([pointers.of(rows, signal), kindOf(matrix.data, ofData)]);
  const bytes = bytesOf(runs.count, elementsOf(runs.ends, pointerOf), minor, Data);
  checkBytes(bytes, maxBytes, `the result of ${runs.count} ${matrix.majorName}`, "select fewer of them, or read them in parts");
  const spans = new Spans(union(rows.ends.map(pointerOf)));
  const [indices, data] = await Promise.all([
    spans.read(matrix.indices, ofIndices).catch((error) => outside(matrix, error)),
    spans.read(matrix.data, ofData),
  ]);
  checkIndices(matrix, indices, (place) => spans.indexOf(place));
  return gathered(runs, pointerOf, (pointer) => spans.placeOf(pointer), indices, data);
}
