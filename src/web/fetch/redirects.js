/** Redirects of requests with headers, which are followed here outside browsers. Rust follows those of stores. */

/** HTTP statuses of redirects. */
const REDIRECTS = [301, 302, 303, 307, 308];

/** Redirects after which a POST becomes a GET, as in `fetch`. */
const TO_GET = [301, 302, 303];

/** Most redirects that one request follows: 20, as in `fetch`. */
const MOST_REDIRECTS = 20;

/**
 * One request on its way through redirects.
 *
 * @typedef {object} Hop
 * @property {URL} url
 * @property {string} method
 * @property {boolean} carries whether the caller's headers go along: until the first address of another origin
 * @property {RequestRedirect | undefined} redirect mode of the request
 */

/**
 * The response after redirects, and its address. Outside browsers, redirects of requests with headers are followed here,
 * so that the headers go to no other origin. Browsers hide the target of a redirect and follow it themselves.
 *
 * @template {Response} Answer
 * @param {URL} url
 * @param {{ method?: string, hasHeaders: boolean, isForbidden?: boolean }} options whether the request has headers of the
 *   caller's, and whether a redirect is an error
 * @param {(hop: Hop) => Promise<Answer>} send
 * @param {(response: Answer) => unknown} leave discards a body
 * @param {(reason: string, response: Answer) => Error} fail makes the error of a redirect that leads nowhere
 * @returns {Promise<{ response: Answer, url: URL }>}
 */
export async function afterRedirects(url, { method = "GET", hasHeaders, isForbidden = false }, send, leave, fail) {
  const isManual = isForbidden || (globalThis.location === undefined && hasHeaders);
  let carries = true;
  for (let before = 0; ; before++) {
    const response = await send({ url, method, carries, redirect: isManual ? "manual" : undefined });
    const isRedirect = response.type === "opaqueredirect" || REDIRECTS.includes(response.status);
    const location = isRedirect ? response.headers.get("Location") : null;
    const isRefused = isRedirect && isForbidden;
    if (!isManual || (location === null && !isRefused)) return { response, url };
    await leave(response);
    if (isRefused || location === null) throw fail('the host redirects to another address, which the option redirect: "error" forbids', response);
    if (before === MOST_REDIRECTS) throw fail(`the host redirects more than ${MOST_REDIRECTS} times`, response);
    const next = URL.canParse(location, url) ? new URL(location, url) : undefined;
    if (!next || !/^https?:$/.test(next.protocol)) throw fail("the host redirects to an address that is not http: or https:", response);
    if (method === "POST" && TO_GET.includes(response.status)) method = "GET";
    carries &&= next.origin === url.origin;
    url = next;
  }
}
