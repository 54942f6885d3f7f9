// Abilities of the data's host, from one request for one byte and one for a key that is missing: ranges, exposed headers, and the version of HTTP.
import { addressIn } from "../../model/source.js";

const EXPOSE = "Access-Control-Expose-Headers: ETag, Content-Range, Content-Length";
const VERSIONS = { h3: "HTTP/3", h2: "HTTP/2", h2c: "HTTP/2", "http/1.1": "HTTP/1.1", "http/1.0": "HTTP/1.0" };

/** A file of the store to ask for: a chunk that was read, or else the array's metadata; `isWhole` where no key of a store can be missing beside it. Undefined where no host has it. */
export function sampleOf({ catalog: { place }, dataset, ledger }) {
  if (!place.base) return undefined;
  if (place.keys) return { url: place.base, isWhole: true };
  const read = ledger.steps.filter(({ touched }) => touched.size).flatMap(({ requests }) => requests).findLast(({ bytes, method, status }) => bytes > 0 && method === "GET" && status < 300);
  const isElsewhere = read && /^https?:\/\//.test(read.key);
  if (read) return { url: isElsewhere ? read.key : addressIn(place, read.key), isWhole: isElsewhere };
  const name = dataset.zarrFormat === 2 ? ".zarray" : "zarr.json";
  return { url: addressIn(place, dataset.path ? `${dataset.path}/${name}` : name), isMetadata: true };
}

/** The protocol of the latest request to an origin, as far as the host lets pages know it. */
const protocolOf = (origin) => performance.getEntriesByType("resource").findLast(({ name, nextHopProtocol }) => nextHopProtocol && name.startsWith(`${origin}/`))?.nextHopProtocol;

/** An address beside a file at which nothing can be. */
function absentBeside(url) {
  const absent = new URL(url);
  absent.pathname = `${absent.pathname.split("/").slice(0, -1).join("/")}/rectilinear-zarr-asks-for-what-is-missing`;
  return absent.href;
}

/** What the host answers to a key that is missing: `{ status, isPage }`, or a `failure`. */
async function probeAbsent(url) {
  try {
    const { status, headers, body } = await fetch(absentBeside(url), { cache: "no-store" });
    await body?.cancel();
    return { status, isPage: /html/.test(headers.get("content-type") ?? "") };
  } catch (error) {
    return { failure: error.message };
  }
}

async function probe({ url, isMetadata, isWhole }) {
  const { origin } = new URL(url);
  try {
    const { status, headers, body } = await fetch(url, { headers: { Range: "bytes=0-0" }, cache: "no-store" });
    await body?.cancel();
    const [etag, length, range] = ["etag", "content-length", "content-range"].map((name) => headers.get(name));
    const absent = status < 400 && !isWhole ? await probeAbsent(url) : undefined;
    return { origin, isOwn: origin === location.origin, isMetadata, absent, status, etag, length, range, protocol: protocolOf(origin) };
  } catch (error) {
    return { origin, isOwn: origin === location.origin, failure: error.message };
  }
}

const asked = new Map(); // origin -> promise of its answer

/** The answer of a sample's host, which is asked once. */
export function answerOf(sample) {
  const { origin } = new URL(sample.url);
  if (!asked.has(origin)) asked.set(origin, probe(sample));
  return asked.get(origin);
}

function ranges({ status, isMetadata, isOwn, range }) {
  const name = "Ranges";
  if (status === 206 && (isOwn || range)) return { name, state: "good", words: "answered with the part asked for" };
  if (status === 206) return { name, state: "lacks", words: "answered, but Content-Range is not exposed, so that answers cannot be checked", remedy: EXPOSE };
  if (status === 200 && isMetadata) return { name, state: "unknown", words: "not known: no chunk was read yet, and metadata may be compressed on the way" };
  return { name, state: "lacks", words: "the host sends whole files; shards and zips take them", remedy: "Accept-Ranges: bytes" };
}

function protocol({ protocol: found, isOwn }) {
  const name = "HTTP version";
  const words = VERSIONS[found] ?? found;
  if (!words) return { name, state: "unknown", words: isOwn ? "the browser does not say" : "the host does not let pages know", remedy: isOwn ? undefined : "Timing-Allow-Origin: *" };
  if (!words.startsWith("HTTP/1")) return { name, state: "good", words };
  return { name, state: "lacks", words: `${words}: browsers ask for six files at a time; HTTP/2 has no such bound. In nginx:`, remedy: "http2 on;" };
}

function missing({ absent: { status, isPage, failure }, isOwn }) {
  const name = "Missing keys";
  if (failure) return { name, state: "lacks", words: "what is missing is answered without CORS headers, so that it looks like a host that is gone; in nginx:", remedy: isOwn ? undefined : 'add_header Access-Control-Allow-Origin "*" always;' };
  if (status === 404 || status === 410) return { name, state: "good", words: `answered with ${status}` };
  if (status === 403) return { name, state: "lacks", words: "answered with 403, as buckets do that may not be listed: what is missing cannot be told from what is forbidden. On S3 it takes:", remedy: "s3:ListBucket" };
  if (status < 400) return { name, state: "lacks", words: `answered with ${isPage ? "a page of HTML" : "a file"} and ${status}: chunks that are not stored are taken for damaged; answer 404` };
  return { name, state: "lacks", words: `answered with ${status}; answer 404` };
}

/** Findings about the host, as `{ name, words, state, remedy }`. */
export function judged(answer) {
  const { isOwn, status, etag, length, failure } = answer;
  const cors = { name: "CORS", state: "good", words: isOwn ? "not needed: data and page have one origin" : "this page may read" };
  if (failure) return [{ name: "Answer", state: "lacks", words: `the host could not be asked (${failure})`, remedy: isOwn ? undefined : "Access-Control-Allow-Origin: *" }];
  if (status >= 400) return [cors, { name: "Answer", state: "lacks", words: `${status} to a request for one byte` }];
  const shown = (name, value, without) =>
    value ? { name, state: "good", words: isOwn ? "sent" : "exposed" } : { name, state: "lacks", words: `${isOwn ? "not sent" : "not sent, or not exposed"}: ${without}`, remedy: isOwn ? `${name}: …` : EXPOSE };
  return [
    cors, ranges(answer),
    shown("ETag", etag, "a file that changes while it is read is not noticed"),
    shown("Content-Length", length, "the size of a file is not known before its end"),
    ...(answer.absent ? [missing(answer)] : []),
    protocol(answer),
  ];
}
