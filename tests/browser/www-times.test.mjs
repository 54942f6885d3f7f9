/** The explorer's dates: CF times of every calendar. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { ROOT } from "./support/paths.mjs";

const { dateText, datetimeDecoder, timeDecoder } = await import(pathToFileURL(join(ROOT, "www/src/model/time.js")));

/** Units, calendar, number, and what cftime 1.6.6 makes of them. */
const CFTIME = [
  ["days since 0001-01-01", "standard", 400.5, "5 Feb 2 12:00"],
  ["days since 0001-01-01", "standard", 577736, "4 Oct 1582 00:00"],
  ["days since 0001-01-01", "standard", 738000, "28 Jul 2021 00:00"],
  ["days since 1850-01-01 12:00:00", "standard", 577736, "16 Oct 3431 12:00"],
  ["minutes since 1582-10-04 23:50", "standard", 0, "4 Oct 1582 23:50"],
  ["days since 1850-01-01 12:00:00", "proleptic_gregorian", 59, "1 Mar 1850 12:00"],
  ["hours since 1900-01-01", "proleptic_gregorian", 999999, "29 Jan 2014 15:00"],
  ["days since 2000-02-28", "proleptic_gregorian", 59, "27 Apr 2000 00:00"],
  ["days since 2000-02-28", "proleptic_gregorian", 400.5, "3 Apr 2001 12:00"],
  ["minutes since 1582-10-04 23:50", "proleptic_gregorian", 10, "5 Oct 1582 00:00"],
  ["days since 0001-01-01", "julian", 0, "1 Jan 1 00:00"],
  ["days since 0001-01-01", "julian", 577736, "4 Oct 1582 00:00"],
  ["hours since 1900-01-01", "julian", 999999, "28 Jan 2014 15:00"],
  ["days since 2000-02-28", "julian", 0, "28 Feb 2000 00:00"],
  ["days since 2000-02-28", "julian", 400.5, "3 Apr 2001 12:00"],
  ["days since 0001-01-01", "noleap", 0, "1 Jan 1 00:00"],
  ["days since 1850-01-01 12:00:00", "noleap", 400.5, "6 Feb 1851 00:00"],
  ["days since 1850-01-01 12:00:00", "noleap", 577736, "3 Nov 3432 12:00"],
  ["days since 2000-02-28", "noleap", 59, "28 Apr 2000 00:00"],
  ["minutes since 1582-10-04 23:50", "noleap", 9, "4 Oct 1582 23:59"],
  ["days since 0001-01-01", "all_leap", 0, "1 Jan 1 00:00"],
  ["days since 0001-01-01", "all_leap", 577736, "7 Jul 1579 00:00"],
  ["hours since 1900-01-01", "all_leap", 0, "1 Jan 1900 00:00"],
  ["minutes since 1582-10-04 23:50", "all_leap", 0, "4 Oct 1582 23:50"],
  ["minutes since 1582-10-04 23:50", "all_leap", 10, "5 Oct 1582 00:00"],
  ["days since 0001-01-01", "360_day", 0, "1 Jan 1 00:00"],
  ["days since 1850-01-01 12:00:00", "360_day", 59, "30 Feb 1850 12:00"],
  ["hours since 1900-01-01", "360_day", 999999, "27 Sep 2015 15:00"],
  ["days since 2000-02-28", "360_day", 738000, "28 Feb 4050 00:00"],
  ["minutes since 1582-10-04 23:50", "360_day", 14400, "14 Oct 1582 23:50"],
];

test("dates are those of cftime", () => {
  for (const [units, calendar, stored, expected] of CFTIME) {
    assert.equal(dateText(timeDecoder({ units, calendar })(stored)), expected, `${stored} ${units}, ${calendar}`);
  }
});

test("what has no one length, or no such calendar, stays a number", () => {
  for (const attrs of [{ units: "months since 2000-01-01" }, { units: "days since 2000-01-01", calendar: "lunar" }, { units: "K" }, {}]) {
    assert.equal(timeDecoder(attrs), undefined);
  }
  assert.equal(dateText(timeDecoder({ units: "days since 2000-01-01" })(NaN)), "no date");
});

test("datetime64 of each unit is a date", () => {
  for (const [unit, scale, stored, expected] of [["D", 1, -1, "31 Dec 1969 00:00"], ["h", 6, 3, "1 Jan 1970 18:00"], ["ns", 1, 1e9, "1 Jan 1970 00:00:01"], ["M", 1, -1, "1 Dec 1969 00:00"], ["Y", 10, 3, "1 Jan 2000 00:00"]]) {
    assert.equal(dateText(datetimeDecoder({ unit, scale })(stored)), expected);
  }
  assert.equal(datetimeDecoder({ unit: "generic", scale: 1 }), undefined);
});
