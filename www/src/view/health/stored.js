// Stored size of an array as far as it is known: from the requests made for its chunks, never from requests of its own.
import { chunkBytes } from "../../model/plane.js";

const product = (list) => list.reduce((n, size) => n * size, 1);
const sum = (list) => list.reduce((n, size) => n + size, 0);
const placeOf = (key) => (key === "" ? [] : key.split("/").map(Number));

const FIXED = /^(bool|u?int|b?float|complex)/;

/** Whether each item takes the same known number of bytes: of texts and the like nobody knows it before they are read. */
const isFixed = ({ dtype }) => FIXED.test(dtype);

/** Bytes of the whole array decoded; undefined where its items have no fixed length. */
export function decodedBytes(source) {
  const { shape } = source.stored ?? source; // of cells of a sphere, not of the map that they are drawn on
  if (shape.includes(0)) return 0;
  if (!isFixed(source)) return undefined;
  const zeros = shape.map(() => 0);
  const { start, stop } = source.grid.bounds(zeros);
  return (chunkBytes(source, zeros) / product(stop.map((end, d) => end - start[d]))) * product(shape);
}

/** Of chunks that have a key each, by their requests. */
function byChunk(source, requests) {
  const stored = new Map();
  const missing = new Set();
  for (const { at, status, range, method, bytes } of requests) {
    if (method === "HEAD" || range) continue;
    if (bytes !== undefined && !(status >= 400)) stored.set(at, bytes);
    else if (status === undefined || status === 404) missing.add(at);
  }
  for (const at of stored.keys()) missing.delete(at);
  return {
    chunks: stored.size + missing.size, missing: missing.size, isRead: false,
    stored: sum([...stored.values()]), decoded: sum([...stored.keys()].map((at) => chunkBytes(source, placeOf(at)))),
  };
}

/** Keys of documents that list chunks or hold small ones: those of Icechunk and of references. */
const DOCUMENT = /(^|\/)((manifests|snapshots|refs|transactions)\/[^/]*|repo)$|\.(json|parq|parquet)$/;

/** Of parts of shards and of other files, by steps: the bytes that came for the chunks that each step lacked. */
function byStep(source, steps) {
  const perShard = source.shards ? Math.ceil(product(source.grid.shape) / product(source.shards.shape)) : 0;
  const isIndex = ({ range, bytes }) => range?.length === 1 || (perShard > 0 && (bytes === 16 * perShard || bytes === 16 * perShard + 4));
  const chunks = new Set();
  let stored = 0;
  for (const { requests, wanted, state } of steps) {
    const parts = requests.filter((one) => one.method !== "HEAD" && one.bytes !== undefined && !isIndex(one) && !DOCUMENT.test(one.key));
    if (state !== "done" || !parts.length) continue;
    stored += sum(parts.map(({ bytes }) => bytes));
    for (const at of wanted) chunks.add(at);
  }
  return { chunks: chunks.size, missing: 0, stored, decoded: sum([...chunks].map((at) => chunkBytes(source, placeOf(at)))), isRead: true };
}

/**
 * `{ chunks, of, missing, stored, decoded, isRead }`: how many chunks were asked for, of how many, how many of them are not
 * stored, and the bytes of the others as stored and decoded, undefined where items have no fixed length; with `isRead`, `stored` is what was read for them.
 */
export function storedSoFar({ dataset, ledger }) {
  const [source] = dataset.sources;
  const steps = ledger.steps.filter(({ level, touched }) => !level && touched.size);
  const isOwn = (at) => at !== undefined && !at.includes(":");
  const requests = steps.flatMap((step) => step.requests).map((one) => ({ ...one, at: ledger.storedAt(one.key) })).filter(({ at }) => isOwn(at));
  const found = source.shards || !requests.length ? byStep(source, steps) : byChunk(source, requests);
  return { ...found, decoded: isFixed(source) ? found.decoded : undefined, of: product(source.grid.shape) };
}
