/**
 * The command that the Zarr conformance tests (github.com/Bisaloo/zarr-conformance-tests) run for each array:
 *
 *   node tests/conformance/cli.mjs --array_path DIR
 *
 * prints the elements in C order, one a line, as JSON in the form of Zarr v3's fill values. Needs `make build`.
 */

import { open } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const PACKAGE = process.env.RECTILINEAR_PACKAGE ?? join(import.meta.dirname, "../../pkg");
const { RectilinearArray } = await import(pathToFileURL(join(PACKAGE, "node.js")));

/** A store over a directory. */
export function directory(path) {
  /** Result of `read` for the opened file; undefined where there is none. */
  async function withFile(key, read) {
    let file;
    try {
      file = await open(join(path, key));
      return await read(file);
    } catch (error) {
      if (["ENOENT", "ENOTDIR", "EISDIR"].includes(error.code)) return undefined;
      throw error;
    } finally {
      await file?.close();
    }
  }
  return {
    get: (key) => withFile(key, async (file) => new Uint8Array(await file.readFile())),
    getRange: (key, range) =>
      withFile(key, async (file) => {
        const { size } = await file.stat();
        const start = Math.max(0, "suffixLength" in range ? size - range.suffixLength : range.offset);
        const length = Math.max(0, Math.min(range.length ?? range.suffixLength, size - start));
        const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, start);
        return buffer.subarray(0, bytesRead);
      }),
  };
}

/** A float's JSON; a NaN other than the one called "NaN" is its bits in hexadecimal. */
function float(data, at) {
  const value = data[at];
  if (Object.is(value, -0)) return "-0.0";
  if (!Number.isNaN(value)) return JSON.stringify(Number.isFinite(value) ? value : String(value));
  const size = data.BYTES_PER_ELEMENT;
  const bytes = new Uint8Array(data.buffer, data.byteOffset + at * size, size).toReversed();
  const bits = Buffer.from(bytes).toString("hex");
  return JSON.stringify(["7e00", "7fc00000", "7ff8000000000000"].includes(bits) ? "NaN" : `0x${bits}`);
}

const base64 = (bytes) => JSON.stringify(Buffer.from(bytes).toString("base64"));

/** How the elements of a data type are spelled: from the data and an item's number to JSON. */
function spelling(dtype, data, items) {
  if (dtype === "bool") return (at) => String(data[at] === 1);
  if (dtype.startsWith("complex")) return (at) => `[${float(data, 2 * at)}, ${float(data, 2 * at + 1)}]`;
  // What the package widens has lost its own NaN bits.
  const isWidened = (dtype.includes("float") && !dtype.endsWith(String(8 * data.BYTES_PER_ELEMENT))) || dtype === "bfloat16";
  if (isWidened) return (at) => (Number.isNaN(data[at]) ? '"NaN"' : float(data, at));
  if (dtype.includes("float")) return (at) => float(data, at);
  if (dtype.startsWith("numpy.")) return (at) => (data[at] === -(2n ** 63n) ? '"NaT"' : String(data[at]));
  if (Array.isArray(data)) return (at) => (typeof data[at] === "string" ? JSON.stringify(data[at]) : base64(data[at]));
  const size = data.length / items;
  const bytes = (at) => data.subarray(at * size, (at + 1) * size);
  if (/^r\d/.test(dtype)) return (at) => JSON.stringify([...bytes(at)]);
  if (/^(u?int)\d/.test(dtype)) return (at) => String(data[at]);
  return (at) => base64(bytes(at));
}

/** The lines of an array, in C order. */
export async function lines(path) {
  const array = await RectilinearArray.open(directory(path));
  try {
    const { data } = await array.get();
    const items = array.shape.reduce((product, extent) => product * extent, 1);
    return Array.from({ length: items }, (_, at) => spelling(array.dtype, data, items)(at));
  } finally {
    array.free();
  }
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({ options: { array_path: { type: "string" } } });
  if (!values.array_path) throw new Error("usage: cli.mjs --array_path DIR");
  try {
    process.stdout.write((await lines(values.array_path)).map((line) => `${line}\n`).join(""));
  } catch (error) {
    console.error(`${error.name}: ${error.message}`);
    process.exitCode = 1;
  }
}
