/**
 * Metadata about a HEALPix grid, in the styles that writers use: the dggs convention, the attributes of xdggs, the grid
 * mapping of CF 1.13, and the older one of easygems. An error says which document and which field is wrong.
 */
import { MOST } from "./authalic.js";
import { cellsOf, DEEPEST, MOST_IDS, SCHEMES } from "./cells.js";
import { json } from "../common/json-text.js";

/** Sphere that is meant where metadata names no ellipsoid. */
const SPHERE = { semiMajorAxis: 6370997, flattening: 0 };

/** Inverse flattening of ellipsoids of 6378137 m, by name. */
const NAMED = { wgs84: 298.257223563, grs80: 298.257222101, grs1980: 298.257222101 };

const numeric = (value) => (typeof value === "bigint" ? Number(value) : value);

const shown = (value) => (value === undefined ? "nothing" : json(value));

/** Error with one of the package's names. */
export function failure(name, message, fields) {
  return Object.assign(new Error(message), { name }, fields);
}

export const unsupported = (feature, reason) => failure("UnsupportedError", `${feature} is not supported: ${reason}`, { feature });

/** Checks that the numbers of a level's cells are exact. */
export function checkDepth(level) {
  if (level > DEEPEST) throw unsupported(`HEALPix level ${level}`, `its cells have numbers beyond 2^53; levels up to ${DEEPEST} are read`);
  return level;
}

class Fields {
  /**
   * @param {{ path: string, zarrFormat: number, attrs: object } | undefined} node array or group with the attributes;
   *   none for the option `dggs`
   * @param {any} values object with the fields
   * @param {string} pointer JSON pointer of the fields within the attributes
   */
  constructor(node, values, pointer = "") {
    const isV2 = node?.zarrFormat === 2;
    this.node = node;
    this.values = values;
    this.key = node ? [node.path, isV2 ? ".zattrs" : "zarr.json"].filter(Boolean).join("/") : "";
    this.pointer = pointer;
    this.base = node && !isV2 ? "/attributes" : "";
    if (typeof values !== "object" || values === null || Array.isArray(values)) throw this.fault("", this.wanted("an object", values));
  }

  /** Error for a field. */
  fault(field, reason) {
    const path = this.base + this.pointer + (field && `/${field}`);
    return failure("InvalidMetadataError", `invalid HEALPix metadata in ${this.key || "the option dggs"} at ${path}: ${reason}`, { path, key: this.key });
  }

  wanted(what, value) {
    return `expected ${what}, got ${shown(value)}`;
  }

  /** Field whose value fits, or undefined where it is missing and `isOptional`. */
  take(field, what, fits, isOptional) {
    const value = this.values[field] ?? undefined;
    if (value === undefined ? isOptional : fits(value)) return value;
    throw this.fault(field, this.wanted(what, value));
  }

  text(field, isOptional) {
    return this.take(field, "a text", (value) => typeof value === "string" && value !== "", isOptional);
  }

  /** Level in a field; null where the ids tell it. */
  level(field, scheme) {
    const level = this.take(field, "a level from 0 to 29", (value) => Number.isInteger(value) && value >= 0 && value <= 29, scheme === "zuniq");
    return checkDepth(level ?? null);
  }

  /** Level by the number of cells along the side of a face, which some writers store as a text. */
  levelByNside(field) {
    const nside = Number(this.take(field, "a positive integer", (value) => /^[1-9]\d{0,9}$/.test(value)));
    const level = Math.round(Math.log2(nside));
    if (2 ** level !== nside) throw unsupported(`HEALPix with nside ${nside}`, "only powers of 2 are read");
    return checkDepth(level);
  }

  /** Indexing scheme in a field. */
  scheme(field) {
    const value = this.text(field).toLowerCase();
    if (value === "nest") return "nested";
    if (Object.hasOwn(SCHEMES, value)) return value;
    if (value.endsWith("uniq")) throw unsupported(`the HEALPix indexing scheme ${value}`, `expected one of ${Object.keys(SCHEMES)}`);
    throw this.fault(field, this.wanted(`one of ${Object.keys(SCHEMES)}`, value));
  }

