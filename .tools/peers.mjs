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

/** Codecs, and the modules of numcodecs that zarrita imports when a chunk has them; browsers inflate by themselves. */
const CODECS = {
  "uncompressed, gzip, zlib": [],
  lz4: ["lz4"],
  blosc: ["blosc"],
  zstd: ["zstd"],
  "blosc and zstd": ["blosc", "zstd"],
};

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

/** For each codec, bytes of gzip and of brotli of all files that a page of zarrita's loads for it. */
export async function peers() {
  const { bytesOf, outputs } = await bundle();
  const entry = (ending) => [...outputs].find(([, { entryPoint }]) => entryPoint?.endsWith(ending))?.[0];
  return Object.entries(CODECS).map(([codec, modules]) => {
    const firsts = [entry("page.js"), ...modules.map((module) => entry(`numcodecs/dist/${module}.js`))];
    const names = new Set(firsts.flatMap((first) => [...closure(outputs, first)]));
    const sizes = [...names].map((name) => [gzipSync(bytesOf.get(name), { level: 9 }).length, brotliCompressSync(bytesOf.get(name)).length]);
    return { codec, sizes: [0, 1].map((nth) => sizes.reduce((bytes, size) => bytes + size[nth], 0)) };
  });
}
