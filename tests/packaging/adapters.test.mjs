/** The adapters in a user's project: a Service Worker of one line, and a handler in Node that opens what it needs. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import * as vite from "vite";

import { launch } from "../browser/support/chromium.mjs";
import { installed } from "../browser/support/project.mjs";
import { files, listen } from "../browser/support/server.mjs";
import { ARRAY, page, reader, reads } from "./support.mjs";

const run = promisify(execFile);

/** A page that reads once its worker answers: and not what lies there, but the same in even chunks. */
const FILES = {
  "index.html": page("/main.js"),
  "main.js": `const { serviceWorker } = navigator;
    const controlled = new Promise((done) => serviceWorker.addEventListener("controllerchange", done));
    await serviceWorker.register("/sw.js?source=/data.zarr", { type: "module" });
    if (!serviceWorker.controller) await controlled;
    const { chunk_grid } = await (await fetch("/data.zarr/zarr.json")).json();
    if (chunk_grid.name !== "regular") throw new Error(chunk_grid.name);
    ${reader().replace(/^import .*\n/, 'const { RectilinearArray, slice } = await import("rectilinear-zarr");\n')}`,
  "sw.js": `import "rectilinear-zarr/service-worker.js";`,
  "handle.mjs": `import { fetchHandler } from "rectilinear-zarr/adapters";
    const url = process.argv[2];
    const response = await fetchHandler(url)(new Request(url + "/zarr.json"));
    console.log(response.status, (await response.json()).chunk_grid.name);`,
};

describe("the adapters in a project", () => {
  let project;
  let browser;
  before(async () => {
    [project, browser] = await Promise.all([installed(FILES), launch()]);
  });
  after(() => Promise.all([browser?.close(), project?.remove()]));

  async function hosted(directory, use) {
    await project.copy(ARRAY, `${directory}/data.zarr`);
    const site = await listen(files(join(project.directory, directory)));
    try {
      await use(site.url);
    } finally {
      await site.close();
    }
  }

  test("Vite builds a Service Worker of one line", async () => {
    const root = project.directory;
    const input = [join(root, "index.html"), join(root, "sw.js")];
    const output = { entryFileNames: ({ name }) => (name === "sw" ? "sw.js" : "assets/[name]-[hash].js") };
    await vite.build({ root, configFile: false, logLevel: "error", build: { target: "es2022", rollupOptions: { input, output } } });
    await hosted("dist", (url) => reads(browser, `${url}/index.html`));
  });

  test("in Node a handler opens a URL by itself", () =>
    hosted("node", async (url) => {
      const { stdout } = await run(process.execPath, ["handle.mjs", `${url}/data.zarr`], { cwd: project.directory });
      assert.equal(stdout, "200 regular\n");
    }));
});
