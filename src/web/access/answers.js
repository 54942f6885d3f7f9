/** Answers of services that refuse a request: the code of an error, and what else is in it. */

/** Most bytes of an answer that are read. */
const MOST = 64 << 10;

/** The start of a body, without waiting for more than is needed. */
async function startOf(response) {
  const reader = response.body?.getReader();
  if (!reader) return "";
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (value) text += decoder.decode(value, { stream: true });
    if (done || text.length > MOST) break;
  }
  reader.cancel().catch(() => {});
  return text.slice(0, MOST);
}

/** @typedef {{ code?: string, message?: string, region?: string, serverTime?: number }} Said */

/** Text of the first element of a name in XML, which has no elements inside. */
const element = (text, name) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1];

/**
 * What an answer says: `code`, `message`, `region`, `serverTime`. The response stays readable.
 *
 * @param {Response} response
 * @returns {Promise<Said>}
 */
export async function saidBy(response) {
  const text = await startOf(response.clone()).catch(() => "");
  const time = Date.parse(element(text, "ServerTime") ?? response.headers.get("Date") ?? "");
  return {
    code: /^[\w.-]{1,64}$/.exec(response.headers.get("x-ms-error-code") ?? element(text, "Code") ?? "")?.[0],
    message: element(text, "Message"),
    region: response.headers.get("x-amz-bucket-region") ?? element(text, "Region") ?? /\bs3[.-]([a-z]{2}(?:-[a-z]+)+-\d)\./.exec(element(text, "Endpoint") ?? "")?.[1],
    serverTime: Number.isNaN(time) ? undefined : time,
  };
}
