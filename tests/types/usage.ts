/** The shipped types, used as callers use them; what must not compile says so. Checked by `make test-types`. */

import { type Array as ZarritaArray, FetchStore } from "zarrita";
import * as zarrita from "zarrita";
import proj4 from "proj4";
import { type CodecInfo, type Float16Data, Group, type Readable, RectilinearArray, type Region, type Selection, type Snapshot, type TreeEntry, type TypedArray, codecs, decoder, slice } from "rectilinear-zarr";
import { asRegularStore, fetchHandler, toZarrita } from "rectilinear-zarr/adapters";
import { type Column, type SparseRegion, ragged, sparse, table } from "rectilinear-zarr/sparse";
import { type Level, Levels } from "rectilinear-zarr/levels";
import { type Cell, type CellSelection, type HealpixGrid, healpix } from "rectilinear-zarr/healpix";
import { directoryStore, zipStore } from "rectilinear-zarr/stores";

export async function opens(): Promise<void> {
  await RectilinearArray.open("https://host/a.zarr");
  await RectilinearArray.open(new URL("https://host/a.zarr"), {
    path: "t2m",
    signal: AbortSignal.timeout(1000),
    fetch: (request) => globalThis.fetch(request),
    headers: { authorization: "Bearer x" },
    timeout: 10_000,
    redirect: "error",
    credentials: "include",
    missingStatuses: [403, 404],
    concurrency: 8,
    proposals: ["encoded_chunk_shapes"],
    cacheBytes: 2 ** 26,
    maxChunkBytes: 2 ** 28,
    onRequest: ({ key, status, bytes, ms }) => console.log(key.length, status ?? 0, bytes ?? 0, ms),
  });
  // Stores: zarrita's, a Map, an object.
  await RectilinearArray.open(new FetchStore("https://host/a.zarr"));
  await RectilinearArray.open(new Map<string, Uint8Array>());
  const own: Readable = { get: (key) => (key.startsWith("/") ? new Uint8Array(1) : undefined) };
  await RectilinearArray.open(own);

  // @ts-expect-error a number is no source
  await RectilinearArray.open(5);
  // @ts-expect-error misspelt
  await RectilinearArray.open("https://host/a.zarr", { pth: "t2m" });
  // @ts-expect-error arrays are opened, not constructed
  new RectilinearArray();
}

export async function custom(): Promise<Uint8Array | undefined> {
  // zarrita's registry as it is, numcodecs' classes, a plain entry, a function, a module.
  const array = await RectilinearArray.open("https://host/a.zarr", { codecs: zarrita.registry });
  codecs.set("a", async () => (await import("numcodecs/zstd")).default);
  codecs.set("b", () => ({ fromConfig: () => ({ kind: "array_to_bytes", decode: (bytes: Uint8Array) => bytes }) }));
  codecs.set("zstd", new URL("https://host/zstd.js"), { override: true });
  decoder("c", async (bytes, { shape, configuration }) => new Float32Array(bytes.length + shape.length + Number(configuration.x)), { kind: "array_to_bytes" });
  const listed: CodecInfo[] = array.codecs;
  console.log(listed[0]?.here, array.metadata?.zarr_format, codecs.has("a"), codecs.delete("a"));
  // @ts-expect-error a kind that no codec has
  decoder("d", () => 0, { kind: "bytes_to_array" });
  // @ts-expect-error an entry, not its loader
  codecs.set("e", { fromConfig: () => ({ decode: () => 0 }) });
  return array.getEncoded([0, 0], { signal: AbortSignal.timeout(1000) });
}

export async function stores(folder: FileSystemDirectoryHandle, file: File): Promise<Readable[]> {
  const zip = await zipStore(file, { maxEntryBytes: 2 ** 28, signal: AbortSignal.timeout(1000) });
  const keys: `/${string}`[] = [...zip.keys()];
  await zip.getRange(keys[0] ?? "/zarr.json", { suffixLength: 4 });
  await RectilinearArray.open(directoryStore(folder), { path: "t2m" });
  await RectilinearArray.open(file, { format: "netcdf", path: "t2m" });
  // @ts-expect-error nor is a folder
  await RectilinearArray.open(folder);
  // @ts-expect-error folders have handles
  directoryStore("C:/data");
  return [zip, directoryStore(folder), await zipStore(new URL("https://host/a.zip"), { fetch: (request) => fetch(request) })];
}

