// An OME-Zarr image as the page shows it: its name, where it opens, and its levels as one entry.

export const isObject = (v) => typeof v === "object" && v !== null && !Array.isArray(v);
export const isText = (v) => typeof v === "string" && v.trim() !== "";

/** The image that a group's attributes describe, `{ multiscale, omero, paths }`; undefined where they describe none. */
export function imageIn(attrs) {
  const ome = isObject(attrs?.ome) ? attrs.ome : (attrs ?? {});
  const [multiscale] = Array.isArray(ome.multiscales) ? ome.multiscales : [];
  const isOme = isObject(multiscale) && Array.isArray(multiscale.datasets) && (ome !== attrs || multiscale.axes || /^0\.\d/.test(multiscale.version) || multiscale.datasets.some((one) => one?.coordinateTransformations));
  const paths = isOme ? multiscale.datasets.map((one) => one?.path).filter(isText) : [];
  return paths.length ? { multiscale, omero: isObject(ome.omero) ? ome.omero : {}, paths } : undefined;
}

const join = (folder, name) => (folder ? `${folder}/${name}` : name);
const attrsAt = (catalog, at) => (at === "" ? catalog.attrs : catalog.entries.find((entry) => entry.path === at)?.attrs);

/** The name of the image in a group. */
const nameOf = ({ multiscale: { name } }, at, place) => (isText(name) && name !== "/" ? name : at.split("/").at(-1) || place.name);

/**
 * The image that an array of a catalog is a level of: `{ folder, name, level, begin }`, of which `folder` is the image's group, and `begin`
 * has the positions by names of axes that it opens at. Undefined of other arrays.
 */
export function imageOf(catalog, path) {
  const folders = path.split("/").slice(0, -1);
  for (let n = folders.length; n >= 0; n--) {
    const at = folders.slice(0, n).join("/");
    const image = imageIn(attrsAt(catalog, at));
    const level = image?.paths.findIndex((each) => join(at, each) === path) ?? -1;
    const { defaultZ, defaultT } = image?.omero.rdefs ?? {};
    if (level >= 0) return { folder: at, name: nameOf(image, at, catalog.place), level, begin: { z: defaultZ, t: defaultT } };
  }
  return undefined;
}

/** Attributes of the group that an array lies in. */
export const attrsOf = (catalog, path) => attrsAt(catalog, path.split("/").slice(0, -1).join("/")) ?? {};

/** Whether the items of an array are labels of an OME-Zarr image: whole numbers that name what a pixel belongs to. */
export function areLabels(catalog, path, dtype) {
  const folder = path.split("/").slice(0, -1).join("/");
  const attrs = attrsOf(catalog, path);
  return /^u?int/.test(dtype) && (/(^|\/)labels\/[^/]+$/.test(folder) || isObject(attrs["image-label"] ?? attrs.ome?.["image-label"]));
}

/** The entries of a catalog with each image as one, named as it is, in place of its levels; `others` leads from the path of each level to that of the first. */
export function asImages(catalog) {
  const others = new Map();
  const images = new Map(); // by the path of the first level
  const arrays = new Set(catalog.entries.flatMap(({ path, kind }) => (kind === "array" ? [path] : [])));
  for (const at of ["", ...catalog.entries.flatMap(({ path, kind }) => (kind === "group" ? [path] : []))]) {
    const image = imageIn(attrsAt(catalog, at));
    const paths = (image?.paths ?? []).map((each) => join(at, each)).filter((path) => arrays.has(path));
    if (!paths.length || paths[0] !== join(at, image.paths[0])) continue;
    images.set(paths[0], { label: nameOf(image, at, catalog.place), levels: image.paths.length });
    for (const path of paths.slice(1)) others.set(path, paths[0]);
  }
  const entries = catalog.entries.filter(({ path }) => !others.has(path)).map((entry) => ({ ...entry, ...images.get(entry.path) }));
  return { entries, others };
}
