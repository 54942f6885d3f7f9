/**
 * Where a level lies, and in which coordinate reference system, without `spatial:transform` and `proj:`: by boxes,
 * STAC's attributes, scales, CF's grid mapping, GDAL's `_CRS`, coordinate arrays. Loaded for pyramids that need it.
 */
import { stated, textOf } from "./crs.js";
import { apart, isNumber, numbersIn, scaled } from "./grid.js";
import { join, split } from "./nodes.js";
import { affine, box, boxOf, derived, fillingBox, numbers } from "./statements.js";

/** Code in the form `EPSG:32633`, of the forms that registries have: a code, a number, a URN or a URL. */
function codeOf(value) {
  if (Number.isInteger(value)) return `EPSG:${value}`;
  const form = /^(?:urn:ogc:def:crs:|https?:\/\/www\.opengis\.net\/def\/crs\/)?(\w+)[:/](?:[\w.]*[:/])?([\w.]+)$/i.exec(textOf(value) ?? "");
  return form ? `${form[1]}:${form[2]}` : undefined;
}

/** Folder of a level's arrays. */
const folderOf = (node) => (node?.array ? split(node.array.path)[0] : (node?.path ?? ""));

/** Attributes of a level's array, of the groups around it, and of the pyramid. */
const attrsAround = (nodes, node) => [node?.array?.attrs, ...(node?.groups ?? []).map(({ attrs }) => attrs), nodes.group.attrs].filter(Boolean);

/**
 * An array by its name that fits, in a group or in the nearest group above it.
 *
 * @param {any} nodes @param {string} folder @param {string} name @param {(array: any) => boolean} [fits]
 */
async function nearestArray(nodes, folder, name, fits = () => true) {
  const array = await nodes.array(join(folder, name));
  if (array && fits(array)) return array;
  return folder === "" ? undefined : nearestArray(nodes, split(folder)[0], name, fits);
}

/** Names of grid mappings as xarray's packages write them, which may be named among the coordinates only. */
const IS_MAPPING = /^(?:spatial_ref|crs)$/;

/**
 * Attributes of the variable that CF's `grid_mapping` names, of the array or of the groups around it; or else of one that
 * `coordinates` names.
 */
async function gridMappingOf(nodes, node) {
  const around = attrsAround(nodes, node);
  const named = around.map(({ grid_mapping: name }) => textOf(name)?.split(/:|\s/)[0]).find(Boolean);
  const listed = around.flatMap(({ coordinates }) => textOf(coordinates)?.split(/\s+/) ?? []).find((name) => IS_MAPPING.test(name));
  const name = named ?? listed;
  return name && (await nearestArray(nodes, folderOf(node), name))?.attrs;
}

/** From the variable that CF's `grid_mapping` names. */
function fromGridMapping(attrs) {
  const { crs_wkt, spatial_ref, grid_mapping_name, epsg_code } = attrs ?? {};
  return stated("grid_mapping", { code: codeOf(epsg_code), wkt: textOf(crs_wkt) ?? textOf(spatial_ref), gridMapping: textOf(grid_mapping_name) });
}

/** From GDAL's attribute `_CRS`. */
function fromGdal(attrs) {
  const { wkt, projjson, url } = attrs?._CRS ?? {};
  return stated("_CRS", { code: codeOf(url), wkt: textOf(wkt), projjson: projjson && typeof projjson === "object" ? projjson : undefined });
}

/** From a code, such as ndpyramid's `crs` or a tile matrix set's `supportedCRS`; a WKT is taken too. */
export function fromCode(value, from) {
  const code = codeOf(value);
  return stated(from, code ? { code } : { wkt: textOf(value) });
}

/** Coordinate reference system of a level without `proj:`. */
export async function mappedCrs(nodes, node) {
  const mapped = fromGridMapping(await gridMappingOf(nodes, node));
  return mapped ?? attrsAround(nodes, node).map(fromGdal).find(Boolean);
}

/** Looks up coordinates by their names, in the group of a level's array or above it, and gives their attributes by name. */
export async function coordinateAttrs(nodes, node, names) {
  const isAxis = ({ shape }) => shape?.length === 1;
  const found = await Promise.all(names.map((name) => textOf(name) && nearestArray(nodes, folderOf(node), name, isAxis)));
  return (name) => found[names.indexOf(name)]?.attrs;
}

/** Units of the coordinates of rows and columns, read where nothing has told them. */
export async function unitsOf(nodes, { node, at, units }) {
  if (nodes.tree || !node?.array || !at.named || units.some(textOf)) return units;
  const attrsOf = await coordinateAttrs(nodes, node, at.names);
  return at.names.map((name) => attrsOf(name)?.units);
}

