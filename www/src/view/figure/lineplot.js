// Draws a 1-D array as a line; where many cells share a pixel column, the line spans their least and greatest value.

/** Each list of values runs along x over the canvas's whole width, the second in a colour of its own; `range` is bottom and top, `scale` the canvas's pixels for one of the style sheet's. */
export function paintLines(canvas, lists, range, scale = devicePixelRatio || 1) {
  const width = (canvas.width = Math.max(1, Math.round(canvas.clientWidth * scale)));
  const height = (canvas.height = Math.max(1, Math.round(canvas.clientHeight * scale)));
  const context = canvas.getContext("2d");
  context.lineWidth = 1.5 * scale;
  context.lineJoin = "round";
  const style = getComputedStyle(canvas);
  for (const [nth, values] of lists.entries()) {
    context.strokeStyle = nth ? style.getPropertyValue("--second") : style.color;
    paintLine(context, values, range, width, height);
  }
}

function paintLine(context, values, [low, high], width, height) {
  const y = (v) => height * (1 - (v - low) / (high - low || 1));
  const x = (i) => ((i + 0.5) / values.length) * width;
  context.beginPath();
  if (values.length <= width * 2) drawEach(context, values, x, y, width);
  else drawColumns(context, values, y, width);
  context.stroke();
}

function drawEach(context, values, x, y, width) {
  const dots = values.length < width / 24;
  let down = false;
  values.forEach((v, i) => {
    if (!Number.isFinite(v)) {
      down = false;
      return;
    }
    context[down ? "lineTo" : "moveTo"](x(i), y(v));
    down = true;
    if (dots) {
      const r = context.lineWidth * 1.2;
      context.fillStyle = context.strokeStyle;
      context.fillRect(x(i) - r, y(v) - r, 2 * r, 2 * r);
    }
  });
}

function drawColumns(context, values, y, width) {
  for (let column = 0; column < width; column++) {
    const from = Math.floor((column / width) * values.length);
    const to = Math.max(from + 1, Math.floor(((column + 1) / width) * values.length));
    let low = Infinity;
    let high = -Infinity;
    for (let i = from; i < to; i++) {
      if (values[i] < low) low = values[i];
      if (values[i] > high) high = values[i];
    }
    if (low > high) continue;
    context.moveTo(column + 0.5, y(high) - 0.5);
    context.lineTo(column + 0.5, y(low) + 0.5);
  }
}
