/** References to the chunks of a virtual store, as kerchunk's JSON: an index of a file, made from what was found in it. */
import { failure } from "./common.js";

/** Keys that are looked up at a time: about as many as the nodes of an index that are asked for together hold. */
const AT_ONCE = 2048;

/** Most references that are made: some 400 MB of JSON. */
const MOST = 4_000_000;

/** Most bytes, in base64, of values that are no part of a file. */
const MOST_INLINE = 64 << 20;

/** Documents of a node of each format, the one that says what the array is first. */
const DOCUMENTS = { 2: { array: [".zarray", ".zattrs"], group: [".zgroup", ".zattrs"] }, 3: { array: ["zarr.json"], group: ["zarr.json"] } };

/** Where a member of a JSON object's text begins and ends, with the comma before it, or after it. */
function memberIn(text, name) {
  let [depth, start, from] = [0, 0, -1];
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (letter === '"') {
      const first = at;
      while (text[++at] !== '"') if (text[at] === "\\") at++;
      if (depth === 1 && from < 0 && text.slice(first, at + 1) === JSON.stringify(name) && /^\s*:/.test(text.slice(at + 1, at + 20))) from = start;
    } else if ("{[".includes(letter)) {
      if (++depth === 1) start = at + 1;
    } else if ("}]".includes(letter) && --depth === 0) {
      return from < 0 ? undefined : [from, at];
    } else if (letter === "," && depth === 1) {
      if (from >= 0) return text[from] === "," ? [from, at] : [from, at + 1];
      start = at;
    }
  }
  return undefined;
}

/** The text of a JSON object without a member; numbers keep their digits. */
export function withoutMember(text, name) {
  const found = memberIn(text, name);
  return found ? text.slice(0, found[0]) + text.slice(found[1]) : text;
}

/** Keys of all chunks of an array, in C order, by its document. */
function* chunkKeys(path, document, counts) {
  const isV2 = document.zarr_format === 2;
  const { name = "default", configuration = {} } = isV2 ? { name: "v2", configuration: { separator: document.dimension_separator } } : document.chunk_key_encoding;
  if (!["default", "v2"].includes(name)) throw failure("UnsupportedError", `references to chunks with keys of the encoding ${JSON.stringify(name)}, of the array ${path}`);
  const separator = configuration.separator ?? (name === "v2" ? "." : "/");
  const first = name === "v2" ? [] : ["c"];
  if (counts.includes(0)) return;
  const coords = counts.map(() => 0);
  for (;;) {
    yield `${path}/${[...first, ...coords].join(separator) || "0"}`;
    let axis = coords.length - 1;
    while (axis >= 0 && ++coords[axis] === counts[axis]) coords[axis--] = 0;
    if (axis < 0) return;
  }
}

/** Names of the codecs of an array that nothing else than this package could decode. */
const ownCodecs = ({ codecs = [] }) => codecs.map(({ name }) => name).filter((name) => /^hdf5\./.test(name));

/** Queries that let whoever has the address read what it is for. */
const SIGNATURES = /[?&](?:x-(?:amz|goog)-signature|signature|sig|token|access_token)=/i;

/** Folder of the chunks of an Icechunk repository. */
const CHUNKS = /^chunks\/[0-9A-HJKMNP-TV-Z]{20}$/;

/**
 * The address of what a group was opened with: a file's is its name. An address may lead into a file, to the group or to
 * one above it.
 */
