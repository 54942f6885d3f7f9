/** What tests of differences of arrays share: buttons of the explorer, files that it saved, and values that are near each other. */

import assert from "node:assert/strict";

/** Presses the button of this text within `root`, once it can be seen. */
export async function pressIn(user, label, root = "#take") {
  await user.waitFor((text, within) => [...document.querySelectorAll(`${within} button`)].some((button) => button.textContent === text && button.checkVisibility()), label, root);
  await user.page.evaluate((text, within) => [...document.querySelectorAll(`${within} button`)].find((button) => button.textContent === text && button.checkVisibility()).click(), label, root);
}

/** Resolves with the text of the file that was saved last. */
export async function lastSaved(user) {
  await user.waitFor(() => globalThis.saved.length);
  return user.page.evaluate(() => globalThis.saved.pop().text());
}

/** Asserts that values lie at most `most` apart from those that are wanted, of which null stands for NaN. */
export function areNear(seen, wanted, most, what) {
  assert.equal(seen.length, wanted.length, what);
  seen.forEach((v, i) => assert.ok((Number.isNaN(v) && wanted[i] === null) || Math.abs(v - wanted[i]) <= most, `${what}, ${i}: ${v} is not ${wanted[i]}`));
}

/** Rows of the numbers of a table in CSV, without its comments, its heads and its first column. */
export const cells = (text) => text.trim().split("\n").filter((line) => !line.startsWith("#")).slice(1).map((line) => line.split(",").slice(1).map((part) => (part === "" ? NaN : Number(part))));
