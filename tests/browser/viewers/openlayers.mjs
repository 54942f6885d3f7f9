/** OpenLayers as npm has it, with its source of GeoZarr, and what a test of it looks at. */
import Map from "ol/Map.js";
import View from "ol/View.js";
import TileLayer from "ol/layer/WebGLTile.js";
import GeoZarr from "ol/source/GeoZarr.js";

/** Pixels to a cell of the map. */
const CELL = 4;

/** A map of the world in degrees, once it is drawn, or what went wrong first: `values` gives what its layer has at places. */
export async function drawn(options, [rows, columns]) {
  const target = document.body.appendChild(document.createElement("div"));
  target.style.cssText = `width: ${columns * CELL}px; height: ${rows * CELL}px`;
  const source = new GeoZarr({ transition: 0, ...options });
  // A listener that returns false would keep the others from hearing.
  const failing = new Promise((done) => {
    source.on("tileloaderror", ({ tile }) => done(`a tile came to the state ${tile.getState()}`));
    source.on("change", () => {
      if (source.getState() === "error") done(String(source.error_));
    });
  });
  const layer = new TileLayer({ source });
  const view = new View({ projection: "EPSG:4326", center: [0, 0], resolution: 360 / columns / CELL });
  const map = new Map({ target, layers: [layer], view, controls: [], interactions: [], pixelRatio: 1 });
  // The frame before the source was ready may be reported complete after it: tiles have to have come first, all of them.
  let [begun, loaded] = [0, 0];
  source.on("tileloadstart", () => void (begun += 1));
  source.on("tileloadend", () => void (loaded += 1));
  const finished = new Promise((done) => {
    map.on("rendercomplete", () => {
      if (loaded > 0 && loaded === begun) done(null);
    });
  });
  const error = await Promise.race([failing, finished]);
  const valueAt = (place) => layer.getData(map.getPixelFromCoordinate(place))?.[0] ?? null;
  const remove = () => {
    map.setTarget(null);
    target.remove();
  };
  return { error, values: (places) => places.map(valueAt), remove };
}
