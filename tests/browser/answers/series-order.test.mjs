/** The order in which a series takes chunks, and how many requests it has in flight, without a browser. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { InFlight } from "../../../src/web/answers/in-flight.js";
import { Spread } from "../../../src/web/answers/spread.js";

/** Takes all batches of at most `most(nth)` numbers. */
function batchesOf(spread, most = () => Infinity, itemsOf = undefined) {
  const all = [];
  while (!spread.isDone) {
    const batch = spread.next(most(all.length), itemsOf);
    assert.ok(batch.numbers.length > 0, `batch ${all.length} of ${spread.count} is empty`);
    spread.take(batch);
    all.push(batch.numbers);
  }
  return all;
}

/** Largest and smallest distance between neighbours of these numbers. */
function distances(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const steps = sorted.slice(1).map((number, i) => number - sorted[i]);
  return [Math.max(...steps), Math.min(...steps)];
}

test("a series takes each chunk once, the ends and equal distances first, and halves the distances", () => {
  for (const count of [0, 1, 2, 3, 5, 16, 17, 18, 31, 32, 33, 100, 1000, 1023, 1025, 10_000, 70_001]) {
    const batches = batchesOf(new Spread(count, 16));
    assert.deepEqual(batches.flat().sort((a, b) => a - b), Array.from({ length: count }, (_, i) => i), `${count}`);
    for (const numbers of batches) assert.deepEqual(numbers, numbers.toSorted((a, b) => a - b));
    if (count < 18) continue;
    assert.ok(batches[0].length <= 17 && batches[0].length > 8, `${count}: ${batches[0].length}`);
    assert.deepEqual([batches[0][0], batches[0].at(-1)], [0, count - 1]);
    const so = [];
    let width = Infinity;
    for (const numbers of batches) {
      so.push(...numbers);
      const [most] = distances(so);
      if (numbers.length < 4096) assert.ok(most <= width / 2 + 1 || most <= width, `${count}: ${most} after ${width}`);
      assert.ok(most <= (2 * count) / so.length + 1, `${count}: ${most} apart after ${so.length}`);
      width = most;
    }
  }
});

test("parts of a batch are spread over the whole length too, and the last chunk comes in any case", () => {
  const batches = batchesOf(new Spread(10_000, 16), (nth) => [1, 3, 7, 20][nth % 4]);
  assert.equal(new Set(batches.flat()).size, 10_000);
  const so = [];
  for (const numbers of batches.slice(0, 200)) {
    so.push(...numbers);
    // Twice and four times the mean distance are what halving in parts can leave.
    if (so.length > 8) assert.ok(distances(so)[0] <= (4 * 10_000) / so.length, `${distances(so)} after ${so.length}`);
  }
});

test("a batch has few chunks where chunks have many items", () => {
  const batches = batchesOf(new Spread(300, 16), undefined, () => 2 ** 18);
  assert.ok(batches.every(({ length }) => length <= 4));
  assert.equal(new Set(batches.flat()).size, 300);
});

/** A host that answers at most `at` requests at once, each in `ms`, as learnt from batches of growing length. */
function learnt({ at, ms, protocol }, usual = 24) {
  const inFlight = new InFlight(usual);
  const counts = [];
  for (let requests = 16; requests <= 4096; requests *= 2) {
    counts.push(inFlight.count);
    inFlight.learn({ requests, ms: Math.ceil(requests / Math.min(at, inFlight.count)) * ms, protocol });
  }
  return { counts, last: inFlight.count };
}

test("more requests are in flight where the protocol or the throughput says so", () => {
  assert.equal(learnt({ at: 1000, ms: 80, protocol: "h2" }).last, 96);
  assert.equal(learnt({ at: 1000, ms: 80, protocol: "h3" }).counts[1], 96);
  assert.deepEqual(new Set(learnt({ at: 6, ms: 80, protocol: "http/1.1" }).counts), new Set([24]));
  // Without a protocol, six connections give nothing for more requests, and a host of many streams does.
  const few = learnt({ at: 6, ms: 80 });
  assert.ok(few.last === 24 && Math.max(...few.counts) <= 48, `${few.counts}`);
  assert.equal(learnt({ at: 1000, ms: 80 }).last, 96);
  assert.equal(learnt({ at: 50, ms: 80 }).last, 48);
  // An array that was opened with few has four times as many, and one with very many has no more.
  assert.equal(learnt({ at: 1000, ms: 80, protocol: "h2" }, 4).last, 16);
  assert.equal(learnt({ at: 1000, ms: 80, protocol: "h2" }, 200).last, 200);
});
