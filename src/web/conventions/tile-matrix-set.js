/** Pyramids of GeoZarr's drafts up to 0.4, which list an OGC tile matrix set: a group for each matrix. */
import { fromCode } from "./fallbacks.js";
import { numbersIn } from "./grid.js";

/** Width of the coarsest matrix's pixel and its corner, of sets that are known by name. */
const KNOWN = {
  WebMercatorQuad: { crs: "EPSG:3857", cellSize: 156543.03392804097, pointOfOrigin: [-20037508.342789244, 20037508.342789244] },
  WorldCRS84Quad: { crs: "OGC:CRS84", cellSize: 180 / 256, pointOfOrigin: [-180, 90] },
};

/** Length of a unit of a coordinate system in metres, as the OGC defines scale denominators. */
const metresOf = (crs) => (/4326|CRS84/.test(crs) ? 111319.49079327358 : 1);

/** The matrices of a set known by name: those that the limits list, or the groups with a whole number for a name. */
function known(nodes, name, limits, pointer) {
  const set = Object.hasOwn(KNOWN, name) && KNOWN[name];
  if (!set) {
    const message = `${pointer}: the tile matrix set ${JSON.stringify(name)} is not known; known are ${Object.keys(KNOWN).join(" and ")}`;
    throw Object.assign(new Error(message), { name: "UnsupportedError", feature: `tile matrix set ${name}` });
  }
  const groups = nodes.tree ? [...nodes.tree.values()].filter(({ kind }) => kind === "group").map(({ path }) => path) : [];
  const ids = (limits ? Object.keys(limits) : groups).filter((id) => /^\d+$/.test(id));
  return { crs: set.crs, tileMatrices: ids.map((id) => ({ ...set, id, cellSize: set.cellSize / 2 ** Number(id) })) };
}

/** A tile matrix set: a group for each matrix, named by its id. */
export function tileMatrixSet(nodes, stated) {
  const key = "tile_matrix_set" in stated ? "tile_matrix_set" : "tileMatrixSet";
  const pointer = `/multiscales/${key}`;
  const limits = stated.tile_matrix_limits ?? stated.tileMatrixLimits;
  const set = typeof stated[key] === "string" ? known(nodes, stated[key], limits, pointer) : stated[key];
  const { crs, supportedCRS, tileMatrices, orderedAxes } = set ?? {};
  nodes.check(Array.isArray(tileMatrices) && tileMatrices.length > 0, "", `${pointer}/tileMatrices`, "expected a list of at least one matrix");
  const code = crs?.uri ?? crs ?? supportedCRS;
  const all = tileMatrices.map((matrix, i) => {
    const at = `${pointer}/tileMatrices/${i}`;
    const { id, pointOfOrigin: origin, cornerOfOrigin } = matrix ?? {};
    nodes.check(typeof id === "string", "", `${at}/id`, "expected the id of the matrix");
    const field = matrix.cellSize === undefined && matrix.scaleDenominator !== undefined ? "scaleDenominator" : "cellSize";
    const [size] = numbersIn([matrix[field]]) ?? [];
    nodes.check(size > 0, "", `${at}/${field}`, "expected a number above 0");
    const cellSize = field === "cellSize" ? size : (size * 0.00028) / metresOf(code);
    const point = numbersIn(origin);
    nodes.check(point?.length === 2, "", `${at}/pointOfOrigin`, "expected two numbers");
    const [x, y] = /^(?:lat|n)/i.test(orderedAxes?.[0]) ? point.reverse() : point;
    const height = cornerOfOrigin === "bottomLeft" ? cellSize : -cellSize;
    return { path: id, pointer: at, transform: [cellSize, 0, x, 0, height, y], from: "cellSize and pointOfOrigin of the tile matrix" };
  });
  // Sets name more matrices than are stored.
  const drafts = nodes.tree ? all.filter(({ path }) => nodes.tree.has(path)) : all;
  nodes.check(drafts.length > 0, "", pointer, "no matrix of the set is stored");
  return { kind: "tile_matrix_set", drafts, crs: fromCode(code, key) };
}
