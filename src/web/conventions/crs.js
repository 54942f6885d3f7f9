/** Coordinate reference systems, as attributes state them. Nothing is looked up, translated or guessed. */

/** A text, or undefined for all else and for an empty one. */
export const textOf = (value) => (typeof value === "string" && value !== "" ? value : undefined);

/** Code that ends a WKT: the identifier of the whole, and not of one of its parts. */
function codeIn(wkt) {
  const end = /(?:ID|AUTHORITY)\[\s*"(\w+)"\s*,\s*"?([\w.]+)"?[^[\]]*\]\s*\]\s*$/i.exec(wkt ?? "");
  return end ? `${end[1]}:${end[2]}` : undefined;
}

/** Version of WKT that a text is written in; undefined if it is neither. */
function versionOf(wkt) {
  if (/^\s*(?:PROJCS|GEOGCS|GEOCCS|COMPD_CS|VERT_CS|LOCAL_CS|FITTED_CS)\s*[[(]/i.test(wkt)) return 1;
  return /^\s*\w+CRS\s*[[(]/i.test(wkt) ? 2 : undefined;
}

/**
 * Puts together what was stated; undefined if that is nothing.
 *
 * @param {string} from
 * @param {{ code?: string, wkt?: string, projjson?: any, gridMapping?: string }} found
 */
export function stated(from, { code, wkt, projjson, gridMapping }) {
  const { authority, code: id } = projjson?.id ?? {};
  const whole = { code: code ?? codeIn(wkt) ?? (authority && `${authority}:${id}`), wkt, wktVersion: wkt && versionOf(wkt), projjson, gridMapping, from };
  const given = Object.entries(whole).filter(([, value]) => value !== undefined);
  return given.length > 1 ? Object.fromEntries(given) : undefined;
}

/** From the attributes `proj:code`, `proj:wkt2` and `proj:projjson`, and STAC's older `proj:epsg`. */
export function fromProj(attrs, where) {
  const { "proj:code": code, "proj:epsg": epsg, "proj:wkt2": wkt, "proj:projjson": projjson } = attrs ?? {};
  const number = Number.isInteger(epsg) ? epsg : textOf(epsg);
  return stated(`proj: of the ${where}`, { code: textOf(code) ?? (number && `EPSG:${number}`), wkt: textOf(wkt), projjson: projjson && typeof projjson === "object" ? projjson : undefined });
}

/** Systems whose coordinates are longitude and latitude within a metre or two of WGS 84. */
const DEGREES = /^(?:EPSG:(?:4326|4979|4258|4269|4283|4490|4617|4674|4167|4171|7844)|OGC:CRS8[34]h?)$/i;

/** Web Mercator, under its present and its older codes. */
const MERCATOR = /^(?:EPSG:(?:3857|3785|900913)|ESRI:10210[0-3])$/i;

/** Whether coordinates are degrees, Web Mercator's metres, or neither as far as is stated. */
export function kindOf({ code, wkt, projjson, gridMapping }) {
  if (DEGREES.test(code)) return "degrees";
  if (MERCATOR.test(code)) return "mercator";
  // A rotated pole is a geographic system too, derived from another, and so is one with axes from the Earth's centre.
  const isPlain = !/DERIVINGCONVERSION|CS\[\s*Cartesian/i.test(wkt) && (gridMapping ?? "latitude_longitude") === "latitude_longitude";
  const isGeographic = (isPlain && /^\s*GEO(?:GCS|GCRS|DCRS|GRAPHICCRS)\s*[[(]/i.test(wkt)) || /^Geo(?:graphic|detic)CRS$/.test(projjson?.type);
  return isGeographic || (gridMapping === "latitude_longitude" && !wkt) ? "degrees" : undefined;
}
