/** Polygons of GeoJSON (RFC 7946), written down flat as the module takes them, with an error that names each mistake. */
import { refusal as refused } from "./axes.js";

/** Most vertices of all features, and most features: those of `src/answers/zones/features.rs`. */
const MOST_VERTICES = 1e6;
const MOST_FEATURES = 1e4;

/** Deepest geometry collection within others. */
const DEEPEST = 4;

/** Most times that an edge is halved where a projection bends it. */
const MOST_HALVINGS = 12;

const KINDS = ["Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon", "GeometryCollection"];

/** Error of features. */
const refusal = (message) => refused(`zonal: ${message}`);

/** Text of a value for a message. */
function shown(value) {
  const text = typeof value === "string" || (typeof value === "object" && value !== null) ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** Members of a list of features, or of one feature or geometry. */
function members(geojson) {
  if (typeof geojson === "string") throw refusal("GeoJSON is expected as an object, not as text; pass JSON.parse(text)");
  if (geojson?.type === "FeatureCollection") {
    if (!Array.isArray(geojson.features)) throw refusal(`a FeatureCollection has a list of features, not ${shown(geojson.features)}`);
    return geojson.features;
  }
  if (geojson?.type === "Feature") return [geojson];
  if (KINDS.includes(geojson?.type)) return [{ type: "Feature", geometry: geojson }];
  throw refusal(`expected a FeatureCollection, a Feature or a geometry, got ${shown(geojson?.type ?? geojson)}`);
}

/** The system of coordinates that GeoJSON of 2008 names, unless it is WGS 84, as of all later GeoJSON. */
function otherSystem({ crs }) {
  const name = crs?.properties?.name;
  return typeof name === "string" && !/CRS:?:?84$|EPSG:(?::|[\d.]*:)?4326$/i.test(name) ? name : undefined;
}

/** Vertices of rings, with the ends of rings, polygons and features. */
class Flat {
  numbers = [];
  rings = [];
  polygons = [];
  features = [];

  /** @param {((point: [number, number]) => readonly number[]) | undefined} project @param {number} tolerance */
  constructor(project, tolerance) {
    this.project = project;
    this.tolerance = tolerance;
  }

  /** Adds a geometry of the feature that is called `name`. */
  geometry(geometry, name, depth = 0) {
    const { type, coordinates, geometries } = geometry ?? {};
    if (type === "Polygon") return this.polygon(coordinates, name, "");
    if (type === "MultiPolygon") {
      if (!Array.isArray(coordinates)) throw refusal(`${name}: the coordinates of a MultiPolygon are a list of polygons, not ${shown(coordinates)}`);
      return coordinates.forEach((polygon, i) => this.polygon(polygon, name, `polygon ${i}, `));
    }
    if (type === "GeometryCollection" && Array.isArray(geometries)) {
      if (depth === DEEPEST) throw refusal(`${name}: geometry collections lie within each other more than ${DEEPEST} deep`);
      return geometries.forEach((inner) => this.geometry(inner, name, depth + 1));
    }
    if (KINDS.includes(type)) throw refusal(`${name}: its geometry is a ${type}, which has no area; zones need polygons`);
    throw refusal(`${name}: it has no geometry, but ${shown(geometry)}; leave it out`);
  }

  polygon(rings, name, where) {
    if (!Array.isArray(rings) || rings.length === 0) throw refusal(`${name}: ${where}the coordinates of a polygon are a list of rings, not ${shown(rings)}`);
    rings.forEach((ring, i) => this.ring(ring, `${name}: ${where}ring ${i}`));
    this.polygons.push(this.rings.length);
  }

  ring(ring, where) {
    if (!Array.isArray(ring)) throw refusal(`${where} is a list of positions, not ${shown(ring)}`);
    let before;
    ring.forEach((position, i) => {
      const isPlace = Array.isArray(position) && Number.isFinite(position[0]) && Number.isFinite(position[1]);
      if (!isPlace) throw refusal(`${where}, position ${i} must be two finite numbers, and is ${shown(position)}`);
      const point = /** @type {[number, number]} */ ([position[0], position[1]]);
      const at = this.project ? this.projected(point, `${where}, position ${i}`) : point;
      if (before && this.project) this.bend(before.point, before.at, point, at, MOST_HALVINGS, where);
      this.add(at, where);
      before = { point, at };
    });
    this.rings.push(this.numbers.length / 2);
  }

  add([x, y], where) {
    if (this.numbers.length >= 2 * MOST_VERTICES) throw refusal(`${where}: the features have more than 10^6 vertices; simplify them, or pass fewer at once`);
    this.numbers.push(x, y);
  }

  projected(point, where) {
    const at = this.project?.(point);
    if (!Number.isFinite(at?.[0]) || !Number.isFinite(at?.[1])) {
      throw refusal(`${where} (${shown(point)}) has no place in the grid: the option project gave ${shown(at)}; cut the feature to where the projection is defined`);
    }
    return /** @type {[number, number]} */ ([at?.[0], at?.[1]]);
  }

  /** Adds the places between two positions where the straight edge between them bends in the grid. */
  bend(from, first, to, last, halvings, where) {
    const middle = /** @type {[number, number]} */ ([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]);
    const at = this.projected(middle, where);
    const away = Math.hypot(at[0] - (first[0] + last[0]) / 2, at[1] - (first[1] + last[1]) / 2);
    if (!(away > this.tolerance) || halvings === 0) return;
    this.bend(from, first, middle, at, halvings - 1, where);
    this.add(at, where);
    this.bend(middle, at, to, last, halvings - 1, where);
  }
}

/**
 * Vertices of all features as x, y, x, y…, the ends of their rings, polygons and features, and the features' ids: their
 * own, else their numbers.
 *
 * @param {any} geojson
 * @param {object} [options]
 * @param {(point: [number, number]) => readonly number[]} [options.project] from longitude and latitude to the grid's coordinates
 * @param {number} [options.tolerance] farthest that an edge may be from where the projection puts it, in the grid's units
 * @param {boolean} [options.inDegrees] whether features must be in degrees
 */
export function featuresOf(geojson, { project, tolerance = 0, inDegrees = !project } = {}) {
  const list = members(geojson);
  const system = otherSystem(geojson);
  if (system && inDegrees) throw refusal(`the features are in ${shown(system)}, and GeoJSON is expected in degrees; pass project, from these coordinates to the grid's`);
  if (list.length > MOST_FEATURES) throw refusal(`there are ${list.length} features, and 10^4 are the most; pass fewer at once`);
  const flat = new Flat(project, tolerance);
  const ids = list.map((feature, i) => {
    const hasId = typeof feature?.id === "string" || typeof feature?.id === "number";
    const name = hasId ? `feature ${i} (${shown(feature.id)})` : `feature ${i}`;
    if (feature?.type !== "Feature") throw refusal(`${name} is no Feature, but ${shown(feature?.type ?? feature)}`);
    flat.geometry(feature.geometry, name);
    if (flat.polygons.length === (flat.features.at(-1) ?? 0)) throw refusal(`${name} is empty: it has no polygon; leave it out`);
    flat.features.push(flat.polygons.length);
    return hasId ? feature.id : i;
  });
  const { numbers, rings, polygons, features } = flat;
  return { numbers: Float64Array.from(numbers), rings: Uint32Array.from(rings), polygons: Uint32Array.from(polygons), features: Uint32Array.from(features), ids };
}