function addressOf(source, path) {
  if (typeof source === "string" || source?.[Symbol.toStringTag] === "URL") {
    const url = new URL(source, globalThis.location?.href);
    if (SIGNATURES.test(url.search)) throw failure("UnsupportedError", "references would give away the signature in the address of the file; pass { url }, its address without it");
    const [, file, inner] = /^(.*?\.(?:nc[34]?|cdf|h5|hdf5|he5|tiff?))\/(.+?)\/*$/i.exec(url.pathname) ?? [];
    if (file && `${path}/`.startsWith(`${decodeURIComponent(inner)}/`)) url.pathname = file;
    return url.href;
  }
  if (typeof source?.name === "string" && source.name) return source.name;
  throw failure("UnsupportedError", "references need an address: pass { url }, where the file is or will be");
}

/** Gathers the references of a group. */
class Gathered {
  /**
   * @param {any} group
   * @param {string} url
   * @param {AbortSignal | undefined} signal
   */
  constructor(group, url, signal) {
    this.group = group;
    this.url = url;
    this.signal = signal;
    this.above = group.path && `${group.path}/`;
    /** @type {Record<string, string | (string | number)[]>} */
    this.refs = {};
    this.count = 0;
    this.inline = 0;
  }

  /** Where keys are, in their order: [key, location] of those that have a value. */
  async *places(keys) {
    let waiting = [];
    const source = keys[Symbol.iterator]();
    for (;;) {
      while (waiting.length < AT_ONCE) {
        const { value, done } = source.next();
        if (done) break;
        if (/[\r\n]/.test(value)) throw failure("UnsupportedError", `references to a name with a line break: ${JSON.stringify(value)}`);
        waiting.push(value);
      }
      if (!waiting.length) return;
      this.signal?.throwIfAborted();
      const found = await this.group.locate(waiting.map((key) => `${this.above}${key}`).join("\n"));
      for (const [nth, place] of found.entries()) if (place !== null) yield [waiting[nth], place];
      waiting = waiting.slice(found.length);
    }
  }

  /** The documents of a node, as text. */
  async documents(path, kind) {
    const texts = {};
    const names = DOCUMENTS[this.group.zarrFormat][kind].map((name) => (path ? `${path}/${name}` : name));
    for await (const [key, place] of this.places(names)) {
      if (typeof place !== "string") throw failure("UnsupportedError", `references of a store whose documents are files of their own: ${key}`);
      texts[key] = new TextDecoder().decode(Uint8Array.from(atob(place.slice("base64:".length)), (letter) => letter.charCodeAt(0)));
    }
    return texts;
  }

  async groupAt(path) {
    for (const [key, text] of Object.entries(await this.documents(path, "group"))) this.refs[key] = withoutMember(text, "consolidated_metadata");
  }

  async arrayAt({ path, chunkRuns }) {
    // Opened, an array says why it cannot be read; it asks for nothing more.
    const array = await this.group.array(path, { signal: this.signal });
    const document = array.metadata;
    array.free();
    const texts = await this.documents(path, "array");
    const own = ownCodecs(document);
    if (document.data_type === "v2:object") throw failure("UnsupportedError", `references to the array ${path}: no other reader has its items, which are objects; leave it out by { skip: [${JSON.stringify(path)}] }`);
    if (own.length) throw failure("UnsupportedError", `references to the array ${path}: no other reader has its codec ${own[0]}; leave it out by { skip: [${JSON.stringify(path)}] }`);
    Object.assign(this.refs, texts);
    const counts = chunkRuns.map((runs) => runs.reduce((all, { count }) => all + count, 0));
    this.count += counts.reduce((all, count) => all * count, 1);
    if (this.count > MOST) throw failure("UnsupportedError", `references to more than ${MOST.toLocaleString("en")} chunks, with those of the array ${path}`);
    for await (const [key, place] of this.places(chunkKeys(path, document, counts))) this.refs[key] = this.reference(path, place);
  }

  /** The address of a file that the index names by where it lies from its own. */
  beside(url) {
    const folder = CHUNKS.test(url) ? this.url.replace(/\/*([?#].*)?$/, "/") : this.url;
    if (!URL.canParse(folder)) throw failure("UnsupportedError", `references to ${url}, which lies beside the index: pass { url } as a whole address`);
    return new URL(url, folder).href;
  }

  /** A location as kerchunk has it. */
  reference(path, place) {
    if (typeof place !== "string") {
      const [url, start, end] = place;
      const address = url === "" ? "{{u}}" : /^[a-z][a-z0-9+.-]*:/i.test(url) ? url : this.beside(url);
      return start === undefined ? [address] : [address, start, end - start];
    }
    this.inline += place.length;
    if (this.inline > MOST_INLINE) throw failure("UnsupportedError", `references that hold more than 64 MiB of text and of chunks that skip filters, with those of the array ${path}; leave it out by { skip: [${JSON.stringify(path)}] }`);
    return place;
  }
}

/**
 * References to all chunks below a group.
 *
 * @param {any} group
 * @param {[source: any, ...rest: unknown[]]} opening what the open was called with that the group came from
 * @param {{ url?: string | URL, skip?: string[], signal?: AbortSignal }} [options]
 */
export async function toReferences(group, opening, options) {
  const unknown = Object.keys(options ?? {}).find((name) => !["url", "skip", "signal"].includes(name));
  if (unknown !== undefined) throw new TypeError(`toReferences has no option ${unknown}; it has url, skip, signal`);
  const { url, skip = [], signal } = options ?? {};
  signal?.throwIfAborted();
  if (!Array.isArray(skip)) throw new TypeError("toReferences: skip must be a list of paths");
  const entries = group.tree();
  if (!entries) throw failure("UnsupportedError", "references of a group whose metadata is not consolidated");
  const address = url === undefined || url === null ? addressOf(opening[0], group.path) : String(url);
  const gathered = new Gathered(group, address, signal);
  await gathered.groupAt("");
  for (const entry of entries) {
    if (skip.some((path) => entry.path === path || entry.path.startsWith(`${path}/`))) continue;
    if (entry.kind === "group") await gathered.groupAt(entry.path);
    else await gathered.arrayAt(entry);
  }
  return { version: 1, templates: { u: address }, refs: gathered.refs };
}
