/** Signatures of the Planetary Computer, from its service. */
import { refusalOf } from "./answers.js";
import { repeated } from "./requests.js";

/** Most bytes of an answer. */
const MOST_BYTES = 64 << 10;

/** The object that a text of JSON is; without members for other texts. */
function objectOf(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

/**
 * The signature of a container; `{ isOther: true }` where the service does not know the container.
 *
 * @param {string} url of the service, with the container
 * @param {string | undefined} subscriptionKey
 * @param {(request: Request) => Promise<Response>} fetch
 */
export async function signatureAt(url, subscriptionKey, fetch) {
  /** @type {Record<string, string>} */
  const headers = subscriptionKey === undefined ? {} : { "Ocp-Apim-Subscription-Key": subscriptionKey };
  return repeated(url, async (attempt) => {
    const response = await attempt.answer(async () => fetch(new Request(url, { headers, signal: attempt.signal })));
    if (response.status === 404) return { isOther: true };
    const { token, "msft:expiry": expiration } = response.ok ? objectOf((await attempt.text(response, MOST_BYTES)).text) : {};
    if (typeof token !== "string") throw refusalOf("planetary", url, response.status, {}, "the service gives no signature for this container");
    return { sas: token, expiration };
  });
}