  /** Ellipsoid by its axes, in the spellings of PROJ, CF and xdggs; its name counts only where `isNameEnough`. */
  ellipsoid(name, isNameEnough) {
    const number = (...fields) => {
      const field = fields.find((each) => each in this.values);
      // Integers beyond 2^53 are bigints in attributes.
      const value = field && this.take(field, "a number from 0 up", (found) => Number.isFinite(numeric(found)) && found >= 0, true);
      return numeric(value);
    };
    const radius = number("radius", "earth_radius");
    const major = number("semi_major_axis", "semimajor_axis");
    const minor = number("semi_minor_axis", "semiminor_axis");
    const inverse = number("inverse_flattening");
    const plain = name?.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
    const known = isNameEnough && Object.hasOwn(NAMED, plain) ? NAMED[plain] : undefined;
    const isNothing = [name, radius, major, minor, inverse].every((value) => value === undefined);
    // By CF, an inverse flattening of 0 is that of a sphere.
    const flattening = inverse === undefined ? (minor === undefined ? undefined : 1 - minor / major) : inverse && 1 / inverse;
    const named = name === undefined ? {} : { name };
    if (major > 0 && flattening !== undefined) {
      if (!(flattening >= 0 && flattening <= MOST)) throw unsupported(`an ellipsoid of flattening ${flattening}`, `expected 0 to ${MOST}`);
      return { ...named, semiMajorAxis: major, flattening };
    }
    if (radius > 0) return { ...named, ...SPHERE, semiMajorAxis: radius };
    if (known) return { ...named, semiMajorAxis: 6378137, flattening: 1 / known };
    if (isNameEnough && (isNothing || name === "sphere")) return { ...named, ...SPHERE };
    throw this.fault("", "an ellipsoid has a radius, or semi_major_axis with semi_minor_axis or inverse_flattening");
  }

  /** Ellipsoid in a field of its own: an object, or a name. */
  ownEllipsoid() {
    const value = this.values.ellipsoid ?? undefined;
    if (value === undefined) return SPHERE;
    const isName = typeof value === "string";
    const fields = new Fields(this.node, isName ? { name: value } : value, `${this.pointer}/ellipsoid`);
    return fields.ellipsoid(fields.text("name", true), isName);
  }
}


/** Names of arrays of ids, where neither attributes nor consolidated metadata name them. */
const IDS = ["cell_ids", "cell", "healpix_index"];

/** Names of grid mappings, where the array's attribute names none that exists: xdggs 0.7.0 writes `healpix` for `crs`. */
const MAPPINGS = ["crs", "spatial_ref", "healpix"];

/** Names of the dimension of cells, where no ids say which it is. */
const DIMENSIONS = ["cell", "cells", "value", "values"];

/** Refuses a grid that is not HEALPix. */
function check(fields, field) {
  const name = fields.text(field);
  if (name.toLowerCase() !== "healpix") throw unsupported(`the grid ${name}`, `HEALPix alone is read (${fields.key} has ${field} ${name})`);
}

/** Grid by the dggs convention, or by an object in its form. */
function byConvention(node, values) {
  const fields = new Fields(node, values, node && "/dggs");
  check(fields, "name");
  const scheme = fields.scheme("indexing_scheme");
  const level = fields.level("refinement_level", scheme);
  const coordinate = fields.text("coordinate", true);
  const isKnown = (value) => ["none", "ranges", "compacted"].includes(value);
  const compression = fields.take("compression", "none, ranges or compacted", isKnown, true) ?? "none";
  const fault = (reason) => fields.fault(coordinate ? "coordinate" : "refinement_level", reason);
  if (level === null && (!coordinate || compression !== "none")) throw fields.fault("refinement_level", "no ids tell the level");
  const dimension = fields.text("spatial_dimension");
  return { from: node ? "dggs" : "options", level, scheme, compression, coordinate, dimension, ellipsoid: fields.ownEllipsoid(), fault };
}

/** Grid by the attributes that xdggs puts on the ids. */
function byIds(found) {
  const { attrs } = found;
  const fields = new Fields(found, attrs);
  check(fields, "grid_name");
  const isOlder = attrs.indexing_scheme === undefined && typeof attrs.nest === "boolean";
  const scheme = isOlder ? (attrs.nest ? "nested" : "ring") : fields.scheme("indexing_scheme");
  const name = ["level", "nside", "resolution", "depth", "order"].find((field) => field in attrs) ?? "level";
  const level = name === "nside" ? fields.levelByNside(name) : fields.level(name, scheme);
  return { from: "xdggs", level, scheme, compression: "none", found, ellipsoid: fields.ownEllipsoid(), fault: (reason) => fields.fault(name, reason) };
}

