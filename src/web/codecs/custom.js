/** Custom codecs for one array: zarrita's contract, with each result checked and copied. */
import { chunkOf, copiedBytes, copiedItems, hasClass } from "./custom-items.js";

const KINDS = ["array_to_array", "array_to_bytes", "bytes_to_bytes"];

/** The most shapes of chunks whose codec instances are kept. */
const MOST_INSTANCES = 64;

/** The array after an array-to-array codec, as `getEncodedMeta` says. */
function encodedMeta(codec, meta) {
  if (!hasClass(meta.dataType)) throw new TypeError(`items of ${meta.dataType} have no typed array for the codec`);
  const { dataType, shape, fillValue } = codec.getEncodedMeta?.(meta) ?? meta;
  if (!hasClass(dataType)) throw new TypeError(`getEncodedMeta gave the data type ${dataType}, which has no typed array`);
  if (`${shape}` !== `${meta.shape}`) throw new TypeError(`getEncodedMeta gave the shape [${shape}] for [${meta.shape}]; codecs that change shapes are not supported`);
  return { ...meta, dataType, fillValue };
}

/**
 * A custom codec at its place in an array's metadata.
 *
 * @param {{ fromConfig(configuration: unknown, meta: object): any }} entry what the codec's loader gave
 * @param {unknown} configuration
 * @param {{ fillValue: unknown, codecs: object[] }} array
 */
export function customCodec(entry, configuration, array) {
  const instances = new Map();
  // Chunks differ in shape, and an instance knows the shape of its chunk.
  const instance = (dataType, shape) => {
    const key = `${dataType} ${shape}`;
    let found = instances.get(key);
    if (!found) {
      // Copies, because a codec may change what it is told.
      const meta = structuredClone({ ...array, dataType, shape });
      const codec = entry.fromConfig(structuredClone(configuration), meta);
      if (typeof codec?.decode !== "function") throw new TypeError("the codec has no method decode");
      // As numcodecs' classes, which have no kind.
      const kind = codec.kind ?? "bytes_to_bytes";
      if (!KINDS.includes(kind)) throw new TypeError(`the codec's kind is ${kind}; expected ${KINDS.join(", ")}`);
      found = { codec, kind, encoded: kind === "array_to_array" ? encodedMeta(codec, meta) : meta };
      if (instances.size === MOST_INSTANCES) instances.delete(instances.keys().next().value);
      instances.set(key, found);
    }
    return found;
  };
  return {
    /** Kind of the codec, and the array after it. */
    about: instance,
    /**
     * Decodes bytes, which the codec may keep or transfer: to items of this type and shape, or to bytes.
     *
     * @param {Uint8Array} bytes
     * @param {{ dataType: string, shape: number[], bytes: number, isExact: boolean }} wanted bytes of the result: the
     *   exact number, or the most
     * @param {any} [strides] bytes from one item to the next along each axis, of an array that is decoded further
     */
    decode(bytes, wanted, strides) {
      const { dataType, shape } = wanted;
      const { codec, kind, encoded } = instance(dataType, shape);
      const checked = (result) => {
        if (kind === "bytes_to_bytes") return copiedBytes(result, wanted);
        return copiedItems(result, { dataType, shape, itemSize: wanted.bytes / shape.reduce((product, edge) => product * edge, 1) });
      };
      const result = codec.decode(kind === "array_to_array" ? chunkOf(bytes, { dataType: encoded.dataType, shape, strides }) : bytes);
      return typeof result?.then === "function" ? Promise.resolve(result).then(checked) : checked(result);
    },
  };
}
