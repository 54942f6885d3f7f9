/** Assets of items and collections: which data they are, where these are, and opening them. */
import { failure } from "../stores/common.js";
import { addressOf, linksOf, placeOf } from "./documents.js";
import { kindOf, rankOf, rolesOf } from "./media.js";
import { pipelineOf, rootOf, storageOf, webAddress } from "./places.js";

/** Kinds whose option `format` has their name: all that `open` opens, but Zarr. */
const NAMED = ["icechunk", "kerchunk", "cfdb", "zip", "netcdf", "hdf5", "tiff"];

/** An id of a snapshot, in Crockford's base 32. */
const SNAPSHOT = /^[0-9A-HJKMNP-TV-Z]{20}$/;

/** Options that say which version of an Icechunk repository is meant. */
function versionOf(asset, fields, piped) {
  if (Object.keys(piped).length > 0) return piped;
  const field = (name) => asset[`icechunk:${name}`] ?? fields[`icechunk:${name}`];
  const snapshot = field("snapshot_id") ?? field("snapshot");
  if (snapshot) return { snapshot };
  if (field("tag")) return { tag: field("tag") };
  if (field("branch")) return { branch: field("branch") };
  const { version } = asset;
  if (typeof version !== "string") return {};
  // NASA's catalogs name any of the three.
  return SNAPSHOT.test(version) ? { snapshot: version } : { branch: version };
}

/** An asset: what it is, where it is, and how it opens. */
class Asset {
  /** @type {Error | undefined} */
  #refusal;
  #context;
  /** Whether the branch may be a tag. */
  #mayBeTag;

  constructor(fields, context, refusal, mayBeTag) {
    Object.assign(this, fields);
    this.#context = context;
    this.#refusal = refusal;
    this.#mayBeTag = mayBeTag;
  }

  /**
   * Opens the group, or the array, that the asset is, or one of its bands.
   *
   * @param {import("../../types/stac.js").AssetOptions} [options]
   */
  async open({ band, ...own } = {}) {
    if (band === undefined) return this.#opened(own);
    const { array, selection } = await this.openBand(band, own);
    const at = selection.findIndex((index) => index !== null);
    if (at < 0) return array;
    const [name, index] = [array.dimensionNames[at], selection[at]];
    const of = band.split("[")[0];
    array.free();
    throw failure("UnsupportedError", `the band ${JSON.stringify(band)} is a part of the array ${JSON.stringify(of)}, at index ${index} of its dimension ${JSON.stringify(name)}: openBand gives the array and a selection for get; open({ band: ${JSON.stringify(of)} }) opens the array`, { feature: "an array of a part of another" });
  }

