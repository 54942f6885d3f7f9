/** The adapters in a user's project: Service Workers, and a handler in Node that opens what it needs. */

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
const through = (worker) => `const { serviceWorker } = navigator;
    const controlled = new Promise((done) => serviceWorker.addEventListener("controllerchange", done));
    await serviceWorker.register("${worker}", { type: "module" });
    if (!serviceWorker.controller) await controlled;
    const { chunk_grid } = await (await fetch("/data.zarr/zarr.json")).json();
    if (chunk_grid.name !== "regular") throw new Error(chunk_grid.name);
    ${reader().replace(/^import .*\n/, 'const { RectilinearArray, slice } = await import("rectilinear-zarr");\n')}`;

const FILES = {
  "index.html": page("/main.js"),
  "main.js": through("/sw.js?source=/data.zarr"),
  "own.html": page("/own.js"),
  "own.js": through("/own-worker.js"),
  "own-worker.js": `import { RectilinearArray } from "rectilinear-zarr";
    import { fetchHandler } from "rectilinear-zarr/adapters";
    const base = new URL("/data.zarr/", location.href);
    const handle = fetchHandler(() => RectilinearArray.open(base), { base });
    addEventListener("install", () => skipWaiting());
    addEventListener("activate", (event) => event.waitUntil(clients.claim()));
    addEventListener("fetch", (event) => event.request.url.startsWith(base.href) && event.respondWith(handle(event.request)));`,
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
    [project, browser] = await Promise.all([installed(FILES), launch({ patience: 180_000 })]);
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

  for (const [about, html, worker] of [["of one line", "index.html", "sw.js"], ["of one's own", "own.html", "own-worker.js"]]) {
    test(`Vite builds a Service Worker ${about}`, async () => {
      const root = project.directory;
      const output = { entryFileNames: ({ name }) => (worker === `${name}.js` ? worker : "assets/[name]-[hash].js") };
      const rollupOptions = { input: [join(root, html), join(root, worker)], output };
      await vite.build({ root, configFile: false, logLevel: "error", build: { target: "es2022", outDir: `built-${worker}`, rollupOptions } });
      await hosted(`built-${worker}`, (url) => reads(browser, `${url}/${html}`));
    });
  }

  test("in Node a handler opens a URL by itself", () =>
    hosted("node", async (url) => {
      const { stdout } = await run(process.execPath, ["handle.mjs", `${url}/data.zarr`], { cwd: project.directory });
      assert.equal(stdout, "200 regular\n");
    }));
});
