/** The examples of the README and the documentation, run on the demo's own data: none throws, and each gives what the page says. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { snippets } from "../../types/snippets.mjs";
import { launchDrawing, PATIENCE } from "../support/chromium.mjs";
import { parse } from "../support/expected.mjs";
import { PACKAGE, ROOT, SUPPORT, ZIP_JS } from "../support/paths.mjs";
import { files, IMPORTS, listen } from "../support/server.mjs";
import { checkedLines, moduleOf } from "../support/snippets.mjs";

/** The page of an example: the addresses of the embedded data are those that the explorer's page has. */
const PAGE = `<!doctype html>
<meta charset="utf-8">
<link rel="icon" href="data:,">
<title>example</title>
<script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script>
<canvas width="360" height="180"></canvas>
<div id="map" style="width: 512px; height: 512px"></div>
`;

/** The Service Worker of the examples, beside the page. */
const WORKER = 'import "/pkg/service-worker.js";';

const all = await snippets();
const running = all.filter(({ runs }) => runs);

test("values are compared with what pages write", () => {
  const found = { data: new Int16Array([3, -1, 2]), shape: [3], label: "2024-02", time: 31n, nothing: undefined };
  for (const text of ['{ data: [3, -1, 2], shape: [3], label: "2024-02", time: 31n }', "{ data: Int16Array [3, …], … }", '{ "label": "2024…", … }']) {
    assert.ok(parse(text)(found), text);
  }
  for (const text of ["{ data: [3, -1, 2], … , label: 2024 }", "{ data: [3, -1, 2, …], … }", "{ data: Int32Array, … }", "{ shape: [3] }", "{ time: 31, … }"]) {
    assert.throws(() => assert.ok(parse(text)(found)), text);
  }
  assert.ok(parse("3.14…")(Math.PI) && !parse("3.15…")(Math.PI) && parse("[NaN, null, true]")([NaN, null, true]));
});

test("the page of viewers names the versions that are tested", async () => {
  const [page, manifest] = await Promise.all(["www/docs/viewers.md", "tests/package.json"].map((path) => readFile(join(ROOT, path), "utf8")));
  const { devDependencies } = JSON.parse(manifest);
  for (const name of ["zarrita", "@carbonplan/zarr-layer", "maplibre-gl", "ol", "@deck.gl/layers"]) {
    const row = page.split("\n").find((line) => new RegExp(`^\\| (?:.* )?${name}[ ,]`).test(line));
    assert.ok(row?.split(" | ")[1].includes(devDependencies[name]), `${name} ${devDependencies[name]}`);
  }
});

describe("the pages' examples", () => {
  let script;
  let site;
  let browser;

  before(async () => {
    const mounts = Object.entries({ "/pkg": PACKAGE, "/support": SUPPORT, "/zip.js": ZIP_JS }).map(([prefix, directory]) => [prefix, files(directory)]);
    const dist = files(join(ROOT, "www/dist"));
    site = await listen((request, response) => {
      const { pathname } = new URL(request.url, "http://x");
      const [type, text] = { "/example.html": ["html", PAGE], "/example.js": ["javascript", script], "/sw.js": ["javascript", WORKER] }[pathname] ?? [];
      if (type) return response.writeHead(200, { "Content-Type": `text/${type}` }).end(text);
      const [prefix, handle] = mounts.find(([start]) => request.url.startsWith(`${start}/`)) ?? ["", dist];
      request.url = request.url.slice(prefix.length);
      handle(request, response);
    });
    browser = await launchDrawing({ watches: false });
    console.log(`${all.length} examples compiled, ${running.length} run, ${all.filter(({ runs }) => !runs).length} marked no-run`);
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });

  test("are marked no-run only where they read nothing of the embedded data", () => {
    const marked = all.filter(({ runs, code }) => !runs && /\bdata\//.test(code));
    assert.deepEqual(marked.map(({ page, line }) => `${page}:${line}`), []);
  });

  for (const snippet of running) {
    test(`${snippet.page}:${snippet.line}`, async () => {
      script = await moduleOf(snippet);
      const context = await browser.createBrowserContext(); // with workers and caches of its own
      try {
        const page = await context.newPage();
        const problems = [];
        page.on("pageerror", (error) => problems.push(String(error)));
        await page.goto(`${site.url}/example.html`);
        const checked = await page.evaluate(
          async (patience) => {
            globalThis.checked = [];
            const late = new Promise((_, fail) => setTimeout(() => fail(new Error("the example does not end")), patience));
            await Promise.race([import("/example.js"), late]);
            await new Promise((done) => setTimeout(done, 50)); // rejections that nothing handles are told of after the turn
            return globalThis.checked;
          },
          PATIENCE - 5000,
        );
        assert.deepEqual([...problems, ...checked.flatMap(({ problem }) => problem ?? [])], []);
        const reached = new Set(checked.map(({ line }) => line));
        assert.deepEqual(checkedLines(snippet).filter((line) => !reached.has(line)), [], "lines whose value nothing compared");
      } finally {
        await context.close();
      }
    });
  }
});
