/** Another origin that serves the fixtures and misbehaves where a test says so. */

import { FIXTURES } from "./paths.mjs";
import { allow, files, listen } from "./server.mjs";

/** The path of a request, decoded, without its query. */
export const pathOf = (request) => decodeURIComponent(new URL(request.url, "http://x").pathname);

/**
 * Serve the fixtures with open CORS headers. `intercept(request, response)` goes first; what it
 * returns true for is not served further. `origin.intercept` may be set anew between requests.
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

/** An interceptor that answers `status` to every request whose path matches. */
export function answer(pattern, status, body = "") {
  return (request, response) => {
    if (!pattern.test(pathOf(request))) return false;
    response.writeHead(status, { "Content-Type": "text/plain" }).end(body);
    return true;
  };
}