export async function cells(group: Group): Promise<number> {
  using grid: HealpixGrid = await healpix(group, "t", { signal: AbortSignal.timeout(10) });
  const cell: Cell = grid.cellAt(11.6, 48.1);
  const selection: CellSelection = await grid.within(grid.parent(cell, 2), 2);
  const { data } = await grid.array.get({ ...selection, time: slice(0, 3) }, { as: "float32" });
  const ids: Cell[] = [...(await grid.cells(selection))];
  const { coordinates } = await grid.sel({ cells: ids, time: "2024-02" }, { method: "nearest" });
  await grid.array.get(await grid.box([5, 45, 15, 55]));
  const own = { name: "healpix", refinement_level: null, indexing_scheme: "zuniq", spatial_dimension: "cells", coordinate: "ids" } as const;
  await healpix(group, "t", { dggs: own });
  // @ts-expect-error a level without its scheme
  await healpix(group, "t", { dggs: { name: "healpix", refinement_level: 3, spatial_dimension: "cells" } });
  // @ts-expect-error cells are asked for
  await grid.sel({ time: "2024-02" });
  // @ts-expect-error the array's path is needed
  await healpix(group);
  const [longitude, latitude] = grid.corners(cell)[2];
  return data[0]! + longitude + latitude + Object.keys(coordinates).length;
}

export async function adapters(array: RectilinearArray, group: Group): Promise<number[]> {
  const shown = asRegularStore(group, { chunkShape: ({ shape }) => (shape.length === 2 ? [256, 256] : undefined) });
  const bytes: Uint8Array | undefined = await shown.getRange("/t2m/c/0/0", { suffixLength: 4 }, { signal: AbortSignal.timeout(10) });
  const opened = await zarrita.open(asRegularStore(array, { chunkShape: [31, 256] }), { kind: "array" });
  await RectilinearArray.open(shown, { path: "t2m" });
  const held: ZarritaArray<zarrita.DataType> = await toZarrita(zarrita, array, { chunkShape: [1] });
  if (held.is("float32")) console.log((await zarrita.get(held, [0, zarrita.slice(4)])).data.byteLength);
  const handler: (request: Request) => Promise<Response> = fetchHandler("https://host/a.zarr", { path: "t2m", chunkShape: [1], cacheBytes: 2 ** 28 });
  const other = new FetchStore("https://a.invalid", { fetch: fetchHandler(group, { base: new URL("https://a.invalid") }) });
  await zarrita.open(new FetchStore("https://host/a.zarr", { fetch: handler }));
  await zarrita.open(other);
  // @ts-expect-error misspelt
  fetchHandler(array, { bass: "https://a.invalid" });
  // @ts-expect-error what is shown is opened
  asRegularStore("https://host/a.zarr");
  // @ts-expect-error keys start with a slash
  await shown.get("zarr.json");
  // @ts-expect-error groups are none of zarrita's arrays
  await toZarrita(zarrita, group);
  // @ts-expect-error this is not zarrita
  await toZarrita(Math, array);
  return [...opened.chunks, ...held.chunks, bytes?.length ?? 0];
}

export async function tables(group: Group, array: RectilinearArray): Promise<unknown[]> {
  using x = await sparse(group, "X", { format: "csc", shape: [10, 20], signal: AbortSignal.timeout(10) });
  const part: SparseRegion = await x.rows([true, false], { as: "float64", maxBytes: 2 ** 20, onProgress: ({ elements }) => console.log(elements) });
  const { indices } = await x.column(-1);
  const { elements, bytes } = await x.size(slice(3));
  const obs = await table(group, "obs", { dimension: "cell" });
  const column: Column = await obs.column("cls", slice(0, 10), { signal: AbortSignal.timeout(10) });
  const labels = column.kind === "time" ? column.labels : column.kind === "category" ? column.categories : [];
  const tracks = await ragged(array, { offsets: [0, 2, 5] });
  await ragged(array, { counts: array, maxBytes: 2 ** 20 });
  await ragged(array, { items: true });
  await ragged(array, { index: Int32Array.of(0, 1), length: 4 });
  const { offsets, shape } = await tracks.slice(null, -1, { as: "float32" });
  // @ts-expect-error a row is an integer
  await x.row("first");
  // @ts-expect-error the elements are in one of these orders
  await sparse(group, "X", { format: "coo" });
  // @ts-expect-error something has to say where features begin
  await ragged(array, {});
  return [...part.indptr, indices.length, elements, bytes, ...labels, ...offsets, ...shape, (await x.toDense({ out: new Float32Array(200) })).data.length];
}

