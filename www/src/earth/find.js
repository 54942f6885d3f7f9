// Finds where the grid of an array lies on the Earth, from its metadata; loaded for arrays that are not in plain degrees.
import { coordinatesOf, curvilinearOf } from "./curvilinear.js";

const STATES_SYSTEM = /^(proj:|spatial:transform$|spatial:bbox$|grid_mapping$|_CRS$|crs$|crs_wkt$|spatial_ref$)/;

const folderOf = (path) => path.split("/").slice(0, -1).join("/");

/** Whether the array, or a group around it, says anything of a system. */
function statesSystem(catalog, { path, attrs, georeference }) {
  const groups = catalog.entries.filter((entry) => entry.kind === "group" && path.startsWith(`${entry.path}/`));
  return Boolean(georeference) || [attrs, catalog.attrs, ...groups.map((entry) => entry.attrs)].some((each) => Object.keys(each ?? {}).some((name) => STATES_SYSTEM.test(name)));
}

/** System and transform of an array that belongs to no pyramid. */
async function referenceOf(catalog, { path }, signal) {
  const { Levels } = await import("rectilinear-zarr/levels");
  const folder = folderOf(path);
  const group = folder ? await catalog.groupAt(folder, signal) : undefined;
  const levels = await Levels.open(group ?? catalog.group, { variable: path.slice(folder && folder.length + 1), signal }).finally(() => group?.free());
  const [{ transform, from }] = levels;
  const { crs } = levels;
  levels.free();
  return { crs, transform: from === "pixels" ? undefined : transform };
}

/** The `name` and the attributes, as `mapping`, of the variable that CF's `grid_mapping` names. */
async function mappingOf(catalog, { path, attrs }, signal) {
  const name = typeof attrs.grid_mapping === "string" ? attrs.grid_mapping.trim().split(/[\s:]+/)[0] : "";
  if (!name) return undefined;
  const paths = [folderOf(path), ""].map((folder) => [folder, name].filter(Boolean).join("/"));
  const listed = catalog.entries.find((entry) => paths.includes(entry.path));
  if (listed || catalog.complete || catalog.followed) return listed && { name, mapping: listed.attrs };
  const array = await catalog.open(paths[0], signal).catch(() => undefined);
  const found = array && { name, mapping: array.attrs };
  array?.free();
  return found;
}

/**
 * The earth of a dataset (see degrees.js), or one that has only `words` on why there are no degrees; undefined where
 * nothing says that the array is on the Earth. Its `system` has what was found: the `crs`, the `transform` from pixels, the
 * attributes of CF's grid `mapping` and its `name`, and the `pair` of coordinates of cells. `turn()` resolves in a task of its own.
 */
export async function find(catalog, dataset, { signal, turn }) {
  const pair = catalog.groupAt ? await coordinatesOf(catalog, dataset, signal) : undefined;
  let projected;
  let system = { pair };
  if (catalog.groupAt && statesSystem(catalog, dataset)) {
    const reference = dataset.georeference ?? (await referenceOf(catalog, dataset, signal).catch(() => {
      signal.throwIfAborted();
      return { crs: {} };
    }));
    const mapping = await mappingOf(catalog, dataset, signal);
    system = { ...reference, ...mapping, pair };
    if (reference.crs.from || mapping) projected = (await import("./projected.js")).projectedOf(dataset, pair?.axes ?? dataset.usual, system);
  }
  const earth = projected?.toDegrees || !pair ? projected : ((await curvilinearOf(catalog, pair, { signal, turn })) ?? projected);
  return earth && { ...earth, system };
}
