/** The explorer's dates: the package's labels in words. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { ROOT } from "../support/paths.mjs";

const { dateText, momentAt, momentOf, shortSpan, spanText } = await import(pathToFileURL(join(ROOT, "www/src/model/time.js")));

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

const { calendarTicks } = await import(pathToFileURL(join(ROOT, "www/src/model/calendar.js")));

test("ticks of a time axis stand at the first steps of years, months, days and hours", () => {
  const at = (list) => list?.map(({ at: step, label }) => `${step} ${label}`);
  const hourly = (first, count, every = 1) => Array.from({ length: count }, (_, i) => momentAt(Date.parse(first) + i * every * 36e5));
  assert.deepEqual(at(calendarTicks(hourly("2019-06-03T05:00Z", 24 * 900), [0, 24 * 900], 5)), ["667 Jul 2019", "5083 2020", "9451 Jul 2020", "13867 2021", "18211 Jul 2021"]);
  const days = hourly("2020-12-20T00:00Z", 40, 24);
  assert.deepEqual(at(calendarTicks(days, [0, 40], 3)), ["0 Dec 2020", "12 2021"]);
  assert.deepEqual(at(calendarTicks(days, [10, 16], 8)), ["10 30 Dec 2020", "11 31 Dec 2020", "12 1 Jan 2021", "13 2 Jan 2021", "14 3 Jan 2021", "15 4 Jan 2021"]);
  assert.deepEqual(at(calendarTicks(hourly("2020-12-31T18:00Z", 12), [0, 12], 4)), ["0 18:00", "3 21:00", "6 1 Jan 2021", "9 03:00"]);
  const monthly = Array.from({ length: 1200 }, (_, i) => momentOf(`${1950 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, "0")}-16T00:00:00`));
  assert.deepEqual(at(calendarTicks(monthly, [0, 1200], 5)), ["120 1960", "360 1980", "600 2000", "840 2020", "1080 2040"]);
  assert.deepEqual(at(calendarTicks(monthly, [0, 1200], 11)), ["0 1950", "120 1960", "240 1970", "360 1980", "480 1990", "600 2000", "720 2010", "840 2020", "960 2030", "1080 2040"]);
});

test("where dates do not rise, are missing or are one, steps have ticks of their own", () => {
  const days = ["2024-01-02T00:00:00", "2024-01-01T00:00:00", "2023-12-31T00:00:00"].map(momentOf);
  assert.equal(calendarTicks(days, [0, 3], 5), undefined);
  assert.equal(calendarTicks([days[0], undefined, undefined], [0, 3], 5), undefined);
  assert.equal(calendarTicks([days[0]], [0, 1], 5), undefined);
});

test("days of a calendar of months of thirty days have ticks too", () => {
  const days = Array.from({ length: 90 }, (_, i) => momentOf(`2000-0${Math.floor(i / 30) + 1}-${String((i % 30) + 1).padStart(2, "0")}T00:00:00`));
  assert.deepEqual(calendarTicks(days, [0, 90], 4).map(({ at, label }) => `${at} ${label}`), ["0 2000", "30 Feb 2000", "60 Mar 2000"]);
});

test("steps of a day or more at noon are said by their dates, and the last day of a long month has a tick of its own", () => {
  const labels = (moments, wanted) => calendarTicks(moments, [0, moments.length], wanted).map(({ label }) => label);
  const from = (text, count) => Array.from({ length: count }, (_, i) => momentAt(Date.parse(text) + i * 864e5));
  assert.deepEqual(labels(from("2024-03-01T12:00Z", 7), 8), ["1 Mar 2024", "2 Mar 2024", "3 Mar 2024", "4 Mar 2024", "5 Mar 2024", "6 Mar 2024", "7 Mar 2024"]);
  const middles = ["2024-01-16T12:00:00", "2024-02-15T12:00:00", "2024-03-16T12:00:00"].map(momentOf);
  assert.deepEqual(labels(middles, 4), ["16 Jan 2024", "15 Feb 2024", "16 Mar 2024"]);
  const halves = ["2024-01-30T00:00:00", "2024-01-30T12:00:00", "2024-01-31T00:00:00", "2024-01-31T12:00:00", "2024-02-01T00:00:00", "2024-02-01T12:00:00"].map(momentOf);
  assert.deepEqual(labels(halves, 3), ["30 Jan 2024", "31 Jan 2024", "1 Feb 2024"]);
});

test("a span after another says what is new of it", () => {
  const at = (label) => momentOf(`${label}${label.includes("T") ? "" : "T00:00:00"}`);
  for (const [from, to, before, daily, expected] of [
    ["2024-01-09", "2024-01-09", undefined, true, "9 Jan"],
    ["2024-01-10", "2024-01-10", "2024-01-09", true, "10"],
    ["2024-02-01", "2024-02-01", "2024-01-31", true, "1 Feb"],
    ["2025-01-01", "2025-01-01", "2024-01-01", true, "1 Jan"],
    ["2024-03-08", "2024-03-14", "2024-03-01", true, "8–14"],
    ["2024-03-29", "2024-04-04", "2024-03-22", true, "Mar–Apr"],
    ["2024-03-01", "2024-03-31", "2024-02-01", true, "Mar"],
    ["2024-01-01", "2024-12-31", "2023-01-01", true, "2024"],
    ["2024-12-28", "2025-01-03", "2024-12-21", true, "28"],
    ["2024-01-09T06:00:00", "2024-01-09T11:00:00", "2024-01-09T00:00:00", false, "06:00"],
    ["2024-01-10T00:00:00", "2024-01-10T05:00:00", "2024-01-09T18:00:00", false, "10"],
    ["2024-02-30", "2024-02-30", "2024-02-29", true, "30"],
  ]) {
    assert.equal(shortSpan(at(from), at(to), before && at(before), daily), expected, `${from} to ${to}`);
  }
});
