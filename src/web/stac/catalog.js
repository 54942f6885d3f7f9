/** Catalogs, collections and items of STAC: their facts, what is below them, and their assets. */
import { sources } from "../class/group-names.js";
import { checkOptions, given } from "../common/options.js";
import { failure } from "../stores/common.js";
import { assetsOf } from "./assets.js";
import { Budget, addressOf, each, jsonAt, linksOf, pagesFrom, placeOf } from "./documents.js";
import { boxOf, passes, spanOf, timesOf } from "./filters.js";

/** Most catalogs within catalogs. */
const DEEPEST = 8;

/** Items of a list where no limit is given. */
const LIMIT = 100;

/** Most catalogs and collections that are children. */
const MOST_CHILDREN = 1000;

const KINDS = { Feature: "item", FeatureCollection: "items", Collection: "collection", Catalog: "catalog" };

/** Kind of a document; undefined where it is none of STAC's. Before version 1.0, catalogs had no `type`. */
function kindOf(object) {
  if (typeof object !== "object" || object === null) return undefined;
  if (object.type === "FeatureCollection") return Array.isArray(object.features) ? "items" : undefined;
  if (Array.isArray(object.collections)) return "catalog";
  if (object.stac_version === undefined && !object.assets) return undefined;
  return KINDS[object.type] ?? (object.extent ? "collection" : Array.isArray(object.links) ? "catalog" : undefined);
}

/**
 * What all objects of one call share.
 *
 * @typedef {object} Context
 * @property {import("./documents.js").Asking} asking
 * @property {any} access
 * @property {any} fetch
 * @property {() => Promise<any>} classes
 */

/** A catalog, a collection, an item, or a list of items. */
class Stac {
  #context;
  /** Addresses of the documents that led here. */
  #above;

  constructor(object, kind, url, assets, context, above) {
    const properties = object.properties ?? {};
    const field = (name) => properties[name] ?? object[name];
    this.kind = kind;
    this.id = object.id;
    this.title = field("title");
    this.description = field("description");
    this.bbox = object.bbox ?? object.extent?.spatial?.bbox?.[0];
    const [start, end] = spanOf(object) ?? [];
    this.datetime = start === undefined ? undefined : start === end ? start : `${start ?? ".."}/${end ?? ".."}`;
    this.license = field("license");
    this.providers = field("providers") ?? [];
    this.variables = field("cube:variables");
    this.dimensions = field("cube:dimensions");
    this.url = url;
    this.assets = assets;
    this.object = object;
    this.#context = context;
    this.#above = above;
  }

  /** @param {{ limit?: number, maxDocuments?: number, signal?: AbortSignal }} [options] */
  async children(options = {}) {
    checkOptions("children", options, "limit maxDocuments signal");
    const { limit = MOST_CHILDREN, maxDocuments, signal } = options;
    return this.#children(limit, { budget: this.#budget(maxDocuments), signal });
  }

