/** Codecs: those of an array, and custom ones that a page registers. */

/** A codec of an array, as its metadata write it. */
export interface CodecInfo {
  /** Name in the metadata: the registered name in Zarr v3, the `id` in v2. */
  name: string;
  /**
   * Configuration as written, frozen; `{}` without one. Of shards, it holds the codecs of their inner chunks. Integers
   * beyond 2^53 are bigints.
   */
  configuration: Readonly<Record<string, unknown>>;
  /**
   * Whether the codec is decoded here: by this package, or by a codec of the page that was registered when the array
   * was opened. For shards, whether all codecs of their inner chunks are.
   */
  here: boolean;
}

/** Metadata, codecs and stored chunks of an array, whether or not it can be decoded. */
export interface ArrayCodecs {
  /**
   * The metadata document as stored, with its members in their order: the `zarr.json`, or in Zarr v2 the `.zarray`
   * with the members of `.zattrs` under `attributes`. `undefined` for an array joined by `concat`, which has none.
   *
   * Integers beyond 2^53 are bigints, with all of their digits. The document and all in it are frozen, because all callers
   * are given the same one; `structuredClone` makes a copy that can be changed.
   */
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  /**
   * The codecs in the order of encoding, as the metadata write them: in Zarr v2 the filters, then the compressor. Empty
   * for an array joined by `concat`.
   */
  readonly codecs: CodecInfo[];
  /**
   * Reads the stored bytes of one chunk, without decoding them, through the same cache and queue as all reads. It works
   * for arrays whose codecs or data type nobody has, too.
   *
   * @param coords The coordinates of the chunk in `chunkGrid`; in a sharded array, that is a whole shard.
   * @param options `signal` aborts the call. With `copy: false`, the bytes that a source in memory (a `Map`) holds are
   * returned as they are, for a caller that does not change them; default `true`.
   * @returns A copy of the bytes; `undefined` where nothing is stored.
   * @throws SelectionError if there is no such chunk
   * @throws StoreError if the store or host fails
   *
   * @example
   * const image = await RectilinearArray.open("https://host/slide.zarr/0");
   * const bytes = await image.getEncoded([0, 3, 4]);
   * if (bytes) await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: "image/jpeg" }));
   */
  getEncoded(coords: number[], options?: { signal?: AbortSignal; copy?: boolean }): Promise<Uint8Array | undefined>;
}

/** An array before or after a codec, as zarrita describes it. */
export interface ChunkMeta {
  /** Data type of the items, such as `"float32"`. */
  dataType: string;
  /** Shape of the chunk. */
  shape: number[];
  /** All codecs of the array, or of the inner chunks. */
  codecs: { name: string; configuration: Record<string, unknown> }[];
  /**
   * The fill value of the array, whichever codecs are before this one: a bigint for 64-bit integers and times, as
   * `array.fillValue`.
   */
  fillValue: unknown;
}

/** Items of a chunk, as zarrita's codecs take and give them. */
export interface ChunkItems {
  /** The items; of booleans, a `Uint8Array`. */
  data: ArrayBufferView;
  /** Shape of the chunk. */
  shape: number[];
  /** Items from one to the next along each axis. */
  stride: number[];
}

/** Kinds of codecs, by what they encode. */
export type CodecKind = "array_to_array" | "array_to_bytes" | "bytes_to_bytes";

/** A custom codec: zarrita's contract, without what writing needs. */
export interface CustomCodec {
  /** Kind of the codec. Default `"bytes_to_bytes"`, as for the classes of numcodecs, which have none. */
  readonly kind?: CodecKind | undefined;
  /**
   * Decodes a chunk: bytes to bytes, bytes to items, or items to items. The result may be a promise; it is checked and
   * copied at once. Items are a typed array in C order, or one with shape and strides.
   *
   * @param encoded A `Uint8Array`, or items of an array-to-array codec.
   * @returns A `Uint8Array`, a typed array, items, or a promise of one of them.
   */
  decode(encoded: any): unknown;
  /**
   * Describes the array that an array-to-array codec encodes to. Its shape must be that of the array before.
   *
   * @param meta The array before the codec.
   * @returns The array after it.
   */
  getEncodedMeta?(meta: any): any;
}

