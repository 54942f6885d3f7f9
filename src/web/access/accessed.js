/**
 * Access to one service: its addresses, the requests that it signs, and what a refusal asks for. Only requests to the
 * service's own places are signed; all others pass as they are.
 */
import { failure } from "../stores/common.js";
import { Credentials } from "./credentials.js";

/** Status codes that may stand for credentials that have ended, another region, or a clock that is off. */
const REFUSALS = [301, 307, 400, 401, 403];

/** Whether an answer may say that a request is to be signed in another way. */
const isRefusal = ({ status, type }) => REFUSALS.includes(status) && type !== "opaque";

/** What a request may be signed for again: each once. */
const REMEDIES = ["renew", "region", "time"];

/** A HEAD as a GET of its first byte, whose refusal has a body. */
const asGet = (request) => new Request(request, { method: "GET", headers: { ...Object.fromEntries(request.headers), Range: "bytes=0-0" } });

/**
 * @typedef {object} Service
 * @property {string} name for messages
 * @property {unknown} credentials an object, or a function that returns one or a promise of one; undefined for public data
 * @property {(found: any) => any} check
 * @property {(url: string) => string | undefined} address the HTTPS address of an address of the service
 * @property {(url: URL) => boolean} covers whether a request is to be signed
 * @property {(request: Request, found: any, now: number) => Promise<Request> | Request} sign
 * @property {(said: import("./answers.js").Said, status: number, url: URL, now: number) => string | undefined} remedy
 * what a refusal asks for: "renew", "region", "time", or "refused" where nothing can be done; undefined for an answer like
 * any other
 * @property {(code: string) => string} hint what to set where the service refuses the keys
 * @property {(url: string, ask: (url: URL) => Promise<Response>) => Promise<{ folders: string[], files: string[] }>} list
 */

/**
 * Makes a value for the option `access`.
 *
 * @param {Service} service
 */
export function accessTo({ name, credentials, check, address, covers, sign, remedy, hint, list }) {
  const held = credentials === undefined ? undefined : new Credentials(credentials, check);
  /** Milliseconds that the service's clock is before this one. */
  let offset = 0;
  const now = () => Date.now() + offset;

  async function signed(request) {
    if (!held || !covers(new URL(request.url))) return { request };
    const { found, number } = await held.current(now());
    return { request: await sign(request, found, now()), number };
  }

  /** What is to be done about an answer; undefined where it is the answer. */
  async function asked(answer, request, fetch) {
    if (!isRefusal(answer)) return undefined;
    const url = new URL(request.url);
    let from = answer;
    // A refusal of a HEAD has no body, so its reason is unknown.
    if (request.method === "HEAD" && answer.status !== 301) from = await fetch((await signed(asGet(request))).request);
    const { saidBy } = await import("./answers.js");
    const said = await saidBy(from);
    const what = remedy(said, answer.status, url, now());
    if (what === "time" && said.serverTime !== undefined) offset = said.serverTime - Date.now();
    return what && { what, said };
  }

  /** Sends a request, signed where the service covers it, and again where a refusal can be mended. */
  async function send(request, fetch) {
    if (!held || !covers(new URL(request.url))) return fetch(request);
    const tried = new Set();
    for (;;) {
      const { request: own, number } = await signed(request);
      const answer = await fetch(own);
      const found = await asked(answer, request, fetch);
      if (!found) return answer;
      const canMend = REMEDIES.includes(found.what) && !tried.has(found.what) && (found.what !== "renew" || held.renew(number ?? 0));
      if (canMend) {
        tried.add(found.what);
        answer.body?.cancel().catch(() => {});
        continue;
      }
      const { origin, pathname } = new URL(request.url);
      // The service's own message is left out, because it may repeat what was sent.
      const why = `status ${answer.status}${found.said.code ? `, ${found.said.code}` : ""}`;
      const message = `${origin}${pathname}: the host refuses the credentials of the option access (${name}): ${why}; ${hint(found.said.code ?? "")}`;
      return { refusal: failure("StoreError", message, { url: `${origin}${pathname}`, status: answer.status }) };
    }
  }

  const access = async (request) => (await signed(request)).request;
  return Object.assign(access, {
    address,
    covers: (url) => covers(new URL(url)),
    send,
    opening(source, options) {
      const fetch = options.fetch ?? ((request) => globalThis.fetch(request));
      const { resolveUrl } = options;
      return [
        typeof source === "string" || source instanceof URL ? (address(String(source)) ?? source) : source,
        { ...options, fetch: (request) => send(request, fetch), resolveUrl: (url) => resolveUrl?.(url) ?? address(url) },
      ];
    },
    renew: async (answer) => held !== undefined && isRefusal(answer) && held.renew((await held.current(now())).number),
    /** @param {string} url @param {{ signal?: AbortSignal, fetch?: (request: Request) => Promise<Response> }} [options] */
    list: (url, { signal, fetch = globalThis.fetch } = {}) => {
      const ask = async (at) => {
        const answer = await send(new Request(at, { signal }), (request) => fetch(request));
        if (answer.refusal) throw answer.refusal;
        return answer;
      };
      return list(address(String(url)) ?? String(url), ask);
    },
  });
}
