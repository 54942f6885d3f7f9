/** viv's loader and ome-zarr.js, as npm has them, read images of OME-Zarr through `asRegularStore`. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { VIEWED, placeAt, placesOf } from "../support/viewed.mjs";
import { openViewers } from "../support/viewers.mjs";

const LEVELS = [[2, 60, 80], [2, 30, 40]];

/** Images, and the types that viv has classes for. */
const IMAGES = [
  { name: "uneven", dtype: "Uint16" },
  { name: "shards", dtype: "Uint16" },
  { name: "int64", as: "uint16", dtype: "Uint16" },
  { name: "float16", as: "float32", dtype: "Float32" },
];

/** Images of OME-Zarr 0.4 in Zarr v2: of a codec that ome-zarr.js lacks, and of one that it has. */
const [LZMA, ZSTD] = ["lzma", "zstd"].map((name) => ({ set: "older", name }));

describe("images of OME-Zarr", () => {
  let page;
  before(async () => {
    page = await openViewers(["images", "zarrita"], { "/viewed": VIEWED });
    await page.run(async ({ Group }) => {
      const [{ asRegularStore }, { FetchStore }] = await Promise.all([import("rectilinear-zarr/adapters"), import("/viewers/zarrita.js")]);
      globalThis.storeOf = async ({ set = "images", name, as, isRegular }) => {
        const url = `${location.origin}/viewed/${set}.zarr/${name}`;
        return isRegular ? asRegularStore(await Group.open(url), { as, chunkShape: [1, 32, 32] }) : new FetchStore(url);
      };
    });
  });
  after(() => page?.close());

  /** Planes of the second channel, tiles, and metadata, as viv's loader gives them. */
  const load = (options) =>
    page.run(async ({ support }, options) => {
      const { loadOmeZarrFromStore } = await import("/viewers/images.js");
      let found;
      const error = await support.rejection(async () => {
        const { data, metadata } = await loadOmeZarrFromStore(await globalThis.storeOf(options));
        const levels = [];
        for (const source of data) {
          const plain = ({ data, width, height }) => ({ values: Array.from(data, Number), width, height });
          const plane = plain(await source.getRaster({ selection: { c: 1 } }));
          const tile = plain(await source.getTile({ x: 1, y: 0, selection: { c: 0 } }));
          levels.push({ dtype: source.dtype, shape: source.shape, labels: source.labels, tileSize: source.tileSize, plane, tile });
        }
        // viv changed between the places of OME's attributes.
        found = { levels, label: (metadata.omero ?? metadata.ome.omero).channels[1].label };
      });
      return found ?? error;
    }, options);

  describe("viv's loadOmeZarrFromStore", () => {
    for (const name of ["uneven", "int64"]) {
      test(`without it the image ${name} is not read`, async () => {
        assert.match((await load({ name, isRegular: false })).message, /Cannot read properties of undefined/);
      });
    }

    for (const { name, as, dtype } of IMAGES) {
      test(`${name}${as ? ` as ${as}` : ""}: planes and tiles are exact`, async () => {
        const found = await load({ name, as, isRegular: true });
        assert.equal(found.label, "c1");
        assert.equal(found.levels.length, LEVELS.length);
        for (const [nth, shape] of LEVELS.entries()) {
          const [, height, width] = shape;
          const { plane, tile, ...level } = found.levels[nth];
          assert.deepEqual(level, { dtype, shape, labels: ["c", "y", "x"], tileSize: 32 });
          assert.deepEqual(plane, { values: placesOf(shape).slice(height * width), width, height });
          const [tileWidth, tileHeight] = [Math.min(32, width - 32), Math.min(32, height)];
          const values = Array.from({ length: tileWidth * tileHeight }, (_, at) => placeAt(0, Math.floor(at / tileWidth), 32 + (at % tileWidth)));
          assert.deepEqual(tile, { values, width: tileWidth, height: tileHeight });
        }
      });
    }
  });

  /** Colours of an image that ome-zarr.js renders, row by row. */
  const render = (options) =>
    page.run(async ({ support }, options) => {
      const { render } = await import("/viewers/images.js");
      let found;
      const error = await support.rejection(async () => {
        const image = new Image();
        image.src = await render(await globalThis.storeOf(options));
        await image.decode();
        const { width, height } = image;
        const canvas = new OffscreenCanvas(width, height).getContext("2d");
        canvas.drawImage(image, 0, 0);
        found = { width, height, pixels: Array.from(canvas.getImageData(0, 0, width, height).data) };
      });
      return found ?? error;
    }, options);

  describe("ome-zarr.js", () => {
    test("without it the image uneven is not drawn, nor one of OME-Zarr 0.4 in lzma", async () => {
      assert.match((await render({ name: "uneven", isRegular: false })).message, /Cannot read properties of undefined/);
      assert.match((await render({ ...LZMA, isRegular: false })).message, /lzma/);
    });

    for (const { set, name, as, isRegular = true } of [...IMAGES, LZMA, { ...ZSTD, isRegular: false }, ZSTD]) {
      test(`${set ?? "images"}, ${name}${as ? ` as ${as}` : ""}: both channels are drawn in their colours${isRegular ? "" : " without it, too"}`, async () => {
        const { width, height, pixels } = await render({ set, name, as, isRegular });
        const [, rows, columns] = LEVELS[1];
        assert.deepEqual([width, height], [columns, rows]);
        const most = placeAt(0, rows - 1, columns - 1);
        const wrong = [];
        for (let at = 0; at < rows * columns; at++) {
          const level = (255 * placeAt(0, Math.floor(at / columns), at % columns)) / most;
          const [red, green, blue, alpha] = pixels.slice(4 * at, 4 * at + 4);
          if (Math.abs(red - level) > 1 || Math.abs(green - level) > 1 || blue !== 0 || alpha !== 255) wrong.push([at, red, green, blue, alpha]);
        }
        assert.deepEqual(wrong.slice(0, 5), []);
      });
    }
  });

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});
