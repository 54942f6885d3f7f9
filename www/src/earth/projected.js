// Places grids of projected coordinates on the Earth, with proj4.
import proj4 from "proj4";
import { along } from "./along.js";
import { definitionOfMapping, unitOf } from "./cf.js";
import { definitionOf } from "./epsg.js";
import { turned } from "./degrees.js";

const CLOSE = 1e-3; // degrees that a place may be off after a projection and its inverse

/** Names of the definitions that a system states, in the order in which they are tried: `[words, definition]`. */
function definitions({ code, wkt, projjson }, mapping) {
  const byMapping = definitionOfMapping(mapping);
  return [
    [code, definitionOf(code)], [code ?? "the WKT", wkt], [code ?? "the PROJJSON", projjson], [`the grid mapping ${mapping?.grid_mapping_name}`, byMapping],
  ].filter(([, definition]) => definition);
}

const DEFAULTS = ["lon_0", "lat_0", "x_0", "y_0"];

/** A definition with zeros for what it leaves out: some of proj4's projections have no defaults. */
function completed(definition) {
  if (!String(definition).startsWith("+proj=")) return definition;
  return [definition, ...DEFAULTS.filter((name) => !definition.includes(`+${name}=`)).map((name) => `+${name}=0`)].join(" ");
}

/** `forward([lon, lat])` and `inverse([x, y])` of a definition: undefined where a place has no coordinates, or comes back as another. */
function converterOf(definition) {
  const { forward, inverse } = proj4("+proj=longlat +datum=WGS84", completed(definition));
  const back = (xy) => {
    const [lon, lat] = inverse(xy);
    return Number.isFinite(lon) && Math.abs(lat) <= 90.000001 ? [turned(lon), lat] : undefined;
  };
  return {
    inverse: back,
    forward(place) {
      const xy = forward([turned(place[0]), Math.min(90, Math.max(-90, place[1]))]);
      const again = xy.every(Number.isFinite) ? back(xy) : undefined;
      const isSame = again && Math.abs(again[1] - place[1]) < CLOSE && Math.abs(turned(again[0] - place[0])) * Math.cos((place[1] * Math.PI) / 180) < CLOSE;
      return isSame ? xy : undefined;
    },
  };
}

/** Maps between cells and coordinates: by the axes' own, or by an affine transform. */
function planarOf(dataset, drawn, transform, mapping) {
  const axes = drawn.map((d) => dataset.axes[d]);
  if (axes.every(({ coordinate }) => coordinate && !coordinate.labels)) {
    const [ys, xs] = axes.map(({ coordinate }) => along(coordinate.values));
    const [down, across] = axes.map(({ coordinate }) => unitOf(coordinate.attrs.units, mapping));
    if (!ys || !xs) return undefined;
    return {
      toXY: ([row, column]) => [xs.at(column) * across, ys.at(row) * down],
      fromXY: ([x, y]) => [ys.find(y / down), xs.find(x / across)],
      toAxes: ([x, y]) => [x / across, y / down],
    };
  }
  if (!transform) return undefined;
  const [a, b, c, d, e, f] = transform;
  const area = a * e - b * d;
  return {
    isUpward: e > 0, transform,
    toXY: ([row, column]) => [a * column + b * row + c, d * column + e * row + f],
    fromXY: ([x, y]) => [(a * (y - f) - d * (x - c)) / area, (e * (x - c) - b * (y - f)) / area],
  };
}

const SOME = [[10, 20], [-75, -40]]; // places that a system of degrees leaves as they are

/** The options of `zonal` for a grid by its transform: of degrees without a projection, whose cells have areas. */
function zonesBy(transform, forward) {
  const isDegrees = SOME.every((place) => forward(place)?.every((at, i) => Math.abs(at - place[i]) < 1e-9));
  return isDegrees ? { transform, weights: "area" } : { transform, project: (place) => forward(place) ?? [NaN, NaN] };
}

/**
 * The earth of a dataset whose system is `crs`, drawn along the axes `drawn` (rows, columns), by a `transform` from pixels
 * where its axes have no coordinates, and the attributes of CF's grid `mapping`. It says in `words` what it is; without
 * `toDegrees` where the page cannot calculate places.
 */
export function projectedOf(dataset, drawn, { crs, transform, mapping }) {
  const planar = planarOf(dataset, drawn, transform, mapping);
  if (!planar) return undefined;
  const middle = drawn.map((d) => dataset.shape[d] / 2);
  for (const [name, definition] of definitions(crs, mapping)) {
    try {
      const { forward, inverse } = converterOf(definition);
      const earth = {
        axes: drawn, turns: [0], isUpward: planar.isUpward, words: `Degrees are calculated from ${name}.`,
        toDegrees: (cell) => inverse(planar.toXY(cell)),
        /** The axes' own coordinates of a place, by the system alone, wherever it lies; none where the axes have none. */
        project: planar.toAxes && ((place) => planar.toAxes(forward(place) ?? [NaN, NaN])),
        /** How `zonal` finds the cells of a grid that has a transform in place of coordinates. */
        zones: planar.transform && zonesBy(planar.transform, forward),
        toCell(place) {
          const xy = forward(place);
          return xy && planar.fromXY(xy);
        },
      };
      const place = earth.toDegrees(middle);
      const back = place && earth.toCell(place);
      if (back?.every((at, i) => Math.abs(at - middle[i]) < Math.max(0.5, middle[i] * 1e-3))) return earth;
    } catch {
      // proj4 does not know this definition: the next one, or none
    }
  }
  const name = crs.code ?? mapping?.grid_mapping_name ?? crs.gridMapping ?? "a system that the page does not know";
  return { axes: drawn, words: `Coordinates are those of ${name}, of which this page cannot calculate degrees.` };
}