  async #children(limit, bounds) {
    const { object, url } = this;
    const links = linksOf(object, url, "child").slice(0, Math.min(limit, MOST_CHILDREN));
    if (links.length > 0) return each(links, (link) => this.#below(link.href, bounds));
    const embedded = (found, base) => found.collections.map((one) => made(one, addressOf(linksOf(one, base, "self")[0]?.href ?? base, base), this.#context, this.#path()));
    const [data] = linksOf(object, url, "data");
    const found = [];
    if (Array.isArray(object.collections)) found.push(...(await Promise.all(embedded(object, url))));
    if (data && found.length === 0) {
      for await (const page of pagesFrom(this.#context.asking, data.href, bounds)) {
        if (!Array.isArray(page.object?.collections)) throw noStac(page.url);
        found.push(...(await Promise.all(embedded(page.object, page.url))));
        if (found.length >= limit) break;
      }
    }
    return found.slice(0, limit);
  }

  /** @param {import("../../types/stac.js").ItemsOptions} [options] */
  async items(options = {}) {
    checkOptions("items", options, "bbox datetime limit maxDocuments signal");
    const { bbox, datetime, limit = LIMIT, maxDocuments, signal } = options;
    const filter = { box: boxOf(bbox), times: timesOf(datetime), limit };
    if (!(limit >= 1)) throw new TypeError("the option limit must be a number from 1 up");
    const found = [];
    for await (const item of this.#items(filter, { budget: this.#budget(maxDocuments), signal })) {
      found.push(item);
      if (found.length >= limit) break;
    }
    return found;
  }

  #budget(most) {
    return new Budget(this.url === undefined ? "the object" : placeOf(this.url), most);
  }

  /** Addresses from the root to this document. */
  #path() {
    return this.url === undefined ? this.#above : [...this.#above, withoutFragment(this.url)];
  }

  async #below(href, { budget, signal }) {
    const path = this.#path();
    if (path.includes(withoutFragment(href))) throw failure("InvalidMetadataError", `${placeOf(this.url)}: the catalog leads in a circle, by its link to ${placeOf(href)}`, { path: "", key: placeOf(href) });
    budget.take();
    return documentAt(href, this.#context, path, signal);
  }

  /** Items that pass a filter, as far as they are asked for. */
  async *#items(filter, bounds) {
    const { box, times } = filter;
    if (this.kind === "item") {
      if (passes(this.object, box, times)) yield this;
      return;
    }
    const api = this.#api(filter);
    if (api) {
      for await (const { object, url } of pagesFrom(this.#context.asking, api.href, bounds, api)) {
        yield* this.#features(object, url, filter);
      }
      return;
    }
    if (this.kind === "items") yield* this.#features(this.object, this.url, filter);
    if (this.kind === "items" && linksOf(this.object, this.url, "next").length > 0) {
      const [next] = linksOf(this.object, this.url, "next");
      for await (const { object, url } of pagesFrom(this.#context.asking, next.href, bounds, next)) yield* this.#features(object, url, filter);
    }
    yield* this.#linked("item", filter, bounds);
    if (linksOf(this.object, this.url, "child").length > 0) {
      yield* this.#linked("child", filter, bounds);
    } else if (this.kind === "catalog") {
      // Collections of an API without a search.
      for (const one of await this.#children(Infinity, bounds)) yield* one.#items(filter, bounds);
    }
  }

  /** Items of the documents that links lead to, some at a time, so that a limit spares requests. */
  async *#linked(rel, filter, bounds) {
    const links = linksOf(this.object, this.url, rel);
    // An item of the deepest catalog is within one more.
    if (links.length > 0 && this.#above.length >= DEEPEST + Number(rel === "item")) {
      throw failure("UnsupportedError", `${placeOf(this.url)}: catalogs are within catalogs more than ${DEEPEST} times; give the address of one below`, { feature: "catalogs so deep" });
    }
    for (let at = 0; at < links.length;) {
      // The last ones that may be fetched may have all that is asked for.
      const step = rel === "child" ? 1 : Math.max(1, Math.min(8, bounds.budget.left));
      const some = await each(links.slice(at, at + step), (link) => this.#below(link.href, bounds));
      at += step;
      for (const one of some) {
        // A collection's extent covers all of its items.
        if (one.kind === "collection" && one.bbox && one.datetime && !passes({ ...one.object, bbox: one.bbox }, filter.box, filter.times)) continue;
        yield* one.#items(filter, bounds);
      }
    }
  }

  async *#features(object, base, { box, times }) {
    if (!Array.isArray(object?.features)) throw noStac(base);
    for (const feature of object.features) {
      if (!passes(feature, box, times)) continue;
      yield made(feature, linksOf(feature, base, "self")[0]?.href ?? base, this.#context, this.#path());
    }
  }

  /** The request for items of an API; undefined for a static catalog. */
  #api({ box, times, limit }) {
    const { object, url } = this;
    const isWhole = object.conformsTo !== undefined;
    const [link] = this.kind === "collection" ? linksOf(object, url, "items") : isWhole ? linksOf(object, url, "search").sort((a, b) => Number(/post/i.test(a.method)) - Number(/post/i.test(b.method))) : [];
    if (!link) return undefined;
    const asked = { ...(box && { bbox: box }), ...(times && { datetime: times.text }), limit: Math.min(limit, 1000) };
    if (link.method?.toUpperCase() === "POST") return { href: link.href, method: "POST", body: asked };
    const href = new URL(link.href);
    for (const [name, value] of Object.entries(asked)) href.searchParams.set(name, String(value));
    return { href: href.href };
  }
}

const withoutFragment = (url) => String(url).split("#")[0];

const noStac = (url) => failure("InvalidMetadataError", `${placeOf(url ?? "the object")}: this is no catalog, collection or item of STAC; give the address of a document with "stac_version"`, { path: "", key: url && placeOf(url) });

/** Makes the object of a document. */
async function made(object, url, context, above = []) {
  const kind = kindOf(object);
  if (kind === undefined) throw noStac(url);
  const base = url ?? linksOf(object, undefined, "self")[0]?.href;
  const place = base === undefined ? "the object" : placeOf(base);
  return new Stac(object, kind, base, await assetsOf({ object, base, place }, context), context, above);
}

async function documentAt(address, context, above, signal) {
  const { object, url } = await jsonAt(context.asking, address, { signal });
  return made(object, url, context, above);
}

/** Whether a source is an address. */
const isWeb = (source) => typeof source === "string" || source?.[Symbol.toStringTag] === "URL";

/**
 * Makes the function `stac`.
 *
 * @param {() => Promise<any>} classes gives what opens addresses
 */
export function stacBy(classes) {
  /**
   * @param {any} source
   * @param {import("../../types/stac.js").StacOptions} [options]
   */
  return async function stac(source, options = {}) {
    checkOptions("stac", options, "access fetch headers credentials url retries timeout signal");
    // A group brings what it was opened with.
    const [home, own] = sources.get(source) ?? [];
    /** @type {import("../../types/stac.js").StacOptions} */
    const all = { ...given(own), signal: undefined, ...given(options) };
    const { access, fetch, headers, credentials, url, retries, timeout, signal } = all;
    const page = globalThis.document?.baseURI ?? globalThis.location?.href;
    const isAddress = isWeb(source);
    const stated = [source, url, home].find(isWeb);
    const accesses = [access ?? []].flat();
    const text = String(stated);
    const address = stated === undefined ? undefined : addressOf(accesses.map((each) => each.address(text)).find(Boolean) ?? text, page);
    if (stated !== undefined && stated !== home && address === undefined) throw new TypeError(`${JSON.stringify(text)} is no URL`);
    const send = accesses.reduceRight((next, one) => (request) => /** @type {any} */ (one).send(request, next), fetch ?? ((request) => globalThis.fetch(request)));
    const origin = address === undefined ? "" : new URL(address).origin;
    const context = { asking: { send, headers, credentials, origin, retries, timeout }, access, fetch, classes };
    if (isAddress) return documentAt(address, context, [], signal);
    if (typeof source?.array === "function" && source.attrs) return (await import("./convention.js")).ofGroup(source, context, signal, { made, documentAt });
    return made(source, address, context);
  };
}
