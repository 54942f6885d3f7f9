/** The installed package in Node: a plain import, a store on the disk, and HTTP. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";

import { FIXTURES, SUPPORT, oracle } from "../support/paths.mjs";
import { installed } from "../support/project.mjs";
import { startSite } from "../support/server.mjs";

const run = promisify(execFile);
const entries = await oracle("index.json");

describe("in Node", () => {
  let project;
  let site;
  before(async () => {
    const script = await readFile(join(SUPPORT, "node-user.mjs"), "utf8");
    [project, site] = await Promise.all([installed({ "user.mjs": script }), startSite()]);
  });
  after(() => Promise.all([project?.remove(), site?.close()]));

  async function equalsOracle(...address) {
    const { stdout, stderr } = await run(process.execPath, ["user.mjs", FIXTURES, SUPPORT, ...address], {
      cwd: project.directory,
      maxBuffer: 1 << 26,
    });
    const found = JSON.parse(stdout);
    assert.equal(Object.keys(found).length, entries.length);
    assert.deepEqual(Object.entries(found).filter(([, failures]) => failures.length > 0), []);
    assert.equal(stderr, "");
  }

  test("every array from the disk through a store", () => equalsOracle());
  test("every array over HTTP", () => equalsOracle(`${site.url}/data`));

  test("the process ends by itself", async () => {
    const script = `import { RectilinearArray } from "rectilinear-zarr";
      const array = await RectilinearArray.open(process.argv[1]);
      console.log((await array.get([1, 2])).data[0]);`;
    const { stdout } = await run(
      process.execPath,
      ["--input-type=module", "-e", script, `${site.url}/data/rectilinear-lists.zarr`],
      { cwd: project.directory, timeout: 60_000 },
    );
    assert.equal(stdout.trim(), "25");
  });
});
