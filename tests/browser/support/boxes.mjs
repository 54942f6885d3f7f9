/** Boxes of a C-order array, computed without optimisation. */

import { itemSize } from "./dtypes.mjs";

/** C-order strides of `shape`, in items. */
export function strides(shape) {
  const found = new Array(shape.length).fill(1);
  for (let axis = shape.length - 2; axis >= 0; axis--) found[axis] = found[axis + 1] * shape[axis + 1];
  return found;
}

/** All indices of a box of extents `counts`, in C order; one empty index for no axes. */
export function* indices(counts) {
  const index = counts.map(() => 0);
  if (counts.includes(0)) return;
  for (;;) {
    yield [...index];
    let axis = counts.length - 1;
    while (axis >= 0 && ++index[axis] === counts[axis]) index[axis--] = 0;
    if (axis < 0) return;
  }
}

/** Coordinates, start and stop of each chunk of `writeChunkSizes`. */
export function* chunkBoxes(writeChunkSizes) {
  const starts = writeChunkSizes.map((sizes) => sizes.map((_, i) => sizes.slice(0, i).reduce((a, b) => a + b, 0)));
  for (const coords of indices(writeChunkSizes.map((sizes) => sizes.length))) {
    const start = coords.map((chunk, axis) => starts[axis][chunk]);
    yield { coords, start, stop: start.map((from, axis) => from + writeChunkSizes[axis][coords[axis]]) };
  }
}

/** Bytes of the box from `start` to `stop`, cut out of the whole array's bytes. */
export function cut(bytes, { shape, dtype }, start, stop) {
  const size = itemSize(dtype);
  const step = strides(shape);
  const counts = start.map((from, axis) => stop[axis] - from);
  const out = new Uint8Array(counts.reduce((a, b) => a * b, size));
  let at = 0;
  for (const index of indices(counts)) {
    const item = index.reduce((sum, value, axis) => sum + (start[axis] + value) * step[axis], 0);
    out.set(bytes.subarray(item * size, (item + 1) * size), at);
    at += size;
  }
  return out;
}
