/** Films that the explorer makes of a playback, as Chromium's own player shows them. */

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { startExplorer } from "../support/explorer.mjs";
import { planes } from "../support/planes.mjs";
import { siteModule } from "../support/site-modules.mjs";

const { webmOf } = await siteModule("take/webm.js");

test("a file's lengths and places agree with its bytes", () => {
  const frames = [0, 500, 1000, 1500, 40_000].map((at, i) => ({ at, isKey: i % 3 === 0, data: Uint8Array.of(i, i, i) }));
  const bytes = Buffer.concat(webmOf({ width: 320, height: 200, codec: "V_VP9", title: "Tide", duration: 41_000, apart: 500, frames }));
  const elements = (from, to, found = []) => {
    for (let at = from; at < to;) {
      const idLength = Math.clz32(bytes[at]) - 23;
      const id = bytes.readUIntBE(at, idLength);
      const length = Number(bytes.readBigUInt64BE(at + idLength) & 0xffffffffffffffn);
      found.push({ id, start: at, from: at + idLength + 8, to: at + idLength + 8 + length });
      at = found.at(-1).to;
    }
    return found;
  };
  const [head, segment] = elements(0, bytes.length);
  assert.deepEqual([head.id, segment.id, segment.to], [0x1a45dfa3, 0x18538067, bytes.length]);
  const parts = elements(segment.from, segment.to);
  assert.deepEqual(parts.map(({ id }) => id), [0x1549a966, 0x1654ae6b, 0x1c53bb6b, 0x1f43b675, 0x1f43b675, 0x1f43b675]);
  const clusters = parts.slice(3);
  const cues = elements(parts[2].from, parts[2].to).map(({ from, to }) => {
    const [time, track] = elements(from, to);
    const [, place] = elements(track.from, track.to);
    return [Number(bytes.readBigUInt64BE(time.from)), Number(bytes.readBigUInt64BE(place.from)) + segment.from];
  });
  assert.deepEqual(cues, [[0, clusters[0].start], [1500, clusters[1].start], [40_000, clusters[2].start]]);
  const blocks = clusters.map(({ from, to }) => elements(from, to).slice(1).map((block) => [bytes.readInt16BE(block.from + 1), bytes[block.from + 3], bytes[block.to - 1]]));
  assert.deepEqual(blocks, [[[0, 0x80, 0], [500, 0, 1], [1000, 0, 2]], [[0, 0x80, 3]], [[0, 0, 4]]]);
});

describe("a film of the steps", () => {
  const host = planes({ steps: { shape: [6, 40, 60], chunk: [1, 20, 20], attributes: { long_name: "Swell" } } });
  let explorer;
  let user;
  before(async () => (explorer = await startExplorer({ "/planes": host.handle })));
  after(() => explorer?.close());
  beforeEach(async () => {
    user = await explorer.page(900, 700);
    await user.page.evaluateOnNewDocument(() => {
      globalThis.saved = [];
      HTMLAnchorElement.prototype.click = function () {
        globalThis.saved.push({ name: this.download, href: this.href });
      };
    });
  });
  afterEach(() => user.close());

  const press = (label) => user.page.evaluate((text) => [...document.querySelectorAll("#take button")].find((button) => button.textContent === text && button.checkVisibility()).click(), label);
  const open = async (hash) => {
    await user.show(hash);
    await user.page.$eval("#take details", (details) => (details.open = true));
    await user.page.waitForSelector("#take .choices");
  };

  test("each frame is a step's picture at its time, and where one stood is drawn again", async () => {
    await open(`url=${explorer.site.url}/planes/steps&at=3&colours=greys&range=0,1100`);
    await press("Film…");
    await user.page.waitForSelector(".film");
    await user.page.$eval("#film-from", (input) => (input.value = "1"));
    await user.page.$eval("#film-rate", (input) => (input.value = "4"));
    await press("Make the film");
    await user.waitFor(() => globalThis.saved.length || /could not|no encoder/.test(document.querySelector(".film .total").textContent));
    assert.match(await user.text(".film .total"), /^5 frames of \d+ × \d+ pixels, /);
    await user.settled();
    assert.equal(await user.page.$eval("#view", (view) => view.dataset.at), "3");
    const shown = await user.page.evaluate(async () => {
      const [{ name, href }] = globalThis.saved;
      const video = Object.assign(document.createElement("video"), { muted: true, src: href });
      const heard = (event) => new Promise((resolve, reject) => (video.addEventListener(event, resolve, { once: true }), video.addEventListener("error", () => reject(new Error(video.error.message)), { once: true })));
      await heard("loadeddata");
      const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
      const context = canvas.getContext("2d");
      const frames = [];
      const times = [];
      for (let n = 0; n < 5; n++) {
        const come = new Promise((resolve) => video.requestVideoFrameCallback((_, { mediaTime }) => resolve(mediaTime)));
        video.currentTime = (n + 0.5) / 4;
        times.push(await come);
        context.drawImage(video, 0, 0);
        frames.push([...context.getImageData(0, 0, canvas.width, canvas.height).data]);
      }
      const mean = (list) => list.reduce((sum, v) => sum + v, 0) / list.length;
      const apart = frames.slice(1).map((frame, i) => mean(frame.map((v, k) => Math.abs(v - frames[i][k]))));
      return { name, times, duration: video.duration, size: [video.videoWidth, video.videoHeight], apart };
    });
    assert.equal(shown.name, "steps.webm");
    assert.ok(Math.abs(shown.duration - 1.25) < 0.01, `${shown.duration}`);
    assert.deepEqual(shown.times, [0, 0.25, 0.5, 0.75, 1]);
    assert.ok(shown.apart.every((change) => change > 0), `frames differ: ${shown.apart}`);
    assert.deepEqual(user.problems, []);
  });

  test("it can be stopped, and a browser without an encoder says so", async () => {
    await open(`url=${explorer.site.url}/planes/steps`);
    await press("Film…");
    await user.page.waitForSelector(".film");
    await press("Make the film");
    await press("Stop");
    await user.says(".film .total", /^Stopped\.$/);
    await user.page.evaluate(() => delete globalThis.VideoEncoder);
    await press("Make the film");
    await user.says(".film .total", /^This browser has no encoder of films/);
    assert.deepEqual(user.problems, []);
  });
});
