/** Coordinate systems of a result, and the way from its coordinates to those of the data. */
import { kindOf, stated, textOf } from "../conventions/crs.js";
import { failure } from "../stores/common.js";
import { OWN, betweenKinds, byProject, fromDegrees, longitude, toDegrees } from "./ways.js";

/** The code in a code, or in its spelling as a URN or an address. */
function codeOf(text) {
  const parts = /(?:def[:/]crs[:/])([^:/]+)[:/][^:/]*[:/]([^:/]+)$/i.exec(text);
  return (parts ? `${parts[1]}:${parts[2]}` : text).replace(/^CRS:84$/i, "OGC:CRS84");
}

/** A text that names a system: a code, well-known text, or a PROJ string. */
function spelt(text) {
  if (/^\s*\w+\s*[[(]/.test(text)) return stated("option crs", { wkt: text });
  if (/\+proj=(?:longlat|latlong|lonlat|latlon)\b/.test(text) && !/\+(?:pm|towgs84|nadgrids)=|\+(?:datum|ellps)=(?!WGS84|GRS80)/.test(text)) return { code: "OGC:CRS84" };
  return /\+(?:proj|init)=/.test(text) ? { proj: text } : { code: codeOf(text.trim()) };
}

/**
 * The system that the option `crs` names.
 *
 * @param {any} value code, WKT, PROJ string, PROJJSON, or the `crs` of a pyramid
 * @returns {any}
 */
export function systemOf(value) {
  const isObject = typeof value === "object" && !Array.isArray(value);
  const found = textOf(value) ? spelt(value) : isObject && "type" in value ? stated("option crs", { projjson: value }) : isObject ? value : {};
  const { code, wkt, projjson, proj } = found;
  if (!textOf(code) && !textOf(wkt) && !textOf(proj) && !projjson) {
    throw new TypeError(`the option crs is a code such as "EPSG:3857", a PROJ string, WKT, PROJJSON or the crs of levels, not ${isObject ? JSON.stringify(value) : String(value)}`);
  }
  return { ...found, kind: proj ? undefined : kindOf(found) };
}

/** Name of a system, for messages. */
const nameOf = ({ code, proj, wkt, projjson }) => code ?? proj ?? /"([^"]*)"/.exec(wkt)?.[1] ?? projjson?.name ?? "of the data";

/** Whether two systems are one, as far as their texts tell. */
function isSame(one, other) {
  if (one.kind || other.kind) return one.kind === other.kind;
  if (one.code && other.code) return one.code.toUpperCase() === other.code.toUpperCase();
  return (one.wkt !== undefined && one.wkt === other.wkt) || (Boolean(one.projjson) && JSON.stringify(one.projjson) === JSON.stringify(other.projjson));
}

const lacks = (message, feature) => failure("UnsupportedError", message, { feature });

/** Whether proj4 knows a code by itself, or because a page has defined it. */
function knows(proj4, code) {
  try {
    return Boolean(proj4(code, "EPSG:4326"));
  } catch {
    return false;
  }
}

/**
 * A system with its definition of a table of codes, where proj4 needs one and does not know the code by itself.
 *
 * @param {any} system @param {{ proj4?: any, epsg?: any }} options
 */
export async function defined(system, { proj4, epsg }) {
  const { code, kind } = system ?? {};
  if (!epsg || !proj4 || kind || !code || knows(proj4, code)) return system;
  const names = [code, code.toUpperCase()];
  const listed = typeof epsg === "function" ? await epsg(code) : names.filter((name) => Object.hasOwn(epsg, name)).map((name) => epsg[name])[0];
  if (listed === undefined || listed === null) return system;
  if (!textOf(listed) && typeof listed !== "object") throw new TypeError(`the option epsg gives the definition of ${code} as a PROJ string, WKT or PROJJSON, not ${String(listed)}`);
  return { ...system, listed };
}

/** What proj4 takes for a system: a code that it knows, for which a page may have chosen its own definition, or a text. */
function definitionOf(proj4, system) {
  const { code, wkt, projjson, proj, listed, kind } = system;
  if (kind === "degrees") return "EPSG:4326";
  if (kind === "mercator") return "EPSG:3857";
  let cause;
  for (const one of [code && proj4.defs?.(code) && code, listed, proj, wkt, projjson, code]) {
    try {
      if (one && proj4(one, "EPSG:4326")) return one;
    } catch (error) {
      cause ??= error;
    }
  }
  const name = nameOf(system);
  const message = `proj4 does not know the coordinate system ${name}: define it first, as in proj4.defs(${JSON.stringify(name)}, "+proj=…"), or give the option epsg, a table of definitions by code`;
  throw failure("UnsupportedError", message, { feature: "this coordinate reference system", cause });
}

