/** What an asset is: the kind of its data, by its fields, its media type and its name. */

/** A media type in lower case, without its parameters, which publishers add as they like. */
const essenceOf = (type) => (typeof type === "string" ? type.toLowerCase().split(";")[0].trim() : "");

/** Kinds of media types, the likeliest to be read first. */
const BY_MEDIA = [
  ["icechunk", /icechunk/],
  ["kerchunk", /kerchunk/],
  ["zarr", /(?:^|[./+-])zarr$/],
  ["netcdf", /netcdf/],
  ["hdf5", /hdf5?$/],
  ["tiff", /^image\/(?:tiff|geotiff|vnd\.stac\.geotiff)/],
];

/** Kinds of names. */
const BY_NAME = [
  ["icechunk", /\.icechunk(?:\/|$)/],
  ["zip", /(?:\.ozx|\.zarr\.zip)$/],
  ["zarr", /\.zarr(?:\/|$)/],
  ["kerchunk", /\.(?:parq|kerchunk\.json)\/?$/],
  ["cfdb", /\.cfdb$/],
  ["netcdf", /\.(?:nc|nc4|cdf)$/],
  ["hdf5", /\.(?:h5|hdf5)$/],
  ["tiff", /\.tiff?$/],
];

/** Kinds in the order in which they are preferred, what is not read last. */
const ORDER = ["icechunk", "zarr", "kerchunk", "zip", "cfdb", "netcdf", "hdf5", "tiff", "other"];

const listed = (value) => (Array.isArray(value) ? value : value === undefined ? [] : [value]).map(String);

/** Roles of an asset; some catalogs write `role`. */
export const rolesOf = ({ roles, role }) => listed(roles ?? role);

const firstOf = (list, text) => list.find(([, pattern]) => pattern.test(text))?.[0];

/**
 * Kind of an asset's data.
 *
 * @param {any} asset
 * @param {any} fields of the item or collection that has it
 * @param {string} path of its address, in lower case
 * @param {boolean} isPiped whether its address names Icechunk behind a `|`
 */
export function kindOf(asset, fields, path, isPiped) {
  const essence = essenceOf(asset.type);
  const media = firstOf(BY_MEDIA, essence);
  const name = firstOf(BY_NAME, path);
  const states = (/** @type {any} */ of) => Object.keys(of).some((key) => key.startsWith("icechunk:"));
  // The media type of a repository is often that of Zarr.
  const mayBeIcechunk = media === undefined || media === "zarr" || media === "icechunk";
  if (isPiped || (mayBeIcechunk && (states(asset) || (media === "zarr" && states(fields)) || name === "icechunk"))) return "icechunk";
  const isIndex = /(?:\/|\+)(?:json|parquet|vnd\.apache\.parquet)$/.test(essence) && rolesOf(asset).some((role) => role === "references" || role === "index");
  if (isIndex) return "kerchunk";
  // Zips of Zarr are served with the media type of either.
  if (name === "zip") return name;
  return media ?? (essence.startsWith("image/") || essence.startsWith("text/") ? "other" : (name ?? "other"));
}

/** A number by which assets are sorted, the one to open first lowest. */
export function rankOf(kind, roles, segments) {
  const has = (role) => roles.includes(role);
  const isBeside = !has("data") && ["thumbnail", "overview", "metadata", "source"].some(has);
  return [ORDER.indexOf(kind), Number(isBeside), Number(!has("latest-version")), Number(!has("data")), segments];
}
