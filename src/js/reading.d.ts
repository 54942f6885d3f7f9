/** How a selection is read, and what that takes. */

export interface GetOptions {
  /**
   * `"number"` reads int64, uint64 and times as a `Float64Array`, and rejects with a RangeError that names the first
   * value beyond 2^53, which a number would round; "not a time" is NaN. Other data types stay as they are, and so does
   * `fillValue`. Default `"bigint"`.
   */
  int64?: "bigint" | "number";
  /**
   * The field of a struct to read, with `data` of the field's own type; a field of a struct in it is `"outer.inner"`.
   * Several fields are read with `FieldsOptions`.
   */
  fields?: string;
  /**
   * Which chunks are asked for first: `"grid"`, the array's order (the default), or `"center"`, from the middle of
   * the selection outwards, which is where people look. A read of more than 65,536 stored chunks is in grid order.
   */
  order?: "grid" | "center";
  /** Aborts this read: it rejects with `signal.reason` at once and drops its requests; the array stays usable. */
  signal?: AbortSignal;
  /**
   * Called after each chunk: chunks done, chunks that the selection meets, and stored bytes received.
   * What it throws ends the read.
   */
  onProgress?: (progress: { chunks: number; totalChunks: number; bytes: number }) => void;
}

/** Options to read several fields of a struct at once; what is said twice is read twice. */
export interface FieldsOptions extends Omit<GetOptions, "fields"> {
  fields: readonly string[];
}

/** What a read takes. */
export interface Plan {
  /** The result's shape. */
  shape: number[];
  /** The result's bytes, decoded. */
  bytes: number;
  /** Chunks that the selection meets: inner ones where there are shards. */
  chunks: number;
  /** Stored chunks that it meets: shards where there are any. */
  storedChunks: number;
  /**
   * The requests that are known beforehand, as `onRequest` will tell of them: of a shard whose index is not at hand
   * only the one for its index. `undefined` beyond 100,000 stored chunks.
   */
  requests?: { key: string; range?: [number, number] | [number] }[];
}
