/** Where an asset's data are: its address among those that it has, and what the address says of the store. */
import { failure } from "../stores/common.js";

/** Endings of a hierarchy's root in a path. */
const ROOT = /^(.*?\.(?:zarr|icechunk))\/(.+?)\/*$/i;

const decoded = (path) => {
  try {
    return path.split("/").map(decodeURIComponent).join("/");
  } catch {
    return path;
  }
};

/**
 * Splits a pipeline of addresses (ZEP 8): `https://host/x.icechunk|icechunk://branch.main/path/|zarr3`.
 *
 * @returns {{ address: string, format?: string, options: Record<string, string>, path: string }}
 */
export function pipelineOf(href) {
  const [address, ...steps] = href.split("|");
  const options = {};
  let path = "";
  let format;
  for (const step of steps) {
    const [, scheme, rest = ""] = /^([a-z0-9+.-]+)(?::(.*))?$/i.exec(step.trim()) ?? [];
    const name = scheme?.toLowerCase();
    let below = rest.replace(/^\/\//, "");
    if (name === "icechunk") {
      const [, at, to = ""] = /^@?([^/]*)\/*(.*)$/.exec(below) ?? [];
      if (at) {
        const [, kind = "snapshot", ref] = /^(?:(branch|tag)\.)?(.+)$/.exec(at) ?? [];
        options[kind] = ref;
      }
      below = to;
      format = "icechunk";
    } else if (name === "zip") {
      format = "zip";
    } else if (name === "zarr3" || name === "zarr2" || name === "zarr") {
      format ??= "zarr";
    } else {
      throw failure("UnsupportedError", `the address ${href.split("?")[0]} has the step ${JSON.stringify(step)}; icechunk, zip, zarr2 and zarr3 are read`, { feature: `the step ${JSON.stringify(step)}` });
    }
    path = [path, below.replace(/^\/+|\/+$/g, "")].filter(Boolean).join("/");
  }
  return { address, format, options, path: decoded(path) };
}

const text = (value) => (typeof value === "string" ? value : undefined);

/** What a function returns; undefined where it throws, as for an address that lacks an account. */
function tried(of) {
  try {
    return of();
  } catch {
    return undefined;
  }
}

/** Storage that an asset is in, by whichever extension states it. */
export function storageOf(asset, fields) {
  const field = (name) => asset[name] ?? fields[name];
  const open = field("xarray:open_kwargs") ?? field("xarray:open_datatree_kwargs");
  const options = asset["xarray:storage_options"] ?? open?.storage_options ?? open?.backend_kwargs?.storage_options ?? fields["xarray:storage_options"] ?? {};
  const client = options.client_kwargs ?? {};
  const [ref] = [field("storage:refs") ?? []].flat();
  const scheme = field("storage:schemes")?.[ref] ?? {};
  const platform = text(scheme.platform);
  const isTemplate = platform?.includes("{");
  // The address of a host of one's own; those of the clouds follow from the address of the bucket.
  const host = isTemplate || !/^https?:/i.test(platform ?? "") || /amazonaws\.com|windows\.net|googleapis\.com/.test(platform ?? "") ? undefined : platform;
  return {
    region: text(client.region_name) ?? text(scheme.region) ?? text(field("storage:region")),
    endpoint: text(client.endpoint_url) ?? text(options.endpoint_url) ?? host,
    platform: isTemplate ? platform : undefined,
    account: text(options.account_name) ?? text(scheme.account) ?? text(field("table:storage_options")?.account_name) ?? text(field("msft:storage_account")),
    group: text(open?.group),
  };
}

/** A bucket's address by the template of its platform: `https://{bucket}.s3.{region}.example.org`. */
function byPlatform(url, { platform, region }) {
  const [, bucket, key = ""] = /^[a-z0-9]+:\/\/([^/?#]+)\/?(.*)$/i.exec(url) ?? [];
  if (!platform || !bucket) return undefined;
  const filled = platform.replaceAll("{bucket}", bucket).replaceAll("{region}", region ?? "us-east-1");
  return filled.includes("{") ? undefined : `${filled.replace(/\/+$/, "")}/${key}`;
}

/**
 * The address that pages read, of those that an asset has: the first `https:` one, else that of a bucket; undefined
 * where there is none.
 *
 * @param {string[]} hrefs absolute; those of buckets as they are written
 * @param {ReturnType<typeof storageOf>} storage
 * @param {readonly import("../../types/access.js").Access[]} access
 */
export async function webAddress(hrefs, storage, access) {
  const own = hrefs.flatMap((href) => access.map((each) => tried(() => each.address(href)))).find((found) => found !== undefined);
  const web = own ?? hrefs.find((href) => /^https:/i.test(href)) ?? hrefs.find((href) => /^http:/i.test(href));
  if (web !== undefined) return web;
  const template = hrefs.map((href) => byPlatform(href, storage)).find((found) => found !== undefined);
  if (template !== undefined) return template;
  const { region, endpoint, account } = storage;
  const { azure, gcs, s3 } = await import("../access/access.js");
  for (const service of [s3({ region, endpoint }), gcs(), azure({ account })]) {
    for (const href of hrefs) {
      const found = tried(() => service.address(href));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/**
 * Splits an address into that of the hierarchy's root and a path below it: consolidated metadata are at the root.
 *
 * @param {string} address
 * @param {string} [store] address of the root, where it is known
 */
export function rootOf(address, store) {
  const url = new URL(address);
  if (store !== undefined) {
    const root = new URL(store);
    const above = `${root.pathname.replace(/\/+$/, "")}/`;
    if (root.origin === url.origin && `${url.pathname}/`.startsWith(above)) {
      const below = url.pathname.slice(above.length);
      url.pathname = above.slice(0, -1);
      return { url: url.href, path: decoded(below.replace(/\/+$/, "")) };
    }
  }
  const [, root, below] = ROOT.exec(url.pathname) ?? [];
  if (root === undefined) return { url: url.href, path: "" };
  url.pathname = root;
  return { url: url.href, path: decoded(below) };
}
