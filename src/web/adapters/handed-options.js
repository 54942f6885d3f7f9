/** Options that pages hold for a Service Worker, such as secret headers: stored nowhere, and asked for after restarts. */
import { failure } from "../stores/common.js";

/** Type of the worker's question. */
const ASK = "rectilinear-zarr/ask";

/** Type of a page's word that its options have changed. */
export const CHANGED = "rectilinear-zarr/changed";

/** Milliseconds that pages have to answer: all of them, and one that is asked before the others. */
const PATIENCE = { all: 5000, first: 1000 };

/** The same for keys, which a page may have to fetch from its server. */
const KEYS = { all: 60_000, first: 20_000 };

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
 * Asks pages a question. Those of `firsts` are asked one by one before the others, because another tab may still hold an
 * old token; of the others the first answer is believed.
 *
 * @param {Clients} clients
 * @param {{ source: string, scope: string }} question
 * @param {(string | undefined)[]} firsts
 * @param {{ all: number, first: number }} patience
 */
async function answerOf(clients, question, firsts, patience) {
  const pages = await clients.matchAll({ includeUncontrolled: true, type: "window" });
  for (const first of new Set(firsts)) {
    const found = await firstOf(pages.filter(({ id }) => id === first), question, patience.first);
    if (found) return found;
  }
  const found = await firstOf(pages, question, patience.all);
  if (found) return found;
  const message = `no open page handed over the options of ${question.source}; call registerViews in the page, with its headers and access`;
  throw failure("StoreError", message, { key: question.source });
}

/** @typedef {{ matchAll(options: object): Promise<readonly Page[]> }} Clients */

/**
 * Asks the pages of the worker's origin for the options of a source at a scope.
 *
 * @param {Clients} clients
 * @param {{ source: string, scope: string }} place absolute URLs: the same source may be shown twice, with other options
 * @param {(string | undefined)[]} [firsts] ids of the page that has said last that its options changed, and of the one
 * that waits for the answer
 * @returns {Promise<Record<string, any>>}
 */
export const askPages = (clients, { source, scope }, firsts = []) => answerOf(clients, { source, scope }, firsts, PATIENCE);

/**
 * Asks the pages for the keys that an access of a source has there.
 *
 * @param {Clients} clients
 * @param {{ source: string, scope: string, access: number, at?: string }} question the number of the access in the list of
 * the source, and what its keys are for, where each part of the service has its own
 * @param {(string | undefined)[]} firsts
 */
export async function askKeys(clients, question, firsts) {
  const { keys, fault } = await answerOf(clients, question, firsts, KEYS);
  if (fault === undefined) return keys;
  throw failure("StoreError", `the page gives no keys for ${question.source}: ${fault}`, { key: question.source });
}

/**
 * Answers a worker's questions from a page.
 *
 * @param {{ addEventListener(type: string, listen: (event: any) => void): void, startMessages(): void }} container
 * @param {(place: { source: string, scope: string }) => { options: object, accesses: readonly any[] } | undefined} heldFor
 */
export function answerWorker(container, heldFor) {
  container.addEventListener("message", async ({ data, ports: [port] }) => {
    if (data?.type !== ASK) return;
    const held = heldFor(data);
    port?.postMessage(data.access === undefined ? held?.options : await keysOf(held?.accesses[data.access], data.at));
  });
  container.startMessages();
}

/** The keys of an access as a message, or why there are none; undefined where the page has no such access. */
async function keysOf(access, at) {
  try {
    return access && { keys: structuredClone(await access.keys(at)) };
  } catch (error) {
    return { fault: String(error?.message ?? error) };
  }
}
