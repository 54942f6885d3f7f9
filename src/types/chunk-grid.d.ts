/** The grid of an array's chunks. */

/** How an array is cut: answered from runs of equal chunks, so 10^9 chunks cost what three do. */
export class ChunkGrid {
  private constructor();
  /** Chunks along each axis that meet the array. */
  readonly shape: number[];
  /** Whether every chunk has one declared shape. */
  readonly isRegular: boolean;
  /**
   * The axis' runs of equal chunks, in order. Edges are as declared: the last chunk may reach past the
   * array, and whole chunks may lie past it. `encoded` is the length that each chunk of the run decodes to, where
   * it is more than its edge.
   * @throws SelectionError where there is no such axis
   */
  runs(axis: number): { edge: number; count: number; encoded?: number }[];
  /**
   * The chunk that holds an element, and the element's place in it.
   * @throws SelectionError where the index is outside the array
   */
  chunkAt(index: number[]): { coords: number[]; within: number[] };
  /**
   * Where a chunk lies, from `start` up to and without `stop`, clipped to the array.
   * @throws SelectionError where there is no such chunk
   */
  bounds(coords: number[]): { start: number[]; stop: number[] };
}
