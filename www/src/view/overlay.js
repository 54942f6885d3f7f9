// Draws over the picture, in its own units: the chunk boundaries as the chunk grid gives them, and the coastline.
import { mesh } from "topojson-client";
import land from "world-atlas/land-110m.json";
import { el, svg } from "../dom.js";
import { segments } from "../model/segments.js";
import { count } from "../model/format.js";

const MOST_LINES = 120; // along one axis; more would hide the picture

/** Lines at every chunk boundary inside the picture; chunks too narrow to tell apart become a shaded band. */
export function chunkLines(dataset, place) {
  const group = svg("g", { class: "chunks" });
  for (const [shown, across, at] of [[place.rows, "y", place.y], [place.cols, "x", place.x]]) {
    if (!shown) continue;
    const other = across === "y" ? "x" : "y";
    const length = across === "y" ? place.width : place.height;
    for (const { start, stop, count: chunks } of segments(dataset.grid, shown.axis, shown.stop, MOST_LINES)) {
      if (chunks > 1) {
        const from = Math.min(at(start), at(stop));
        const size = { [across]: from, [other]: 0, [across === "y" ? "height" : "width"]: stop - start, [across === "y" ? "width" : "height"]: length };
        group.append(svg("rect", { ...size, class: "dense", "data-chunks": chunks }));
      }
      if (stop >= shown.stop) continue;
      for (const layer of ["casing", "line"]) {
        group.append(svg("line", { [`${across}1`]: at(stop), [`${across}2`]: at(stop), [`${other}1`]: 0, [`${other}2`]: length, class: layer, "data-axis": shown.axis, "data-at": stop }));
      }
    }
  }
  return group;
}

/** Beside the picture: each chunk's length along one axis, placed by per cent. */
export function chunkLengths(dataset, shown, at, size) {
  if (!shown) return [];
  const list = segments(dataset.grid, shown.axis, shown.stop, MOST_LINES);
  return list.map(({ start, stop, count: chunks }) => {
    const from = (Math.min(at(start), at(stop)) / size) * 100;
    const long = ((stop - start) / size) * 100;
    const text = chunks > 1 ? `${count(chunks)}×` : count(stop - start);
    return el("span", { class: long < 5 ? "edge short" : "edge", style: `--from:${from}%;--long:${long}%` }, el("i", {}, text));
  });
}

/** The world's coastline (Natural Earth, 1:110 million) for a picture in even degrees. */
export function coastline(place) {
  const group = svg("g", { class: "coast" });
  if (!place.isMap) return group;
  const lon0 = place.xAxis.coordinate.values[0];
  const lat0 = place.yAxis.coordinate.values[0];
  const x = (lon) => place.x((lon - lon0) / place.xAxis.step + 0.5);
  const y = (lat) => place.y((lat - lat0) / place.yAxis.step + 0.5);
  let path = "";
  for (const turn of [-360, 0, 360]) {
    for (const line of mesh(land, land.objects.land).coordinates) {
      line.forEach(([lon, lat], i) => {
        const [before] = line[i - 1] ?? [];
        const border = Math.abs(lon - before) > 180 || (Math.abs(lon) > 179.99 && Math.abs(before) > 179.99) || lat < -89.9; // a cut, not a coast
        path += `${i === 0 || border ? "M" : "L"}${x(lon + turn).toFixed(2)},${y(lat).toFixed(2)}`;
      });
    }
  }
  group.append(svg("path", { d: path, class: "casing" }), svg("path", { d: path, class: "line" }));
  return group;
}
