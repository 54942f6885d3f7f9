// Draws three answers on the embedded year: curves by month, countries by their mean, and a day in another projection.
import "./page/fonts.js";
import "./style/base.css";
import "./style/answers.css";
import { interpolateInferno } from "d3-scale-chromatic";
import proj4 from "proj4";
import { Group, slice } from "rectilinear-zarr";
import { reduce, zonal } from "rectilinear-zarr/answers";
import { Levels } from "rectilinear-zarr/levels";
import { feature } from "topojson-client";
import atlas from "world-atlas/countries-110m.json";

import { el, svg } from "./dom.js";

const DATA = "data/clear-sky-2024.zarr";
const MOST = 9; // kWh/m² a day, the brightest colour
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** Bands of latitude that have a curve each. */
const BANDS = [["60–80° N", 60, 80], ["30–50° N", 30, 50], ["10° S–10° N", -10, 10], ["50–30° S", -50, -30]];

const colour = (energy) => (energy > 0 || energy <= 0 ? interpolateInferno(Math.min(energy / MOST, 1)) : "none");

/** Puts a drawing and its caption into a figure. */
function show(id, drawing, caption) {
  const figure = document.getElementById(id);
  figure.querySelector(".drawn").replaceChildren(drawing);
  figure.querySelector("figcaption").textContent = caption;
  figure.dataset.state = "drawn";
}

/** One curve of twelve months for each band. */
async function months(ghi) {
  const over = ["time", "lat", "lon"];
  const curves = await Promise.all(BANDS.map(([, south, north]) => reduce(ghi, "mean", { sel: { lat: slice(south, north) }, over, by: "time.month", weights: "area" })));
  const [x, y] = [(month) => 40 + month * 48, (energy) => 190 - energy * 19];
  const lines = curves.flatMap(({ data }, nth) => {
    const points = Array.from(data, (energy, month) => `${x(month)},${y(energy).toFixed(1)}`);
    return [svg("polyline", { class: "curve", points: points.join(" ") }), svg("text", { x: x(11) + 6, y: y(data[11]) + 4 }, BANDS[nth][0])];
  });
  const rules = [0, 3, 6, 9].flatMap((energy) => [svg("line", { class: "rule", x1: x(0), x2: x(11), y1: y(energy), y2: y(energy) }), svg("text", { x: 18, y: y(energy) + 4 }, String(energy))]);
  const names = MONTHS.map((name, month) => svg("text", { x: x(month) - 10, y: 208 }, name));
  show("months", svg("svg", { viewBox: "0 0 660 215", role: "img", "aria-label": "Mean energy by month in four bands of latitude" }, rules, names, lines), "Means of each month in four bands of latitude, weighted by area: reduce(ghi, \"mean\", { sel, by: \"time.month\", weights: \"area\" }).");
}

/** A ring whose steps are short, also across 180 degrees, with its copies where it leaves the map. */
function copies(ring) {
  let before = ring[0][0];
  const whole = ring.map(([lon, lat]) => [(before = lon - 360 * Math.round((lon - before) / 360)), lat]);
  const turns = [0, whole.some(([lon]) => lon > 180.01) && -360, whole.some(([lon]) => lon < -180.01) && 360].filter((turn) => turn !== false);
  return turns.map((turn) => whole.map(([lon, lat]) => [lon + turn, lat]));
}

/** Path of a polygon or of several, in degrees with the north up. */
function outline({ type, coordinates }) {
  const polygons = type === "Polygon" ? [coordinates] : coordinates;
  return polygons.flat().flatMap(copies).map((ring) => `M${ring.map(([lon, lat]) => `${(lon + 180).toFixed(2)},${(90 - lat).toFixed(2)}`).join("L")}Z`).join("");
}

/** A polygon, or several, without rings that have no area, of which the atlas has some. */
function withArea({ type, coordinates }) {
  const polygons = (type === "Polygon" ? [coordinates] : coordinates).map((rings) => rings.filter((ring) => new Set(ring.map(String)).size > 2));
  return { type: "MultiPolygon", coordinates: polygons.filter(({ length }) => length > 0) };
}

/** Countries in the colour of their mean in a month. */
async function countries(ghi) {
  const map = feature(atlas, atlas.objects.countries);
  const districts = { ...map, features: map.features.map(({ geometry }) => ({ type: "Feature", geometry: withArea(geometry) })) };
  const { mean } = await zonal(ghi, districts, { sel: { time: "2024-07-15" }, weights: "area" });
  const paths = map.features.map(({ geometry, properties }, nth) => {
    const energy = mean.data[nth];
    return svg("path", { class: "country", d: outline(geometry), fill: colour(energy) }, svg("title", {}, `${properties.name}: ${Number.isNaN(energy) ? "no cell" : energy.toFixed(1)}`));
  });
  show("countries", svg("svg", { viewBox: "0 0 360 180", role: "img", "aria-label": "Countries by their mean energy on 15 July" }, paths), `Means of ${mean.data.length} countries on 15 July, with the exact share of each cell: zonal(ghi, countries, { sel: { time: "2024-07-15" } }).`);
}

/** The longest day from above the north pole, as pixels of an equal-area projection. */
async function pole() {
  const levels = await Levels.open(DATA, { variable: "ghi" });
  const side = 400;
  const { data } = await levels.read({ bbox: [-9e6, -9e6, 9e6, 9e6], crs: "+proj=laea +lat_0=90 +lon_0=10 +x_0=0 +y_0=0 +datum=WGS84 +units=m", width: side, height: side, proj4, selection: { time: 172 } });
  const image = new ImageData(side, side);
  Array.from(data, (energy, i) => {
    // The colours are written as #rrggbb.
    const [red, green, blue] = (colour(energy).match(/[\da-f]{2}/g) ?? []).map((part) => Number.parseInt(part, 16));
    image.data.set(Number.isNaN(energy) ? [0, 0, 0, 0] : [red, green, blue, 255], 4 * i);
  });
  const canvas = el("canvas", { width: side, height: side, role: "img", "aria-label": "Energy on 21 June from above the north pole" });
  canvas.getContext("2d").putImageData(image, 0, 0);
  show("pole", canvas, "The longest day from above the north pole, resampled to an equal-area projection: levels.read({ bbox, crs, width, height, proj4 }).");
}

/** Draws a figure, or says in it why that is not possible. */
async function drawn(id, work) {
  try {
    await work();
  } catch (error) {
    const figure = document.getElementById(id);
    figure.querySelector("figcaption").textContent = String(error.message ?? error);
    figure.dataset.state = "failed";
  }
}

const ghi = Group.open(DATA).then((group) => group.array("ghi"));
await Promise.all([drawn("months", async () => months(await ghi)), drawn("countries", async () => countries(await ghi)), drawn("pole", pole)]);
