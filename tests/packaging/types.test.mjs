/** The types of the package as npm installs it from its own tarball: every entry, every resolution, no library skipped. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { publint } from "publint";

import { ROOT } from "../browser/support/paths.mjs";
import { installed } from "../browser/support/project.mjs";

const run = promisify(execFile);
const BIN = join(ROOT, "tests/node_modules/.bin");

/** A user's module: every entry, and types that are right and wrong on purpose. */
const USER = `import { type Region, Group, RectilinearArray, slice } from "rectilinear-zarr";
  import * as inline from "rectilinear-zarr/inline";
  import { asRegularStore, fetchHandler, toZarrita } from "rectilinear-zarr/adapters";
  import { healpix } from "rectilinear-zarr/healpix";
  import { Levels } from "rectilinear-zarr/levels";
  import { directoryStore, zipStore } from "rectilinear-zarr/stores";
  import { ragged, sparse, table } from "rectilinear-zarr/sparse";
  import { codecs, decoder } from "rectilinear-zarr/worker";
  import "rectilinear-zarr/service-worker.js";

  export const entries = [inline.RectilinearArray, asRegularStore, fetchHandler, toZarrita, healpix, Levels, directoryStore, zipStore, ragged, sparse, table, codecs, decoder];
  export async function read(): Promise<Region> {
    const group = await Group.open("https://host/run.zarr");
    const array: RectilinearArray = await group.array("t2m");
    const { data } = await array.get(null, { as: "float32" });
    const floats: Float32Array = data;
    console.log(floats.length, array.shape, array.chunkGrid.runs(0)[0]?.edge);
    // @ts-expect-error a selection is no text, which shows that the types are found
    await array.get("t2m");
    return array.get([slice(0, 3)]);
  }
`;

/** The compilers: the newest one, and the last one that was JavaScript. */
const COMPILERS = { "TypeScript 7": join(BIN, "tsc"), "TypeScript 5": join(ROOT, "tests/node_modules/typescript-5/bin/tsc") };

/** Module settings of users: bundlers, and Node's two. */
const MODULES = [
  { module: "esnext", moduleResolution: "bundler" },
  { module: "node16", moduleResolution: "node16" },
  { module: "nodenext", moduleResolution: "nodenext" },
];

const configuration = (options) =>
  JSON.stringify({
    compilerOptions: {
      ...options,
      target: "es2022",
      lib: ["es2022", "dom", "dom.iterable"],
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      types: [],
      noEmit: true,
    },
    files: ["user.ts"],
  });

describe("the installed package's types", () => {
  let project;
  let tarball;
  before(async () => {
    const configurations = MODULES.map((options) => [`${options.moduleResolution}.json`, configuration(options)]);
    project = await installed({ "user.ts": USER, ...Object.fromEntries(configurations) });
    const manifest = JSON.parse(await readFile(join(project.directory, "package.json"), "utf8"));
    tarball = join(project.directory, manifest.dependencies["rectilinear-zarr"].slice("file:".length));
  });
  after(() => project?.remove());

  for (const [name, program] of Object.entries(COMPILERS)) {
    for (const { moduleResolution } of MODULES) {
      test(`${name} compiles a user's module by ${moduleResolution}`, async () => {
        await run(process.execPath, [program, "--project", `${moduleResolution}.json`], { cwd: project.directory }).catch(({ stdout }) =>
          assert.fail(stdout),
        );
      });
    }
  }

  test("publint finds nothing in the tarball", async () => {
    const bytes = await readFile(tarball);
    const { messages } = await publint({ pack: { tarball: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) }, strict: true });
    assert.deepEqual(messages, []);
  });

  test("are-the-types-wrong finds nothing in the tarball", async () => {
    const { exports } = JSON.parse(await readFile(join(project.directory, "node_modules/rectilinear-zarr/package.json"), "utf8"));
    // CommonJS is not offered, and what is not JavaScript has no types.
    const modules = Object.keys(exports).filter((entry) => entry.endsWith(".wasm"));
    const args = [tarball, "--profile", "esm-only", "--exclude-entrypoints", ...modules.map((entry) => entry.slice(2))];
    await run(join(BIN, "attw"), args).catch(({ stdout }) => assert.fail(stdout));
  });
});
