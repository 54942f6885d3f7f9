/**
 * Compares the package's codecs in WebAssembly with the same code compiled natively, on the same chunks, decoded in
 * turn, and with native decoders of others. Those of GRIB2 and JPEG 2000 (ecCodes, gribberish, OpenJPEG in imagecodecs)
 * are there where the variable NEIGHBOURS names a Python with the packages of tests/neighbours/requirements.txt.
 * Natively, the shuffle filter is undone by a plain loop: the package uses SIMD instructions only in WebAssembly.
 */

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { quantile } from "../../www/src/bench/reads.js";
import { ROOT } from "../browser/support/paths.mjs";
import { openPage } from "./support/browsers.mjs";
import { enough } from "./support/rounds.mjs";
import { DATA, PYTHON, columns, writeData } from "./support/table.mjs";

const CRATE = join(ROOT, "tests/bench/codecs");
const BUILT = join(ROOT, "target/bench-codecs");
const ROUNDS = enough(20_000, 5, 15);
/** Number of first rounds that are not counted, while Chromium optimises the module. */
const WARMING = 4;

const shuffled = (elementsize) =>
  JSON.stringify([
    { name: "bytes", configuration: { endian: "little" } },
    { name: "numcodecs.shuffle", configuration: { elementsize } },
  ]);

/**
 * Rows: an array of `data.py`, the codecs that replace its own in WebAssembly and natively, the goal for the time in
 * WebAssembly over the native time, and decoders of others with the Python that has them.
 */
const ROWS = [
  { what: "zstd", data: "512-zstd", goal: 1.6 },
  { what: "gzip", data: "512-gzip", goal: 1.6 },
  { what: "lz4", data: "512-lz4", goal: 1.6 },
  { what: "lzma", data: "2048-lzma", goal: 2.5, others: ["liblzma"], python: PYTHON },
  { what: "pcodec", data: "2048-pcodec", goal: 2.5, others: ["pcodec"], python: PYTHON },
  { what: "zfpy", data: "2048-zfpy", goal: 2.5, others: ["zfp"], python: PYTHON },
  ...[2, 4, 8].map((size) => ({
    what: `unshuffle, ${size} bytes`,
    data: "512-uncompressed",
    codecs: shuffled(size),
    natively: `unshuffle ${size}`,
    goal: 3,
  })),
];

/** A Python with ecCodes, gribberish and imagecodecs. */
const { NEIGHBOURS } = process.env;
const script = (name) => join(ROOT, "tests/bench/support", name);

/** Rows of arrays of `image_data.py`: GRIB2 messages, by their packings, and images. */
const IMAGES = [
  ...["simple", "complex", "ccsds", "jpeg"].map((packing) => ({ what: `GRIB2, ${packing}`, data: `image-grib-${packing}`, others: ["eccodes", "gribberish"] })),
  { what: "JPEG 2000", data: "image-jpeg2k", others: ["openjpeg"] },
].map((row) => ({ ...row, goal: 2.5, python: NEIGHBOURS }));

/** Builds the crate natively for this machine's processor, and for WebAssembly as the package is built. */
function build() {
  const env = { ...process.env, CARGO_TARGET_DIR: BUILT };
  const native = ["build", "--quiet", "--release", "--manifest-path", join(CRATE, "Cargo.toml")];
  execFileSync("cargo", native, { cwd: ROOT, env: { ...env, RUSTFLAGS: "-Ctarget-cpu=native" }, stdio: "inherit" });
  const pack = ["wasm-pack", "--log-level", "error", "build", CRATE, "--target", "web", "--mode", "no-install", "--no-pack"];
  const out = join(BUILT, "pkg");
  const configs = ["wasm-pack.toml", ".tools/std.toml"].flatMap((file) => ["--config", join(ROOT, file)]);
  const unstable = { ...env, RUSTC_BOOTSTRAP: "1" };
  execFileSync("sh", [".tools/wasm-env", ...pack, "--out-dir", out, "--", ...configs], { cwd: ROOT, env: unstable, stdio: "inherit" });
  execFileSync("sh", [".tools/optimise", join(out, "rectilinear_zarr_bench_codecs_bg.wasm")], { cwd: ROOT, stdio: "inherit" });
  return { program: join(BUILT, "release/rounds"), out };
}

