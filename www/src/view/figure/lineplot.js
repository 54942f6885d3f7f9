// Draws a 1-D array as a line; where many cells share a pixel column, the line spans their least and greatest value. Loaded with the first of them.

/**
 * Each list of values runs along x, the second in a colour of its own: the first of them stands for `step` cells from
 * `first` on, and the canvas is as wide as the cells from one to another, `across`. `range` is bottom and top, `scale` the
 * canvas's pixels for one of the style sheet's.
 */
export function paintLines(canvas, lists, range, { first = 0, step, across: [from, to] }, scale = devicePixelRatio || 1) {
  const width = (canvas.width = Math.max(1, Math.round(canvas.clientWidth * scale)));
  const height = (canvas.height = Math.max(1, Math.round(canvas.clientHeight * scale)));
  const context = canvas.getContext("2d");
  context.lineWidth = 1.5 * scale;
  context.lineJoin = "round";
  const style = getComputedStyle(canvas);
  const pitch = (step / (to - from)) * width; // pixels for a value
  const begin = ((first - from) / (to - from)) * width;
  for (const [nth, values] of lists.entries()) {
    context.strokeStyle = nth ? style.getPropertyValue("--second") : style.color;
    paintLine(context, values, range, { begin, pitch, width, height });
  }
}

function paintLine(context, values, [low, high], { begin, pitch, width, height }) {
  const y = (v) => height * (1 - (v - low) / (high - low || 1));
  const x = (i) => begin + (i + 0.5) * pitch;
  context.beginPath();
  if (pitch >= 0.5) drawEach(context, values, x, y, pitch);
  else drawColumns(context, values, y, { begin, pitch, width });
  context.stroke();
}

function drawEach(context, values, x, y, pitch) {
  const dots = pitch > 24;
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

function drawColumns(context, values, y, { begin, pitch, width }) {
  for (let column = 0; column < width; column++) {
    const from = Math.max(0, Math.floor((column - begin) / pitch));
    const to = Math.min(values.length, Math.max(from + 1, Math.floor((column + 1 - begin) / pitch)));
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
