/** The codecs of an array, as its metadata write them. */
import { isBuiltIn, ownName } from "./built-in.js";

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
      const { metadata, foreignCodecs } = this;
      const isHere = ({ known, configuration: { codecs } }) => foreignCodecs.includes(ownName(known)) || (isBuiltIn(known) && (known !== "sharding_indexed" || newer({ codecs }).every(isHere)));
      if (!metadata) return [];
      const all = metadata.zarr_format === 2 ? older(metadata) : newer(metadata);
      // Frozen as the document that most of them are parts of.
      return all.map((codec) => ({ name: codec.name, configuration: Object.freeze(codec.configuration), here: isHere(codec) }));
    },
  });
  return opened;
}
