/** Matches of gzip and zlib that overlap themselves: copied by SIMD only in WebAssembly, encoded by the browser. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";

const LONGEST_PATTERN = 20;

/** In the page: reads bytes in which patterns of `length` bytes are repeated, in stretches of 1 to 400 bytes; gives the first wrong one. */
async function firstWrong({ RectilinearArray, support }, { codec, format, length }) {
  let seed = length;
  const random = (below) => ((seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) >>> 8) % below;
  const bytes = [];
  for (let stretch = 1; stretch <= 400; stretch++) {
    const from = bytes.length;
    for (let at = 0; at < length; at++) bytes.push(random(256));
    for (let at = 0; at < stretch; at++) bytes.push(bytes[from + (at % length)]);
  }
  const items = Uint8Array.from(bytes);
  const metadata = {
    zarr_format: 3,
    node_type: "array",
    shape: [items.length],
    data_type: "uint8",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [items.length] } },
    chunk_key_encoding: { name: "default" },
    fill_value: 0,
    codecs: [{ name: "bytes" }, { name: codec, configuration: { level: 5 } }],
  };
  const stored = await support.encoded(items, format);
  if (stored.length >= items.length) throw new Error("nothing is repeated");
  const store = new Map([["/zarr.json", new TextEncoder().encode(JSON.stringify(metadata))], ["/c/0", stored]]);
  const array = await RectilinearArray.open(store, { workers: 0 });
  const { data } = await array.get();
  array.free();
  return data.length === items.length ? data.findIndex((item, at) => item !== items[at]) : `${data.length} items`;
}

describe("matches that overlap themselves", () => {
  let page;
  before(async () => void (page = await openPage()));
  after(() => page?.close());

  for (const [codec, format] of Object.entries({ gzip: "gzip", "numcodecs.zlib": "deflate" })) {
    test(`${codec}: patterns of 1 to ${LONGEST_PATTERN} bytes, in stretches of 1 to 400`, async () => {
      for (let length = 1; length <= LONGEST_PATTERN; length++) {
        assert.equal(await page.run(firstWrong, { codec, format, length }), -1, `of ${length} bytes`);
      }
    });
  }
});
