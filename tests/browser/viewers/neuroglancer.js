/** neuroglancer as npm has it, and what a test of it looks at. */
import "neuroglancer";
import "neuroglancer/unstable/sliceview/chunk_format_handlers.js";
import { makeMinimalViewer } from "neuroglancer/unstable/ui/minimal_viewer.js";

/** Pixels to an item of the image, and a border around it, so that its last items are in view. */
const [CELL, BORDER] = [4, 8];

/** Grey from black to white between two values. */
const shaderOf = (range) => `#uicontrol invlerp normalized(range=[${range}])
void main() { emitGrayscale(normalized()); }`;

/** Adds neuroglancer's style sheet, which the bundle has beside this file. */
const styled = new Promise((onload, onerror) => {
  document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: new URL("./neuroglancer.css", import.meta.url), onload, onerror }));
});

/**
 * A viewer with the second channel of an image, once all of it is drawn, or what went wrong: `values` gives items at
 * rows and columns, `pixels` the colours there, `close` removes the viewer.
 */
export async function drawn(source, { shape: [rows, columns], range }) {
  await styled;
  const target = document.body.appendChild(document.createElement("div"));
  target.style.cssText = `width: ${columns * CELL + 2 * BORDER}px; height: ${rows * CELL + 2 * BORDER}px; position: relative`;
  const viewer = makeMinimalViewer({ target, showLayerDialog: false, showUIControls: false, showPanelBorders: false });
  viewer.state.restoreState({
    dimensions: { x: [1, ""], y: [1, ""] },
    // OME-Zarr's coordinates are those of the middles of items.
    position: [(columns - 1) / 2, (rows - 1) / 2],
    crossSectionScale: 1 / CELL,
    layers: [{ type: "image", name: "image", source, localPosition: [1], shader: shaderOf(range), opacity: 1, blend: "additive" }],
    layout: "xy",
    showAxisLines: false,
    showScaleBar: false,
    showDefaultAnnotations: false,
  });
  const image = () => viewer.layerManager.managedLayers[0].layer;
  const failure = () => image()?.dataSources.map(({ loadState }) => loadState?.error).find(Boolean);
  const end = Date.now() + 50_000;
  while (Date.now() < end && !failure() && !viewer.isReady()) await new Promise((done) => setTimeout(done, 50));
  const error = failure();
  const valueAt = ([row, column]) => image().getValueAt(Float32Array.of(column, row), {}) ?? null;
  /** Colours of a frame that is drawn for this. */
  function pixels(places) {
    viewer.display.draw();
    const { canvas } = viewer.display;
    const seen = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
    seen.drawImage(canvas, 0, 0);
    const { left, top, width, height } = target.querySelector(".neuroglancer-rendered-data-panel").getBoundingClientRect();
    const { left: x, top: y } = canvas.getBoundingClientRect();
    const [middleX, middleY] = [left - x + width / 2, top - y + height / 2];
    return places.map(([row, column]) => [...seen.getImageData(middleX + (column + 0.5 - columns / 2) * CELL, middleY + (row + 0.5 - rows / 2) * CELL, 1, 1).data.subarray(0, 3)]);
  }
  const close = () => {
    viewer.dispose();
    target.remove();
  };
  return { error: error ? error.message : null, values: (places) => places.map(valueAt), pixels, close };
}
