// Places on the Earth: grids of latitudes and longitudes, what all kinds of grids share, and places in words.
import { along, unwound } from "./along.js";

/** A longitude from -180 up to 180. */
export const turned = (lon) => lon - 360 * Math.floor((lon + 180) / 360);

/** Turns at which a grid of longitudes may have a point. */
const TURNS = [-360, 0, 360];

/**
 * The earth of an array with an axis of latitudes and one of longitudes; undefined for others. An earth has `axes` (rows,
 * columns), `toDegrees([row, column])` and `toCell([lon, lat])`, which give undefined where there is no such place,
 * `turns` to add to longitudes before `toCell`, and `isStraight` where parallels and meridians are straight lines.
 */
export function degreesOf({ axes }) {
  const found = ["lat", "lon"].map((kind) => axes.findIndex((axis) => axis.kind === kind));
  if (found.includes(-1)) return undefined;
  const [lats, lons] = found.map((d, i) => along(i ? unwound(axes[d].coordinate.values) : axes[d].coordinate.values));
  if (!lats || !lons) return undefined;
  return {
    axes: found, turns: TURNS, isStraight: true, words: "",
    toDegrees: ([row, column]) => [turned(lons.at(column)), lats.at(row)],
    toCell: ([lon, lat]) => [lats.find(lat), lons.find(lon)],
  };
}

/** The earth of a dataset that a plane is drawn of: where rows and columns are the earth's. */
export const drawnOn = ({ earth }, { shown }) => (earth && shown.length === 2 && shown.every(({ axis }, i) => axis === earth.axes[i]) ? earth : undefined);

/** The cell at a place, in a grid of `[rows, columns]`; undefined outside of it. */
export function cellOn({ toCell, turns }, size, [lon, lat]) {
  const cells = turns.map((turn) => toCell([turned(lon) + turn, lat])?.map(Math.floor));
  return cells.find((cell) => cell?.every((at, i) => at >= 0 && at < size[i]));
}

const side = (v, places, positive, negative) => `${Math.abs(v).toFixed(places)}° ${v < 0 ? negative : positive}`;

/** Degrees of the cell at an index along every axis, in words, where the axes do not say them. */
export function placeText(earth, index) {
  const cell = earth.axes.map((d) => index[d] + 0.5);
  if (earth.say || earth.isStraight) return earth.say?.(cell) ?? "";
  const [place, next] = [earth.toDegrees(cell), earth.toDegrees(cell.map((at) => at + 1))];
  if (!place) return "";
  const apart = next ? Math.max(Math.abs(next[1] - place[1]), Math.abs(turned(next[0] - place[0]))) : 0.01;
  const decimals = Math.min(6, Math.max(2, Math.ceil(-Math.log10(apart || 1)) + 1)); // as many as tell neighbours apart
  const [lon, lat] = place;
  return `${earth.isClose ? "about " : ""}${side(lat, decimals, "N", "S")}, ${side(lon, decimals, "E", "W")}`;
}
