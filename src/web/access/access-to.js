/**
 * Access to one service: its addresses, the requests that it signs, and what a refusal asks for. Only requests to the
 * service's own places are signed; all others pass as they are.
 */
import { Credentials } from "./credentials.js";
import { onDemand } from "./on-demand.js";

/** Status codes that may stand for credentials that have ended, another region, or a clock that is off; 0 is a redirect in a browser. */
const REFUSALS = [0, 301, 307, 400, 401, 403];

/** Whether an answer may say that a request is to be signed in another way. */
const isRefusal = ({ status, type }) => REFUSALS.includes(status) && type !== "opaque";

/**
 * An access without its keys, which messages can carry: `service` is the name of the function that makes it of `options`,
 * and `keys` the option that held keys, if one did.
 *
 * @typedef {{ service: string, options: object, keys?: string }} Plain
 */

/**
 * @typedef {object} Service
 * @property {string} name for messages
 * @property {Plain} plain
 * @property {unknown} credentials an object, or a function that returns one or a promise of one; undefined for public data
 * @property {(url: URL) => string} [scope] what credentials are for, and what their function is called with, where each part
 * of the service has its own
 * @property {(found: any) => any} check
 * @property {(url: string) => string | undefined} address the HTTPS address of an address of the service
 * @property {(url: URL) => boolean} covers whether a request is to be signed
 * @property {(request: Request, found: any, now: number) => Promise<Request> | Request} sign
 * @property {(said: import("./answers.js").Said, status: number, url: URL) => boolean} [moves] notes the region of an
 * address that a refusal names, and whether that is another one
 * @property {string} hint what to set where the service refuses the keys
 * @property {(url: string, asking: import("./pages.js").Asking) => Promise<{ folders: string[], files: string[] }>} list
 */

/**
 * Makes a value for the option `access`.
 *
 * @param {Service} service
 */
export function accessTo({ name, plain, credentials, scope, check, address, covers, sign, moves, hint, list }) {
  const one = credentials === undefined || scope ? undefined : new Credentials(credentials, check);
  /** Credentials by what they are for. */
  const scoped = new Map();
  /** Milliseconds that the service's clock is before this one. */
  let offset = 0;
  const now = () => Date.now() + offset;

  /** Credentials for an address; undefined where requests are sent as they are. */
  function heldFor(url) {
    if (credentials === undefined || !covers(url)) return undefined;
    if (!scope) return one;
    // Another access has signed it, or the caller.
    if (url.searchParams.has("sig")) return undefined;
    const at = scope(url);
    if (!scoped.has(at)) scoped.set(at, new Credentials(() => /** @type {any} */ (credentials)(at), check));
    return scoped.get(at);
  }

  async function signed(request) {
    const held = heldFor(new URL(request.url));
    if (!held) return { request };
    const { found, number } = await held.current(now());
    return { request: await sign(request, found, now()), number };
  }

  /**
   * Sends a request, signed where the service covers it, and again where a refusal can be mended. An error in `refusal`
   * stands for an answer where a repetition would bring the same.
   */
  async function send(request, fetch) {
    const held = heldFor(new URL(request.url));
    if (!held) return fetch(request);
    // Each remedy is tried once.
    const tried = new Set();
    for (;;) {
      let sent;
      try {
        sent = await signed(request);
      } catch (refusal) {
        // The caller's function failed, perhaps without a reason, or gave something that is no key.
        return { refusal: refusal ?? new Error(`credentials of ${name} failed`) };
      }
      const answer = await fetch(sent.request);
      if (!isRefusal(answer)) return answer;
      const { refusalOf, saidIn } = await onDemand.answers();
      const said = await saidIn(answer, request, async (other) => fetch((await signed(other)).request), now());
      const what = moves?.(said, answer.status, new URL(request.url)) ? "region" : said.remedy;
      if (!what) return answer;
      if (what === "time" && said.serverTime !== undefined) offset = said.serverTime - Date.now();
      const canMend = what !== "refused" && !tried.has(what) && (what !== "renew" || held.renew(sent.number ?? 0, now()));
      if (!canMend) return { refusal: refusalOf(name, request.url, answer.status, said, hint) };
      tried.add(what);
      answer.body?.cancel().catch(() => {});
    }
  }

  const access = async (request) => (await signed(request)).request;
  return Object.assign(access, {
    address,
    plain,
    /** Keys as the caller holds them now. */
    keys: async (at) => (typeof credentials === "function" ? credentials(at) : credentials),
    covers: (url) => covers(new URL(url)),
    send,
    opening(source, options) {
      const fetch = options.fetch ?? ((request) => globalThis.fetch(request));
      const { resolveUrl } = options;
      return [
        typeof source === "string" || source?.[Symbol.toStringTag] === "URL" ? (address(String(source)) ?? source) : source,
        { ...options, fetch: (request) => send(request, fetch), resolveUrl: (url) => resolveUrl?.(url) ?? address(url) },
      ];
    },
    async renew(answer) {
      const held = one ?? heldFor(new URL(answer.url));
      return held !== undefined && isRefusal(answer) && held.renew((await held.current(now())).number, now());
    },
    /** @param {string} url @param {import("./requests.js").Patience & { fetch?: (request: Request) => Promise<Response> }} [options] */
    list: (url, { fetch = globalThis.fetch, ...patience } = {}) =>
      list(address(String(url)) ?? String(url), { ...patience, send: (at, signal) => send(new Request(at, { signal }), (request) => fetch(request)) }),
  });
}
