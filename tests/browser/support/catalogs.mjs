/** Hosts of catalogs of STAC, and items in them. */

import { allow, listen } from "./server.mjs";

/** A host of documents by path; functions are called with the request and its body. */
export async function startHost(documents) {
  const requests = [];
  const site = await listen(async (request, response) => {
    allow(request, response);
    if (request.method === "OPTIONS") return response.end();
    let body = "";
    for await (const some of request) body += some;
    requests.push({ method: request.method, url: request.url, body, headers: request.headers });
    const [path] = request.url.split("?");
    const found = documents[path];
    if (found === undefined) return response.writeHead(404).end();
    const url = new URL(request.url, site.url);
    const answer = typeof found === "function" ? found({ url, body: body && JSON.parse(body) }, response) : found;
    if (response.writableEnded || response.headersSent) return undefined;
    return response.writeHead(200, { "Content-Type": "application/json" }).end(typeof answer === "string" ? answer : JSON.stringify(answer));
  });
  return Object.assign(site, { requests });
}

/** An item of STAC with these assets. */
export const item = (id, assets, more = {}) => ({
  type: "Feature",
  stac_version: "1.1.0",
  id,
  geometry: null,
  bbox: [5, 45, 11, 48],
  properties: { datetime: "2024-06-01T12:00:00Z", title: `Item ${id}`, ...more.properties },
  links: more.links ?? [],
  assets,
  ...more.top,
});