  /**
   * Opens the array of a band, with the selection that is the band.
   *
   * @param {string} band
   * @param {import("../../types/open-options.js").OpenOptions} [options]
   */
  async openBand(band, options = {}) {
    const [opened, { bandIn }] = await Promise.all([this.#opened(options), import("./bands.js")]);
    try {
      return await bandIn(opened, band, /** @type {any} */ (this).dimensions, options.signal);
    } finally {
      opened.free();
    }
  }

  async #opened(own) {
    if (this.#refusal) throw this.#refusal;
    const { access, fetch, classes } = this.#context;
    const { url, object } = /** @type {any} */ (this);
    const options = { .../** @type {any} */ (this).options, ...(access && { access }), ...(fetch && { fetch }), ...own };
    return nodeAt(await classes(), url, options, { isArray: object["zarr:node_type"] === "array", mayBeTag: this.#mayBeTag && own.branch === undefined });
  }
}

/** A group or an array, whichever is there. */
async function nodeAt({ Group, RectilinearArray }, source, options, { isArray, mayBeTag }) {
  const ways = [Group, RectilinearArray].map((opened) => (more = {}) => opened.open(source, { ...options, ...more }));
  if (isArray) ways.reverse();
  const isOver = (error) => options.signal?.aborted || !["NotFoundError", "InvalidMetadataError", "UnsupportedError"].includes(error?.name);
  if (mayBeTag) ways.push(() => ways[0]({ branch: undefined, tag: options.branch }));
  let first;
  for (const way of ways) {
    try {
      return await way();
    } catch (error) {
      first ??= error;
      if (isOver(error)) throw error;
    }
  }
  throw first;
}

/** Makes an asset of the entry under a key. */
async function assetOf(key, asset, /** @type {{ object: any, base?: string, place: string }} */ { object, base, place }, context) {
  const fields = { ...object, ...object.properties };
  const storage = storageOf(asset, fields);
  const alternates = Object.values(asset.alternate ?? {}).map((other) => other?.href?.split?.("|")[0]);
  /** @type {any} */
  let pipeline = { address: asset.href, options: {}, path: "" };
  let refusal;
  try {
    pipeline = pipelineOf(asset.href);
  } catch (error) {
    refusal = error;
  }
  // The keys of buckets are literal, and would be encoded twice.
  const absolute = (href) => (/^(?!https?:)[a-z][a-z0-9+.-]*:/i.test(href) ? href : (addressOf(href, base) ?? []));
  const hrefs = [pipeline.address, ...alternates].filter((href) => typeof href === "string").flatMap(absolute);
  const address = await webAddress(hrefs, storage, [context.access ?? []].flat());
  const name = placeOf(address ?? asset.href).toLowerCase();
  const kind = pipeline.format === "zip" || pipeline.format === "zarr" ? pipeline.format : kindOf(asset, fields, name, pipeline.format === "icechunk");
  const [store] = linksOf(object, base, "store");
  const isHierarchy = kind === "zarr" || kind === "icechunk";
  const { url, path } = address === undefined ? { url: asset.href, path: "" } : isHierarchy ? rootOf(address, store?.href) : { url: address, path: "" };
  const below = [path, storage.group?.replace(/^\/+|\/+$/g, ""), pipeline.path].filter(Boolean).join("/");
  const version = kind === "icechunk" ? versionOf(asset, fields, pipeline.options) : {};
  const options = { ...(below && { path: below }), ...(NAMED.includes(kind) && { format: kind }), ...version };
  refusal ??= refusalOf(key, asset, kind, address, place);
  const roles = rolesOf(asset);
  const made = new Asset(
    {
      key,
      title: asset.title,
      description: asset.description,
      type: asset.type,
      roles,
      kind,
      url,
      path: below,
      options,
      bands: bandsOf(asset.bands ?? asset["eo:bands"]),
      variables: asset["cube:variables"] ?? fields["cube:variables"],
      dimensions: asset["cube:dimensions"] ?? fields["cube:dimensions"],
      object: asset,
    },
    context,
    refusal,
    kind === "icechunk" && typeof asset.version === "string" && version.branch === asset.version,
  );
  return { made, rank: rankOf(kind, roles, below.split("/").length) };
}

/** Names of bands, as texts or in objects. */
const bandsOf = (bands) => (Array.isArray(bands) ? bands.map((band) => band?.name ?? band).filter((name) => typeof name === "string") : undefined);

/** An asset whose entry cannot be read, which no other one suffers from. */
function unreadable(key, asset, { place }, context, cause) {
  const refusal = failure("InvalidMetadataError", `the asset ${JSON.stringify(key)} of ${place} is malformed: ${cause.message}`, { cause });
  const made = new Asset({ key, roles: [], kind: "other", url: placeOf(asset.href), path: "", options: {}, object: asset }, context, refusal, false);
  return { made, rank: rankOf("other", [], 1) };
}

/** Why an asset cannot be opened; undefined where it can. */
function refusalOf(key, asset, kind, address, place) {
  const what = `the asset ${JSON.stringify(key)} of ${place}`;
  if (address === undefined) {
    const leads = `${what} leads to ${JSON.stringify(placeOf(asset.href))}`;
    const isRelative = !/^[a-z][a-z0-9+.-]*:/i.test(asset.href);
    // An account of Azure is in the address, or stated beside it.
    const isNobodys = /^(?:az|azure|abfss?|wasbs?):\/\/[^/@]+(?:\/|$)/i.test(asset.href);
    if (isNobodys) return failure("UnsupportedError", `${leads}, and nothing names its storage account: give stac the option access: azure({ account }), or state "xarray:storage_options": { "account_name": … } in the catalog`, { feature: "addresses of Azure without an account" });
    return failure("UnsupportedError", isRelative ? `${leads}, which is relative: give stac the address of the document, or the option url` : `${leads}; https:, http:, s3:, gs:, az: and abfs: addresses are read`);
  }
  if (kind === "other") return failure("UnsupportedError", `${what} is no data of a format that is read: its type is ${JSON.stringify(asset.type ?? "not stated")}`);
  return undefined;
}

/** Compares lists of numbers. */
const before = (a, b) => a.map((n, at) => n - b[at]).find((difference) => difference !== 0) ?? 0;

/**
 * Assets of an item or a collection, the one to open first first.
 *
 * @param {{ object: any, base?: string, place: string }} owner
 * @param {any} context
 */
export async function assetsOf(owner, context) {
  const entries = Object.entries(owner.object.assets ?? {}).filter(([, asset]) => typeof asset?.href === "string");
  const all = await Promise.all(entries.map(([key, asset]) => assetOf(key, asset, owner, context).catch((error) => unreadable(key, asset, owner, context, error))));
  return all.sort((a, b) => before(a.rank, b.rank)).map(({ made }) => made);
}