/** Transform by GDAL's six numbers, in their own order. */
function fromGeoTransform(value) {
  const [c, a, b, f, d, e] = numbersIn(textOf(value) ? value.trim().split(/[\s,]+/).map(Number) : value) ?? [];
  return a * e !== b * d && isNumber(e) ? [a, b, c, d, e, f] : undefined;
}

/** First value of a coordinate, the step between two, and the step in its first half. */
async function ends(nodes, folder, name) {
  const found = textOf(name) && (await nearestArray(nodes, folder, name, ({ shape }) => shape?.length === 1));
  const size = found?.shape[0];
  if (!(size >= 2)) return undefined;
  return nodes.using("array", found.path, async (array) => {
    const middle = size >> 1;
    const { data } = await array.get([[0, middle, size - 1]], { as: "float64", mask: "attributes", signal: nodes.signal });
    return { first: data[0], step: (data[2] - data[0]) / (size - 1), middle: (data[1] - data[0]) / middle, size, units: found.attrs.units };
  });
}

/** Transform by the first and last values of the coordinate arrays, which are centres. */
async function fromCoordinates(nodes, folder, names) {
  const [y, x] = await Promise.all(names.map((name) => ends(nodes, folder, name)));
  if (!x?.step || !y?.step || ![x.step, x.first, y.step, y.first].every(isNumber)) return undefined;
  const isEven = [x, y].every(({ step, middle, size }) => Math.abs(middle - step) * (size >> 1) <= Math.abs(step) / 2);
  return { transform: [x.step, 0, x.first - x.step / 2, 0, y.step, y.first - y.step / 2], from: isEven ? "coordinates" : "coordinates, which are uneven", units: [y.units, x.units] };
}

/** Transform by STAC's `proj:transform`, which writers of pyramids copy from finer levels: the shape tells. */
function fromStac(nodes, { stated: [, array], shape, source }) {
  const own = numbers(nodes, array, "proj:shape", 2);
  const isOwn = own ? !shape || own.every((size, axis) => size === shape[axis]) : !source;
  const transform = affine(nodes, array, "proj:transform", 6, 9);
  return isOwn && transform ? { transform, from: "proj:transform of the array" } : undefined;
}

/** Transform by the nearest box and the shape, or by the scales from the source level. */
function fromBox(nodes, level) {
  const { stated, shape, source } = level;
  const transform = derived(level);
  const scales = transform && { transform, from: `scales from the source level (${source.from})` };
  const stac = box(numbers(nodes, stated[1], "proj:bbox", 4, 6));
  const around = boxOf(level);
  const isGroups = around?.where === "group";
  const byStac = around && !isGroups ? undefined : fillingBox({ stated: [{}], shape }, stac, transform);
  if (byStac) return { transform: byStac, from: "proj:bbox of the array and shape" };
  const byBox = fillingBox(level, around?.bbox, transform);
  if (!byBox) return scales;
  const far = scales && isGroups ? apart(transform, byBox, shape) : 0;
  // The group's box is the source's: a level may lack rows that fill no pixel of its own.
  if (far > 1e-6 && far < 1) return scales;
  return { transform: byBox, from: scales && isGroups ? "spatial:bbox and shape of the source level" : `spatial:bbox of the ${around.where} and shape` };
}

/** Transform of a level that has no `spatial:transform`; pixels where nothing gives one. */
export async function located(nodes, level) {
  const { node, names } = level;
  const stated = fromStac(nodes, level) ?? fromBox(nodes, level);
  if (stated) return stated;
  const transform = fromGeoTransform((await gridMappingOf(nodes, node))?.GeoTransform);
  if (transform) return { transform, from: "GeoTransform" };
  const found = node && (await fromCoordinates(nodes, folderOf(node), names));
  return found ?? { transform: [1, 0, 0, 0, 1, 0], from: "pixels" };
}

/** Gives levels without any statement on their place the extent of the largest one, in its pixels. */
export function alignPixels(drafts) {
  const bare = drafts.filter(({ from, shape }) => from === "pixels" && shape && !shape.includes(0));
  const [finest] = [...bare].sort((a, b) => b.shape[1] - a.shape[1]);
  for (const draft of bare.filter((other) => other !== finest)) {
    draft.transform = scaled(finest.transform, finest.shape.map((size, axis) => size / draft.shape[axis]));
    draft.from = "shape, in pixels of the finest level";
  }
}
