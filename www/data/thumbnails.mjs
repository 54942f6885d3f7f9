// Draws the thumbnails of the catalog: opens each store of www/public/explorer.json in the built explorer, and keeps its picture.
// CHROMIUM="$(sh .tools/chromium)" node www/data/thumbnails.mjs, after `make site`
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

import { startExplorer } from "../../tests/browser/support/explorer.mjs";

const [WIDTH, HEIGHT] = [192, 144]; // twice what a card shows
const inPublic = (path) => fileURLToPath(new URL(`../public/${path}`, import.meta.url));

/** The middle of the picture, as a WebP in base 64. */
async function pictureOf(page) {
  return page.evaluate(async ([width, height]) => {
    const plot = document.querySelector("#plot");
    plot.dispatchEvent(new CustomEvent("repaint"));
    const canvas = plot.querySelector("canvas");
    const box = plot.getBoundingClientRect();
    const sheet = new OffscreenCanvas(width, height);
    const context = sheet.getContext("2d");
    context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--sheet");
    context.fillRect(0, 0, width, height);
    const scale = Math.max(width / box.width, height / box.height);
    const lines = plot.parentElement.dataset.kind === "line" ? [-1, 0, 1, 2] : [0]; // drawn as thick as a small picture needs
    for (const down of lines) context.drawImage(canvas, (width - box.width * scale) / 2, (height - box.height * scale) / 2 + down, box.width * scale, box.height * scale);
    const bytes = new Uint8Array(await (await sheet.convertToBlob({ type: "image/webp", quality: 0.8 })).arrayBuffer());
    return btoa(String.fromCharCode(...bytes));
  }, [WIDTH, HEIGHT]);
}

const { stores } = JSON.parse(await readFile(inPublic("explorer.json"), "utf8"));
const explorer = await startExplorer({});
try {
  const user = await explorer.page();
  await user.show();
  await user.page.$eval("#stores details", (details) => (details.open = true));
  await user.page.waitForSelector("#stores .card");
  const links = await user.page.$$eval("#stores .card", (cards) => cards.map(({ href }) => new URL(href).hash.slice(1)));
  for (const [nth, { thumbnail }] of stores.entries()) {
    await user.show(links[nth]);
    const picture = Buffer.from(await pictureOf(user.page), "base64");
    await mkdir(dirname(inPublic(thumbnail)), { recursive: true });
    await writeFile(inPublic(thumbnail), picture);
    console.log(`${thumbnail}: ${picture.length} bytes`);
  }
} finally {
  await explorer.close();
}
