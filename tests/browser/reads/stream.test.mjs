/** stream(), plan() and prefetch(): parts that make the whole, no work beyond what is taken, nothing fetched to plan. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { pageAndOrigin } from "../support/opened.mjs";
import { pathOf } from "../support/origin.mjs";

describe("streams and plans", () => {
  let page;
  let origin;
  pageAndOrigin((opened) => ({ page, origin } = opened));

  const url = (name) => `${origin.url}/${name}.zarr`;
  const asked = () => origin.requests.map(pathOf).filter((path) => !path.endsWith("zarr.json"));

  for (const name of ["rectilinear-lists", "sharded-zstd", "sharded-nested-rectilinear"]) {
    for (const selection of [null, [{ start: 8, stop: null, step: -3 }, [10, 3, 3, 4]], [2]]) {
      test(`the parts of ${name} ${JSON.stringify(selection)} make the whole`, async () => {
        const found = await page.run(
          async ({ RectilinearArray }, { url, selection }) => {
            const array = await RectilinearArray.open(url);
            const whole = await array.get(selection);
            const put = new whole.data.constructor(whole.data.length);
            const grid = array.innerChunkGrid ?? array.chunkGrid;
            const strange = [];
            for await (const part of array.stream(selection, { order: "center" })) {
              const lengths = part.stop.map((stop, axis) => stop - part.start[axis]);
              if (lengths.join() !== part.shape.join()) strange.push("shape");
              if (part.coords.some((at, axis) => at >= grid.shape[axis])) strange.push("coords");
              part.data.forEach((value, nth) => {
                let at = 0;
                let rest = nth;
                for (let axis = lengths.length - 1; axis >= 0; axis--) {
                  at += (part.start[axis] + (rest % lengths[axis])) * whole.stride[axis];
                  rest = Math.floor(rest / lengths[axis]);
                }
                put[at] += value;
              });
            }
            return { strange, same: put.join() === whole.data.join(), length: put.length };
          },
          { url: url(name), selection },
        );
        assert.ok(found.length > 0);
        assert.deepEqual({ strange: found.strange, same: found.same }, { strange: [], same: true });
      });
    }
  }

  test("a stream that nobody takes from stops asking, and leaving the loop drops what is under way", async () => {
    let open = 0;
    origin.intercept = (request, response) => {
      if (request.url.endsWith("zarr.json")) return false;
      open += 1;
      response.on("close", () => (open -= 1));
      setTimeout(() => response.writeHead(404).end(), asked().length > 3 ? 10_000 : 1);
      return true;
    };
    const taken = await page.run(async ({ RectilinearArray }, url) => {
      const array = await RectilinearArray.open(url, { concurrency: 2 });
      const coords = [];
      for await (const part of array.stream()) {
        coords.push(part.coords);
        if (coords.length === 2) break;
      }
      return coords;
    }, url("rectilinear-lists"));
    assert.equal(taken.length, 2);
    const end = Date.now() + 60_000;
    while (open > 0 && Date.now() < end) await new Promise((done) => setTimeout(done, 20));
    assert.equal(open, 0);
    assert.ok(asked().length < 12, `${asked().length} of 12 chunks were asked for`);
  });

  test("an abort ends a stream with its reason, a failure with its error", async () => {
    const found = await page.run(async ({ RectilinearArray, support }, url) => {
      const array = await RectilinearArray.open(url);
      const controller = new AbortController();
      const run = async () => {
        for await (const part of array.stream(null, { signal: controller.signal })) controller.abort(part.coords);
      };
      const reason = await run().catch((reason) => reason);
      const wrong = await support.rejection(() => array.stream([99]).next());
      return { reason, wrong: wrong.name };
    }, url("rectilinear-lists"));
    assert.equal(found.reason.length, 2);
    assert.equal(found.wrong, "SelectionError");
  });

  test("a plan tells chunks, bytes and requests, and fetches nothing", async () => {
    const [lists, sharded, again] = await page.run(
      async ({ RectilinearArray }, { lists, sharded }) => {
        const first = await RectilinearArray.open(lists);
        const second = await RectilinearArray.open(sharded, { coalesceGap: 0, cacheBytes: 0 });
        const selection = [{ start: 3, stop: 8, step: 4 }, { start: 4, stop: 12, step: 7 }];
        const plans = [first.plan([{ start: 0, stop: 2, step: null }, 12]), second.plan(selection)];
        await second.get(selection);
        return [...plans, second.plan(selection)];
      },
      { lists: url("rectilinear-lists"), sharded: url("sharded-zstd") },
    );
    assert.deepEqual(lists, {
      shape: [2],
      bytes: 8,
      chunks: 2,
      storedChunks: 2,
      requests: [{ key: "c/0/2" }, { key: "c/1/2" }],
    });
    assert.deepEqual(sharded.requests, [{ key: "c/1/1", range: [-148] }]);
    assert.deepEqual([sharded.chunks, sharded.storedChunks, sharded.shape], [4, 1, [2, 2]]);
    // Once the index is at hand, the inner chunks are known too.
    assert.equal(again.requests.length, 4);
    assert.ok(again.requests.every(({ key, range }) => key === "c/1/1" && range.length === 2));
  });

  test("a prefetched selection is read without a request; without a cache there is nothing to prefetch into", async () => {
    const refused = await page.run(async ({ RectilinearArray, support }, url) => {
      const array = await RectilinearArray.open(url, { cacheBytes: 1 << 20 });
      await array.prefetch([{ start: 0, stop: 2, step: null }, 12]);
      globalThis.array = array;
      const plain = await RectilinearArray.open(url, { cacheBytes: 0 });
      return support.rejection(() => plain.prefetch());
    }, url("rectilinear-lists"));
    assert.equal(refused.name, "UnsupportedError");
    assert.match(refused.message, /cacheBytes/);
    assert.deepEqual(asked().map((path) => path.slice(-5)).sort(), ["c/0/2", "c/1/2"]);
    origin.requests.length = 0;
    const planned = await page.run(async () => {
      await globalThis.array.get([{ start: 0, stop: 2, step: null }, 12]);
      return globalThis.array.plan([{ start: 0, stop: 2, step: null }, 12]).requests;
    });
    assert.deepEqual([planned, asked()], [[], []]);
  });
});
