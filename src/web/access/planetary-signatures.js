/** Signatures of the Planetary Computer, from its service. */
import { refusalOf } from "./answers.js";

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
  const response = await fetch(new Request(url, { headers }));
  if (response.status === 404) return { isOther: true };
  const { token, "msft:expiry": expiration } = response.ok ? await response.json().catch(() => ({})) : {};
  if (typeof token !== "string") throw refusalOf("planetary", url, response.status, {}, "the service gives no signature for this container");
  return { sas: token, expiration };
}
