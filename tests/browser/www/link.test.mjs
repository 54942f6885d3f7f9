/** The explorer's links: how often they are written, what they keep, and which addresses they may hold. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { startExplorer } from "../support/explorer.mjs";
import { FIXTURES } from "../support/paths.mjs";

describe("the explorer's links", () => {
  let explorer;
  let user;

  before(async () => (explorer = await startExplorer({ "/fixtures": FIXTURES, "/bucket": join(FIXTURES) }, { watches: true })));
  after(() => explorer?.close());
  beforeEach(async () => {
    explorer.reset();
    user = await explorer.page();
  });
  afterEach(() => user.close());

  const hash = () => user.page.evaluate(() => location.hash);
  /** Steps the slider every 20 ms for this long, and more than so many times, as a drag does; gives the times of writes, and the steps. */
  const dragged = (ms, refuse = false, few = 0) => user.page.evaluate(async (long, refused, least) => {
    const times = [];
    const [write, now] = [history.replaceState, performance.now];
    const begun = performance.now();
    let read; // what the page read of the clock last, which is before each write
    performance.now = () => (read = now.call(performance));
    history.replaceState = (...given) => {
      times.push(read);
      if (refused) throw new DOMException("Attempt to use history.replaceState() more than 100 times per 10 seconds", "SecurityError");
      write.apply(history, given);
    };
    const slider = document.querySelector(".track input");
    const until = performance.now() + long;
    let steps = 0;
    for (; performance.now() < until || steps <= least; steps++) {
      slider.value = 152 + (steps % 30);
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      await new Promise((done) => setTimeout(done, 20));
    }
    await new Promise((done) => setTimeout(done, 1200));
    delete history.replaceState;
    delete performance.now;
    return { times, steps, took: performance.now() - begun };
  }, ms, refuse, few);

  test("an address with a signature or a token opens, and the link has neither; other queries stay", async () => {
    const store = `${explorer.site.url}/fixtures/codec-zstd.zarr`;
    const opened = async (query) => {
      await user.page.goto("about:blank");
      await user.page.goto(`${explorer.site.url}/#url=${encodeURIComponent(`${store}${query}`)}`);
      await user.says("#title", /codec-zstd/);
      await user.settled();
      await user.waitFor(() => location.hash.includes("codec-zstd") && !/s3cret/i.test(location.hash));
      return new URLSearchParams((await hash()).slice(1)).get("url");
    };
    for (const query of ["?sv=2019&sp=rl&sig=s3cret", "?X-Amz-Credential=S3CRET&X-Amz-Signature=s3cret", "?Policy=a&Signature=s3cret&Key-Pair-Id=b", "?access_token=s3cret", "?api_key=s3cret"]) {
      assert.equal(await opened(query), store, query);
    }
    assert.equal(await opened("?version=2"), `${store}?version=2`);
    assert.ok(explorer.site.requests.some(({ url }) => url.includes("sig=s3cret")), "what is read has the signature");
    assert.deepEqual(user.problems, []);
  });

  test("a drag of the slider writes the link at most twice a second, and its end last", async () => {
    await user.show();
    const { times, steps, took } = await dragged(4000, false, 40);
    assert.ok(steps > 40, `${steps} steps`);
    assert.ok(times.length >= 3 && times.length <= 2 * Math.ceil(took / 1000), `${times.length} writes in ${took} ms`);
    for (let i = 2; i < times.length; i++) assert.ok(times[i] - times[i - 2] >= 999, `writes ${times.map(Math.round)}`);
    await user.settled();
    const at = await user.page.$eval("#view", (view) => view.dataset.at);
    assert.equal(await hash(), at === "171" ? "" : `#at=${at}`);
    assert.deepEqual(user.problems, []);
  });

  test("a browser that refuses to write the link does not disturb the picture", async () => {
    await user.show();
    await dragged(500, true);
    await user.settled();
    assert.equal(await user.page.$eval("#error", ({ hidden }) => hidden), true);
    const colours = await user.page.$eval("#plot canvas", (canvas) => new Set(new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size);
    assert.ok(colours > 50, `${colours} colours`);
    assert.deepEqual(user.problems, []);
  });

  test("what makes no sense in a link is left out", async () => {
    for (const nonsense of ["at=ten", "at=-4", "at=1e400", "at=", "axes=0,0", "axes=7,9", "axes=a,b", "colours=__proto__", "colours=mauve", "range=9,1", "range=4", "range=a,3", "range=1,Infinity", "range=,", "chunks=maybe", "point=x,y", "point=-1,5", "point=500,900&along=z"]) {
      await user.show(nonsense);
      const position = nonsense.startsWith("at=") ? /^$|^#at=\d+$/ : /^$/;
      assert.match(await hash(), position, nonsense);
      assert.equal(await user.page.$eval("#error", ({ hidden }) => hidden), true, nonsense);
      assert.equal(await user.page.$eval("#colours", ({ value }) => value), "inferno", nonsense);
      assert.deepEqual(await user.page.$$eval("#low, #high", (list) => list.map(({ value }) => value)), ["0", "12"], nonsense);
    }
    assert.deepEqual(user.problems, []);
  });

  test("addresses of buckets are read at their web addresses, and others are refused in words", async () => {
    await user.page.setRequestInterception(true);
    const asked = [];
    user.page.on("request", async (request) => {
      const url = new URL(request.url());
      if (url.origin === explorer.site.url) return request.continue();
      asked.push(`${url.origin}${url.pathname}`);
      const path = /codec-zstd\.zarr.*$/.exec(url.pathname)?.[0];
      const answer = path ? await fetch(`${explorer.site.url}/fixtures/${path}`) : { status: 404, arrayBuffer: () => new ArrayBuffer(0) };
      request.respond({ status: answer.status, headers: { "access-control-allow-origin": "*" }, body: Buffer.from(await answer.arrayBuffer()) });
    });
    for (const [address, at] of [
      ["s3://some-bucket/deep/codec-zstd.zarr", "https://some-bucket.s3.amazonaws.com/deep/codec-zstd.zarr"],
      ["s3://dots.in.it/codec-zstd.zarr", "https://s3.amazonaws.com/dots.in.it/codec-zstd.zarr"],
      ["gs://some-bucket/codec-zstd.zarr", "https://storage.googleapis.com/some-bucket/codec-zstd.zarr"],
      ["abfss://box@account1.dfs.core.windows.net/codec-zstd.zarr", "https://account1.blob.core.windows.net/box/codec-zstd.zarr"],
    ]) {
      asked.length = 0;
      await user.show(`url=${encodeURIComponent(address)}`);
      assert.equal(await user.text("#title"), "codec-zstd.zarr");
      assert.ok(asked.length && asked.every((each) => each.startsWith(at)), asked.join());
      assert.equal(await user.page.$eval("#url", ({ value }) => value), at);
    }
    for (const [address, words] of [["az://box/a.zarr", /“az:\/\/” is no address that a browser can read.*abfs:\/\//], ["file:///home/a.zarr", /cannot read file:\/\/ .*Folder…/], ["http://", /not a web address/]]) {
      await user.show();
      await user.page.$eval("#url", (input, text) => (input.value = text), address);
      await user.page.focus("#url");
      await user.page.keyboard.press("Enter");
      await user.says("#error", words);
      assert.match(await user.text("#error"), /What was open before is still here/);
    }
    assert.deepEqual(user.problems, []);
  });
});
