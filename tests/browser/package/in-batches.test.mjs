/** Tests of many entries in few calls blame the entry at fault, and no other. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { inBatches } from "../support/in-batches.mjs";

const entries = Array.from({ length: 7 }, (_, nth) => ({ nth }));

test("each entry has its own answer, of one call for each batch", async () => {
  const calls = [];
  const answerOf = inBatches(entries, async (batch) => (calls.push(batch.length), batch.map(({ nth }) => nth)), 3);
  assert.deepEqual(await Promise.all(entries.map(answerOf)), [0, 1, 2, 3, 4, 5, 6]);
  assert.deepEqual(calls, [3, 3, 1]);
});

test("where a batch fails, only the entry at fault does", async () => {
  const fail = async (batch) => {
    assert.ok(!batch.some(({ nth }) => nth === 4), "four");
    return batch.map(({ nth }) => nth);
  };
  const answerOf = inBatches(entries, fail, 3);
  const found = await Promise.allSettled(entries.map(answerOf));
  assert.deepEqual(found.map(({ value, reason }) => value ?? reason.message), [0, 1, 2, 3, "four", 5, 6]);
});
