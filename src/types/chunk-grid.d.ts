/** Chunk grids: how an array is cut into chunks. */

/** A run of neighbouring chunks of equal length along one axis. */
export interface ChunkRun {
  /** Length of each chunk, in elements. */
  edge: number;
  /** Number of chunks in the run. */
  count: number;
  /** Length that each chunk decodes to, if it is more than `edge` (the proposal `encoded_chunk_shapes`). */
  encoded?: number;
}

/**
 * The chunk grid of an array. Each axis is held as runs of equal chunks, so memory and time for a look-up depend on the
 * number of runs and not on the number of chunks.
 *
 * @example
 * const t2m = await RectilinearArray.open("https://host/model_run.zarr/t2m"); // monthly chunks
 * t2m.chunkGrid.chunkAt([59, 0, 0]); //    { coords: [1, 0, 0], within: [28, 0, 0] }
 * t2m.chunkGrid.bounds([1, 0, 0]).start; // [31, 0, 0]
 */
export class ChunkGrid {
  private constructor();
  /** Number of chunks along each axis that overlap the array. */
  readonly shape: number[];
  /** Whether all chunks have one declared shape. */
  readonly isRegular: boolean;
  /**
   * Lists the runs of equal chunks along an axis, in order. Lengths are as declared: the last chunk may reach past the
   * end of the array, and whole chunks may lie past it.
   *
   * @param axis The index of the axis.
   * @returns The runs; the sum of `edge * count` is at least the length of the axis.
   * @throws SelectionError if there is no such axis
   */
  runs(axis: number): ChunkRun[];
  /**
   * Finds the chunk that holds an element.
   *
   * @param index The index of the element along each axis, from 0 on.
   * @returns `coords`, the coordinates of the chunk, and `within`, the element's index within the chunk along each
   * axis.
   * @throws SelectionError if the index is outside the array, or has another number of axes
   */
  chunkAt(index: number[]): { coords: number[]; within: number[] };
  /**
   * Gives the place of a chunk in the array, clipped to the array.
   *
   * @param coords The coordinates of the chunk.
   * @returns `start`, the index of the first element along each axis, and `stop`, the index after the last one.
   * @throws SelectionError if there is no such chunk
   */
  bounds(coords: number[]): { start: number[]; stop: number[] };
}
