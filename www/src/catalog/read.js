// Reads the page's catalog: explorer.json beside it, or the one that the query names.
import { webAddress } from "../model/source.js";
import { catalogOf, fault } from "./document.js";

const PATIENCE = 20_000; // ms
const LONGEST = 4e6; // characters

/** The address that `?catalog=` names; undefined without one. */
function askedFor() {
  const text = new URLSearchParams(location.search).get("catalog");
  if (!text) return undefined;
  const url = webAddress(text);
  if (!/^https?:/.test(url)) throw fault("?catalog=", "write an address that begins with https://, or one relative to the page");
  return url;
}

/**
 * The catalog, as `catalogOf` gives it. Without a query, undefined where none stands beside the page: hosts say so by
 * 404, by 403 or by a page of HTML.
 */
export async function readCatalog() {
  const asked = askedFor();
  const url = asked ?? new URL("explorer.json", document.baseURI).href;
  let answer;
  let text;
  try {
    // The page's head has asked already, where it may hold a script of its own.
    answer = await (globalThis.earlyCatalog?.url === url ? globalThis.earlyCatalog.answer : fetch(url, { signal: AbortSignal.timeout(PATIENCE) }));
    text = answer.ok ? await answer.text() : "";
  } catch (error) {
    if (!asked) return undefined;
    const why = error.name === "TimeoutError" ? `it did not answer within ${PATIENCE / 1000} s` : "it could not be fetched; check the address, and that its host allows this page by CORS";
    throw fault(url, why);
  }
  const isPage = /^\s*</.test(text);
  if (!asked && (!answer.ok || isPage)) return undefined;
  if (!answer.ok) throw fault(url, `the host answered ${answer.status}; check the address`);
  if (isPage) throw fault(url, "the host answered with a page of HTML; check the address");
  if (text.length > LONGEST) throw fault(url, `it is longer than ${LONGEST / 1e6} million characters; name fewer stores`);
  return catalogOf(text, answer.url || url);
}
