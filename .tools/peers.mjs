// Measures the download of a page that reads a first value with zarrita, by the codec of the chunk: the page's bundle,
// minified by esbuild, and the files that zarrita imports for that codec.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";

const tests = new URL("../tests/", import.meta.url);
const require = createRequire(new URL("package.json", tests));

/** Version of zarrita that is measured. */
export const { version: ZARRITA } = JSON.parse(readFileSync(new URL("node_modules/zarrita/package.json", tests), "utf8"));

/** A page that opens an array by URL and reads a part of it. */
const PAGE = `import { FetchStore, get, open, slice } from "zarrita";
  const array = await open(new FetchStore(new URL("data", location.href)), { kind: "array" });
  console.log(await get(array, [slice(0, 256)]));`;

/**
 * For each codec, the modules of numcodecs that zarrita imports for it (browsers decode gzip and zlib themselves), and
 * the pages of `downloads.mjs` that measure this package. The decoder of blosc also decodes lz4.
 */
const CODECS = {
  "uncompressed, gzip, zlib": { modules: [], pages: ["uncompressed", "gzip"] },
  lz4: { modules: ["lz4"], pages: ["blosc"] },
  blosc: { modules: ["blosc"], pages: ["blosc"] },
  zstd: { modules: ["zstd"], pages: ["zstd"] },
  "blosc and zstd": { modules: ["blosc", "zstd"], pages: ["blosc", "zstd"] },
};

/** Size of a file in bytes, with gzip and with brotli at their highest levels. */
export const compressed = (bytes) => [gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length];

/** Sums of sizes with gzip and with brotli. */
export const total = (sizes) => [0, 1].map((nth) => sizes.reduce((sum, size) => sum + size[nth], 0));

/** Bundle of the page: the bytes of each file by its name, and esbuild's metadata of each. */
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

/** Files that load with a file: itself and its static imports, and theirs. */
function closure(outputs, first) {
  const names = new Set([first]);
  for (const name of names) {
    for (const { path, kind } of outputs.get(name).imports) if (kind === "import-statement") names.add(path.split("/").pop());
  }
  return names;
}

/** For each codec, the sizes with gzip and brotli of all files that a zarrita page loads, and this package's pages. */
export async function peers() {
  const { bytesOf, outputs } = await bundle();
  const entry = (ending) => [...outputs].find(([, { entryPoint }]) => entryPoint?.endsWith(ending))?.[0];
  return Object.entries(CODECS).map(([codec, { modules, pages }]) => {
    const firsts = [entry("page.js"), ...modules.map((module) => entry(`numcodecs/dist/${module}.js`))];
    const names = new Set(firsts.flatMap((first) => [...closure(outputs, first)]));
    return { codec, pages, sizes: total([...names].map((name) => compressed(bytesOf.get(name)))) };
  });
}