/** Grid by a grid mapping: that of CF, or the older one of easygems. */
function byMapping(found) {
  const { attrs } = found;
  const fields = new Fields(found, attrs);
  check(fields, "grid_mapping_name");
  const isOlder = !("refinement_level" in attrs || "indexing_scheme" in attrs);
  const [from, levelField, schemeField] = isOlder ? ["easygems", "healpix_nside", "healpix_order"] : ["cf", "refinement_level", "indexing_scheme"];
  const scheme = fields.scheme(schemeField);
  const level = isOlder ? fields.levelByNside(levelField) : fields.level(levelField, scheme);
  const ellipsoid = fields.ellipsoid(fields.text("reference_ellipsoid_name", true), true);
  return { from, level, scheme, compression: "none", ellipsoid, fault: (reason) => fields.fault(levelField, reason) };
}

/** Names of grid mappings in CF's attribute, which is a name, or names that each end with a colon before coordinates. */
function mappingNames({ grid_mapping: text }) {
  const names = typeof text === "string" ? text.split(/\s+/) : [];
  const extended = names.filter((name) => name.endsWith(":"));
  return extended.length > 0 ? extended.map((name) => name.slice(0, -1)) : names;
}

/**
 * Completes a grid mapping by the ids of the cells, or else by the dimension that has all cells. Ids without attributes
 * are known by their name; where the axis has all cells, those of another type or length are no ids, and say nothing.
 */
async function placed(grid, around, { shape, dimensionNames }) {
  const count = cellsOf(grid.level ?? NaN);
  const isNamed = ({ attrs }) => attrs.standard_name === "healpix_index";
  const isIds = ({ dtype, shape: [length] }, name) => [...IDS, ...DIMENSIONS].includes(name) && (!shape.includes(count) || (length === count && /int/.test(dtype)));
  const found = (await around.along(IDS, isNamed)) ?? (await around.along(IDS, isIds));
  if (found) return { ...grid, found };
  const whole = dimensionNames.filter((name, axis) => name && shape[axis] === count);
  const dimension = DIMENSIONS.find((name) => whole.includes(name)) ?? whole[0];
  if (dimension) return { ...grid, dimension };
  throw grid.fault(`no array beside it holds ids of cells, and no axis of the shape [${shape}] has all cells of level ${grid.level}`);
}

/**
 * Finds the description of the grid of an array.
 *
 * @param {any} array
 * @param {import("./around.js").Around} around
 * @param {object} [given] description by the caller, in the form of the dggs convention
 */
export async function describe(array, around, given) {
  if (given !== undefined) return byConvention(undefined, given);
  for (const node of [array, await around.parent()]) if (node.attrs.dggs !== undefined) return byConvention(node, node.attrs.dggs);
  const ids = await around.along(IDS, ({ attrs }) => typeof attrs.grid_name === "string");
  if (ids) return byIds(ids);
  const names = [...mappingNames(array.attrs), ...MAPPINGS, ...around.listedNames];
  for (const name of new Set(names)) {
    const found = await around.find(name);
    if (found && "grid_mapping_name" in found.attrs) return placed(byMapping(found), around, array);
  }
  const level = Array.from({ length: 25 }, (_, each) => each).find((each) => array.shape.includes(cellsOf(each)));
  const hint = level === undefined ? "" : ` (an axis has as many cells as level ${level})`;
  const remedy = `pass the option dggs, such as { name: "healpix", refinement_level: ${level ?? 10}, indexing_scheme: "nested", spatial_dimension: "cells" }`;
  throw unsupported(`${array.path} without HEALPix metadata`, `none was found${hint}; ${remedy}`);
}

/** Checks what the metadata says of the ids in `array`; without it, that the axis has all cells of the level. */
export function checkIds({ level, dimension, compression, size, fault }, array) {
  if (!array) {
    if (size !== cellsOf(level)) throw fault(`level ${level} has ${cellsOf(level)} cells, dimension ${dimension} ${size}, and no array of ids says which`);
    return;
  }
  const { shape, dtype, path } = array;
  const isRight = compression === "ranges" ? shape.length === 2 && shape[1] === 2 : shape.length === 1 && (compression !== "none" || shape[0] === size);
  if (!isRight || !/^u?int(8|16|32|64)$/.test(dtype)) {
    throw fault(`${path} of shape [${shape}] and type ${dtype} holds no ids (compression: ${compression}) for dimension ${dimension} of length ${size}`);
  }
  if (shape[0] > MOST_IDS) throw unsupported(`${shape[0]} ids of cells`, `at most ${MOST_IDS} are read`);
}