/** Makes a codec for an array. Classes with a static `fromConfig`, and plain objects, are entries. */
export interface CodecEntry {
  /**
   * Makes the codec for chunks of one shape.
   *
   * @param configuration The configuration in the metadata, a copy of its own; integers beyond 2^53 are bigints.
   * @param meta The array before the codec, or for a codec of bytes the array that they are of; a {@link ChunkMeta}.
   * @returns The codec.
   */
  fromConfig(configuration: any, meta: any): CustomCodec;
}

/** Loads the entry of a codec, when the first array that needs it is opened. */
export type CodecLoader = () => CodecEntry | Promise<CodecEntry>;

/** Finds loaders by name: zarrita's `registry`, a `Map`, or an object with such a method. */
export interface CodecRegistry {
  /**
   * Finds what loads a codec.
   *
   * @param name The codec's name; it is not asked for those of this package. For Zarr v2 the `id` is asked for, then
   * `numcodecs.` and the id.
   * @returns The loader; `undefined` for a codec that the registry does not have.
   */
  get(name: string): CodecLoader | URL | undefined;
}

/** Options of registering a codec. */
export interface CodecOptions {
  /** Replaces a codec that is built in. Default false: such a name is refused with a TypeError. */
  override?: boolean;
}

/**
 * The page's registry of codecs: it serves all arrays that are opened from now on. The codecs of this package stay in
 * use, and so does everything around a custom codec: compressors outside of it, filters inside, shards around it.
 *
 * @example
 * codecs.set("my.zstd", async () => (await import("numcodecs/zstd")).default);
 * const array = await RectilinearArray.open("https://host/model_run.zarr/t2m");
 */
export declare const codecs: {
  /**
   * Registers a codec.
   *
   * @param name Its name in the metadata, with or without `numcodecs.` for Zarr v2. Ids of v2 count as built in even
   * where no codec of v3 has that bare name, such as `lz4`.
   * @param load What loads its entry: a function, or the URL of a module whose default export is the entry. Workers of
   * this package import the URL too. A function stays on its thread: it serves workers that were started by a worker
   * file of the page, if that file registers the codec as well (`rectilinear-zarr/worker`).
   * @param options Whether a built-in codec is replaced.
   * @returns Nothing.
   * @throws TypeError if the name is built in, or `load` is neither a function nor a URL
   */
  set(name: string, load: CodecLoader | URL, options?: CodecOptions): void;
  /**
   * Tells whether a codec is registered; those of this package are not.
   *
   * @param name The name of the codec.
   * @returns Whether it is.
   */
  has(name: string): boolean;
  /**
   * Removes a codec. Arrays that are open keep it.
   *
   * @param name The name of the codec.
   * @returns Whether it was registered.
   */
  delete(name: string): boolean;
};

/**
 * Registers a codec that is one function.
 *
 * @param name Its name in the metadata.
 * @param decode Decodes a chunk: bytes, or items of an array-to-array codec. It is told the configuration and the array
 * before the codec, and gives bytes or items, or a promise of them.
 * @param options `kind` of the codec, default `"bytes_to_bytes"`, and whether a built-in codec is replaced.
 * @returns Nothing.
 * @throws TypeError as `codecs.set`
 *
 * @example
 * decoder("imagecodecs_png", async (bytes, { shape }) => {
 *   const bitmap = await createImageBitmap(new Blob([bytes as BlobPart]));
 *   const context = new OffscreenCanvas(shape[1]!, shape[0]!).getContext("2d")!;
 *   context.drawImage(bitmap, 0, 0);
 *   return new Uint8Array(context.getImageData(0, 0, shape[1]!, shape[0]!).data);
 * }, { kind: "array_to_bytes" });
 */
export declare function decoder(
  name: string,
  decode: (encoded: any, about: ChunkMeta & { configuration: any }) => unknown,
  options?: CodecOptions & { kind?: CodecKind },
): void;
