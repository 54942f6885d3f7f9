/** Options of the ready-made Service Worker in the query of its URL: written by a page, read by the worker. */

const listed = (value) => (ArrayBuffer.isView(value) ? [...value] : value);

/** Whether items can stand in a text with commas between them, and are found in it again. */
const isPlain = (items) => items.length > 0 && items.every((item) => typeof item === "number" || (typeof item === "string" && /^[^\s,[](?:[^,]*[^\s,])?$/.test(item)));

/** Text of a value: words and numbers with commas between them, or JSON for objects by path and lists of other items. */
function written(value) {
  const found = listed(value);
  const isText = !found || typeof found !== "object" || (Array.isArray(found) && isPlain(found));
  return isText ? String(found) : JSON.stringify(found, (_, inner) => listed(inner));
}

const list = (text) => (text.startsWith("[") ? JSON.parse(text) : text.split(",").map((word) => word.trim()));
const numbers = (text) => list(text).map(Number);
const word = (text) => text;
const byPath = (read) => (text) => (text.startsWith("{") ? JSON.parse(text) : read(text));

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
  geozarr: (text) => text === "true",
  dimensions: list,
  times: word,
  zarrFormat: Number,
  cacheBytes: Number,
  // Whether a page holds further options.
  handed: (text) => text === "true",
};

/**
 * Sources with their options, from a query. A parameter that is there once counts for all sources; one that is there
 * several times belongs to the sources in their order, where an empty text is none. `scope` belongs to them in any case.
 * A text that cannot be read is told in `fault`, for an answer to who asks for the source.
 *
 * @param {string} query
 * @returns {({ source: string, scope?: string, handed?: boolean, fault?: string } & Record<string, unknown>)[]}
 */
export function sourcesIn(query) {
  const asked = new URLSearchParams(query);
  const scopes = asked.getAll("scope");
  return asked.getAll("source").map((source, nth) => {
    const options = Object.entries(READ).flatMap(([name, read]) => {
      const texts = asked.getAll(name);
      const text = texts.length === 1 ? texts[0] : texts[nth];
      try {
        return text ? [[name, read(text)]] : [];
      } catch (error) {
        return [["fault", `the parameter ${name} of the Service Worker's URL is no JSON: ${error.message}; it is ${text}`]];
      }
    });
    return { source, scope: scopes[nth] || undefined, ...Object.fromEntries(options) };
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
 * its `fault`, told at the other one; `place` is undefined where neither can.
 *
 * @param {ReturnType<typeof sourcesIn>[number]} found
 * @param {string} base address of the worker
 */
export function placed({ source, scope = source, ...options }, base) {
  const [url, place] = [source, scope].map((text) => addressOf(text, base));
  if (url && place) return { ...options, url, place };
  const [name, text] = url ? ["scope", scope] : ["source", source];
  return { ...options, url, place: place ?? url, fault: `the parameter ${name} of the Service Worker's URL is no address; it is ${text}` };
}

/** Whether an option can stand in the query; all others are handed over. */
const isWritten = (name, value) => (name === "scope" || name in READ) && typeof value !== "function";

/**
 * Query of sources, with the options that are handed over instead, for each source.
 *
 * @param {Record<string, unknown>[]} sources
 * @returns {{ query: URLSearchParams, handed: Record<string, unknown>[] }}
 */
export function queryOf(sources) {
  const given = sources.map((options) => Object.entries(options).filter(([name, value]) => name !== "source" && value !== undefined));
  const handed = given.map((options) => Object.fromEntries(options.filter((option) => !isWritten(...option))));
  const texts = given.map((options, nth) => {
    const own = options.filter((option) => isWritten(...option)).map(([name, value]) => [name, written(value)]);
    return new Map([...own, ...(Object.keys(handed[nth]).length > 0 ? [["handed", "true"]] : [])]);
  });
  const query = new URLSearchParams(sources.map(({ source }) => ["source", String(source)]));
  const names = new Set(texts.flatMap((own) => [...own.keys()]));
  // With a text for each source, empty ones included, none is taken for the only one of all.
  for (const name of names) for (const own of texts) query.append(name, own.get(name) ?? "");
  return { query, handed };
}
