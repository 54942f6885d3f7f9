/** The convention `stac` of groups: a catalog's object in a group's attributes, or in its store. */
import { sources } from "../class/group-names.js";
import { failure } from "../stores/common.js";
import { addressOf, parsed } from "./documents.js";

/**
 * What the convention puts into a group's attributes: an object, the key of one in the store, or a link.
 *
 * @param {any} group
 * @param {any} context
 * @param {AbortSignal | undefined} signal
 * @param {{ made: (object: any, url: string | undefined, context: any) => Promise<any>, documentAt: (address: any, context: any, above: string[], signal: AbortSignal | undefined) => Promise<any> }} catalog
 */
export async function ofGroup(group, context, signal, { made, documentAt }) {
  const { attrs, path } = group;
  const [source] = sources.get(group) ?? [];
  const stated = attrs["stac:item"] ?? attrs["stac:collection"];
  const key = typeof stated === "string" ? stated : attrs["stac:key"];
  const isWeb = typeof source === "string" || source?.[Symbol.toStringTag] === "URL";
  const home = path ?? "";
  const all = [context.access ?? []].flat();
  const address = isWeb ? (all.map((each) => each.address(String(source))).find(Boolean) ?? String(source)) : "";
  const base = isWeb ? addressOf(`${address.split(/[?#]/)[0].replace(/\/+$/, "")}/${home ? `${home}/` : ""}`, globalThis.document?.baseURI) : undefined;
  // A signature in the address is sent for each file of the store.
  const [query = ""] = /\?[^#]*/.exec(address) ?? [];
  if (typeof stated === "object" && stated !== null) return made(stated, base, context);
  if (typeof key === "string" && base !== undefined) return documentAt(`${addressOf(key, base)}${query}`, context, [], signal);
  if (typeof key === "string" && typeof source?.get === "function") {
    const bytes = await source.get(`/${home ? `${home}/` : ""}${key}`);
    if (!bytes) throw failure("NotFoundError", `the store has no ${key}, which the attribute stac:key names`, { path: key, tried: [key] });
    return made(parsed(new TextDecoder().decode(bytes), key), undefined, context);
  }
  const link = attrs["stac:link"]?.href;
  if (typeof link === "string" && addressOf(link, base)) return documentAt(addressOf(link, base), context, [], signal);
  throw failure("NotFoundError", "the group's attributes have no stac:item, stac:collection, stac:key or stac:link");
}
