/** The documented ways to host the explorer: GitHub Pages and S3, by their documented commands, on hosts that answer as they do. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { promisify } from "node:util";

import { launch } from "../support/chromium.mjs";
import { startBucket, startPages } from "../support/hosts.mjs";
import { ROOT } from "../support/paths.mjs";

const run = promisify(execFile);
const python = resolve(ROOT, process.env.PYTHON ?? ".tools/local/venv/bin/python");
const page = await readFile(join(ROOT, "www/docs/publishing.md"), "utf8");
/** Commands of the documentation: those of a step of a workflow, and those for a shell. */
const pagesStep = /- run: make site && (.*)/.exec(page)?.[1] ?? assert.fail("the page has a step for GitHub Pages");
const awsCommands = /```sh\n(cd www\/dist\naws [^]*?)```/.exec(page)?.[1] ?? assert.fail("the page has commands for S3");
const PATIENCE = { timeout: 60_000 };

describe("hosting by the documentation", () => {
  let browser;
  let home;

  before(async () => (browser = await launch()));
  after(() => browser?.close());
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), "rectilinear-zarr-hosting-"));
    await cp(join(ROOT, "www/dist"), join(home, "www/dist"), { recursive: true });
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  /** Opens an address, then the sharded hours by a link of that page; gives the answers to what the pages asked for. */
  async function visit(url) {
    const context = await browser.createBrowserContext();
    const tab = await context.newPage();
    const problems = [];
    const answers = [];
    tab.on("pageerror", (error) => problems.push(String(error)));
    tab.on("console", (message) => ["error", "warning"].includes(message.type()) && problems.push(message.text()));
    tab.on("response", (response) => answers.push({ url: response.url(), status: response.status(), headers: response.headers() }));
    await tab.goto(url);
    await tab.waitForSelector('#view[aria-busy="false"][data-at="171"]', PATIENCE);
    const at = (await tab.evaluate(() => location.href)).replace(/#.*/, "");
    await tab.goto("about:blank");
    await tab.goto(`${at}#url=data/clear-sky-2024.zarr/hours/ghi&at=5,12&chunks=1`);
    await tab.waitForSelector('#view[aria-busy="false"][data-at="5,12"]', PATIENCE);
    assert.equal(await tab.$eval("#error", ({ hidden }) => hidden), true);
    await tab.waitForSelector(".tally li", PATIENCE);
    assert.match(await tab.$eval(".tally", ({ textContent }) => textContent), /1 fetched by this step/);
    assert.deepEqual(problems, []);
    await context.close();
    return { answers, at, of: (ending) => answers.filter(({ url: each, status }) => new URL(each).pathname.endsWith(ending) && status === 200) };
  }

  test("GitHub Pages, in a project's folder: its own gzip, ranges of shards, and no file too many", async () => {
    await run("sh", ["-ec", pagesStep], { cwd: home });
    const left = await readdir(join(home, "www/dist"), { recursive: true });
    assert.deepEqual(left.filter((name) => /\.(br|gz)$/.test(name)), []);
    assert.ok(left.some((name) => name.endsWith("/.zmetadata"))); // for which the action needs its option
    assert.match(page, /include-hidden-files: true/);
    const host = await startPages(join(home, "www/dist"));
    try {
      const { of, at, answers } = await visit(`${host.url}/project`);
      assert.equal(at, `${host.url}/project/`);
      assert.ok(of(".wasm").length >= 2);
      for (const { headers } of [...of(".wasm"), ...of(".js"), ...of(".css")]) assert.equal(headers["content-encoding"], "gzip");
      assert.deepEqual(answers.filter(({ url }) => /^http/.test(url) && !url.startsWith(`${host.url}/project`)).map(({ url }) => url), []);
      assert.ok(answers.some(({ status, url }) => status === 206 && url.includes("/hours/ghi/c/")));
    } finally {
      await host.close();
    }
  });

  test("S3, by the documented commands: brotli under the plain names, with the types that browsers need", async () => {
    const bin = join(home, "bin");
    await mkdir(bin);
    await writeFile(join(bin, "aws"), `#!/bin/sh\nexec "${python}" "${join(ROOT, "tests/browser/support/aws.py")}" "$@"\n`);
    await chmod(join(bin, "aws"), 0o755);
    await run("sh", ["-ec", awsCommands], { cwd: home, env: { ...process.env, PATH: `${bin}:${process.env.PATH}`, BUCKETS: join(home, "buckets") } });
    const host = await startBucket(join(home, "buckets/BUCKET"));
    try {
      const { of, answers } = await visit(`${host.url}/explorer/index.html`);
      assert.deepEqual([...new Set(of(".wasm").map(({ headers }) => `${headers["content-type"]} ${headers["content-encoding"]}`))], ["application/wasm br"]);
      for (const { headers } of of(".js")) assert.match(`${headers["content-type"]} ${headers["content-encoding"] ?? "br"}`, /^text\/javascript br$/);
      for (const { headers } of of("/explorer/index.html")) assert.deepEqual([headers["content-type"], headers["content-encoding"]], ["text/html", "br"]);
      assert.ok(of("/zarr.json").every(({ headers }) => headers["content-encoding"] === undefined));
      assert.ok(answers.some(({ status, url }) => status === 206 && url.includes("/hours/ghi/c/")));
      const stored = await readdir(join(home, "buckets"), { recursive: true });
      assert.deepEqual(stored.filter((name) => /\.(br|gz)(\.headers)?$/.test(name)), []);
    } finally {
      await host.close();
    }
  });
});
