/**
 * Parts of the main module that an open or a read will need beside the first one, from the source, the options and the
 * metadata document. A wrong guess is no error: the page stands still while a part that was not foreseen loads.
 */
import { PARTS, isWhole, parts } from "./parts.js";

/** Options that ordinary parts know; those of the first list are known by the first part. Calls with others need all parts. */
const OPTIONS = {
  open: ["path signal", "cacheBytes coalesceGap coalesceMax concurrency credentials fetch headers maxChunkBytes missingStatuses onRequest redirect retries timeout workers zarrFormat"],
  read: ["signal", "as onProgress order"],
};

const known = Object.fromEntries(Object.entries(OPTIONS).map(([call, lists]) => [call, lists.map((list) => list.split(" "))]));

/** Parts that options need. */
function ofOptions(call, options) {
  const given = Object.keys(options ?? {}).filter((name) => options[name] !== undefined);
  const [first, more] = known[call];
  if (given.every((name) => first.includes(name))) return [];
  return given.every((name) => first.includes(name) || more.includes(name)) ? ["more"] : PARTS;
}

/** Endings of the addresses of virtual stores. */
const VIRTUAL = /\.(json|parq|parquet|icechunk|cfdb)\/*([?#]|$)/;

const isAddress = (source) => typeof source === "string" || source instanceof URL;

/** Paths of members that need no normalisation. */
const PATH = /^(\w[\w.-]*(\/\w[\w.-]*)*)?$/;

/** URL of an ordinary address, without its fragment; undefined for others. */
function urlOf(source) {
  try {
    const url = new URL(source, globalThis.document?.baseURI ?? globalThis.location?.href);
    url.hash = "";
    return /^https?:$/.test(url.protocol) && !url.username && !url.password ? url : undefined;
  } catch {
    return undefined;
  }
}

/** URL of the `zarr.json` that an open asks for first; undefined where the module may ask for something else. */
export function documentAt(source, path = "") {
  const url = isAddress(source) && PATH.test(path) ? urlOf(source) : undefined;
  if (url) url.pathname = `${url.pathname.replace(/\/+$/, "")}/${path}${path && "/"}zarr.json`;
  return url?.href;
}

/** Whether the ending of an address says that a virtual store is there. */
export const isVirtual = (source) => isAddress(source) && VIRTUAL.test(source);

/** Parts that the open of an array needs before its metadata document is there. */
export function partsOfOpen(source, options = {}) {
  const { format, ...others } = options;
  if (isVirtual(source) || (format && format !== "zarr")) return PARTS;
  if (typeof options !== "object" || (isAddress(source) && !documentAt(source, options.path ?? ""))) return PARTS;
  return [...ofOptions("open", others), ...(isAddress(source) ? [] : ["more"])];
}

/** Parts that the selection of an axis needs: none for a number, a slice of neighbours or the whole, all for a list. */
const ofItem = (item) => (typeof item !== "object" || item === null ? [] : !("start" in item) ? PARTS : (item.step ?? 1) === 1 ? [] : ["more"]);

/** Parts that the read of a selection needs. */
export const partsOfRead = (selection, options) => [...Object.values(selection ?? {}).flatMap(ofItem), ...ofOptions("read", options)];

/** Data types that the first part knows. */
const TYPES = new Set("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64".split(" "));
/** Data types that the part `more` knows, by their names. Others need all parts. */
const MORE_TYPES = new Set("bfloat16 complex128 complex64 float16 numpy.datetime64 string struct structured".split(" "));
/** Fields of documents that the first part knows. */
const FIELDS = new Set("attributes chunk_grid chunk_key_encoding codecs data_type dimension_names fill_value node_type shape storage_transformers zarr_format".split(" "));

/** Parts that codecs of chunks need, by their names; others need `more` and `codecs`. */
const CODECS = { blosc: ["codecs"], bytes: [], crc32c: [], gzip: ["codecs"], sharding_indexed: ["grids"], zstd: [] };

/** Parts that a list of codecs needs. */
function partsOfCodecs(codecs) {
  return codecs.flatMap(({ name, configuration }) => {
    const known = Object.hasOwn(CODECS, name) ? CODECS[name] : ["more", "codecs"];
    const own = configuration?.endian === "big" ? ["more"] : known;
    if (name !== "sharding_indexed") return own;
    const { codecs: inner, index_codecs: index = [] } = configuration;
    return [...own, ...partsOfCodecs([...inner, ...index])];
  });
}

/** Parts that a metadata document of an array needs. */
function partsOfArray(document) {
  const { chunk_grid: grid, chunk_key_encoding: keys, chunks, codecs, compressor, data_type: type, fill_value: fill, filters, node_type: node, storage_transformers: transformers, zarr_format: format } = document;
  if (format === 2) {
    const isCompressed = filters?.length > 0 || (compressor?.id && compressor.id !== "zstd");
    return ["more", ...(isCompressed ? ["codecs"] : []), ...(chunks.some(Array.isArray) ? ["grids"] : [])];
  }
  if (!TYPES.has(type) && !MORE_TYPES.has(type?.name ?? type)) return PARTS;
  const isOrdinary =
    node === "array" &&
    TYPES.has(type) &&
    keys?.name === "default" &&
    (["boolean", "number"].includes(typeof fill) || fill === "NaN") &&
    !transformers?.length &&
    Object.keys(document).every((name) => FIELDS.has(name));
  const ofGrid = { regular: [], rectilinear: ["grids"] }[grid?.name] ?? ["more", "grids"];
  return [...(isOrdinary ? [] : ["more"]), ...ofGrid, ...partsOfCodecs(codecs)];
}

/** JSON with the bare numbers that zarr-python writes in attributes. */
const parsed = (text) => JSON.parse(text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g, (token) => (token[0] === '"' ? token : "null")));

/** An integer that may be beyond those that numbers hold exactly. */
const LONG = /[\s:[,]-?\d{16}/;

/** Parts that the text of a metadata document needs. */
function partsOfText(text) {
  try {
    return [...partsOfArray(parsed(text)), ...(LONG.test(text) ? ["more"] : [])];
  } catch {
    // The module says what is wrong with it.
    return PARTS;
  }
}

/** Longest document that is looked at before the module reads it, in bytes: 1 MiB. */
const LONGEST = 1 << 20;

/** Documents that need not be there: in their place come those of Zarr v2, or no attributes. */
const OPTIONAL = ["zarr.json", ".zattrs"];

/**
 * Loads the parts that a metadata document needs, or the absence of one. The module waits for them before it reads the
 * document.
 *
 * @param {string} name
 * @param {Uint8Array | undefined} document
 * @returns {Promise<unknown> | undefined} undefined where all are there
 */
export function partsFor(name, document) {
  if (isWhole()) return undefined;
  if (name === ".zattrs" && document) return parts(["more"]);
  // Decoders of text refuse views of shared memory, so it is copied.
  if (document) return parts(document.length > LONGEST ? PARTS : partsOfText(new TextDecoder().decode(document.slice())));
  return parts(OPTIONAL.includes(name) ? ["more"] : PARTS);
}

/**
 * Begins to load the parts that an answer needs, while the first part is on its way.
 *
 * @param {Response} answer its body is left to the module
 */
export async function foresee(answer) {
  if (answer.status !== 200) return void parts(answer.status === 404 ? ["more"] : PARTS)?.catch(() => {});
  const reader = answer.clone().body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += decoder.decode(part.value, { stream: true });
    if (text.length > LONGEST) return void reader.cancel();
  }
  parts(partsOfText(text))?.catch(() => {});
}
