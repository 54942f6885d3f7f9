/** MapLibre and zarr-layer as npm has them, and what a test of them looks at. */
import { ZarrLayer } from "@carbonplan/zarr-layer";
import maplibregl from "maplibre-gl";

/** Edge of the map, in pixels: the whole world at zoom 0. */
const EDGE = 512;

/** Colours from black to white, a value a colour. */
const GREY = Array.from({ length: 256 }, (_, level) => [level, level, level]);

/**
 * A red map of the world with a layer over it, once the layer says that it has loaded, or why not: `query` gives the
 * value at a place, `pixels` the colours at places.
 */
export async function drawn(options) {
  const container = document.body.appendChild(document.createElement("div"));
  container.style.cssText = `width: ${EDGE}px; height: ${EDGE}px`;
  const map = new maplibregl.Map({
    container,
    style: { version: 8, sources: {}, layers: [{ id: "red", type: "background", paint: { "background-color": "#ff0000" } }] },
    center: [0, 0],
    zoom: 0,
    renderWorldCopies: false,
    attributionControl: false,
    fadeDuration: 0,
    pixelRatio: 1,
    canvasContextAttributes: { preserveDrawingBuffer: true },
  });
  await map.once("load");
  const error = await new Promise((done) => {
    let wasLoading = false;
    const onLoadingStateChange = ({ loading, error }) => {
      wasLoading ||= loading;
      if (error || (wasLoading && !loading)) done(error ? String(error) : null);
    };
    globalThis.layer = new ZarrLayer({ id: "zarr", colormap: GREY, onLoadingStateChange, ...options });
    map.addLayer(globalThis.layer);
  });
  const gl = map.getCanvas().getContext("webgl2");
  const pixelAt = ([longitude, latitude]) => {
    const { x, y } = map.project([longitude, latitude]);
    const pixel = new Uint8Array(4);
    gl.readPixels(Math.floor(x), gl.drawingBufferHeight - 1 - Math.floor(y), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    return [...pixel.subarray(0, 3)];
  };
  const query = (coordinates) => globalThis.layer.queryData({ type: "Point", coordinates });
  /** Waits until these places are drawn over, at most fifty seconds. */
  async function covered(places) {
    const end = Date.now() + 50_000;
    while (Date.now() < end && places.map(pixelAt).some(([red, green]) => red > green)) {
      map.triggerRepaint();
      await map.once("render");
      await new Promise((done) => setTimeout(done, 50));
    }
  }
  const remove = () => {
    map.remove();
    container.remove();
  };
  return { error, query, pixels: (places) => places.map(pixelAt), covered, remove };
}
