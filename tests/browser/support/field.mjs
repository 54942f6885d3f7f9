/** The explorer with the fields of tests/oracle/field.py, and what numpy and xarray have of them. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { startMade } from "./made.mjs";
import { ROOT } from "./paths.mjs";

const { colourTable } = await import(pathToFileURL(join(ROOT, "www/src/model/colormap.js")));

/** `{ explorer, expected, at(path), close() }`: `at` is the link of an array by its path. */
export async function startFields() {
  const made = await startMade("field.py");
  return {
    ...made,
    expected: JSON.parse(await readFile(join(made.directory, "expected.json"), "utf8")),
    at: (path) => `url=${made.explorer.site.url}/made/${path}`,
  };
}

/** Colours of a picture's cells by rows, `[red, green, blue]`, and null where there is no data: the canvas has a pixel for each. */
export const coloursOf = ({ page }) => page.evaluate(async () => {
  // What was changed is drawn with the next frame.
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const canvas = document.querySelector("#plot canvas");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return Array.from({ length: data.length / 4 }, (_, i) => (data[i * 4 + 3] ? [...data.slice(i * 4, i * 4 + 3)] : null));
});

/** Waits until at most `few` cells of the picture differ from what is wanted by more than one in a colour; gives it. */
export async function untilColours(user, wanted, few = 0) {
  await user.waitFor((colours, most) => {
    const canvas = document.querySelector("#plot canvas");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const isWrong = (colour, i) => (colour ? colour.some((part, nth) => Math.abs(part - data[i * 4 + nth]) > 1 || !data[i * 4 + 3]) : data[i * 4 + 3] > 0);
    return data.length === colours.length * 4 && colours.filter(isWrong).length <= most;
  }, wanted, few);
  return coloursOf(user);
}

/** The colours of entries of a map's table. */
export const coloursAt = (name, entries) => entries.map((entry) => (entry === null ? null : [...colourTable(name).slice(entry * 3, entry * 3 + 3)]));

/** How many cells of two pictures differ by more than `most` in a colour. */
export const different = (seen, wanted, most = 0) => seen.filter((colour, i) => (colour === null) !== (wanted[i] === null) || colour?.some((part, nth) => Math.abs(part - wanted[i][nth]) > most)).length;

/** Faults that axe finds in the page. */
export async function faults({ page }) {
  await page.evaluate(await readFile(join(ROOT, "tests/node_modules/axe-core/axe.min.js"), "utf8"));
  return page.evaluate(async () => {
    const { violations, incomplete } = await globalThis.axe.run(document, { rules: { "label-content-name-mismatch": { enabled: true } } });
    // Of a name of one letter axe cannot tell whether it is a word or a sign, so it is looked at here.
    const isSaid = ({ target }) => {
      const element = document.querySelector(target[0]);
      const seen = element.innerText.trim().split("\n")[0].replace(/\/$/, "");
      return seen.length === 1 && element.getAttribute("aria-label")?.startsWith(seen);
    };
    const unsure = incomplete.filter(({ id, nodes }) => id === "label-content-name-mismatch" && !nodes.every(isSaid));
    return [...violations, ...unsure].map(({ id, nodes }) => `${id}: ${nodes.length} of ${nodes[0].html.slice(0, 160)}`);
  });
}