/** Difference of longitudes, whichever way around. */
const turned = (degrees) => degrees - 360 * Math.round(degrees / 360);

/**
 * A way by proj4. A place whose way back leads elsewhere has none: far from its zone, a projection gives numbers that are
 * places of others.
 *
 * @param {any} proj4 @param {any} from @param {any} to systems
 * @param {number} slack largest distance of the way back, in coordinates of `from`
 */
function byProj4(proj4, from, to, slack) {
  const [start, end] = [toDegrees[from.kind], fromDegrees[to.kind]];
  const degrees = "EPSG:4326";
  const converter = proj4(start ? degrees : definitionOf(proj4, from), end ? degrees : definitionOf(proj4, to));
  const limit = from.kind === "mercator" ? longitude(slack) : slack;
  return (x, y) => {
    const place = start ? start(x, y) : [x, y];
    try {
      const found = converter.forward([place[0], place[1]]);
      if (!Number.isFinite(found[0]) || !Number.isFinite(found[1])) return undefined;
      const back = converter.inverse([found[0], found[1]]);
      const [dx, dy] = [back[0] - place[0], back[1] - place[1]];
      const isBack = start ? Math.abs(turned(dx)) * Math.cos((place[1] * Math.PI) / 180) <= limit && Math.abs(dy) <= limit : Math.abs(dx) <= limit && Math.abs(dy) <= limit;
      if (!isBack) return undefined;
      return end ? end(found[0], found[1]) : found;
    } catch {
      // proj4 throws for what it cannot project.
      return undefined;
    }
  };
}

/**
 * The way from coordinates of a result to those of the data: `across` and `down` where each axis goes by itself, else `at`,
 * which gives nothing for a place that the data's system does not have.
 *
 * @param {any} crs system of the result, of `systemOf`; none for that of the data
 * @param {{ crs: any, kind: string | undefined }} data system of the data: as stated, and what its coordinates are
 * @param {{ proj4?: any, project?: any }} options
 * @param {{ box: readonly number[], pixel: number }} extent of the result
 * @returns {{ across?: (x: number) => number, down?: (y: number) => number, at?: (x: number, y: number) => readonly number[] | undefined }}
 */
export function wayTo(crs, data, { proj4, project }, { box, pixel }) {
  const own = { ...data.crs, kind: data.kind };
  if (!crs || (isSame(crs, own) && !project)) return OWN;
  // A millionth of a degree, or its like in metres; of coarse pixels, a hundredth.
  const slack = Math.max(pixel / 100, crs.kind === "mercator" ? 0.1 : crs.kind === "degrees" ? 1e-6 : 1e-8 * Math.max(...box.map(Math.abs)));
  if (!crs.kind && !proj4) {
    throw lacks(`the coordinate system ${nameOf(crs)} needs the option proj4: the function of the package proj4; built in are EPSG:4326, OGC:CRS84 and EPSG:3857`, "coordinate reference systems without proj4");
  }
  if (project) {
    const start = toDegrees[crs.kind] ?? byProj4(proj4, crs, { kind: "degrees" }, slack);
    return byProject(start, project);
  }
  if (crs.kind && own.kind) return betweenKinds(crs.kind, own.kind);
  if (!own.kind && !proj4) {
    throw lacks(`the data's coordinates are neither degrees nor Web Mercator: pass the option proj4, the function of the package proj4, or project, a function from [longitude, latitude] to the data's coordinates, such as proj4(crs).forward; for coordinates in degrees without units, pass \`project: (p) => p\`; without crs, bbox is in the data's own coordinates`, "pixels of this coordinate reference system");
  }
  if (!own.kind && !own.code && !own.wkt && !own.projjson) {
    throw lacks("the metadata state no coordinate system of the data: pass the option project, a function from [longitude, latitude] to its coordinates; without crs, bbox is in the data's own coordinates", "pixels of an unknown coordinate reference system");
  }
  return { at: byProj4(proj4, crs, own, slack) };
}
