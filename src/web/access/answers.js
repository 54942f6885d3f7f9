/** Answers of services that refuse a request: the code of an error, and what else is in it. */
import { failure } from "../stores/common.js";
import { element, textUpTo } from "./bodies.js";

/** Most bytes of an answer that are read. */
const MOST = 64 << 10;

/** @typedef {{ code?: string, message?: string, region?: string, serverTime?: number, isElsewhere?: boolean, isOver?: boolean, isWrong?: boolean }} Said */

/** Codes of requests to a bucket that is in another region than the one that was signed for. */
const ELSEWHERE = new Set(["PermanentRedirect", "AuthorizationHeaderMalformed", "AuthorizationQueryParametersError", "IllegalLocationConstraintException"]);

/** Codes of S3 that say that credentials are over. */
const OVER = new Set(["ExpiredToken", "InvalidToken", "TokenRefreshRequired", "ExpiredTokenException"]);

/** Codes of S3 that say that keys are wrong, or what they were signed for. */
const WRONG = new Set(["InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidSecurity", "AuthorizationHeaderMalformed", "AuthorizationQueryParametersError", "PermanentRedirect"]);

/**
 * What an answer says: `code`, `message`, `region`, `serverTime`, and what codes of S3 mean. The response stays readable.
 *
 * @param {Response} response
 * @returns {Promise<Said>}
 */
async function saidBy(response) {
  const { text } = await textUpTo(response.clone(), MOST).catch(() => ({ text: "" }));
  const time = Date.parse(element(text, "ServerTime") ?? response.headers.get("Date") ?? "");
  const code = /^[\w.-]{1,64}$/.exec(response.headers.get("x-ms-error-code") ?? element(text, "Code") ?? "")?.[0];
  return {
    code,
    isElsewhere: ELSEWHERE.has(code ?? ""),
    isOver: OVER.has(code ?? ""),
    isWrong: WRONG.has(code ?? ""),
    message: element(text, "Message"),
    region: REGION.exec(response.headers.get("x-amz-bucket-region") ?? element(text, "Region") ?? /\bs3[.-]([a-z]{2}(?:-[a-z]+)+-\d)\./.exec(element(text, "Endpoint") ?? "")?.[1] ?? "")?.[0],
    serverTime: Number.isNaN(time) ? undefined : time,
  };
}

/** A region as services name them: nothing else may become a part of a host's name. */
const REGION = /^[a-z\d-]{1,40}$/;

/** A HEAD as a GET of its first byte, whose refusal has a body. */
const asGet = (request) => new Request(request, { method: "GET", headers: { ...Object.fromEntries(request.headers), Range: "bytes=0-0" } });

/**
 * What a service says in a refusal. That of a HEAD has no body, so its reason is asked for by a GET.
 *
 * @param {Response} answer
 * @param {Request} request
 * @param {(request: Request) => Promise<Response>} send
 * @returns {Promise<Said>}
 */
export async function saidIn(answer, request, send) {
  const isTold = answer.status === 301 && answer.headers.has("x-amz-bucket-region");
  if (request.method !== "HEAD" || isTold) return saidBy(answer);
  const other = await send(asGet(request));
  const said = await saidBy(other);
  other.body?.cancel().catch(() => {});
  return said;
}

/** What codes of S3 ask for. */
const HINTS = {
  InvalidAccessKeyId: "the host does not know this accessKeyId",
  SignatureDoesNotMatch: "check secretAccessKey, and the endpoint's host and port",
  RequestTimeTooSkewed: "set this computer's clock",
};

/**
 * The error that a service refuses the credentials. Its own message is left out, because it may repeat what was sent.
 *
 * @param {string} name of the service
 * @param {string} address
 * @param {number} status
 * @param {Said} said
 * @param {string} hint
 */
export function refusalOf(name, address, status, { code, region, isElsewhere }, hint) {
  const { origin, pathname } = new URL(address);
  const url = `${origin}${pathname}`;
  // Browsers tell nothing of a redirect that is not followed.
  const remedy = status === 0 || isElsewhere ? `set the option region to that of the bucket${region ? `, which the host says is ${region}` : ""}` : (HINTS[code ?? ""] ?? hint);
  const answer = status === 0 ? "a redirect" : `status ${status}${code ? `, ${code}` : ""}`;
  return failure("StoreError", `${url}: the host refuses the credentials of the option access (${name}): ${answer}; ${remedy}`, { key: url, status: status || undefined, refusedKeys: true });
}
