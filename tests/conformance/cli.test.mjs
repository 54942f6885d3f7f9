/** The conformance command's lines give back the values that zarr-python wrote. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

import { FIXTURES, oracle } from "../browser/support/paths.mjs";
import { lines } from "./cli.mjs";

const run = promisify(execFile);
const CLI = join(import.meta.dirname, "cli.mjs");

/** Writes one number of a data type, from its line. */
const WRITE = {
  bool: (view, line) => view.setUint8(0, { true: 1, false: 0 }[line]),
  float16: (view, line) => view.setUint16(0, halfBits(line), true),
  float32: (view, line) => (isHex(line) ? view.setUint32(0, JSON.parse(line), true) : view.setFloat32(0, number(line), true)),
  float64: (view, line) => (isHex(line) ? view.setBigUint64(0, BigInt(JSON.parse(line)), true) : view.setFloat64(0, number(line), true)),
};
const SIZES = { bool: 1, float16: 2, float32: 4, float64: 8 };

const isHex = (line) => line.startsWith('"0x');
const number = (line) => Number(JSON.parse(line));

/** The bits of the half that a line spells, by trying all of them; any NaN is the first. */
function halfBits(line) {
  const wanted = isHex(line) ? NaN : number(line);
  if (Number.isNaN(wanted)) return 0x7e00;
  for (let bits = 0; bits < 0x10000; bits++) if (Object.is(half(bits), wanted)) return bits;
  throw new Error(`no half is ${line}`);
}

function half(bits) {
  const [exponent, mantissa] = [(bits >> 10) & 31, bits & 1023];
  const size = exponent === 31 ? (mantissa ? NaN : Infinity) : exponent ? (1 + mantissa / 1024) * 2 ** (exponent - 15) : mantissa * 2 ** -24;
  return bits >> 15 ? -size : size;
}

/** The bytes, as zarr-python's are in the fixtures, of all the lines. */
function bytesOf(found, dtype) {
  const bits = Number(/\d+$/.exec(dtype)?.[0]);
  const size = SIZES[dtype] ?? bits / 8;
  const bytes = new Uint8Array(size * found.length);
  found.forEach((line, at) => {
    const view = new DataView(bytes.buffer, at * size, size);
    if (WRITE[dtype]) return WRITE[dtype](view, line);
    const whole = BigInt.asUintN(bits, BigInt(line));
    for (let byte = 0; byte < size; byte++) view.setUint8(byte, Number((whole >> BigInt(8 * byte)) & 255n));
  });
  return bytes;
}

for (const dtype of ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64"]) {
  test(`lines of ${dtype} are the values`, async () => {
    const entries = (await oracle("index.json")).filter((entry) => entry.dtype === dtype).slice(0, 12);
    assert.ok(entries.length > 0);
    for (const entry of entries) {
      const found = await lines(join(FIXTURES, entry.path, entry.arrayPath ?? ""));
      const expected = new Uint8Array(await readFile(join(FIXTURES, entry.expected)));
      // A half's NaNs all have one line.
      if (dtype === "float16") for (let at = 0; at < expected.length; at += 2) quieten(expected, at);
      assert.deepEqual(bytesOf(found, dtype), expected, entry.name);
    }
  });
}

function quieten(bytes, at) {
  const bits = bytes[at] | (bytes[at + 1] << 8);
  if ((bits & 0x7fff) > 0x7c00) bytes.set([0x00, 0x7e], at);
}

/** An element as the index spells it, from its line. */
function elements(line, { dtype, class: kind }) {
  const value = dtype.startsWith("numpy.") ? (line === '"NaT"' ? `${-(2n ** 63n)}` : line) : JSON.parse(line);
  if (kind === "BigInt64Array") return [{ bigint: value }];
  if (kind === "Array" && dtype !== "string" && !dtype.includes("utf32")) return [[...Buffer.from(value, "base64")]];
  if (kind === "Uint8Array" && typeof value === "string") return [...Buffer.from(value, "base64")];
  return [value].flat().map((part) => {
    if (typeof part === "string" && kind.startsWith("Float")) return { number: part.startsWith("0x") ? "NaN" : part };
    return Object.is(part, -0) ? { number: "-0" } : part;
  });
}

test("lines of every other data type are the values", async () => {
  for (const entry of await oracle("index-dtypes.json")) {
    const found = await lines(join(FIXTURES, entry.path));
    assert.deepEqual(found.flatMap((line) => elements(line, entry)), entry.values, entry.name);
  }
});

test("the command prints them", async () => {
  for (const option of [(path) => ["--array_path", path], (path) => [`--array_path=${path}`]]) {
    const { stdout } = await run(process.execPath, [CLI, ...option(join(FIXTURES, "int16-rectilinear.zarr"))]);
    assert.deepEqual(stdout.trimEnd().split("\n"), await lines(join(FIXTURES, "int16-rectilinear.zarr")));
  }
});

test("the command fails where the array does", async () => {
  await assert.rejects(run(process.execPath, [CLI, "--array_path", join(FIXTURES, "nowhere.zarr")]), /NotFoundError/);
});
