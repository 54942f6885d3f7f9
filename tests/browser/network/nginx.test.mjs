/** Requests that nginx sees, a plain host on which nothing was set up but CORS: few requests, and never a preflight. */

import assert from "node:assert/strict";
import { utimes } from "node:fs/promises";
import { after, afterEach, before, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";
import { NGINX, hasNginx, startNginx } from "../support/nginx.mjs";
import { indexSize, written } from "../support/written.mjs";

/** Four shards of 4 x 4 inner chunks of 1 KiB, and a plain chunk of 1 MiB of which nothing but a part is wanted. */
const TILES = { shape: [64, 256], chunks: [64, 64], inner: [16, 16] };
const PLANE = { shape: [512, 1024], chunks: [512, 512] };
const INDEX = indexSize(16);
const LENGTH = 16 * 1024 + INDEX;

const range = (start, stop = "") => `bytes=${start}-${stop && stop - 1}`;
const skip = (await hasNginx()) ? false : `${NGINX} cannot be run: install nginx, or set NGINX_PROGRAM to its path`;

describe("nginx", { skip }, () => {
  let nginx;
  let page;
  const files = new Map([...written("tiles", TILES), ...written("plane", PLANE)]);
  files.delete("/plane/c/0/1");
  before(async () => {
    nginx = await startNginx(files);
    page = await openPage({}, { start: () => nginx });
  });
  afterEach(() => nginx.forget());
  after(() => page?.close());

  /** The first item of each of these reads, one after the other, or the error. */
  const read = (url, indices) =>
    page.run(
      async ({ RectilinearArray, support }, { url, indices }) => {
        const values = [];
        const error = await support.rejection(async () => {
          const array = await RectilinearArray.open(url);
          for (const index of indices) values.push((await array.get(index)).data[0]);
        });
        return error ?? values;
      },
      { url, indices },
    );
  const methods = (log) => [...new Set(log.map(({ method }) => method))].sort();

  test("same origin: an index by its suffix, then inner chunks of that version", async () => {
    assert.deepEqual(await read(`${nginx.url}/tiles`, [[0, 0], [0, 16]]), [0, 16]);
    const log = await nginx.log(nginx.url, 3);
    assert.deepEqual(log.map(({ range, status, bytes }) => [range, status, bytes]), [
      [`bytes=-${INDEX}`, 206, INDEX],
      [range(0, 1024), 206, 1024],
      [range(1024, 2048), 206, 1024],
    ]);
    assert.deepEqual(log.map(({ ifRange }) => ifRange), ["-", "-", "-"]);
    assert.deepEqual(methods(log), ["GET"]);
  });

  test("another origin: lengths by HEAD until two agree, and no preflight", async () => {
    assert.deepEqual(await read(`${nginx.far}/tiles`, [[0, 0], [0, 64], [0, 128], [0, 192]]), [0, 64, 128, 192]);
    const log = await nginx.log(nginx.far, 10);
    const told = ["bytes=0-", range(LENGTH - INDEX, LENGTH + 1), range(0, 1024)];
    const guessed = [range(LENGTH - INDEX), range(0, 1024)];
    assert.deepEqual(log.map(({ range }) => range), [...told, ...told, ...guessed, ...guessed]);
    assert.deepEqual(methods(log), ["GET", "HEAD"]);
  });

  for (const where of ["url", "far"]) {
    test(`${where === "url" ? "same" : "another"} origin: nine tiles at once are one range`, async () => {
      const values = await page.run(async ({ RectilinearArray, slice }, url) => {
        const array = await RectilinearArray.open(url);
        const starts = [0, 16, 32].flatMap((row) => [0, 16, 32].map((column) => [row, column]));
        const regions = starts.map((start) => array.get(start.map((at) => slice(at, at + 16))));
        return (await Promise.all(regions)).map(({ data }) => data[0]);
      }, `${nginx[where]}/tiles`);
      assert.deepEqual(values, [0, 16, 32].flatMap((row) => [0, 16, 32].map((column) => row * 256 + column)));
      const log = await nginx.log(nginx[where], where === "url" ? 2 : 3);
      assert.equal(log.at(-1).range, range(0, 11 * 1024));
      assert.equal(log.length, where === "url" ? 2 : 3);
    });

    test(`${where === "url" ? "same" : "another"} origin: a piece of a plain chunk, and a chunk that is not there`, async () => {
      assert.deepEqual(await read(`${nginx[where]}/plane`, [[100, 7], [100, 700]]), [100 * 1024 + 7, 0]);
      const log = await nginx.log(nginx[where], 2);
      const start = (100 * 512 + 7) * 4;
      assert.deepEqual(log.map(({ range, status }) => [range, status]), [[range(start, start + 4), 206], [range((100 * 512 + 188) * 4, (100 * 512 + 189) * 4), 404]]);
    });

    test(`${where === "url" ? "same" : "another"} origin: a shard written anew is an error, and then it is read`, async () => {
      await page.run(async ({ RectilinearArray }, url) => {
        globalThis.array = await RectilinearArray.open(url);
        await globalThis.array.get([0, 0]);
      }, `${nginx[where]}/tiles`);
      const file = await nginx.write("/tiles/c/0/0", written("tiles", { ...TILES, isReversed: true }).get("/tiles/c/0/0"));
      await utimes(file, 2e9, 2e9);
      const found = await page.run(async ({ support }) => {
        const error = await support.rejection(() => globalThis.array.get([0, 32]));
        return [error?.name, error?.message, (await globalThis.array.get([0, 32])).data[0]];
      });
      await utimes(await nginx.write("/tiles/c/0/0", files.get("/tiles/c/0/0")), 1e9, 1e9);
      assert.match(found[1] ?? "no error", /changed while it was read/);
      assert.deepEqual([found[0], found[2]], ["StoreError", 32]);
    });
  }
});
