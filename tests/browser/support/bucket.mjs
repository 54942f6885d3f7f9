/** A private bucket on this machine: it checks each signature, and refuses as S3 does. */

import { createHash } from "node:crypto";

import { signedHeaders, signedUrl } from "../../../src/web/access/sigv4.js";
import { allow, listen } from "./server.mjs";

const DAY = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

const timeOf = (stamp) => {
  const [, ...parts] = DAY.exec(stamp) ?? [];
  return parts.length ? Date.UTC(parts[0], parts[1] - 1, ...parts.slice(2)) : NaN;
};

/**
 * @param {Map<string, Uint8Array>} objects by key
 * @param {object} [options] `open`: a bucket that needs no keys; `keys`: current keys by id; `region`; `clock()`: the host's time in milliseconds; `refuses(nth,
 * request)`: a code to refuse a request with; `most`: names on a page of a list; `expose`: headers that CORS exposes
 */
export async function startBucket(objects, options = {}) {
  const { keys = { AKID: { secretAccessKey: "secret/of+this" } }, region = "eu-test-1", clock = Date.now, refuses = () => undefined, most = 1000, list } = options;
  let nth = 0;
  const refused = [];
  const answers = [];

  /** The code that a request is refused with; undefined for a good one. */
  async function check(request, url) {
    const own = refuses(nth++, request);
    if (own) return own;
    if (options.open !== undefined && url.pathname.startsWith(`/${options.open}/`)) return undefined;
    const query = url.searchParams;
    const authorization = request.headers.authorization;
    const credential = query.get("X-Amz-Credential") ?? /Credential=([^,]+)/.exec(authorization ?? "")?.[1];
    if (!credential) return "AccessDenied";
    const [accessKeyId, , named] = credential.split("/");
    const known = keys[accessKeyId];
    if (!known) return "InvalidAccessKeyId";
    const stamp = query.get("X-Amz-Date") ?? request.headers["x-amz-date"];
    const time = timeOf(stamp);
    const credentials = { accessKeyId, ...known };
    const { method } = request;
    if (authorization) {
      if (Math.abs(clock() - time) > 15 * 60_000) return "RequestTimeTooSkewed";
      if (named !== region) return "AuthorizationHeaderMalformed";
      if ((known.sessionToken ?? "") !== (request.headers["x-amz-security-token"] ?? "")) return "InvalidToken";
      const extra = Object.fromEntries(["x-amz-request-payer"].filter((name) => name in request.headers).map((name) => [name, request.headers[name]]));
      const expected = await signedHeaders({ method, url: url.href }, credentials, { region, time, headers: extra });
      return expected.authorization === authorization ? undefined : "SignatureDoesNotMatch";
    }
    if (clock() > time + 1000 * Number(query.get("X-Amz-Expires")) || clock() < time - 15 * 60_000) return "AccessDenied";
    if (named !== region) return "AuthorizationQueryParametersError";
    if ((known.sessionToken ?? null) !== query.get("X-Amz-Security-Token")) return "InvalidToken";
    const plain = new URL(url);
    plain.search = url.search.slice(1).split("&").filter((pair) => !/^X-Amz-/.test(pair)).join("&");
    const expected = await signedUrl({ method, url: plain.href }, credentials, { region, time, exact: true });
    return new URL(expected).searchParams.get("X-Amz-Signature") === query.get("X-Amz-Signature") ? undefined : "SignatureDoesNotMatch";
  }

  const names = (url) => {
    const prefix = url.searchParams.get("prefix") ?? "";
    const from = url.searchParams.get("continuation-token") ?? "";
    const found = new Map();
    for (const key of [...objects.keys()].sort()) {
      if (!key.startsWith(prefix)) continue;
      const rest = key.slice(prefix.length);
      const end = rest.indexOf("/");
      found.set(end < 0 ? key : prefix + rest.slice(0, end + 1), end >= 0);
    }
    const all = [...found].filter(([name]) => name > from);
    const page = all.slice(0, most);
    const code = (text) => encodeURIComponent(text).replaceAll("%20", "+");
    const rows = page.map(([name, isFolder]) => (isFolder ? `<CommonPrefixes><Prefix>${code(name)}</Prefix></CommonPrefixes>` : `<Contents><Key>${code(name)}</Key><Size>1</Size></Contents>`));
    const more = all.length > page.length;
    return `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><EncodingType>url</EncodingType><IsTruncated>${more}</IsTruncated>${more ? `<NextContinuationToken>${page.at(-1)[0]}</NextContinuationToken>` : ""}${rows.join("")}</ListBucketResult>`;
  };

  const site = await listen(async (request, response) => {
    const url = new URL(request.url, site.url);
    response.setHeader("Access-Control-Expose-Headers", "ETag, Content-Range, Content-Length, Date, x-amz-bucket-region");
    if (allow(request, response)) return;
    const code = await check(request, url);
    const status = code && (/ExpiredToken|InvalidToken|Malformed|ParametersError/.test(code) ? 400 : 403);
    if (code) {
      refused.push(code);
      const message = code === "AccessDenied" && url.searchParams.has("X-Amz-Date") ? "Request has expired" : "refused";
      const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message><Region>${region}</Region><ServerTime>${new Date(clock()).toISOString()}</ServerTime></Error>`;
      response.writeHead(status, { "Content-Type": "application/xml" }).end(request.method === "HEAD" ? undefined : body);
      return;
    }
    answers.push(request.url);
    if (url.searchParams.has("list-type")) {
      response.writeHead(200, { "Content-Type": "application/xml" }).end(list ? list(url) : names(url));
      return;
    }
    const bytes = objects.get(decodeURIComponent(url.pathname).replace(/^\/[^/]+\//, ""));
    if (!bytes) {
      response.writeHead(404, { "Content-Type": "application/xml" }).end("<Error><Code>NoSuchKey</Code></Error>");
      return;
    }
    const etag = `"${createHash("md5").update(bytes).digest("hex")}"`;
    const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
    const start = first === undefined ? 0 : first === "" ? Math.max(0, bytes.length - Number(last)) : Number(first);
    const stop = first === undefined || first === "" || last === "" ? bytes.length : Math.min(bytes.length, Number(last) + 1);
    const part = bytes.subarray(start, stop);
    const range = first === undefined ? {} : { "Content-Range": `bytes ${start}-${stop - 1}/${bytes.length}` };
    response.writeHead(first === undefined ? 200 : 206, { ETag: etag, "Content-Length": part.length, ...range }).end(request.method === "HEAD" ? undefined : part);
  });
  return Object.assign(site, { refused, answers, bucket: "private" });
}

/** Names of folders whose characters hosts and signatures encode in many ways. */
export const HARD = ["a b+c", "ü", "pct%2Fx", "tilde~!'()*", "c:@&=,;$", "日本"];

/** An array of int32 with one item a chunk: item n is n. Its chunks are in the folder `run` of a bucket. */
export function ofItems(count) {
  const objects = new Map();
  const json = (value) => new TextEncoder().encode(JSON.stringify(value));
  const codecs = [{ name: "bytes", configuration: { endian: "little" } }];
  objects.set("run/zarr.json", json({ zarr_format: 3, node_type: "group", attributes: { title: "run" } }));
  objects.set("run/n/zarr.json", json({
    zarr_format: 3, node_type: "array", shape: [count], data_type: "int32", chunk_grid: { name: "regular", configuration: { chunk_shape: [1] } },
    chunk_key_encoding: { name: "default" }, codecs, fill_value: -1, dimension_names: ["n"],
  }));
  for (let n = 0; n < count; n++) objects.set(`run/n/c/${n}`, new Uint8Array(new Int32Array([n]).buffer));
  return objects;
}
