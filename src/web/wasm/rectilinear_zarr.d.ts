/** The glue of the main module, which wasm-bindgen writes beside this file in a build: what src/web uses of it. */
import type { Group as OpenedGroup, OpenOptions, RectilinearArray as OpenedArray, Source } from "../../types/index.js";

export { ChunkGrid } from "../../types/index.js";

/** A class of the module, to which an entry of the package adds how it is opened. */
export const RectilinearArray: { prototype: OpenedArray; open?(source: Source, options?: OpenOptions): Promise<OpenedArray> };
export const Group: { prototype: OpenedGroup; open?(source: Source, options?: OpenOptions): Promise<OpenedGroup> };

/** Starts the module. */
export default function init(options: { module_or_path: WebAssembly.Module }): Promise<WebAssembly.Exports>;
export function openArray(source: Source, options?: OpenOptions): Promise<OpenedArray>;
export function openGroup(source: Source, options?: OpenOptions): Promise<OpenedGroup>;

/** Collects the arrays of `concat`. */
export class Joining {
  add(array: OpenedArray): void;
  along(axis: number | string): Promise<OpenedArray>;
  free(): void;
}

/** Notes a later part of the module that is there. */
export function partJoined(name: string): void;
/** Sets what loads other modules and their glue, by their names. */
export function loadModulesBy(load: (name: string) => Promise<unknown>): void;

/** Sets what starts a worker: it gets the module, the worker's number, and the option `workers`, or whether custom codecs have addresses. */
export function startWorkersBy(start: (module: WebAssembly.Module, number: number, start: unknown) => Worker): void;
/** Takes a message of a worker: that it is ready (null), its answers, or without one that it ended. */
export function workerSaid(number: number, data?: unknown): void;

/** Plans the jobs of a packed batch of chunks. */
export function planParcel(head: Uint8Array): Uint8Array;
/** Decodes a packed batch of chunks; the answers are in `buffer`, if it is large enough. */
export function decodeParcel(parcel: Uint8Array, buffer?: Uint8Array): Uint8Array;
