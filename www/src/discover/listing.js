// Asks a host what is below an address: a bucket's listing (S3, Google Cloud and their like), or the index page of a web server.
import { accessTo } from "../private/keep.js";

const MOST_PAGES = 10; // of a bucket's listing, 1,000 names each
const LONGEST = 8 * 2 ** 20; // characters of one answer
const METADATA = /^(zarr\.json|\.z(array|group|attrs|metadata))$/;

const BUCKET_FIRST = /^(s3[.-].*amazonaws\.com|s3\.amazonaws\.com|storage\.googleapis\.com)$/; // https://host/bucket/…
const BUCKET_HOST = /(\.s3[.-].*amazonaws\.com|\.s3\.amazonaws\.com|\.storage\.googleapis\.com|\.digitaloceanspaces\.com|\.r2\.dev)$/; // https://bucket.host/…

/** The query of a bucket's listing for an address, whose first `n` segments name the bucket. */
function listingOf(address, n) {
  const segments = address.pathname.split("/").filter(Boolean);
  const listing = new URL(`/${segments.slice(0, n).join("/")}`, address);
  const prefix = segments.slice(n).map((text) => `${decodeURIComponent(text)}/`).join("");
  listing.search = new URLSearchParams({ "list-type": 2, delimiter: "/", prefix });
  return listing;
}

/** Where to ask: of buckets that are known as such, their listing; else the folder itself, then a bucket named by the first segment. */
function questions(address) {
  if (BUCKET_FIRST.test(address.hostname)) return [listingOf(address, 1)];
  if (BUCKET_HOST.test(address.hostname)) return [listingOf(address, 0)];
  const folder = new URL(address);
  folder.pathname = `${address.pathname.replace(/\/+$/, "")}/`;
  return address.pathname.length > 1 ? [folder, listingOf(address, 1)] : [folder];
}

async function textOf(url, signal) {
  const answer = await fetch(url, { signal, ...accessTo(url) });
  if (!answer.ok) return undefined;
  const text = await answer.text();
  return text.length <= LONGEST ? { text, url: new URL(answer.url || url) } : undefined;
}

const texts = (parent, name) => [...parent.getElementsByTagNameNS("*", name)].map(({ textContent }) => textContent);

/** Names in a page of a bucket's listing: `{ folders, files, next }`. */
function inBucket(document, prefix) {
  const below = (keys) => keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
  const folders = [...document.getElementsByTagNameNS("*", "CommonPrefixes")].flatMap((each) => texts(each, "Prefix"));
  const [more] = texts(document, "IsTruncated");
  return {
    folders: below(folders).map((name) => name.replace(/\/$/, "")).filter(Boolean),
    files: below(texts(document, "Key")).filter((name) => name && !name.includes("/")),
    next: more === "true" ? texts(document, "NextContinuationToken")[0] : undefined,
  };
}

/** Names that an index page links to, one segment below its own address; undefined of any other page. */
function inIndex(text, url) {
  const document = new DOMParser().parseFromString(text, "text/html");
  const folders = new Set();
  const files = new Set();
  for (const link of document.querySelectorAll("a[href]")) {
    let to;
    try {
      to = new URL(link.getAttribute("href"), url);
    } catch {
      continue;
    }
    if (to.origin !== url.origin || to.search || !to.pathname.startsWith(url.pathname)) continue;
    const [, name, slash] = /^([^/]+)(\/?)$/.exec(to.pathname.slice(url.pathname.length)) ?? [];
    if (name) (slash ? folders : files).add(decodeURIComponent(name));
  }
  const heading = `${document.title} ${document.querySelector("h1")?.textContent ?? ""}`;
  const isIndex = /\bindex of\b|directory listing/i.test(heading) || [...files].some((name) => METADATA.test(name));
  return isIndex ? { folders: [...folders], files: [...files] } : undefined;
}

/** All pages of a bucket's listing. */
async function bucket(url, text, signal) {
  const folders = [];
  const files = [];
  const prefix = url.searchParams.get("prefix") ?? "";
  for (let page = 0; page < MOST_PAGES; page++) {
    const document = new DOMParser().parseFromString(text, "application/xml");
    if (document.documentElement.localName !== "ListBucketResult") return undefined;
    const found = inBucket(document, prefix);
    folders.push(...found.folders);
    files.push(...found.files);
    if (!found.next) break;
    const next = new URL(url);
    next.searchParams.set("continuation-token", found.next);
    text = (await textOf(next, signal))?.text;
    if (!text) break;
  }
  return { folders, files };
}

/** The names below an address as its host lists them, `{ folders, files }`; undefined where it does not. */
export async function namesBelow(address, signal) {
  for (const question of questions(new URL(address))) {
    try {
      const answer = await textOf(question, signal);
      if (!answer) continue;
      const found = question.searchParams.has("list-type") ? await bucket(question, answer.text, signal) : inIndex(answer.text, answer.url);
      if (found && found.folders.length + found.files.length) return found;
    } catch (error) {
      if (signal?.aborted) throw error;
      // A host that forbids or breaks this answers nothing: the page goes on without its list.
    }
  }
  return undefined;
}