export async function reads(array: RectilinearArray): Promise<Region[]> {
  const selection: Selection = [slice(0, 31), null, -5, slice(10), slice(null, null, -2)];
  // @ts-expect-error a string selects nothing
  await array.get(["time"]);
  // @ts-expect-error nor does one by name
  await array.get({ time: "noon" });
  // @ts-expect-error a list is of one kind
  await array.get([[1, true]]);
  // @ts-expect-error points are lists
  await array.getPoints([1, 2]);
  return [
    await array.get(),
    await array.get(null),
    await array.get(selection, { signal: AbortSignal.timeout(10), onProgress: ({ chunks, totalChunks }) => chunks / totalChunks }),
    await array.getChunk([0, 1]),
    await array.getChunk([0, 1], { grid: "inner", int64: "number" }),
    await array.get([[3, -1, 3], Int32Array.of(1, 2), [true, false], BigInt64Array.of(4n)]),
    await array.get({ time: 3, lat: slice(10, 20), lon: [1, 2], level: undefined, member: null }),
    await array.getPoints([[0, 1], [-1, 2]], { signal: AbortSignal.timeout(10) }),
    await array.getPoints([Int32Array.of(0, 1), [2, 3]]),
  ];
}

export async function fields(array: RectilinearArray): Promise<number> {
  const one: Region = await array.get(null, { fields: "wind.speed", int64: "number" });
  const { data, shape } = await array.get([null, 3], { fields: ["time", "wind.speed"] });
  const points = await array.getPoints([[0, 1]], { fields: ["time"], signal: AbortSignal.timeout(10) });
  // @ts-expect-error neither a number nor a bigint
  await array.get(null, { int64: "string" });
  return one.data.length + (data["time"]?.length ?? 0) + shape.length + (points.data["time"]?.length ?? 0) + (array.fields?.[0]?.offset ?? 0);
}

export function properties(array: RectilinearArray): (number | string)[] {
  const { shape, dtype, path, zarrFormat, chunkGrid, writeChunkSizes, readChunkSizes } = array;
  const units: unknown = array.attrs["units"];
  const names: (string | null)[] = array.dimensionNames ?? [];
  const { fillValue } = array;
  const fill = typeof fillValue === "number" || typeof fillValue === "string" ? fillValue : null;
  const unit: string = array.timeUnit?.unit ?? "none";
  const { coords, within } = chunkGrid.chunkAt([0, 0]);
  const { start, stop } = chunkGrid.bounds(coords);
  const edges = chunkGrid.runs(0).map(({ edge, count, encoded }) => (encoded ?? edge) * count);
  // @ts-expect-error read only
  array.dtype = "int8";
  return [...shape, dtype, path, zarrFormat, ...within, ...start, ...stop, ...edges, String(units), names.length, String(fill), unit, ...(array.innerChunkGrid?.shape ?? []),
    ...(writeChunkSizes[0] ?? []), ...(readChunkSizes[0] ?? [])];
}

export function values({ data, shape, stride }: Region): number {
  if (data instanceof BigInt64Array || data instanceof BigUint64Array) return Number(data[0] ?? 0n);
  if (Array.isArray(data)) {
    const first: unknown = data[0];
    return typeof first === "string" || first instanceof Uint8Array ? first.length : 0;
  }
  const numbers: { readonly [index: number]: number } & (Float16Data | object) = data;
  return (numbers[0] ?? 0) + (shape[0] ?? 0) + (stride[0] ?? 0);
}

export async function groups(): Promise<(number | string)[]> {
  const root = await Group.open("https://host/a.zarr", { path: "run", zarrFormat: 2, signal: AbortSignal.timeout(1000) });
  using inner = await root.group("surface", { cacheBytes: 0 });
  const array: RectilinearArray = await inner.array("t2m", { maxChunkBytes: 2 ** 20, signal: AbortSignal.timeout(10) });
  const [newest]: Snapshot[] = await root.snapshots();
  const ids: Record<string, string> = (await root.refs()).branches;
  await Group.open("https://host/r", { format: "icechunk", snapshot: newest?.parent ?? ids.main ?? "", containers: { archive: "https://host/a/" } });
  const tree: TreeEntry[] = root.tree() ?? [];
  const asked: TreeEntry[] = await root.tree({ list: true, signal: AbortSignal.timeout(1000) });
  // @ts-expect-error: names are asked for by `list: true` alone
  await root.tree({});
  const counts = tree.flatMap(({ chunkRuns }) => chunkRuns ?? []).flatMap((runs) => runs.map(({ edge, count }) => edge * count));
  const units: unknown = root.attrs["units"];
  // @ts-expect-error the source is the group's
  await root.array("t2m", { headers: {} });
  // @ts-expect-error a kind that no node has
  tree.filter(({ kind }) => kind === "table");
  root.free();
  return [root.path, root.zarrFormat, String(units), array.path, ...counts, ...[...tree, ...asked].map(({ path, dtype }) => dtype ?? path)];
}

export function disposes(): Promise<void> {
  return RectilinearArray.open("https://host/a.zarr").then((array) => {
    using held = array;
    held.free();
  });
}

