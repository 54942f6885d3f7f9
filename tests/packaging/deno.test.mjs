/** The installed package in Deno, over HTTP. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";

import { ROOT } from "../browser/support/paths.mjs";
import { installed } from "../browser/support/project.mjs";
import { files, listen } from "../browser/support/server.mjs";
import { ARRAY, expected } from "./support.mjs";

const run = promisify(execFile);
const DENO = join(ROOT, "tests/node_modules/.bin/deno");

const SCRIPT = `import { RectilinearArray, slice } from "rectilinear-zarr";
  const array = await RectilinearArray.open(Deno.args[0]);
  const { data } = await array.get([slice(30, 61), null, 5]);
  console.log(JSON.stringify([...data]));`;

describe("in Deno", () => {
  let project;
  let site;
  before(async () => {
    [project, site] = await Promise.all([installed({ "user.js": SCRIPT }), listen(files(dirname(ARRAY)))]);
  });
  after(() => Promise.all([project?.remove(), site?.close()]));

  test("reads what zarr-python wrote", async () => {
    const url = `${site.url}${ARRAY.slice(dirname(ARRAY).length)}`;
    const args = ["run", "--no-prompt", "--allow-net", "--allow-read", "--cached-only", "user.js", url];
    const { stdout } = await run(DENO, args, { cwd: project.directory, timeout: 60_000 });
    assert.deepEqual(JSON.parse(stdout), await expected());
  });
});
