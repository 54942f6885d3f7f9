// Measures what a page downloads that reads a first value with zarrita, by the codec of the chunk: bundled and minified by
// esbuild, with the chunks that zarrita imports for that codec.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";

const tests = new URL("../tests/", import.meta.url);
const require = createRequire(new URL("package.json", tests));

/** The version of zarrita that is measured. */
export const { version: ZARRITA } = JSON.parse(readFileSync(new URL("node_modules/zarrita/package.json", tests), "utf8"));

/** A page that opens an array by URL and reads a part of it. */
const PAGE = `import { FetchStore, get, open, slice } from "zarrita";
  const array = await open(new FetchStore(new URL("data", location.href)), { kind: "array" });
  console.log(await get(array, [slice(0, 256)]));`;

/**
 * Codecs: the modules of numcodecs that zarrita imports when a chunk has them (browsers inflate by themselves), and the pages
 * of `downloads.mjs` that load what ours takes. What decodes blosc decodes lz4.
 */
const CODECS = {
  "uncompressed, gzip, zlib": { modules: [], pages: ["uncompressed", "gzip"] },
  lz4: { modules: ["lz4"], pages: ["blosc"] },
  blosc: { modules: ["blosc"], pages: ["blosc"] },
  zstd: { modules: ["zstd"], pages: ["zstd"] },
  "blosc and zstd": { modules: ["blosc", "zstd"], pages: ["blosc", "zstd"] },
};

/** Bytes of gzip and of brotli, as hosts send files at their best. */
export const compressed = (bytes) => [gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length];

/** The sum of sizes, each of gzip and of brotli. */
export const total = (sizes) => [0, 1].map((nth) => sizes.reduce((sum, size) => sum + size[nth], 0));

/** The page's bundle: the text of each file by its path, and what esbuild says of them. */
async function bundle() {
  const { outputFiles, metafile } = await require("esbuild").build({
    stdin: { contents: PAGE, resolveDir: fileURLToPath(tests), sourcefile: "page.js" },
    absWorkingDir: fileURLToPath(tests),
    outdir: "out",
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    target: "es2022",
    write: false,
    metafile: true,
    logLevel: "silent",
  });
  const bytesOf = new Map(outputFiles.map(({ path, contents }) => [path.split("/").pop(), contents]));
  const outputs = new Map(Object.entries(metafile.outputs).map(([path, output]) => [path.split("/").pop(), output]));
  return { bytesOf, outputs };
}

/** The files that load for a file: itself, and all that it imports but by a call. */
function closure(outputs, first) {
  const names = new Set([first]);
  for (const name of names) {
    for (const { path, kind } of outputs.get(name).imports) if (kind === "import-statement") names.add(path.split("/").pop());
  }
  return names;
}

/** For each codec, bytes of gzip and of brotli of all files that a page of zarrita's loads for it, and the pages of ours. */
export async function peers() {
  const { bytesOf, outputs } = await bundle();
  const entry = (ending) => [...outputs].find(([, { entryPoint }]) => entryPoint?.endsWith(ending))?.[0];
  return Object.entries(CODECS).map(([codec, { modules, pages }]) => {
    const firsts = [entry("page.js"), ...modules.map((module) => entry(`numcodecs/dist/${module}.js`))];
    const names = new Set(firsts.flatMap((first) => [...closure(outputs, first)]));
    return { codec, pages, sizes: total([...names].map((name) => compressed(bytesOf.get(name)))) };
  });
}
