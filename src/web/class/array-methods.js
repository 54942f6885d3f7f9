/** Methods of arrays that need no WebAssembly: `concat`, `is`, `stream`, and the list of their codecs. */
import { innerCodecs, isBuiltIn, ownName } from "../codecs/built-in.js";
import { freedError } from "./freed.js";

/**
 * Adds `concat` to a class.
 *
 * @param {any} opened the class
 * @param {new () => { add(array: unknown): void, along(axis: unknown): Promise<unknown>, free(): void }} Joining the module's collector of arrays
 */
export function joining(opened, Joining) {
  /** What joined arrays are made of, by their attributes, which are those of all handles until `refresh` replaces them. */
  const joins = new WeakMap();
  /** The arrays that this one joins, and the axis; undefined for others. Labels are those of the parts. */
  opened.prototype.joined = function () {
    return joins.get(this.attrs);
  };
  opened.concat = async (arrays, axis) => {
    const list = Array.isArray(arrays) ? arrays : [];
    if (list.length === 0) throw new TypeError("concat expects a list of at least one opened array, and an axis");
    const stranger = list.findIndex((array) => !(array instanceof opened));
    if (stranger >= 0) throw new TypeError(`concat expects opened arrays, and item ${stranger} of the list is not one; was its open awaited?`);
    const parts = new Joining();
    list.forEach((array, nth) => {
      try {
        parts.add(array);
      } catch (cause) {
        parts.free();
        throw freedError(`array ${nth} of concat was freed; open it again, and free it after concat`, { cause });
      }
    });
    // Handles of their own, as the caller may free the arrays.
    const join = { axis, parts: list.map((array) => array.hold()), isStale: false };
    /** @type {any} */
    const joined = await parts.along(axis).catch((error) => {
      for (const part of join.parts) part.free();
      throw error;
    });
    joins.set(joined.attrs, join);
    const refresh = async (options) => {
      const isChanged = await opened.prototype.refresh.call(joined, options);
      joins.set(joined.attrs, Object.assign(join, { isStale: true }));
      return isChanged;
    };
    const free = () => {
      opened.prototype.free.call(joined);
      join.parts.splice(0).forEach((part) => part.free());
    };
    return Object.defineProperties(joined, { refresh: { value: refresh }, free: { value: free } });
  };
  return opened;
}

/** Data types by the kind of their items in JavaScript. */
const KINDS = { number: /^(u?int(2|4|8|16|32)|b?float\d+(_\w+)?)$/, bigint: /^u?int64$/, string: /^(string|fixed_length_utf32)$/ };

/** Adds `is` to a class, the guard of an array's data type, as zarrita has it. */
export function typed(opened) {
  opened.prototype.is = function (query) {
    const { dtype } = this;
    return dtype === query || Boolean(Object.hasOwn(KINDS, query) && KINDS[query].test(dtype));
  };
  return opened;
}

/**
 * Yields the parts of a read as they arrive; leaving the loop aborts the read.
 *
 * @param {{ openStream(selection: unknown, options: unknown): { next(): Promise<unknown>, free(): void } }} array
 */
async function* parts(array, selection, options) {
  const stream = await array.openStream(selection, options);
  try {
    for (let part = await stream.next(); part !== undefined; part = await stream.next()) yield part;
  } finally {
    stream.free();
  }
}

/** Adds `stream` to a class. */
export function streaming(opened) {
  opened.prototype.stream = function (selection, options) {
    return parts(this, selection, options);
  };
  return opened;
}

/** Codecs of Zarr v2: the filters and the compressor, by their ids. */
const older = ({ filters, compressor }) => [...(filters ?? []), ...(compressor ? [compressor] : [])].map(({ id, ...configuration }) => ({ name: id, configuration, known: `numcodecs.${id}` }));

/** Codecs of Zarr v3, which may be bare names. */
const newer = ({ codecs }) => codecs.map((codec) => ({ name: codec.name ?? codec, configuration: codec.configuration ?? {}, known: codec.name ?? codec }));

/** Adds the getter `codecs` to the class of arrays. */
export function listed(opened) {
  Object.defineProperty(opened.prototype, "codecs", {
    // Two entries of the package may be imported side by side.
    configurable: true,
    get() {
      const { metadata, customCodecs } = this;
      const isHere = ({ known, configuration }) => customCodecs.includes(ownName(known)) || (isBuiltIn(known) && newer({ codecs: innerCodecs(known, configuration) }).every(isHere));
      if (!metadata) return [];
      const all = metadata.zarr_format === 2 ? older(metadata) : newer(metadata);
      // Frozen as the document that most of them are parts of.
      return all.map((codec) => ({ name: codec.name, configuration: Object.freeze(codec.configuration), here: isHere(codec) }));
    },
  });
  return opened;
}
