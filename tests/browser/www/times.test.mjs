/** The explorer's dates: the package's labels in words. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { ROOT } from "../support/paths.mjs";

const { dateText, momentAt, momentOf, spanText } = await import(pathToFileURL(join(ROOT, "www/src/model/time.js")));

test("labels of any calendar are dates", () => {
  for (const [label, daily, expected] of [
    ["2024-02-30T00:00:00", true, "30 Feb 2024"],
    ["2024-02-30T12:05:00", false, "30 Feb 2024 12:05"],
    ["1582-10-04T23:50:09", false, "4 Oct 1582 23:50:09"],
    ["0002-02-05T12:00:00.500", false, "5 Feb 2 12:00"],
    ["-0001-12-31T00:00:00", true, "31 Dec -1"],
    [null, false, "no date"],
  ]) {
    assert.equal(dateText(momentOf(label), daily), expected);
  }
});

test("milliseconds are dates, as far as there are any", () => {
  assert.equal(dateText(momentAt(-864e5)), "31 Dec 1969 00:00");
  assert.equal(dateText(momentAt(1e9)), "12 Jan 1970 13:46:40");
  assert.equal(dateText(momentAt(NaN)), "no date");
  assert.equal(dateText(momentAt(1e300)), "no date");
});

test("a span is said by its month or year where it is one", () => {
  const span = (from, to) => spanText(momentOf(from), momentOf(to), true);
  assert.equal(span("2024-02-01T00:00:00", "2024-02-30T00:00:00"), "Feb");
  assert.equal(span("2024-01-01T00:00:00", "2024-12-30T00:00:00"), "2024");
  assert.equal(span("2024-02-01T00:00:00", "2024-04-30T00:00:00"), "Feb–Apr");
  assert.equal(span("2024-01-03T00:00:00", "2024-01-09T18:00:00"), "3–9 Jan");
  assert.equal(span("2024-02-01T00:00:00", "2024-02-14T00:00:00"), "1–14 Feb");
  assert.equal(span("2023-12-01T00:00:00", "2024-01-30T00:00:00"), "1 Dec 2023");
});