export async function decodes(array: RectilinearArray): Promise<Float32Array> {
  const { data, range } = await array.get(null, { as: "float32", mask: [9, 10n], scale: { factor: 2 }, minmax: true });
  const least: number | undefined = range?.[0];
  console.log(least);
  await array.get(null, { as: "uint8", scale: false, out: new Uint8Array(4) });
  await array.get(null, { fields: ["a"], as: "float64", out: { a: new Float64Array(4) } });
  const { bytesPerRow }: Region = await array.get([0], { texture: { format: "r8unorm", range: [0, 1], rowAlignment: 256 } });
  console.log(bytesPerRow);
  // @ts-expect-error no such format
  await array.get([0], { texture: { format: "rgba8unorm" } });
  // @ts-expect-error no such numbers
  await array.get(null, { as: "int64" });
  // @ts-expect-error a factor is a number
  await array.get(null, { as: "float32", scale: { factor: "2" } });
  return data;
}

export async function narrows(array: RectilinearArray): Promise<number> {
  let sum = 0;
  const region = await array.get();
  if (ArrayBuffer.isView(region.data)) {
    const items: TypedArray = region.data as TypedArray;
    for (const item of items) sum += Number(item);
    sum += items.buffer.byteLength + items.byteOffset + items.slice(1).length + items.subarray(0, 1).length;
  }
  const floats: Float32Array = (await array.sel({ time: "2024-02" }, { as: "float32" })).data;
  const points: Float64Array = (await array.getPoints([[0]], { as: "float64" })).data;
  const chunk: Uint8Array = (await array.getChunk([0], { as: "uint8", grid: "inner" })).data;
  for await (const { data, coords } of array.stream(null, { as: "int16" })) {
    const integers: Int16Array = data;
    sum += integers.length + coords.length;
  }
  const { data, width, height } = await array.get([0], { texture: { format: "r8unorm", range: [0, 1] } });
  const levels: Uint8Array = data;
  const { coordinates } = await array.sel({ time: slice(null, null) });
  const labels = (coordinates["time"] as string[]).map((label) => label.slice(0, 10));
  const known = coordinates["lat"];
  sum += labels.length + (known instanceof Float64Array ? known.length : 0);
  // @ts-expect-error: a list is told from a single label first
  coordinates["time"]?.map(String);
  if (array.is("float32")) {
    const own: Float32Array = (await array.get([0])).data;
    const converted: Uint8Array = (await array.get([0], { as: "uint8" })).data;
    for await (const part of array.stream()) sum += part.data.subarray(0, 1).length + part.start.length;
    sum += own.length + converted.length + array.shape.length;
  }
  if (array.is("complex64")) sum += (await array.get()).data.byteLength;
  if (array.is("float8_e4m3fn")) sum += (await array.get()).data.subarray(0, 1).length;
  if (array.is("r16")) sum += (await array.getChunk([0])).data.byteLength;
  if (array.is("fixed_length_utf32")) sum += (await array.get()).data[0]!.length;
  if (array.is("bigint")) sum += Number((await array.getPoints([[0]])).data[0] ?? 0n);
  // @ts-expect-error no such data type
  array.is("float128");
  // @ts-expect-error floats are no bytes
  const wrong: Uint8Array = (await array.get(null, { as: "float32" })).data;
  return sum + floats.length + points.length + chunk.length + levels.length + width * height + labels.length + wrong.length;
}

export async function pyramids(group: Group): Promise<Float32Array> {
  const levels = await Levels.open(group, { variable: "b02", signal: AbortSignal.timeout(1000) });
  const finest: Level | undefined = levels[0];
  const [width] = finest?.resolution ?? [0];
  const { level, selection } = levels.window([0, 0, 1, 1], { resolution: width * 2, round: "nearest" }) ?? { level: levels.at(width), selection: null };
  const array = await levels.array(level.index);
  await array.get(selection);
  for (const { from, bounds } of levels) console.log(from, bounds?.[0].toFixed(), levels.crs.code?.length);
  // @ts-expect-error levels are chosen by the size of a pixel
  levels.at("10m");
  // @ts-expect-error a method that does not exist
  await levels.tile(0, 0, 0, { method: "cubic" });
  const { data } = await levels.tile(0, 0, 0, { select: { time: 0 }, project: ([lon, lat]) => [lon, lat], mask: [0] });
  const { data: pixels, shape, transform } = await levels.read({ bbox: [0, 0, 1, 1], crs: "EPSG:3857", width: 2, height: 2, selection: { time: slice(0, 2) }, proj4 });
  const bytes: Uint8Array = (await levels.read({ bbox: [0, 0, 1, 1], crs: levels.crs, width: 2, height: 2, as: "uint8", fill: 255 })).data;
  console.log(pixels[0]! + bytes[0]! + transform[5], shape.length);
  // @ts-expect-error a read needs a size
  await levels.read({ bbox: [0, 0, 1, 1] });
  levels.free();
  return data;
}
