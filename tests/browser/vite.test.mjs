/** Under Vite, built and in development: no plugin, no configuration, no init(). */

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { build, createServer, preview } from "vite";

import { launch } from "./support/chromium.mjs";
import { FIXTURES, oracle } from "./support/paths.mjs";
import { installed } from "./support/project.mjs";

const entry = (await oracle("index.json")).find(({ name }) => name === "pattern-months");

const FILES = {
  "index.html": `<!doctype html><link rel="icon" href="data:,"><script type="module" src="/main.js"></script>`,
  "main.js": `import { RectilinearArray, slice } from "rectilinear-zarr";
    RectilinearArray.open(new URL("/data.zarr", location.href))
      .then(async (array) => (await array.get([slice(30, 61), null, 5])).data)
      .then((data) => (document.body.dataset.read = JSON.stringify([...data])))
      .catch((error) => (document.body.dataset.read = String(error.stack ?? error)));`,
};

describe("under Vite", () => {
  let project;
  let browser;
  let expected;
  before(async () => {
    [project, browser] = await Promise.all([installed(FILES), launch()]);
    await project.copy(join(FIXTURES, entry.path), "public/data.zarr");
    const { readFile } = await import("node:fs/promises");
    const bytes = await readFile(join(FIXTURES, entry.expected));
    const whole = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
    expected = [...whole].filter((_, i) => i % 6 === 5 && i >= 30 * 24 && i < 61 * 24);
  });
  after(() => Promise.all([browser?.close(), project?.remove()]));

  /** Vite's own configuration: quiet, and on a port of its choosing. */
  const config = () => ({
    root: project.directory,
    configFile: false,
    logLevel: "error",
    server: { host: "127.0.0.1", port: 0 },
    preview: { host: "127.0.0.1", port: 0 },
  });

  async function reads(server) {
    const { port } = server.httpServer.address();
    const page = await browser.newPage();
    const errors = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    try {
      await page.goto(`http://127.0.0.1:${port}/`);
      await page.waitForFunction("document.body?.dataset.read", { timeout: 30_000 }).catch((error) => errors.push(String(error)));
      const read = await page.evaluate("document.body.dataset.read");
      assert.deepEqual(errors, []);
      assert.deepEqual(JSON.parse(read), expected);
    } finally {
      await page.close();
      await server.close();
    }
  }

  test("vite build, then preview", async () => {
    await build(config());
    await reads(await preview(config()));
  });

  test("the development server", async () => {
    const server = await createServer(config());
    await reads(await server.listen());
  });
});
