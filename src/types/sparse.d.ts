/**
 * The entry point `rectilinear-zarr/sparse`: rows of sparse matrices, ragged arrays, and tables by column.
 *
 * It takes groups and arrays that were opened by `rectilinear-zarr` or `rectilinear-zarr/inline`. The code of each
 * function is loaded with its first call.
 *
 * @module rectilinear-zarr/sparse
 */

import type { Group, AxisSelection, GetOptions, Region, TypedArray } from "./index.js";

export * from "./sparse-ragged.js";
export * from "./sparse-table.js";

/** Options of opening a sparse matrix. */
export interface SparseOptions {
  /** Format of a group without the attribute `encoding-type`. Default: `"csr"` or `"csc"` by this attribute. */
  format?: "csr" | "csc";
  /** Numbers of rows and columns of a group without the attribute `shape`. */
  shape?: readonly [number, number];
  /** Aborts the opening. */
  signal?: AbortSignal;
}

/** Options of reads of a sparse matrix. */
export interface SparseReadOptions extends Pick<GetOptions, "int64" | "signal"> {
  /**
   * Number type of `data`, as in `get`, but without masks and scales: zeros that are stored stay zeros. Default: that of
   * the data type.
   */
  as?: GetOptions["as"];
  /**
   * Largest number of bytes that the call may give, and that it may read where it goes through all of the matrix. Default
   * 2 GiB for rows of CSR and columns of CSC, 256 MiB for columns of CSR, rows of CSC, and `toDense`.
   */
  maxBytes?: number;
  /** Called after each part of a read that goes through all of the matrix. */
  onProgress?: (progress: { elements: number; totalElements: number }) => void;
}

/** Options of a read of a whole matrix. */
export interface DenseOptions extends SparseReadOptions {
  /** Typed array to write to; it has the class and the length of the result, and is returned as `data`. */
  out?: TypedArray;
}

/** Elements of some rows or columns, in the order that was asked for. */
export interface SparseRegion {
  /**
   * Place in `indices` and `data` of the first element of each row (or column), from 0 on, and after them the number of
   * elements. A `Float64Array` only where there are more than 2^31 elements.
   */
  indptr: Int32Array | Float64Array;
  /**
   * Column of each element of rows; row of each element of columns. Their order within a row is the stored one, which
   * need not rise. A `Float64Array` only where the axis is longer than 2^31.
   */
  indices: Int32Array | Float64Array;
  /** Value of each element. */
  data: TypedArray;
  /** Numbers of rows and columns of the result. */
  shape: [number, number];
}

/** Elements of one row or column. */
export type SparseVector = Pick<SparseRegion, "indices" | "data">;

