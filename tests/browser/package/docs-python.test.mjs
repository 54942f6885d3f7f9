/** The Python of the page on writing: it runs with the oracle's zarr-python, and the package reads what it wrote, as the page says. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";

import { Group, RectilinearArray } from "../../../pkg/node.js";

import { ROOT } from "../support/paths.mjs";

const run = promisify(execFile);
const PYTHON = join(ROOT, process.env.PYTHON ?? ".tools/local/venv/bin/python");

const page = await readFile(join(ROOT, "www/docs/writing.md"), "utf8");
const blocks = [...page.matchAll(/^```python\n(.*?)^```/gms)].map(([, code]) => code);

/** A store of the keys in a folder. */
const folder = (root) => ({ get: (key) => readFile(join(root, key)).catch(() => undefined) });

describe("the page on writing", () => {
  let directory;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "writing-"));
    for (const code of blocks) await run(PYTHON, ["-c", code], { cwd: directory });
  });
  after(() => rm(directory, { recursive: true, force: true }));

  test("has two programs", () => assert.equal(blocks.length, 2));

  test("writes chunks of the months' lengths", async () => {
    const t2m = await RectilinearArray.open(folder(join(directory, "run.zarr")), { path: "t2m" });
    const [, months] = /writeChunkSizes\[0\]; \/\/ => (.*)/.exec(page);
    assert.deepEqual(t2m.writeChunkSizes[0], JSON.parse(months));
    assert.equal(t2m.chunkGrid.isRegular, false);
    const february = await t2m.getChunk([1, 0, 0]);
    assert.deepEqual(february.shape, [29, 4, 8]);
    assert.equal(february.data[0], 31);
  });

  test("writes what xarray and the package read by label", async () => {
    const t2m = await (await Group.open(folder(join(directory, "quarter.zarr")))).array("t2m");
    const { data, shape } = await t2m.sel({ time: "2024-02" }, { decode: "cf" });
    assert.deepEqual(shape, [29, 2]);
    assert.equal(data[0], 31);
  });
});
