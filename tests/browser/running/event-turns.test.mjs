/** Work in one turn of the event loop: decoding for a few milliseconds, of all reads together, and requests first. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";

/** Chunks of 64 KiB: two readings of the clock each. */
const [COUNT, ITEMS] = [8, 1 << 14];

describe("turns of the event loop", () => {
  let page;
  before(async () => (page = await openPage()));
  after(() => page?.close());

  for (const how of ["a Map", "a URL, kept", "a URL"]) {
    test(`reads that are begun together decode one chunk a turn where that takes long, from ${how}`, async () => {
      const [turns, wrong] = await page.run(
        async ({ RectilinearArray, slice }, { how, count, items }) => {
          const { differs, gzipped } = await import("/support/gzipped.mjs");
          const store = await gzipped(count, items);
          const answer = async ({ url }) => new Response(store.get(new URL(url).pathname), { status: 200 });
          const source = how === "a Map" ? store : location.origin;
          const array = await RectilinearArray.open(source, { workers: 0, fetch: answer });
          if (how === "a URL, kept") await array.get();
          const { data: whole } = await (await RectilinearArray.open(store, { workers: 0 })).get();
          if (differs(whole) >= 0) throw new Error("the whole read is wrong");

          // Each reading of the clock finds that the time of a turn is over.
          const real = performance.now;
          let clock = real.call(performance);
          performance.now = () => (clock += 5);
          // All turns are counted: a message is the next one.
          let [turn, isDone] = [0, false];
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => {
            turn += 1;
            if (!isDone) port2.postMessage(null);
          };
          port2.postMessage(null);
          const turns = [];
          let wrong = 0;
          const read = async (nth) => {
            const { data } = await array.get([slice(nth * items, (nth + 1) * items)]);
            turns.push(turn);
            if (data.some((value, item) => value !== whole[nth * items + item])) wrong += 1;
          };
          try {
            await Promise.all(Array.from({ length: count }, (_, nth) => read(nth)));
          } finally {
            performance.now = real;
            isDone = true;
            port1.close();
          }
          array.free();
          return [turns, wrong];
        },
        { how, count: COUNT, items: ITEMS },
      );
      assert.equal(wrong, 0);
      assert.equal(new Set(turns).size, COUNT, `reads ended in turns ${turns}`);
    });
  }

  test("the index of a shard is opened at once while other reads wait for their turns", async () => {
    const events = await page.run(
      async ({ RectilinearArray, slice, support }, { count, items }) => {
        const { gzipped } = await import("/support/gzipped.mjs");
        const array = await RectilinearArray.open(await gzipped(count, items), { workers: 0 });
        const files = await support.fetchFiles("/data/sharded-regular.zarr", ["zarr.json", "c/0/0"]);
        const events = [];
        const getRange = async (key, { offset, length, suffixLength }) => {
          const value = files.get(key);
          events.push(suffixLength ? "index" : "chunk of the shard");
          return suffixLength ? value.slice(-suffixLength) : value.slice(offset, offset + length);
        };
        const shards = await RectilinearArray.open({ get: async (key) => files.get(key), getRange }, { coalesceGap: 0 });
        const real = performance.now;
        let clock = real.call(performance);
        performance.now = () => (clock += 5);
        const read = async (nth) => {
          await array.get([slice(nth * items, (nth + 1) * items)]);
          events.push("chunk");
        };
        try {
          await Promise.all([...Array.from({ length: count }, (_, nth) => read(nth)), shards.get([0, 0])]);
        } finally {
          performance.now = real;
        }
        return events;
      },
      { count: COUNT, items: ITEMS },
    );
    // The first of the other reads decodes in the turn in which it began.
    assert.deepEqual(events.slice(0, 3), ["index", "chunk", "chunk of the shard"]);
    assert.deepEqual(events.slice(3), Array(COUNT - 1).fill("chunk"));
  });

  test("requests are sent before cached chunks are decoded, of the same read and of others", async () => {
    const [apart, together] = await page.run(
      async ({ RectilinearArray, slice }, { count, items }) => {
        const { gzipped } = await import("/support/gzipped.mjs");
        const store = await gzipped(count, items);
        let events = [];
        const answer = async ({ url }) => {
          const { pathname } = new URL(url);
          events.push(`request ${pathname}`);
          return new Response(store.get(pathname), { status: 200 });
        };
        const part = (from, to) => [slice(from * items, to * items)];
        const opened = async () => {
          const array = await RectilinearArray.open(location.origin, { workers: 0, fetch: answer });
          await array.get(part(0, count - 1));
          events = [];
          return array;
        };
        // The clock is stopped, so no read pauses for its time.
        const real = performance.now;
        const now = real.call(performance);
        try {
          let array = await opened();
          performance.now = () => now;
          const read = async (nth) => {
            await array.get(part(nth, nth + 1));
            events.push(`chunk ${nth}`);
          };
          await Promise.all(Array.from({ length: count }, (_, nth) => read(nth)));
          const apart = events.splice(0);
          performance.now = real;
          array = await opened();
          performance.now = () => now;
          await array.get(null, { onProgress: ({ chunks }) => events.push(`${chunks} chunks`) });
          return [apart, events];
        } finally {
          performance.now = real;
        }
      },
      { count: COUNT, items: ITEMS },
    );
    const request = `request /c/${COUNT - 1}`;
    const numbers = Array.from({ length: COUNT }, (_, nth) => nth);
    assert.deepEqual(apart, [request, ...numbers.map((nth) => `chunk ${nth}`)]);
    assert.deepEqual(together, [request, ...numbers.map((nth) => `${nth + 1} chunks`)]);
  });

  test("a turn wakes no more of the reads that wait than it has time for, and passes over those that are aborted", async () => {
    const count = 64;
    const found = await page.run(
      async ({ RectilinearArray, slice }, { count, items }) => {
        const { gzipped } = await import("/support/gzipped.mjs");
        const array = await RectilinearArray.open(await gzipped(count, items), { workers: 0 });
        const real = performance.now;
        let [clock, readings] = [real.call(performance), 0];
        const part = (nth) => [slice(nth * items, (nth + 1) * items)];
        const all = async (read) => {
          readings = 0;
          performance.now = () => ((readings += 1), (clock += 5));
          try {
            return await Promise.allSettled(Array.from({ length: count }, (_, nth) => read(nth)));
          } finally {
            performance.now = real;
          }
        };
        const ended = [];
        await all(async (nth) => ended.push((await array.get(part(nth)), nth)));
        const inTurn = readings;
        // All but each third read leave when the first one ends, while they wait.
        const aborts = Array.from({ length: count }, () => new AbortController());
        const settled = await all(async (nth) => {
          await array.get(part(nth), { signal: aborts[nth].signal });
          aborts.forEach((one, other) => other % 3 && one.abort());
        });
        array.free();
        return { ended, inTurn, states: settled.map(({ status }) => status) };
      },
      { count, items: ITEMS },
    );
    assert.deepEqual(found.ended, Array.from({ length: count }, (_, nth) => nth));
    // Each read looks at the clock for its own chunk, and not again in each turn of another one.
    assert.ok(found.inTurn < 12 * count, `${found.inTurn} readings of the clock by ${count} reads`);
    found.states.forEach((state, nth) => assert.equal(state, nth % 3 ? "rejected" : "fulfilled", `the read ${nth}`));
  });
});
