// Translates CF's grid mappings into definitions for PROJ.

const numbersOf = (value) => (Array.isArray(value) || ArrayBuffer.isView(value) ? Array.from(value, Number) : value === undefined ? [] : [Number(value)]);

/** Options of PROJ by CF's attributes; those that are missing or no numbers are left out. */
function options(attrs, names) {
  return Object.entries(names).flatMap(([option, name]) => {
    const [number] = [name].flat().flatMap((each) => numbersOf(attrs[each]));
    return Number.isFinite(number) ? [`+${option}=${number}`] : [];
  });
}

const MERIDIAN = ["longitude_of_central_meridian", "longitude_of_projection_origin", "straight_vertical_longitude_from_pole"];
const ORIGIN = { lat_0: "latitude_of_projection_origin", lon_0: MERIDIAN };
const SCALE = { k_0: ["scale_factor_at_projection_origin", "scale_factor_at_central_meridian"] };
const SHIFT = { x_0: "false_easting", y_0: "false_northing" };

/** One or two standard parallels. */
function parallels({ standard_parallel: value }) {
  const [first, second = first] = numbersOf(value);
  return Number.isFinite(first) ? [`+lat_1=${first}`, `+lat_2=${second}`] : [];
}

const plain = (proj, names = ORIGIN, more = () => []) => (attrs) => [`+proj=${proj}`, ...options(attrs, { ...names, ...SHIFT }), ...more(attrs)];

/** Options of PROJ by the names of CF's mappings. */
const MAPPINGS = {
  albers_conical_equal_area: plain("aea", ORIGIN, parallels),
  azimuthal_equidistant: plain("aeqd"),
  geostationary: plain("geos", { h: "perspective_point_height", lon_0: MERIDIAN }, ({ sweep_angle_axis: sweep, fixed_angle_axis: fixed }) => [`+sweep=${sweep ?? (fixed === "x" ? "y" : fixed === "y" ? "x" : "y")}`]),
  lambert_azimuthal_equal_area: plain("laea"),
  lambert_conformal_conic: plain("lcc", ORIGIN, parallels),
  lambert_cylindrical_equal_area: plain("cea", { lon_0: MERIDIAN, lat_ts: "standard_parallel" }),
  latitude_longitude: () => ["+proj=longlat"],
  mercator: plain("merc", { lon_0: MERIDIAN, lat_ts: "standard_parallel", ...SCALE }),
  orthographic: plain("ortho"),
  polar_stereographic: plain("stere", { ...ORIGIN, lat_ts: "standard_parallel", ...SCALE }),
  rotated_latitude_longitude: (attrs) => {
    const { grid_north_pole_latitude: lat, grid_north_pole_longitude: lon, north_pole_grid_longitude: turn = 0 } = attrs;
    return ["+proj=ob_tran", "+o_proj=longlat", `+o_lat_p=${Number(lat)}`, `+o_lon_p=${Number(turn)}`, `+lon_0=${180 + Number(lon)}`];
  },
  sinusoidal: plain("sinu", { lon_0: MERIDIAN }),
  stereographic: plain("stere", { ...ORIGIN, ...SCALE }),
  transverse_mercator: plain("tmerc", { ...ORIGIN, ...SCALE }),
};

/** The reference body; WGS 84 where nothing states one. */
function body(attrs) {
  const [radius] = numbersOf(attrs.earth_radius);
  if (radius > 0) return [`+R=${radius}`];
  const [major] = numbersOf(attrs.semi_major_axis);
  const [minor] = numbersOf(attrs.semi_minor_axis);
  const [inverse] = numbersOf(attrs.inverse_flattening);
  if (!(major > 0)) return ["+datum=WGS84"];
  if (minor > 0 && minor !== major) return [`+a=${major}`, `+b=${minor}`];
  return inverse > 0 ? [`+a=${major}`, `+rf=${inverse}`] : [`+R=${major}`];
}

/** The definition for PROJ of a grid mapping's attributes; undefined for mappings that are not known. */
export function definitionOfMapping(attrs) {
  const name = attrs?.grid_mapping_name;
  if (typeof name !== "string" || !Object.hasOwn(MAPPINGS, name)) return undefined;
  return [...MAPPINGS[name](attrs), ...body(attrs), "+no_defs"].join(" ");
}

/** Factor from a coordinate's unit to metres, or to degrees; of angles seen from a satellite, by its height. */
export function unitOf(units, { perspective_point_height: height } = {}) {
  const [distance] = numbersOf(height);
  if (distance > 0 && /^(rad|radian|radians)$/i.test(units)) return distance;
  if (distance > 0 && /^(microradian|microradians|urad|µrad)$/i.test(units)) return distance * 1e-6;
  return /^(km|kilomet(er|re)s?)$/i.test(units) ? 1000 : 1;
}
