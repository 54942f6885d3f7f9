/** Lists of the explorer as tables: what other arrays have for the items of a list. */

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { startExplorer } from "../support/explorer.mjs";

const SIZE = 450; // of which 200 are listed at a time
const CHUNK = 100;
const NAMES = Array.from({ length: SIZE }, (_, i) => `station ${i}`);
const heightOf = (i) => (i === 3 ? -9999 : i * 2 - 30);

/** Texts as vlen-utf8 stores them. */
function vlen(texts) {
  const parts = texts.flatMap((text) => {
    const bytes = Buffer.from(text);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(bytes.length);
    return [length, bytes];
  });
  const count = Buffer.alloc(4);
  count.writeUInt32LE(texts.length);
  return Buffer.concat([count, ...parts]);
}

const asked = [];

/** A store of stations, their heights, and arrays that do not lie along them. */
function stations(request, response) {
  const array = (data_type, shape, chunk_shape, dimension_names, codecs, fill_value, attributes = {}) => ({
    zarr_format: 3, node_type: "array", data_type, shape, dimension_names, attributes, fill_value, codecs,
    chunk_grid: { name: "regular", configuration: { chunk_shape } }, chunk_key_encoding: { name: "default" },
  });
  const plain = [{ name: "bytes", configuration: { endian: "little" } }];
  const metadata = {
    height: array("int32", [SIZE], [CHUNK], ["station"], plain, 0, { units: "m", _FillValue: -9999 }),
    other: array("int32", [SIZE], [CHUNK], ["platform"], plain, 0),
    station: array("string", [SIZE], [CHUNK], ["station"], [{ name: "vlen-utf8" }], ""),
    table: array("int32", [SIZE, 2], [CHUNK, 2], ["station", "k"], plain, 0),
  };
  const path = request.url.slice(1);
  const own = metadata[path.replace(/\/zarr\.json$/, "")];
  if (own) return response.end(JSON.stringify(own));
  if (path === "zarr.json") return response.end(JSON.stringify({ zarr_format: 3, node_type: "group", attributes: {}, consolidated_metadata: { kind: "inline", must_understand: false, metadata } }));
  const [, name, nth] = /^(station|height)\/c\/(\d)$/.exec(path) ?? [];
  if (!name) return response.writeHead(404).end();
  asked.push(path);
  const from = nth * CHUNK;
  if (name === "station") return response.end(vlen(NAMES.slice(from, from + CHUNK).concat(Array(Math.max(0, from + CHUNK - SIZE)).fill(""))));
  return response.end(Buffer.from(Int32Array.from({ length: CHUNK }, (_, i) => heightOf(from + i)).buffer));
}

describe("lists as tables", () => {
  let explorer;
  let user;
  before(async () => (explorer = await startExplorer({ "/stations.zarr": stations }, { keeps: false })));
  after(() => explorer?.close());
  beforeEach(async () => (user = await explorer.page()));
  afterEach(() => user.close());

  const cells = async () => (await user.texts(".listing td")).slice(0, 10);
  const filled = () => user.waitFor(() => document.querySelectorAll(".listing tr:nth-child(1) td").length === 2 && ![...document.querySelectorAll(".listing td")].some((cell) => cell.textContent === "…"));
  const hash = () => user.page.evaluate(() => location.hash);

  test("arrays along the same axis stand beside a list, with its pages, as a link says", async () => {
    await user.show(`url=${explorer.site.url}/stations.zarr/station`);
    await user.page.waitForSelector(".columns label");
    assert.deepEqual(await user.texts(".columns label"), ["height"]);
    assert.deepEqual(asked.filter((path) => path.startsWith("height")), [], "what nobody asked for is not read");
    await user.page.click(".columns input");
    await filled();
    assert.deepEqual(await cells(), ["station 0", "−30 m", "station 1", "−28 m", "station 2", "−26 m", "station 3", "no data", "station 4", "−22 m"]);
    assert.deepEqual(asked.filter((path) => path.startsWith("height")), ["height/c/0", "height/c/1"], "of a page its chunks alone");
    assert.equal(await user.page.evaluate(() => document.activeElement.matches(".columns input")), true, "the keyboard stays where it was");
    await user.waitFor(() => location.hash.includes("columns=height"));
    await user.page.evaluate(() => [...document.querySelectorAll(".pages button")].find(({ textContent }) => textContent === "After").click());
    await user.says(".listing td", /station 200/);
    await filled();
    assert.deepEqual((await cells()).slice(0, 2), ["station 200", "370 m"]);
    await user.show((await hash()).slice(1));
    await filled();
    await user.page.click(".columns input");
    await user.waitFor(() => document.querySelectorAll(".listing tbody tr:nth-child(1) td").length === 1 && !location.hash.includes("columns"));
    assert.deepEqual(user.problems, []);
  });
});
