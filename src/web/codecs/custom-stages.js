/** Custom codecs as stages of an array's decoding: found in the registries, and called with packed bytes. */
import { innerCodecs, isBuiltIn, ownName, spellings } from "./built-in.js";
import { failure, joined, reader, setNumber } from "./stages.js";
import { customCodec } from "./custom.js";
import { Unfit } from "./custom-items.js";
import { isLoader, loaderOf } from "./registry.js";
import { stageAfter } from "./array-after.js";

const NUMBER = 8;

/** Packed answers of none: the length of their head, and their number. */
const NO_ANSWERS = Uint8Array.of(NUMBER, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

/** Asks for workers that import codecs by their addresses. */
const ADDRESSED = "addressed";

const text = new TextDecoder();

/** The fill value in the metadata as `array.fillValue` has it: a bigint of 64-bit integers and times, a pair of complex numbers. */
function fillOf(fill, dataType) {
  if (Array.isArray(fill) && dataType.startsWith("complex")) return fill.map((part) => fillOf(part, "float64"));
  const special = { NaN, Infinity, "-Infinity": -Infinity };
  if (typeof fill === "string" && /^float/.test(dataType) && Object.hasOwn(special, fill)) return special[fill];
  if (dataType.startsWith("numpy.") && fill === "NaT") return -(2n ** 63n);
  if (/^u?int64$|^numpy\./.test(dataType)) return Number.isInteger(fill) ? BigInt(fill) : fill;
  return typeof fill === "bigint" ? Number(fill) : fill;
}

/** Packs the answer of one codec: items in C order, or bytes. */
function answered(bytes, strides) {
  const numbers = [0, 1, 0, 1, strides.length, ...strides, bytes.length, 0];
  const head = new Uint8Array(NUMBER * numbers.length);
  numbers.forEach((number, nth) => setNumber(head, NUMBER * nth, number));
  setNumber(head, 0, head.length - NUMBER);
  return joined([head, bytes]);
}

/** Text of a thrown value, which can be anything: some values have no text, or throw when they are asked for it. */
function said(thrown) {
  try {
    return String(thrown?.message ?? thrown);
  } catch {
    return "a value without a text";
  }
}

/** Whether an error is of this package's checks; some values throw when they are asked for their class. */
function isUnfit(thrown) {
  try {
    return thrown instanceof Unfit;
  } catch {
    return false;
  }
}

/** Packs the error of a codec; what it threw goes with the answer, because no bytes can hold it. */
function failed(name, cause) {
  const [got, expected] = isUnfit(cause) ? [cause.got, cause.expected] : [`an error: ${said(cause)}`, "a chunk that decodes"];
  return Object.assign(failure(name, got, expected), { cause });
}

/** Codec's entry of a message's head, and the array or the bytes that it decodes to. */
function asked(head) {
  const call = reader(reader(head).part());
  const [, , , entry] = JSON.parse(text.decode(call.part()));
  const dataType = text.decode(call.part());
  const shape = Array.from({ length: call.number() }, call.number);
  return { ...entry, wanted: { dataType, shape, isExact: call.number() === 1, bytes: call.number() } };
}

/** Calls a codec with the head of a message and its bytes; `strides` are those of items, in bytes. */
function called(decoders, head, content, strides) {
  const { slot, name, kind, wanted } = asked(head);
  const { shape } = wanted;
  const packed = (bytes) => {
    const width = wanted.bytes / shape.reduce((product, edge) => product * edge, 1);
    const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((product, edge) => product * edge, width));
    return answered(bytes, kind === "bytes_to_bytes" ? [1] : strides);
  };
  try {
    const result = decoders[slot].decode(content.slice(), wanted, strides);
    return result instanceof Promise ? result.then(packed).catch((cause) => failed(name, cause)) : packed(result);
  } catch (cause) {
    return failed(name, cause);
  }
}

