/** Options of the ready-made Service Worker in the query of its URL: written by a page, read by the worker. */

const listed = (value) => (ArrayBuffer.isView(value) ? [.../** @type {any} */ (value)] : value);

/** Whether items can stand in a text with commas between them, and are found in it again. */
const isPlain = (items) => items.length > 0 && items.every((item) => typeof item === "number" || (typeof item === "string" && /^[^\s,[](?:[^,]*[^\s,])?$/.test(item)));

/** Text of a value: words and numbers with commas between them, or JSON for objects by path and lists of other items. */
function written(value) {
  const found = listed(value);
  const isText = !found || typeof found !== "object" || (Array.isArray(found) && isPlain(found));
  return isText ? String(found) : JSON.stringify(found, (_, inner) => listed(inner));
}

/** Value of a text in JSON. */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SyntaxError(`is no JSON: ${error.message}`, { cause: error });
  }
}

const list = (text) => (text.startsWith("[") ? parsed(text) : text.split(",").map((word) => word.trim()));

/** Number of a text or of an item in JSON; `Number` alone takes empty texts and null for 0. */
function number(value) {
  const found = typeof value === "string" && value !== "" ? Number(value) : value;
  if (typeof found === "number" && !Number.isNaN(found)) return found;
  throw new SyntaxError(`has ${JSON.stringify(value)} where a number is expected`);
}

function flag(text) {
  if (["true", "false"].includes(text)) return text === "true";
  throw new SyntaxError("is neither true nor false");
}

const numbers = (text) => list(text).map(number);
const word = (text) => text;
const byPath = (read) => (text) => (text.startsWith("{") ? parsed(text) : read(text));

/** Parameters by name, with what reads their text. */
const READ = {
  path: word,
  format: word,
  branch: word,
  tag: word,
  snapshot: word,
  missingStatuses: numbers,
  chunkShape: byPath(numbers),
  as: byPath(word),
  decode: byPath((text) => (text === "false" ? false : text)),
  geozarr: flag,
  dimensions: list,
  times: word,
  zarrFormat: number,
  cacheBytes: number,
  // Whether a page holds further options.
  handed: flag,
};

const faultOf = (name, reason, text) => `the parameter ${name} of the Service Worker's URL ${reason}; it is ${text}`;

/**
 * Sources with their options, from a query. A parameter that is there once counts for all sources; one that is there
 * several times belongs to the sources in their order, where an empty text is none. `scope` belongs to them in any case.
 * Texts that cannot be read are told in `faults`, for an answer to who asks for the source.
 *
 * @param {string} query
 * @returns {({ source: string, scope?: string, handed?: boolean, faults?: string[] } & Record<string, unknown>)[]}
 */
export function sourcesIn(query) {
  const asked = new URLSearchParams(query);
  const scopes = asked.getAll("scope");
  return asked.getAll("source").map((source, nth) => {
    const faults = [];
    const options = Object.entries(READ).flatMap(([name, read]) => {
      const texts = asked.getAll(name);
      const text = texts.length === 1 ? texts[0] : texts[nth];
      try {
        return text ? [[name, read(text)]] : [];
      } catch (error) {
        faults.push(faultOf(name, error.message, text));
        return [];
      }
    });
    return { source, scope: scopes[nth] || undefined, ...Object.fromEntries(options), ...(faults.length > 0 && { faults }) };
  });
}

function addressOf(text, base) {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/**
 * A source with the addresses `url` of its data and `place` of what is shown. Where one of them cannot be read, that is
 * told at the other one; `place` is undefined where neither can. `fault` names all that cannot be read.
 *
 * @param {ReturnType<typeof sourcesIn>[number]} found
 * @param {string} base address of the worker
 */
export function placed({ source, scope = source, faults = [], ...options }, base) {
  const [url, place] = [source, scope].map((text) => addressOf(text, base));
  const addresses = [...(url ? [] : [["source", source]]), ...(place || scope === source ? [] : [["scope", scope]])];
  const all = [...addresses.map(([name, text]) => faultOf(name, "is no address", text)), ...faults];
  return { ...options, url, place: place ?? url, ...(all.length > 0 && { fault: all.join("; and ") }) };
}

/** Whether an option can stand in the query; all others are handed over. */
const isWritten = (name, value) => (name === "scope" || name in READ) && typeof value !== "function";

/**
 * Query of sources, with the options that are handed over instead, for each source.
 *
 * @param {Record<string, unknown>[]} sources
 * @returns {{ query: URLSearchParams, handed: Record<string, any>[] }}
 */
export function queryOf(sources) {
  const given = sources.map((options) => Object.entries(options).filter(([name, value]) => name !== "source" && value !== undefined));
  const handed = given.map((options) => Object.fromEntries(options.filter((option) => !isWritten(...option))));
  const texts = given.map((options, nth) => {
    /** @type {[string, string][]} */
    const own = options.filter((option) => isWritten(...option)).map(([name, value]) => [name, written(value)]);
    if (Object.keys(handed[nth]).length > 0) own.push(["handed", "true"]);
    return new Map(own);
  });
  const query = new URLSearchParams(sources.map(({ source }) => ["source", String(source)]));
  const names = new Set(texts.flatMap((own) => [...own.keys()]));
  // With a text for each source, empty ones included, none is taken for the only one of all.
  for (const name of names) for (const own of texts) query.append(name, own.get(name) ?? "");
  return { query, handed };
}
