/** Numbers, units and titles as the explorer writes them, in its page and in its files. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { count, units, value } from "../../../www/src/model/format.js";
import { csvOf } from "../../../www/src/take/files.js";
import { fillText } from "../../../www/src/view/about.js";
import { cut } from "../../../www/src/view/heading.js";

test("units have powers as small figures, and times none", () => {
  assert.equal(units("kWh m-2 d-1"), "kWh m⁻² d⁻¹");
  assert.equal(units("hours since 1999-12-31T06:00"), "hours since 1999-12-31T06:00");
  assert.equal(units("constructor"), "constructor");
});

test("numbers are grouped and rounded as Intl does, whose first one takes a browser long", () => {
  const numbers = [0, 5, 999, 1000, 1234567, 0.5, 2.5, 1.005, 123.455, 99.9995, 99999.5, 1e-4, 12345.6789, 9999999, 2 ** 53, 2 ** 60, 1e21, 12345678901234567890n];
  const all = numbers.flatMap((n) => (n === 0 ? [n] : [n, -n]));
  const said = (v, options) => new Intl.NumberFormat("en", options).format(v).replace(/^-(?=[0.]+$)/, ""); // nothing is less than none
  assert.deepEqual(all.map(count), all.map((v) => said(v)));
  const parts = all.filter((v) => typeof v === "number" && !Number.isInteger(v));
  assert.deepEqual(parts.map((v) => value(v)), parts.map((v) => said(v, { maximumSignificantDigits: 5 }).replace("-", "−")));
  for (const places of [1, 2, 5]) assert.deepEqual(parts.map((v) => value(v, places)), parts.map((v) => said(v, { minimumFractionDigits: places, maximumFractionDigits: places }).replace("-", "−")));
});

test("packed values are written without what their factor adds in binary, and no others change", () => {
  const dataset = (isPacked) => ({ name: "t", axes: [{ name: "x" }], decoder: { isPacked } });
  const plane = { shown: [{ axis: 0, step: 1, count: 3 }] };
  const values = [189 * 0.01, 0.1 + 0.2, NaN];
  assert.equal(csvOf(dataset(true), plane, values, false), "x,t\n0,1.89\n1,0.3\n2,\n");
  assert.equal(csvOf(dataset(false), plane, values, false), "x,t\n0,1.8900000000000001\n1,0.30000000000000004\n2,\n");
});

test("a fill value in base64 is said as its number, and other texts as they are", () => {
  assert.equal(fillText("AAAAAAAA+H8="), "NaN (“AAAAAAAA+H8=”)");
  assert.equal(fillText("AAAAAAAA8D8="), "1 (“AAAAAAAA8D8=”)");
  assert.equal(fillText(-99), "-99");
  assert.equal(fillText("none"), "none");
});

test("a long title is cut between words", () => {
  assert.equal(cut("Short"), "Short");
  const long = cut("word ".repeat(60));
  assert.ok(long.length <= 141 && long.endsWith("word…"), long);
});
