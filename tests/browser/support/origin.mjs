/** Another origin that serves the fixtures, with faults that tests choose. */

import { FIXTURES } from "./paths.mjs";
import { allow, files, listen } from "./server.mjs";

/** Decoded path of a request, without its query. */
export const pathOf = (request) => decodeURIComponent(new URL(request.url, "http://x").pathname);

/**
 * Serves the fixtures with open CORS headers. `intercept(request, response)` is called first; where it returns true,
 * the request is finished. `origin.intercept` may be replaced between requests. `renew()` begins a log, and an address
 * that marks what belongs to it: requests of before that arrive late are neither logged nor intercepted.
 */
export async function startOrigin() {
  const serve = files(FIXTURES);
  const requests = [];
  let mark = "";
  const host = await listen((request, response) => {
    const isLate = !request.url.startsWith(`${mark}/`);
    if (!isLate) {
      request.url = request.url.slice(mark.length);
      requests.push({ method: request.method, url: request.url, headers: { ...request.headers } });
    }
    if (allow(request, response)) return;
    if (isLate) return response.writeHead(404).end();
    if (!origin.intercept(request, response)) serve(request, response);
  });
  const origin = { requests, url: host.url, intercept: () => false, close: host.close };
  let times = 0;
  origin.renew = () => {
    mark = `/${++times}`;
    requests.length = 0;
    Object.assign(origin, { url: `${host.url}${mark}`, intercept: () => false });
  };
  return origin;
}

/** Interceptor that answers `status` to every request whose path matches. */
export function answer(pattern, status, body = "") {
  return (request, response) => {
    if (!pattern.test(pathOf(request))) return false;
    response.writeHead(status, { "Content-Type": "text/plain" }).end(body);
    return true;
  };
}
