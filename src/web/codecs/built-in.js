/** Names of the codecs that this package decodes itself; `make names` writes the list from those in the code. */
const builtIn = new Set(
  "transpose bitround numcodecs.bitround cast_value reshape scale_offset cfdb.packed numcodecs.astype numcodecs.categorize numcodecs.delta numcodecs.fixedscaleoffset numcodecs.log_bins numcodecs.packbits numcodecs.quantize imagecodecs_delta HorizontalDeltaCodec imagecodecs_floatpred bytes sharding_indexed vlen-utf8 vlen-bytes n5_default packbits cfdb.msgpack numcodecs.json numcodecs.json2 numcodecs.msgpack numcodecs.msgpack2 numcodecs.vlen-array vlen-ndarray gribberish numcodecs.grib numcodecs.gribscan.rawgrib numcodecs.rawgrib numcodecs.pcodec numcodecs.zfpy zfp ChunkyCodec blosc numcodecs.blosc crc32c numcodecs.crc32c numcodecs.adler32 numcodecs.crc32 numcodecs.fletcher32 numcodecs.jenkins_lookup3 gzip numcodecs.gzip zstd numcodecs.zstd numcodecs.lz4 numcodecs.shuffle numcodecs.zlib cfdb.lz4_frame numcodecs.base64 conditional numcodecs.bz2 imagecodecs_bz2 imagecodecs_deflate imagecodecs_lz4 imagecodecs_lzw imagecodecs_packbits imagecodecs_zlib imagecodecs_zstd hdf5.bitshuffle hdf5.lz4 hdf5.lzf hdf5.nbit hdf5.scaleoffset hdf5.szip imagecodecs_jpeg2k numcodecs.lzma imagecodecs_lzma".split(" "),
);

/** Names that the core knows with the prefixes of some writers, too: `own_name` in src/metadata/extension.rs, and `vlen-`. */
const PREFIXED = /^(?:(?:numcodecs|virtual_tiff)\.)?(imagecodecs_.*|ChunkyCodec|HorizontalDeltaCodec)$|^(?:numcodecs\.)?(vlen-utf8|vlen-bytes)$/;

/** The name by which the core knows a codec; ids of Zarr v2 are given with the prefix `numcodecs.`. */
export function ownName(name) {
  const [, ofOthers, ofText] = PREFIXED.exec(name) ?? [];
  return ofOthers ?? ofText ?? name;
}

/** The names by which registries have a codec: its own, or all that the core takes for it, with the id of Zarr v2 first. */
export function spellings(name, isOlder) {
  const own = ownName(name);
  if (PREFIXED.test(name)) return [own, `numcodecs.${own}`, `virtual_tiff.${own}`];
  return isOlder && name.startsWith("numcodecs.") ? [name.slice("numcodecs.".length), name] : [name];
}

/** Whether a codec is one of this package. */
export const isBuiltIn = (name) => builtIn.has(ownName(name));

/** The codecs in the configuration of a codec that has some. Those of `conditional` may have a short name. */
export const innerCodecs = (name, { codecs }) =>
  name === "conditional" ? codecs.map((codec) => (codec.name === "shuffle" ? { ...codec, name: "numcodecs.shuffle" } : codec)) : name === "sharding_indexed" ? codecs : [];
