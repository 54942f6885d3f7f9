/** Access to Azure Blob Storage, by a shared access signature or by a bearer token. */
import { accessTo } from "./access-to.js";
import { bucketOf, checkedText, encodedKey, endpointOf } from "./addresses.js";
import { onDemand } from "./on-demand.js";

/** Version of the service that bearer tokens and ranges to the end need. */
const VERSION = "2020-10-02";

/** Hosts of Azure's clouds: no other one may see a signature. */
const HOST = /^([^.]+)(?:\.z\d+)?\.(?:blob|dfs)\.(core\.(?:windows\.net|chinacloudapi\.cn|usgovcloudapi\.net)|storage\.azure\.net)$/;

/** A signature as pairs of a query, and the end that it states. */
function checked(found) {
  if (found?.token !== undefined) return { token: checkedText(`${found.token}`, "token of azure"), expiration: found.expiration };
  const sas = typeof found === "string" ? found : found?.sas;
  if (typeof sas !== "string" || !/(?:^|[?&])sig=/.test(sas)) {
    throw new TypeError('credentials of azure must be a shared access signature ("sv=…&sig=…"), or { sas } or { token }');
  }
  const end = new URLSearchParams(sas.replace(/^\?/, "")).get("se");
  return { sas: sas.replace(/^\?/, ""), expiration: found?.expiration ?? end ?? undefined };
}

/**
 * Access to containers of Azure Blob Storage.
 *
 * @param {import("../../types/access.js").AzureOptions} [options]
 */
export function azure(options) {
  const { account, credentials, endpoint } = options ?? {};
  // Whoever names another account, such as a catalog or a virtual store, would get the keys.
  if (credentials !== undefined && !account && endpoint === undefined) throw new TypeError("azure with credentials needs the option account, the name before .blob.core.windows.net: no other account gets them");
  return accessTo(azureService(options));
}

/**
 * What is of Azure in an access.
 *
 * @param {import("../../types/access.js").AzureOptions} [options]
 * @returns {import("./access-to.js").Service}
 */
export function azureService({ account, credentials, endpoint } = {}) {
  const own = endpoint === undefined ? undefined : new URL(endpointOf(endpoint));
  const home = (name, cloud = "core.windows.net") => (own ? own.href.replace(/\/+$/, "") : `https://${name}.blob.${cloud}`);
  /** Segments of a path before the container: an emulator has the account there. */
  const root = own ? own.pathname.replace(/\/+$/, "") : "";

  function covers(url) {
    if (own) return url.origin === own.origin && `${url.pathname}/`.startsWith(`${root}/`);
    const [found, name] = HOST.exec(url.hostname) ?? [];
    return found !== undefined && url.protocol === "https:" && (account === undefined || name === account);
  }

  return {
    name: "azure",
    plain: { service: "azure", options: { account, endpoint }, keys: credentials && "credentials" },
    credentials,
    check: checked,
    address(url) {
      const found = bucketOf(url, ["az", "azure", "abfs", "abfss", "wasb", "wasbs"]);
      if (!found) return undefined;
      const [container, host] = found.bucket.split("@");
      const name = host?.split(".")[0] ?? account;
      if (!own && !name) throw new TypeError(`${url.split("?")[0]} names no account: give azure({ account }), or abfs://CONTAINER@ACCOUNT.dfs.core.windows.net/PATH`);
      const cloud = HOST.exec(host)?.[2];
      if (!own && !cloud && host?.includes(".")) throw new TypeError(`${host} is no host of Azure; set endpoint`);
      return `${home(name, cloud)}/${container}/${encodedKey(found.key)}${found.query}`;
    },
    covers,
    sign(request, { sas, token }) {
      const url = new URL(request.url);
      if (token === undefined) {
        // A signature's order and encoding stay as they were given.
        if (!url.searchParams.has("sig")) url.search = url.search ? `${url.search}&${sas}` : `?${sas}`;
        return new Request(url, request);
      }
      const headers = new Headers(request.headers);
      headers.set("authorization", `Bearer ${token}`);
      headers.set("x-ms-version", VERSION);
      return new Request(url, new Request(request, { headers, redirect: "error" }));
    },
    hint: "give another signature or token, or a function that returns a new one when it ends",
    async list(url, ask) {
      const at = new URL(url);
      // The interface of folders has lists of another form.
      if (!own) at.hostname = at.hostname.replace(".dfs.", ".blob.");
      const [container, ...segments] = at.pathname.slice(root.length + 1).split("/");
      const { containerNames } = await onDemand.names();
      return containerNames(new URL(`${root}/${container}`, at), segments.join("/"), ask);
    },
  };
}
