/**
 * Attributes of GeoZarr's conventions for groups and arrays, computed from what they have: CF's coordinates and grid
 * mappings, ndpyramid's lists, tile matrix sets, GDAL's `_CRS`. Where nothing says where data lie, none are added.
 *
 * Specs: https://github.com/zarr-conventions (spatial, proj, multiscales)
 */
import { join, split } from "../conventions/nodes.js";
import { described } from "../levels/set.js";

const SPECS = "https://github.com/zarr-conventions";

/** Registrations of conventions; the identifier counts. */
const CONVENTIONS = {
  multiscales: "d35379db-88df-4056-af3a-620245f8e347",
  proj: "f17cb550-5864-4468-aeb7-f3180cfb622f",
  spatial: "689b58e2-cf7b-45e0-9fff-9cfc0883d6b4",
};

/** Failures of a description that mean that a group has no grid, or none that can be placed. */
const NO_GRID = ["InvalidMetadataError", "NotFoundError", "UnsupportedError"];

/** `proj:` in its first form that is known. Degrees of latitude and longitude without a system are taken for WGS 84. @param {import("../../types/level.js").Crs} crs @param {string | undefined} coordinates */
function projOf({ code, wkt, projjson }, coordinates) {
  if (code) return { "proj:code": code };
  if (wkt) return { "proj:wkt2": wkt };
  if (projjson) return { "proj:projjson": projjson };
  return coordinates === "degrees" ? { "proj:code": "EPSG:4326" } : {};
}

const spatialOf = ({ transform, shape, bounds }) => ({ "spatial:transform": transform, ...(shape && { "spatial:shape": shape, "spatial:bbox": bounds }) });

/** Attributes with the list of the conventions that they follow, beside those that are listed already. */
function registered(attrs, listed = []) {
  const names = Object.keys(CONVENTIONS).filter((name) => Object.keys(attrs).some((key) => key === name || key.startsWith(`${name}:`)));
  const own = names.map((name) => ({ uuid: CONVENTIONS[name], spec_url: `${SPECS}/${name}`, name: name === "multiscales" ? name : `${name}:` }));
  const others = Array.isArray(listed) ? listed.filter((one) => !own.some(({ uuid }) => uuid === one?.uuid)) : [];
  return names.length > 0 ? { ...attrs, zarr_conventions: [...others, ...own] } : {};
}

/** Factors and shifts in pixels from one level to the next finer one, where neither is turned. */
function between([a, b, c, d, e, f], [fineA, fineB, fineC, fineD, fineE, fineF]) {
  if ([b, d, fineB, fineD].some((value) => value !== 0)) return undefined;
  return { scale: [e / fineE, a / fineA], translation: [(f - fineF) / fineE, (c - fineC) / fineA] };
}

/** `multiscales` of levels, finest first, beside members that it has already. */
function multiscalesOf(levels, stated) {
  const layouts = stated?.layout || [];
  const layout = levels.map((level, nth) => {
    const finer = levels[nth - 1];
    const transform = finer && between(level.transform, finer.transform);
    const source = transform && { derived_from: finer.path || ".", transform };
    const entry = layouts.find(({ asset }) => asset === (level.path || "."));
    return { asset: level.path || ".", ...(entry ?? source), ...spatialOf(level) };
  });
  return { ...(stated && !Array.isArray(stated) && stated), layout };
}

export class GeoAttributes {
  #root;
  /** Promises of descriptions by path of a group, and by that of a variable in a group without consolidated metadata. */
  #found = new Map();

  /** @param {any} root the opened group of the store */
  constructor(root) {
    this.#root = root;
  }

  /** Description of the grids of a group; undefined where there are none with a place. */
  #described(path, variable) {
    const key = JSON.stringify([path, variable]);
    if (!this.#found.has(key)) this.#found.set(key, this.#describe(path, variable).catch((error) => (this.#found.delete(key), Promise.reject(error))));
    return this.#found.get(key);
  }

  async #describe(path, variable) {
    const group = path === "" ? this.#root : await this.#root.group(path).catch(unlessNoGrid);
    try {
      if (!group) return undefined;
      const found = await described(group, { variable });
      const { kind, crs } = found.shown;
      // OME-Zarr's images lie on no map; levels without a stated place have pixels only; uneven coordinates fit no transform.
      const isPlaced = ({ from }) => !/^pixels|in pixels of|uneven/.test(from);
      return kind !== "ome" && found.levels.every(isPlaced) ? { ...found, kind, names: found.places[0].at.names, proj: projOf(crs, found.coordinates) } : undefined;
    } catch (error) {
      return unlessNoGrid(error);
    } finally {
      if (group && group !== this.#root) group.free();
    }
  }

  /** Attributes to add to those of a group. */
  async ofGroup(path, attrs) {
    const found = await this.#described(path);
    if (!found) return {};
    const { kind, levels, names, proj } = found;
    const [finest] = levels;
    const multiscales = kind === "single" ? {} : { multiscales: multiscalesOf(levels, attrs.multiscales) };
    return registered({ ...multiscales, ...proj, "spatial:dimensions": names, ...spatialOf(finest) }, attrs.zarr_conventions);
  }

  /** Attributes to add to those of an array: of the pyramid that it is in, or else of its group. */
  async ofArray(path, { array }) {
    if (!(array.shape.length >= 2)) return {};
    const [folder, name] = split(path);
    const above = folder.split("/").map((_, nth, parts) => parts.slice(0, nth).join("/"));
    for (const place of folder === "" ? [] : above) {
      const pyramid = await this.#described(place);
      const below = (level) => [folder, path].includes(join(place, level));
      const level = pyramid && pyramid.kind !== "single" && pyramid.levels.find(({ path }) => below(path));
      if (level) return this.#ofLevel(pyramid, level, array);
    }
    const found = (await this.#described(folder)) ?? (await this.#described(folder, name));
    const level = found?.levels.find((one) => [folder, path].includes(join(folder, one.path)));
    return level ? this.#ofLevel(found, level, array) : {};
  }

  /** Attributes of an array that has the level's dimensions, as long as the level says. */
  #ofLevel({ names, proj }, level, { attrs, dimensionNames, shape }) {
    const isOfGrid = names.every((name, role) => {
      const axis = dimensionNames?.indexOf(name) ?? -1;
      return axis >= 0 && (!level.shape || shape[axis] === level.shape[role]);
    });
    return isOfGrid ? registered({ ...proj, "spatial:dimensions": names, ...spatialOf(level) }, attrs.zarr_conventions) : {};
  }
}

function unlessNoGrid(error) {
  if (NO_GRID.includes(error?.name)) return undefined;
  throw error;
}