/** Starts a program, which decodes all chunks once for each call of `round`. */
function started(program, words) {
  const child = spawn(program, words, { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const ended = once(child, "exit");
  return {
    async round() {
      child.stdin.write("\n");
      const { value } = await lines.next();
      if (value === undefined) throw new Error(`${program} ${words.join(" ")} ended`);
      const [ms, bytes] = value.split(" ").map(Number);
      return { ms, bytes };
    },
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}

/** In the page: loads the module and the same chunks. */
async function load(_, { data, codecs = "" }) {
  const { default: init, Chunks } = await import("/codecs/rectilinear_zarr_bench_codecs.js");
  await init();
  const [places, values] = await Promise.all(["json", "bin"].map((kind) => fetch(`/bench/${data}.${kind}`)));
  globalThis.chunks = new Chunks(await places.text(), new Uint8Array(await values.arrayBuffer()), codecs);
}

/** In the page: decodes all chunks once. */
function round() {
  const started = performance.now();
  const bytes = globalThis.chunks.decode();
  return { ms: performance.now() - started, bytes };
}

async function measure(page, program, row) {
  const files = ["json", "bin"].map((kind) => join(DATA, `${row.data}.${kind}`));
  const machine = started(program, [...files, row.natively ?? ""]);
  const others = (row.others ?? []).map((name) => ({ name, program: started(row.python, [script("native_decoders.py"), name, ...files]), times: [] }));
  const found = { natively: [], inPage: [], bytes: 0, others };
  try {
    await page.renew();
    await page.run(load, row);
    const begun = performance.now();
    const goesOn = (nth) => nth < ROUNDS.least || (nth < ROUNDS.most && performance.now() - begun < ROUNDS.ms);
    for (let nth = 0; goesOn(nth - WARMING); nth++) {
      const [ours, theirs] = [await machine.round(), await page.run(round)];
      if (ours.bytes !== theirs.bytes || ours.bytes === 0) throw new Error(`${row.what}: ${ours.bytes} bytes natively, ${theirs.bytes} in WebAssembly`);
      for (const { name, program, times } of others) {
        const { ms, bytes } = await program.round();
        if (bytes !== ours.bytes) throw new Error(`${row.what}: ${bytes} bytes by ${name}, ${ours.bytes} by us`);
        if (nth >= WARMING) times.push(ms);
      }
      if (nth < WARMING) continue;
      found.natively.push(ours.ms);
      found.inPage.push(theirs.ms);
      found.bytes = ours.bytes;
    }
    return found;
  } finally {
    await Promise.all([machine, ...others.map(({ program }) => program)].map((program) => program.close()));
  }
}

/** Prints the table. */
export async function codecs() {
  writeData();
  if (NEIGHBOURS) execFileSync(NEIGHBOURS, [script("image_data.py"), DATA], { stdio: "inherit" });
  else console.log("\nNo rows of GRIB2 and JPEG 2000: NEIGHBOURS names no Python with ecCodes, gribberish and imagecodecs");
  const { program, out } = build();
  const page = await openPage({ "/bench": DATA, "/codecs": out });
  try {
    console.log(`\nCodecs in WebAssembly in ${await page.browser.version()} and the same code natively, 4 to 64 chunks of 0.5 to 2 MiB`);
    console.log("  (decoded in turn; MB/s of decoded bytes by medians; time in WebAssembly over native time, by medians and quickest rounds)");
    console.log(`  ${"".padEnd(22)}${columns(["native", "wasm", "medians", "quickest", "goal"], 10)}`);
    for (const row of [...ROWS, ...(NEIGHBOURS ? IMAGES : [])]) {
      const { natively, inPage, bytes, others } = await measure(page, program, row);
      const [machine, wasm] = [natively, inPage].map((times) => quantile(times, 0.5));
      const speeds = [machine, wasm].map((ms) => (bytes / 1e3 / ms).toFixed(0));
      const ratios = [wasm / machine, quantile(inPage, 0) / quantile(natively, 0), row.goal].map((ratio) => ratio.toFixed(2));
      console.log(`  ${row.what.padEnd(22)}${columns([...speeds, ...ratios], 10)}`);
      for (const { name, times } of others) {
        const middle = quantile(times, 0.5);
        console.log(`  ${`  by ${name}`.padEnd(22)}${columns([(bytes / 1e3 / middle).toFixed(0), "", (wasm / middle).toFixed(2), "", ""], 10)}`);
      }
    }
  } finally {
    await page.close();
  }
}
