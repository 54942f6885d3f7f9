// Tells the service of a bucket by its host (Azure, Google, Amazon, or one that speaks like S3), and the options of an access to it.

/** Name of the function of rectilinear-zarr/access for the hosts of an origin. */
export function serviceOf(origin) {
  const { hostname } = new URL(origin);
  if (/\.(?:blob|dfs)\.(?:core\.|storage\.azure\.net$)/.test(hostname)) return "azure";
  return /(?:^|\.)storage\.googleapis\.com$/.test(hostname) ? "gcs" : "s3";
}

const isAmazon = (origin) => /\.amazonaws\.com(?:\.cn)?$/.test(new URL(origin).hostname);

/** Options of the access to an origin by `{ sas }`, by `{ token }`, or by `{ accessKeyId, secretAccessKey, sessionToken, region }`. */
export function optionsOf(origin, { sas, token, region, ...credentials }) {
  const service = serviceOf(origin);
  if (service === "azure") return { account: new URL(origin).hostname.split(".")[0], credentials: token ? { token } : sas };
  if (service === "gcs") return { hmac: credentials };
  return { ...(region && { region }), ...(!isAmazon(origin) && { endpoint: origin }), credentials };
}
