/** The code that the explorer gives along, run: of differences and channels in Python and in Node, and of Icechunk by icechunk itself. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

import { startExplorer } from "../support/explorer.mjs";
import { NEIGHBOURS, PACKAGE, ROOT } from "../support/paths.mjs";

const python = process.env.PYTHON ?? join(ROOT, ".tools/local/venv/bin/python");
const SETS = join(NEIGHBOURS, "icechunk");
const { versions: [{ history }] } = JSON.parse(await readFile(join(SETS, "index.json"), "utf8")).find(({ repository }) => repository === "v2");
const run = promisify(execFile);

describe("the code that the explorer gives along", () => {
  let directory;
  let explorer;
  let fields; // what numpy has of the fields
  let versions; // what icechunk reads of the repository, by version
  let user;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "rectilinear-code-"));
    explorer = await startExplorer({ "/made": directory, "/sets": SETS });
    for (const script of ["field", "versions"]) await run(python, ["-W", "ignore", join(ROOT, `tests/oracle/${script}.py`), directory, `${explorer.site.url}/made`]);
    fields = JSON.parse(await readFile(join(directory, "expected.json"), "utf8"));
    versions = JSON.parse(await readFile(join(directory, "versions.json"), "utf8"));
  });
  after(async () => {
    await explorer?.close();
    if (directory) await rm(directory, { recursive: true, force: true });
  });
  beforeEach(async () => {
    user = await explorer.page();
    await user.page.evaluateOnNewDocument(() => Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => void (globalThis.copied = text) } }));
  });
  afterEach(() => user.close());

  const press = (label) => user.page.evaluate((text) => [...document.querySelectorAll("#take button")].find((button) => button.textContent === text && button.checkVisibility()).click(), label);
  /** The code of a view, in "Python" or "JavaScript". */
  const codeOf = async (path, language) => {
    await user.show(`url=${explorer.site.url}/${path}`);
    await user.page.$eval("#take details", (details) => (details.open = true));
    await user.waitFor((text) => [...document.querySelectorAll("#take button")].some((button) => button.textContent === text && button.checkVisibility()), language);
    await press(language);
    await user.waitFor(() => globalThis.copied !== undefined);
    return user.page.evaluate(() => globalThis.copied);
  };
  /** Values that a script reads into `view`. It leaves at once, as icechunk's threads may crash a Python that ends by itself. */
  const py = async (code) => {
    const script = `${code}\nimport json\nimport os\nimport numpy as np\nv = np.asarray(view, dtype="float64")\nprint(json.dumps(np.where(np.isnan(v), None, v).tolist()), flush=True)\nos._exit(0)`;
    return JSON.parse((await run(python, ["-W", "ignore", "-c", script])).stdout);
  };
  /** As `py`, of Zarr in a folder here, as reading it by HTTP takes more packages. */
  const pyHere = (code) => py(code.replace(`${explorer.site.url}/made`, directory));
  const js = async (code) => {
    const file = join(directory, "view.mjs");
    await writeFile(file, `${code.replace('"rectilinear-zarr"', JSON.stringify(pathToFileURL(join(PACKAGE, "node.js")).href))}\nconsole.log(JSON.stringify([[...data], shape]));\nprocess.exit();\n`);
    return JSON.parse((await run(process.execPath, [file])).stdout);
  };
  const areNear = (seen, wanted, most, code) => {
    assert.equal(seen.length, wanted.length, code);
    wanted.forEach((v, i) => assert.ok(v === seen[i] || Math.abs(v - seen[i]) <= most, `${seen[i]} is not ${v} in ${code}`));
  };

  test("of a difference, which is exact for large integers too", async () => {
    for (const [view, wanted, most] of [
      ["made/store.zarr/steps/warmth&at=3,1&minus=1,0", fields.difference, 1e-9],
      ["made/store.zarr/steps/large&at=2&minus=0", fields.large, 0],
    ]) {
      const script = await codeOf(view, "Python");
      areNear((await pyHere(script)).flat(), wanted.flat(), most, script);
      const code = await codeOf(view, "JavaScript");
      const [data, shape] = await js(code);
      assert.deepEqual(shape, [wanted.length, wanted[0].length]);
      areNear(data, wanted.flat(), most, code);
    }
    assert.deepEqual(user.problems, []);
  });

  test("of channels, as their colours add up", async () => {
    for (const shown of ["0,1", "0,1,2", "2"]) {
      const wanted = fields.composites[shown].flat();
      const script = await codeOf(`made/image.zarr/0&channels=${shown}`, "Python");
      const seen = await pyHere(script);
      assert.deepEqual([seen.length, seen[0].length], [12, 24]);
      areNear(seen.flat(2), wanted, 1, script); // the page has 256 shades
      const code = await codeOf(`made/image.zarr/0&channels=${shown}`, "JavaScript");
      const [data, shape] = await js(code);
      assert.deepEqual(shape, [12, 24]);
      areNear(data.filter((_, i) => i % 4 < 3), wanted, 1, code);
    }
    assert.deepEqual(user.problems, []);
  });

  test("of a repository at a branch, a tag and a snapshot, with icechunk and xarray", async () => {
    const { main, two } = versions;
    for (const [more, wanted, version] of [
      ["&at=2", main.warmth[2], 'branch="main"'],
      ["&tag=two&at=1&axes=2,1", two.warmth[1][0].map((_, c) => two.warmth[1].map((row) => row[c])), 'tag="two"'],
      ["&at=2&minus=0", main.warmth[2].map((row, r) => row.map((v, c) => v - main.warmth[0][r][c])), 'branch="main"'],
    ]) {
      const script = await codeOf(`made/image.icechunk/steps/warmth${more}`, "Python");
      assert.match(script, /^import icechunk\nimport xarray as xr\n/);
      assert.ok(script.includes(`readonly_session(${version})`), script);
      areNear((await py(script)).flat(), wanted.flat(), 1e-9, script);
    }
    const values = await readFile(join(SETS, "v2-3-t2m.bin")); // of the snapshot, in chunks of unequal lengths, beside an array without names of dimensions
    const script = await codeOf(`sets/v2/t2m&branch=main&snapshot=${history[1].id}&at=60`, "Python");
    assert.ok(script.includes(`snapshot_id="${history[1].id}"`) && script.startsWith("import icechunk\nimport zarr\n"), script);
    areNear((await py(script)).flat(), Array.from({ length: 24 }, (_, i) => values.readInt16LE((60 * 24 + i) * 2)), 0, script);
    assert.deepEqual(user.problems, []);
  });

  test("of a repository whose chunks lie in another file", async () => {
    const script = await codeOf("made/virtual.icechunk/n", "Python");
    assert.match(script, /authorize_virtual_chunk_access/);
    assert.deepEqual((await py(script)).flat(), Array.from({ length: 24 }, (_, i) => i), script);
    assert.deepEqual(user.problems, []);
  });
});
