/** Another origin that serves the fixtures, with faults that tests choose. */

import { FIXTURES } from "./paths.mjs";
import { allow, files, listen } from "./server.mjs";

/** Decoded path of a request, without its query. */
export const pathOf = (request) => decodeURIComponent(new URL(request.url, "http://x").pathname);

/**
 * Serves the fixtures with open CORS headers. `intercept(request, response)` is called first; where it returns true,
 * the request is finished. `origin.intercept` may be replaced between requests.
 */
export async function startOrigin(intercept = () => false) {
  const serve = files(FIXTURES);
  const origin = await listen((request, response) => {
    if (allow(request, response) || origin.intercept(request, response)) return;
    serve(request, response);
  });
  origin.intercept = intercept;
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
