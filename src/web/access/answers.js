/** Answers of services that refuse a request: the code of an error, and what else is in it. */
import { failure } from "../stores/common.js";
import { element, textUpTo } from "./bodies.js";

/** Most bytes of an answer that are read. */
const MOST = 64 << 10;

/**
 * What a service says in a refusal, and what that asks for: "renew" for other credentials, "time" for a signature by its
 * clock, "refused" where nothing can be done; undefined for an answer like any other.
 *
 * @typedef {{ code?: string, region?: string, serverTime?: number, isElsewhere?: boolean, remedy?: "renew" | "time" | "refused" }} Said
 */

/** Milliseconds by which a clock may be off without an effect. */
const SKEWED = 300_000;

/** Codes of requests to a bucket that is in another region than the one that was signed for. */
const ELSEWHERE = new Set(["PermanentRedirect", "AuthorizationHeaderMalformed", "AuthorizationQueryParametersError", "IllegalLocationConstraintException"]);

/**
 * Codes that say that credentials are over: of S3, of MinIO, which forgets the keys of sessions that have ended, and of
 * Azure and its emulator.
 */
const OVER = new Set(["ExpiredToken", "InvalidToken", "TokenRefreshRequired", "ExpiredTokenException", "InvalidAccessKeyId", "InvalidTokenId", "InvalidAuthenticationInfo", "AuthenticationFailed", "AuthorizationFailure", "ExpiredAuthenticationToken"]);

/** Codes of S3 that say that keys are wrong, or what they were signed for. */
const WRONG = new Set(["SignatureDoesNotMatch", "InvalidSecurity", "AuthorizationHeaderMalformed", "AuthorizationQueryParametersError", "PermanentRedirect"]);

/** What a refusal asks for. */
function remedyOf(code, message, status, skew) {
  // What an address that is signed by its query gets before and after its time.
  const isUntimely = code === "AccessDenied" && /expired|not (?:yet )?valid/i.test(message ?? "");
  if (code === "RequestTimeTooSkewed" || (isUntimely && Math.abs(skew) > SKEWED)) return "time";
  if (status === 401 || isUntimely || OVER.has(code)) return "renew";
  // Browsers tell nothing of a redirect that is not followed.
  return status === 0 || WRONG.has(code) ? "refused" : undefined;
}

/**
 * What an answer says. The response stays readable.
 *
 * @param {Response} response
 * @param {number} status of the request that was refused
 * @param {number} now milliseconds since 1970, by the service's clock as far as it is known
 * @returns {Promise<Said>}
 */
async function saidBy(response, status, now) {
  const { text } = await textUpTo(response.clone(), MOST).catch(() => ({ text: "" }));
  const time = Date.parse(element(text, "ServerTime") ?? response.headers.get("Date") ?? "");
  const code = /^[\w.-]{1,64}$/.exec(response.headers.get("x-ms-error-code") ?? element(text, "Code") ?? "")?.[0];
  return {
    code,
    isElsewhere: ELSEWHERE.has(code ?? ""),
    remedy: remedyOf(code, element(text, "Message"), status, Number.isNaN(time) ? 0 : time - now),
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
 * @param {number} now milliseconds since 1970, by the service's clock as far as it is known
 * @returns {Promise<Said>}
 */
export async function saidIn(answer, request, send, now) {
  const isTold = answer.status === 301 && answer.headers.has("x-amz-bucket-region");
  if (request.method !== "HEAD" || isTold) return saidBy(answer, answer.status, now);
  const other = await send(asGet(request));
  const said = await saidBy(other, answer.status, now);
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
