// Has the browser save files.
import { el } from "../dom.js";

/** The name of a dataset as a part of a file's name. */
export const fileName = (name) => name.replace(/[^\w.-]+/g, "_");

/** Saves text or a blob under a name. */
export function save(name, content, type) {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
