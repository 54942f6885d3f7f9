/** The explorer's colours of cmocean: that they are cmocean's own. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { siteModule } from "../support/site-modules.mjs";

const { COLOUR_MAPS, colourTable, isDiverging, loadColours } = await siteModule("model/colormap.js");
const wanted = JSON.parse(await readFile(new URL("../support/cmocean.json", import.meta.url), "utf8"));

test("the maps of cmocean are loaded with the first of them, and have its colours, one way and the other", async () => {
  assert.equal(loadColours("turbo"), undefined);
  assert.equal(loadColours("mauve"), undefined);
  await loadColours("thermal-r");
  for (const other of ["deep", "viridis"]) assert.equal(loadColours(other), undefined, "they came with it");
  assert.deepEqual([[...colourTable("viridis").slice(0, 3)], [...colourTable("magma").slice(-3)]], [[0x44, 0x01, 0x54], [0xfc, 0xfd, 0xbf]]);
  const names = Object.keys(wanted);
  assert.equal(names.length, 12);
  for (const name of names) {
    assert.ok(Object.hasOwn(COLOUR_MAPS, name), name);
    const table = colourTable(name);
    const own = wanted[name].match(/../g).map((digits) => parseInt(digits, 16));
    const farthest = Math.max(...own.map((part, i) => Math.abs(part - table[i])));
    assert.ok(farthest <= 3, `${name}: ${farthest} of 255`);
    assert.deepEqual([...colourTable(`${name}-r`).slice(0, 3)], [...table.slice(-3)]);
  }
  assert.deepEqual(names.filter(isDiverging), ["balance", "curl"]);
});