/** The error of an array that is not opened, because of a codec of the page. */
function refusal(name, reason, cause) {
  const fields = { name: "CodecError", codec: name, key: "", coords: [], got: reason, expected: "a codec that decodes the array" };
  return Object.assign(new Error(`the codec "${name}" ${reason}`, { cause }), fields);
}

/** Entry of a codec, as its loader gives it. */
export async function loaded(load, name) {
  try {
    if (!isLoader(load)) throw new TypeError("its loader is neither a function that gives the codec, such as () => Zstd, nor a URL");
    const entry = load instanceof URL ? (await import(/* webpackIgnore: true */ /* @vite-ignore */ load.href)).default : await load();
    if (typeof entry?.fromConfig === "function") return entry;
    const isModule = typeof entry?.default?.fromConfig === "function";
    throw new TypeError(isModule ? "its loader gave a module in place of the module's default export" : "it has no function fromConfig");
  } catch (cause) {
    throw refusal(name, `could not be loaded: ${said(cause)}`, cause);
  }
}

/** Loader of a codec, as the registries have it. */
function found(names, registry, isOurs) {
  try {
    return loaderOf(names, registry, isOurs);
  } catch (cause) {
    throw refusal(names[0], `could not be looked up: ${said(cause)}`, cause);
  }
}

/** The functions of a module, over codecs. */
export const asStage = (decoders) => ({
  // An instance is made for the first chunk of its shape, which has the error of one that is refused.
  supportReply: () => new Uint8Array(NO_ANSWERS),
  decodeStage: (head, content, strides) => called(decoders, head, content, strides),
});

/** Number of the last array with custom codecs. */
let arrays = 0;

/**
 * Finds the custom codecs of an array.
 *
 * @param {{ dataType: string, itemSize: number, shape: number[], codecs: object[] }} query the array, and its codecs
 * @param {{ get(name: string): unknown } | undefined} registry the array's own registry, which the page's follows
 * @param {boolean} isOlder whether the array is of Zarr v2
 * @param {unknown} fill the fill value in the metadata
 */
export async function customCodecs(query, registry, isOlder, fill) {
  const { codecs, ...array } = query;
  const decoders = [];
  const entries = [];
  const names = [];
  /** Names and addresses by which a worker finds the codecs too. */
  const codecsThere = [];
  const fillValue = fillOf(fill, array.dataType); // the array's, whichever codecs are before one
  const walk = async (codecs, input) => {
    const listed = codecs.map((codec) => ({ name: codec.name ?? codec, configuration: codec.configuration ?? {} }));
    for (const codec of listed) {
      const { name, configuration } = codec;
      const [all, isOurs] = [spellings(name, isOlder), isBuiltIn(name)];
      const written = isOlder ? all[0] : name;
      const load = found(all, registry, isOurs);
      if (!load) {
        entries.push(null);
        input = stageAfter(codec, input);
        // Inner chunks have a shape of their own. The module that knows the codec says what is wrong with its configuration.
        if (Array.isArray(configuration.codecs)) await walk(innerCodecs(name, configuration), { ...input, shape: configuration.chunk_shape ?? input.shape });
        continue;
      }
      const about = { fillValue, codecs: listed };
      const decoder = customCodec(await loaded(load, written), configuration, about);
      names.push(ownName(name));
      try {
        const { kind, encoded } = decoder.about(input.dataType, input.shape);
        entries.push({ slot: decoders.length, name: written, kind, dataType: encoded.dataType });
        input = { ...input, dataType: encoded.dataType };
      } catch (cause) {
        throw refusal(written, `does not take the array: ${said(cause)}`, cause);
      }
      decoders.push(decoder);
      codecsThere.push({ name: written, names: all, url: load instanceof URL ? load.href : undefined, isOurs, configuration, array: about });
    }
  };
  await walk(codecs, array);
  if (decoders.length === 0) return undefined;
  const shared = { id: ++arrays, codecs: codecsThere };
  return { entries: JSON.stringify(entries), names, shared, start: codecsThere.every(({ url }) => url) ? ADDRESSED : undefined, ...asStage(decoders) };
}
