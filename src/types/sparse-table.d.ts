/** Tables by column: AnnData's data frames, and CF variables along one dimension. */

import type { AxisSelection, Group, TypedArray } from "./index.js";

/** Options of opening a table. */
export interface TableOptions {
  /** Dimension whose variables are the columns, in a group that is no data frame. Default: the only one there is. */
  dimension?: string;
  /** Aborts the opening. */
  signal?: AbortSignal;
}

/** Options of a read of a column. */
export interface ColumnOptions {
  /** Aborts the read. */
  signal?: AbortSignal;
}

/** Values of a column; `kind` says which. */
export type Column =
  | {
      /** Numbers; 64-bit integers as numbers where all of them are exact, otherwise as bigints. */
      kind: "number";
      /** Items; a list with `null` for missing ones where the column has a mask, otherwise with NaN for them. */
      data: TypedArray | (number | bigint | null)[];
    }
  | {
      /** Booleans. */
      kind: "boolean";
      /** Items; `null` for missing ones. */
      data: (boolean | null)[];
    }
  | {
      /** Texts. */
      kind: "text";
      /** Items; `null` for missing ones. */
      data: (string | null)[];
    }
  | {
      /** Times of a CF variable. */
      kind: "time";
      /** Milliseconds since 1970, as from `decodeTime`; NaN for missing ones. */
      data: Float64Array;
      /** Dates in ISO 8601, in the variable's own calendar; `null` for missing ones. */
      labels: (string | null)[];
    }
  | {
      /** Items of a short list of categories. */
      kind: "category";
      /** Kind of the categories. */
      of: "text" | "number" | "boolean";
      /** Category of each item; `null` for missing ones. */
      data: (string | number | bigint | boolean | null)[];
      /** Place in `categories` of each item; -1 for missing ones. */
      codes: TypedArray;
      /** All categories in order, also those that no item has. */
      categories: (string | number | bigint | boolean)[];
      /** Whether the order of the categories means something. */
      ordered: boolean;
    };

/** A table whose columns are read by name. */
export interface Table {
  /** Names of the columns, in order, without the index of a data frame. */
  readonly names: string[];
  /** Number of rows. */
  readonly length: number;
  /** Path of the group inside the source. */
  readonly path: string;
  /**
   * Reads a column.
   *
   * Columns of a data frame are plain arrays, categories, or nullable integers, booleans and texts. Columns of CF are
   * masked and unpacked as with `decode: "cf"`, and times are decoded.
   *
   * @param name The name of the column.
   * @param rows The selection of rows, as for `get`. Default: all rows.
   * @param options Options of the read.
   * @returns The values.
   * @throws SelectionError if there is no such column, or the selection does not fit the rows
   * @throws InvalidMetadataError if an array of the column is missing or has another length, or a code names no category
   * @throws UnsupportedError if the column has another encoding
   * @throws StoreError or CodecError as for `get`
   */
  column(name: string, rows?: AxisSelection, options?: ColumnOptions): Promise<Column>;
  /**
   * Reads the index: that of a data frame; in a CF data set the variable with the dimension's name, or with `cf_role`.
   *
   * @param rows The selection of rows, as for `get`. Default: all rows.
   * @param options Options of the read.
   * @returns The labels of the rows; `undefined` for a CF data set without such a variable.
   * @throws SelectionError if the selection does not fit the rows; other errors as for `column`
   */
  index(rows?: AxisSelection, options?: ColumnOptions): Promise<Column | undefined>;
  /**
   * Frees the memory of the table. Reads under way end normally; every later one rejects.
   *
   * @returns Nothing.
   * @throws FreedError if the table was freed before
   */
  free(): void;
  /**
   * Frees the table at the end of the block of a `using` declaration.
   *
   * @returns Nothing.
   * @throws FreedError if the table was freed before
   */
  [Symbol.dispose](): void;
}

/**
 * Opens a table: an AnnData data frame such as `obs`, or the variables of a CF data set along one dimension.
 *
 * With consolidated metadata, no request is made. A column is read when it is asked for.
 *
 * @param group The group, or one above it.
 * @param path The path from the group, such as `"obs"`. Default: the group itself.
 * @param options Dimension of a CF data set with several.
 * @returns The table.
 * @throws NotFoundError if there is no such group
 * @throws InvalidMetadataError if the attributes of a data frame are not valid, or its index is missing
 * @throws UnsupportedError if a CF data set has several dimensions and none was given, or is neither
 * consolidated nor in a store that lists its names
 * @throws SelectionError if no variable lies along the dimension
 * @throws TypeError if `group` is not an opened group
 *
 * @example
 * const cells = await Group.open("https://host/cells.zarr");
 * const obs = await table(cells, "obs");
 * const { data: types } = await obs.column("cell_type");
 * const wanted = Array.from(types as string[], (type) => type === "B cell");
 * const { indptr, indices, data } = await (await sparse(cells, "X")).rows(wanted);
 */
export function table(group: Group, path?: string, options?: TableOptions): Promise<Table>;