/** A sparse matrix: AnnData's `csr_matrix`, compressed by row, or `csc_matrix`, compressed by column. */
export interface SparseMatrix {
  /** Whether the matrix is compressed by row (`"csr"`) or by column (`"csc"`). */
  readonly format: "csr" | "csc";
  /** Numbers of rows and columns. */
  readonly shape: [number, number];
  /** Zarr v3 name of the data type of the elements. */
  readonly dtype: string;
  /** Path of the group inside the source. */
  readonly path: string;
  /**
   * Reads rows in the order of the selection, with repetitions. An integer selects one row.
   *
   * On CSR, the pointers of the rows are read first, then each of their elements once; rows that lie together are one
   * read. On CSC, the read goes through all indices in parts, and is refused if the matrix has more bytes than `maxBytes`.
   *
   * @param selection The selection of rows, as for `get`; `null` is all rows.
   * @param options Options of the read.
   * @returns The elements by row; `indices` are columns.
   * @throws RangeError if the result has more than `maxBytes`, or the matrix has, where all of it would be read
   * @throws SelectionError if the selection does not fit the rows
   * @throws InvalidMetadataError if pointers fall, lead beyond the data or end before it, or an index is no column;
   * `key` is the path of the array and `path` leads to the value in it
   * @throws StoreError, CodecError or UnsupportedError as for `get`
   */
  rows(selection: AxisSelection, options?: SparseReadOptions): Promise<SparseRegion>;
  /**
   * Reads columns in the order of the selection, with repetitions. On CSC this is what `rows` is on CSR, and the other
   * way round.
   *
   * @param selection The selection of columns, as for `get`; `null` is all columns.
   * @param options Options of the read.
   * @returns The elements by column; `indices` are rows.
   * @throws RangeError, SelectionError or InvalidMetadataError as for `rows`
   * @throws StoreError, CodecError or UnsupportedError as for `get`
   */
  columns(selection: AxisSelection, options?: SparseReadOptions): Promise<SparseRegion>;
  /**
   * Reads one row.
   *
   * @param index The index of the row; negative ones count from the end.
   * @param options Options of the read.
   * @returns The elements of the row.
   * @throws SelectionError if there is no such row; other errors as for `rows`
   */
  row(index: number, options?: SparseReadOptions): Promise<SparseVector>;
  /**
   * Reads one column.
   *
   * @param index The index of the column; negative ones count from the end.
   * @param options Options of the read.
   * @returns The elements of the column.
   * @throws SelectionError if there is no such column; other errors as for `rows`
   */
  column(index: number, options?: SparseReadOptions): Promise<SparseVector>;
  /**
   * Tells how large a read of rows of CSR, or of columns of CSC, would be. Only pointers are read.
   *
   * @param selection The selection of rows of CSR, or of columns of CSC; `null` is all of them.
   * @param options Options of the read that is meant.
   * @returns The number of elements, and the bytes of the result.
   * @throws SelectionError or InvalidMetadataError as for `rows`
   * @throws StoreError or CodecError as for `get`
   */
  size(selection: AxisSelection, options?: SparseReadOptions): Promise<{ elements: number; bytes: number }>;
  /**
   * Reads the whole matrix as a dense array. Elements that are stored several times are added, as scipy does.
   *
   * @param options Options of the read.
   * @returns The items in C order, with zeros where nothing is stored.
   * @throws RangeError if the dense array, or what is read for it, has more than `maxBytes`
   * @throws InvalidMetadataError as for `rows`
   * @throws StoreError, CodecError or UnsupportedError as for `get`
   */
  toDense(options?: DenseOptions): Promise<Region & { data: TypedArray }>;
  /**
   * Frees the memory of the matrix. Reads under way end normally; every later one rejects.
   *
   * @returns Nothing.
   * @throws FreedError if the matrix was freed before
   */
  free(): void;
  /**
   * Frees the matrix at the end of the block of a `using` declaration.
   *
   * @returns Nothing.
   * @throws FreedError if the matrix was freed before
   */
  [Symbol.dispose](): void;
}

/**
 * Opens a sparse matrix: a group with the arrays `indptr`, `indices` and `data`, as AnnData writes it in Zarr v2 and v3.
 *
 * With consolidated metadata, no request is made. No elements are read, and nothing is made dense: memory and requests
 * of later reads depend on the elements that they select.
 *
 * @param group The group, or one above it.
 * @param path The path from the group, such as `"X"` or `"layers/counts"`. Default: the group itself.
 * @param options Format and shape of a group that does not say them.
 * @returns The matrix.
 * @throws NotFoundError if there is no such group
 * @throws InvalidMetadataError if the group is not a sparse matrix, an array is missing, or their lengths do not agree
 * @throws UnsupportedError if the elements are not real numbers or booleans
 * @throws TypeError if `group` is not an opened group, or an option has the wrong type
 *
 * @example
 * const cells = await Group.open("https://host/cells.zarr");
 * const x = await sparse(cells, "X");
 * const { elements, bytes } = await x.size(slice(428, 509));
 * console.log(`${elements} elements in ${bytes} bytes`);
 * const { indptr, indices, data } = await x.rows(slice(428, 509));
 */
export function sparse(group: Group, path?: string, options?: SparseOptions): Promise<SparseMatrix>;
