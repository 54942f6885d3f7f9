/** Custom codecs as npm has them: zarrita's registry, and classes of numcodecs. */
export { default as Blosc } from "numcodecs/blosc";
export { default as LZ4 } from "numcodecs/lz4";
export { default as Zstd } from "numcodecs/zstd";
export { get, open, registry, root } from "zarrita";
