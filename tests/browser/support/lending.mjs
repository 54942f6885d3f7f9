/**
 * Chromiums that test files borrow one after the other, so that each file does not start one. A Chromium has one borrower
 * at a time, and lends a context of its own, with caches and storages of its own.
 *
 * A borrower sends one request, whose body begins with the flags as a line of JSON; the answer is a line, the address of
 * a Chromium. The end of the body gives it back. Where the borrower dies before that, the Chromium ends with it.
 */

import { once } from "node:events";
import { createServer, request } from "node:http";
import { createInterface } from "node:readline";

import puppeteer from "puppeteer-core";

/** Files that one Chromium serves: what pages leave in its processes stays bounded. */
const FILES = 25;

/** Starts a lender of the Chromiums that `start(flags)` launches; `url` is its address. */
export async function startLender(start) {
  /** Chromiums that nobody uses, and all. */
  let idle = [];
  const all = new Set();

  async function take(flags) {
    const found = idle.find((chromium) => chromium.flags === flags);
    idle = idle.filter((chromium) => chromium !== found);
    if (found) return found;
    const browser = await start(JSON.parse(flags));
    const chromium = { flags, files: 0, address: browser.wsEndpoint(), process: browser.process() };
    all.add(chromium);
    // A client that stays would attach to all pages of the borrowers.
    await browser.disconnect();
    return chromium;
  }

  async function end(chromium) {
    all.delete(chromium);
    if (chromium.process.exitCode !== null || chromium.process.signalCode !== null) return;
    const ended = once(chromium.process, "exit");
    chromium.process.kill();
    await ended;
  }

  const server = createServer(async (asked, answer) => {
    let chromium;
    try {
      const lines = createInterface({ input: asked })[Symbol.asyncIterator]();
      chromium = await take((await lines.next()).value);
      answer.writeHead(200).write(`${chromium.address}\n`);
      await lines.next();
      chromium.files++;
      const isGood = asked.complete && chromium.files < FILES && chromium.process.exitCode === null;
      if (isGood) idle.push(chromium);
      else await end(chromium);
      answer.end();
    } catch (error) {
      if (chromium) await end(chromium);
      if (!answer.headersSent) answer.writeHead(500);
      answer.end(`${error.stack}\n`);
    }
  });
  // A Chromium is borrowed for as long as a file runs.
  server.requestTimeout = 0;
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await Promise.all([...all].map(end));
    },
  };
}

/** A Chromium of the lender at `url`; its pages open in a context of their own, and `close` gives it back. */
export async function borrow(url, flags, options) {
  const asked = request(url, { method: "POST", agent: false });
  asked.write(`${JSON.stringify(flags)}\n`);
  const [answer] = await once(asked, "response");
  const [line] = await once(createInterface({ input: answer }), "line");
  if (answer.statusCode !== 200) throw new Error(`no Chromium is lent: ${line}`);
  const browser = await puppeteer.connect({ browserWSEndpoint: line, ...options });
  const context = await browser.createBrowserContext();
  const close = async () => {
    const opened = browser.browserContexts().filter((each) => each !== browser.defaultBrowserContext());
    await Promise.all(opened.map((each) => each.close()));
    await browser.disconnect();
    asked.end();
    await once(answer.resume(), "end");
  };
  return Object.assign(browser, { newPage: () => context.newPage(), pages: () => context.pages(), close });
}
