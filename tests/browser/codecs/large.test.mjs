/** Arrays too large to commit, written by the oracle now and read over HTTP in a page. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";

import { openPage } from "../support/chromium.mjs";
import { ROOT, oracle } from "../support/paths.mjs";

const python = process.env.PYTHON ?? join(ROOT, ".tools/local/venv/bin/python");

describe("large arrays", () => {
  let directory;
  let page;
  let entries;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "rectilinear-large-"));
    await promisify(execFile)(python, [join(ROOT, "tests/oracle/write.py"), directory, "--large"]);
    entries = await oracle("index.json", directory);
    page = await openPage({ "/large": directory });
  });
  after(async () => {
    await page?.close();
    if (directory) await rm(directory, { recursive: true, force: true });
  });

  /** Read the whole array and every selection; the names of those whose checksums differ. */
  async function differing(name) {
    const entry = entries.find((entry) => entry.name === name);
    return page.run(async ({ RectilinearArray, support }, entry) => {
      // The archive fits this cache, the other array does not and pushes its chunks out.
      const array = await RectilinearArray.open(`/large/${entry.path}`, { cacheBytes: 1 << 24 });
      const wrong = [];
      for (const { selection, crc32 } of support.selectionsOf(entry)) {
        const { data } = await array.get(support.toSelection(selection));
        if (support.crc32(support.bytesOf(data, entry.dtype)) !== crc32) wrong.push(selection);
      }
      array.free();
      return wrong;
    }, entry);
  }

  test("the archive: 280 chunks and more, most of them a single day", async () => {
    assert.deepEqual(await differing("large-archive"), []);
  });

  test("64 MB of float32 in 64 chunks", async () => assert.deepEqual(await differing("large-plain"), []));
});
