// Paints a plane of values on a canvas, one pixel a cell; the style sheet enlarges it without smoothing.
import { colourIndex, colourTable } from "../model/colormap.js";

/** `values` are rows x cols in C order; cells without data stay transparent. */
export function paintHeatmap(canvas, values, place, range, colourMap) {
  const rows = place.rows.count;
  const cols = place.cols.count;
  canvas.width = cols;
  canvas.height = rows;
  const context = canvas.getContext("2d");
  const image = context.createImageData(cols, rows);
  const table = colourTable(colourMap);
  for (let r = 0; r < rows; r++) {
    const row = (place.flipY ? rows - 1 - r : r) * cols;
    for (let c = 0; c < cols; c++) {
      const v = values[r * cols + c];
      if (Number.isNaN(v)) continue;
      const from = colourIndex(v, range) * 3;
      const to = (row + (place.flipX ? cols - 1 - c : c)) * 4;
      image.data[to] = table[from];
      image.data[to + 1] = table[from + 1];
      image.data[to + 2] = table[from + 2];
      image.data[to + 3] = 255;
    }
  }
  context.putImageData(image, 0, 0);
}
