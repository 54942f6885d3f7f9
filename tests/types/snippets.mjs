/** The examples of the README and of the pages in www/docs: code blocks that `tsc` checks, and of which most run in a browser. */

import { readFile, readdir } from "node:fs/promises";

const root = new URL("../../", import.meta.url);
const PAGES = "www/docs/";

/** The path of a page with its blocks: `{ page, line, code, runs }`, where `line` is that of the block's first line of code. */
async function blocksOf(page) {
  const text = await readFile(new URL(page, root), "utf8");
  return [...text.matchAll(/^```(?:js|ts)(?<words>(?: [^\n]*)?)\n(?<code>.*?)^```/gms)].map(({ index, groups: { words, code } }) => {
    if (!["", " no-run"].includes(words)) throw new Error(`${page}: a block is marked "${words}"; "no-run" is the only mark`);
    return { page, line: text.slice(0, index).split("\n").length + 1, code, runs: words === "" };
  });
}

/** The blocks of every page, those that lead to the others first. */
export async function snippets() {
  const names = (await readdir(new URL(PAGES, root))).filter((name) => name.endsWith(".md")).sort();
  return (await Promise.all(["README.md", "www/index.md", ...names.map((name) => PAGES + name)].map(blocksOf))).flat();
}

/** A name for a file of a block, by its page and line. */
export const nameOf = ({ page, line }) => `${page.replace(/.*\//, "").replace(".md", "")}-${line}`;
