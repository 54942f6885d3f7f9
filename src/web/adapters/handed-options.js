/** Options that pages hold for a Service Worker, such as secret headers: stored nowhere, and asked for after restarts. */
import { failure } from "../stores/common.js";

/** Type of the worker's question. */
const ASK = "rectilinear-zarr/ask";

/** Type of a page's word that its options have changed. */
export const CHANGED = "rectilinear-zarr/changed";

/** Milliseconds that pages have to answer: all of them, and one that is asked before the others. */
const [PATIENCE, HASTE] = [5000, 1000];

/** @typedef {{ id: string, postMessage(message: unknown, transfer: Transferable[]): void }} Page */

/**
 * First options that one of the pages has; undefined where all have none, or none answers in time.
 *
 * @param {readonly Page[]} pages
 * @param {object} question
 * @param {number} patience
 */
function firstOf(pages, question, patience) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, patience);
    let silent = pages.length;
    const settle = (found) => {
      clearTimeout(timer);
      resolve(found);
    };
    if (silent === 0) settle();
    for (const page of pages) {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }) => {
        port1.close();
        silent -= 1;
        if (data || silent === 0) settle(data);
      };
      page.postMessage({ type: ASK, ...question }, [port2]);
    }
  });
}

/**
 * Asks the pages of the worker's origin for the options of a source at a scope. The pages of `firsts` are asked one by
 * one before the others, because another tab may still hold an old token; of the others the first answer is believed.
 *
 * @param {{ matchAll(options: object): Promise<readonly Page[]> }} clients
 * @param {{ source: string, scope: string }} place absolute URLs: the same source may be shown twice, with other options
 * @param {(string | undefined)[]} [firsts] ids of the page that has said last that its options changed, and of the one
 * that waits for the answer
 * @returns {Promise<Record<string, unknown>>}
 */
export async function askPages(clients, { source, scope }, firsts = []) {
  const pages = await clients.matchAll({ includeUncontrolled: true, type: "window" });
  for (const first of new Set(firsts)) {
    const found = await firstOf(pages.filter(({ id }) => id === first), { source, scope }, HASTE);
    if (found) return found;
  }
  const found = await firstOf(pages, { source, scope }, PATIENCE);
  if (found) return found;
  const message = `no open page handed over the options of ${source}; call registerViews in the page, with its headers`;
  throw failure("StoreError", message, { url: source });
}

/**
 * Answers a worker's questions from a page.
 *
 * @param {{ addEventListener(type: string, listen: (event: any) => void): void, startMessages(): void }} container
 * @param {(place: { source: string, scope: string }) => object | undefined} optionsOf
 */
export function answerWorker(container, optionsOf) {
  container.addEventListener("message", ({ data, ports: [port] }) => {
    if (data?.type === ASK) port?.postMessage(optionsOf(data));
  });
  container.startMessages();
}
