/** Through bundlers as they come: no plugin for the package, no configuration, no init(). */

import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { nodeResolve } from "@rollup/plugin-node-resolve";
import { rollup } from "@rollup/wasm-node";
import * as esbuild from "esbuild";
import * as vite from "vite";

import { atOnce, inAll } from "../../.tools/downloads.mjs";
import { launch } from "../browser/support/chromium.mjs";
import { PACKAGE, ROOT } from "../browser/support/paths.mjs";
import { installed } from "../browser/support/project.mjs";
import { files, listen } from "../browser/support/server.mjs";
import { ARRAY, flip, customReader, levelsReader, page, reader, reads, workerFile, workingReader } from "./support.mjs";

const webpack = createRequire(import.meta.url)("webpack");

const FILES = {
  "index.html": page("/main.js"),
  "main.js": reader(),
  "inline.js": reader("rectilinear-zarr/inline"),
  "levels.html": page("/levels.js"),
  "levels.js": levelsReader(),
  "inline-levels.js": levelsReader("rectilinear-zarr/inline"),
  "flip.js": flip,
  "custom.html": page("/custom.js"),
  "custom.js": customReader,
  "my-worker.js": workerFile,
  "workers.html": page("/workers.js"),
  "workers.js": workingReader,
};

describe("through bundlers", () => {
  let project;
  let browser;
  before(async () => {
    [project, browser] = await Promise.all([installed(FILES), launch({ patience: 180_000 })]);
    await project.copy(ARRAY, "public/data.zarr");
  });
  after(() => Promise.all([browser?.close(), project?.remove()]));

  /** Serve what a bundler wrote, as any static host does, and have it read. */
  async function hosted(name, bundle) {
    const directory = join(project.directory, name);
    await mkdir(directory, { recursive: true });
    await bundle(directory);
    await writeFile(join(directory, "index.html"), page("/main.js"));
    await project.copy(ARRAY, `${name}/data.zarr`);
    const site = await listen(files(directory));
    try {
      await reads(browser, `${site.url}/index.html`);
    } finally {
      await site.close();
    }
  }

  /** Vite's own configuration: quiet, and on a port of its choosing. */
  const quiet = () => ({
    root: project.directory,
    configFile: false,
    logLevel: "error",
    server: { host: "127.0.0.1", port: 0 },
    preview: { host: "127.0.0.1", port: 0 },
  });

  const ALL = ["index.html", "workers.html", "custom.html", "levels.html"];

  async function served(server, names = ALL, allowed = undefined) {
    try {
      for (const name of names) {
        await reads(browser, `http://127.0.0.1:${server.httpServer.address().port}/${name}`, allowed);
      }
    } finally {
      await server.close();
    }
  }

  test("Vite, built", async () => {
    const input = ["index.html", "workers.html", "custom.html", "levels.html"].map((name) => join(project.directory, name));
    await vite.build({ ...quiet(), build: { rolldownOptions: { input } } });
    await served(await vite.preview(quiet()));
  });

  test("Vite's development server", async () => {
    const server = await vite.createServer(quiet());
    await served(await server.listen());
  });

  // Vite up to 7 builds workers as scripts that cannot be split, unless it is told otherwise, as start.md says.
  for (const version of ["vite5", "vite6", "vite7"]) test(`built by ${version}, with its workers as modules`, async () => {
    const { build, preview } = await import(version);
    const input = ["index.html", "workers.html", "custom.html", "levels.html"].map((name) => join(project.directory, name));
    const outDir = `built-${version}`;
    const config = { ...quiet(), worker: { format: "es" }, build: { outDir, rollupOptions: { input }, target: "es2022" } };
    await assert.rejects(build({ ...config, worker: {} }), /"iife".*code-splitting/);
    await build(config);
    await served(await preview(config));
  });

  // Vite up to 7 copies a package's JavaScript to a folder of its own, and leaves the other files where they are.
  for (const version of ["vite5", "vite6", "vite7"]) test(`the development server of ${version}`, async () => {
    const { createServer } = await import(version);
    const server = await createServer({ ...quiet(), cacheDir: `node_modules/.${version}` });
    await served(await server.listen());
  });

  // As npm links a package of a folder, which lies outside of what Vite serves.
  for (const version of ["vite5", "vite6", "vite7", "vite"]) test(`the development server of ${version}, with the package linked`, async () => {
    const root = await mkdtemp(join(tmpdir(), "linked-"));
    try {
      await mkdir(join(root, "node_modules"));
      await symlink(PACKAGE, join(root, "node_modules/rectilinear-zarr"));
      await writeFile(join(root, "package.json"), "{}");
      for (const name of ["index.html", "main.js"]) await writeFile(join(root, name), FILES[name]);
      await cp(ARRAY, join(root, "public/data.zarr"), { recursive: true });
      const { createServer } = await import(version);
      const server = await createServer({ ...quiet(), root });
      const complaints = /403 \(Forbidden\)/;
      await served(await server.listen(), ["index.html"], complaints);
    } finally {
      await rm(root, { recursive: true });
    }
  });

  for (const entry of ["./main.js", "./workers.js", "./custom.js", "./levels.js"]) test(`webpack 5, ${entry}`, () =>
    hosted(`webpack-${entry.slice(2)}`, async (directory) => {
      const compiler = webpack({
        mode: "production",
        context: project.directory,
        entry,
        output: { path: directory, filename: "main.js" },
        performance: false,
      });
      await new Promise((done, failed) =>
        compiler.run((error, stats) => {
          const problem = error ?? (stats.hasErrors() || stats.hasWarnings() ? stats.toString("errors-warnings") : undefined);
          if (problem) failed(new Error(String(problem)));
          else compiler.close(done);
        }),
      );
    }));

  // esbuild and Rollup leave `new URL("x.wasm", import.meta.url)` as it is: the file is copied beside the bundle, or inlined.
  const bundle = (entry, directory) =>
    esbuild.build({
      absWorkingDir: project.directory,
      entryPoints: { main: entry },
      outdir: directory,
      bundle: true,
      minify: true,
      format: "esm",
      target: "es2022",
      logLevel: "silent",
    });
  const copied = (directory) => {
    const names = ["", "_calls", "_codecs", "_grids", "_opening", "_pcodec"].map((part) => `rectilinear_zarr${part}_bg.wasm`);
    return Promise.all(names.map((name) => cp(join(project.directory, "node_modules/rectilinear-zarr", name), join(directory, name))));
  };

  test("esbuild, with the module copied beside the bundle", () =>
    hosted("esbuild", (directory) => Promise.all([bundle("main.js", directory), copied(directory)])));

  test("esbuild, with the module inline", () => hosted("esbuild-inline", (directory) => bundle("inline.js", directory)));

  test("esbuild, levels with the module copied", () =>
    hosted("esbuild-levels", (directory) => Promise.all([bundle("levels.js", directory), copied(directory)])));

  test("esbuild, levels with the module inline", () => hosted("esbuild-inline-levels", (directory) => bundle("inline-levels.js", directory)));

  const rolled = async (entry, directory) => {
    const built = await rollup({ input: join(project.directory, entry), plugins: [nodeResolve({ browser: true })], logLevel: "silent" });
    await built.write({ dir: directory, format: "es", entryFileNames: "main.js" });
    await built.close();
  };

  test("Rollup, with the module copied beside the bundle", () =>
    hosted("rollup", (directory) => Promise.all([rolled("main.js", directory), copied(directory)])));

  test("Rollup, with the module inline", () => hosted("rollup-inline", (directory) => rolled("inline.js", directory)));

  /** Names of the files that the page Start lists for workers. */
  async function listed() {
    const found = /also copy (.+?)\.\n\n/s.exec(await readFile(join(ROOT, "www/docs/start.md"), "utf8"));
    assert.ok(found, "start.md lists the files to copy for workers");
    return [...found[1].matchAll(/`([^`]+)`/g)].map(([, name]) => name);
  }

  test("start.md lists all files that a worker loads", async () => {
    const from = pathToFileURL(`${PACKAGE}/`);
    assert.deepEqual((await listed()).toSorted(), [...new Set([...atOnce(from, "decode-worker.js"), ...inAll(from, "decode-worker.js")])].sort());
  });

  for (const [name, bundled] of [["esbuild", bundle], ["Rollup", rolled]]) test(`${name}, with a worker's files copied as start.md lists them`, () =>
    hosted(`${name}-workers`, async (directory) => {
      await Promise.all([bundled("workers.js", directory), copied(directory)]);
      for (const file of await listed()) await cp(join(project.directory, "node_modules/rectilinear-zarr", file), join(directory, file));
    }));
});
