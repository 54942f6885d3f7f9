// Draws a sheet on a canvas, each of the page's pixels in so many of the picture.

export function createCanvasPen(scale) {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d");

  return {
    begin(width, height) {
      Object.assign(canvas, { width: Math.round(width * scale), height: Math.round(height * scale) });
      context.scale(scale, scale);
    },
    /** Width of a text in a font. */
    measure: (text, font) => (Object.assign(context, { font }), context.measureText(text).width),
    fill(colour, { left, top, width, height }) {
      context.fillStyle = colour;
      context.fillRect(left, top, width, height);
    },
    /** Lines between the first point and the second, the third and the fourth, and so on. */
    lines(colour, points) {
      context.beginPath();
      points.forEach(([x, y], i) => (i % 2 ? context.lineTo(x, y) : context.moveTo(x, y)));
      Object.assign(context, { strokeStyle: colour, lineWidth: 1 });
      context.stroke();
    },
    text(words, [x, y], { font, colour, baseline }) {
      Object.assign(context, { font, fillStyle: colour, textBaseline: baseline });
      context.fillText(words, x, y);
    },
    /** What `draw()` draws, as far as it is in a box. */
    within({ left, top, width, height }, draw) {
      context.save();
      context.beginPath();
      context.rect(left, top, width, height);
      context.clip();
      draw();
      context.restore();
    },
    /** A canvas of the page, so opaque, or one that lies along a box that stands. */
    picture(one, { left, top, bottom, width, height }, isUpright, opacity) {
      Object.assign(context, { imageSmoothingEnabled: false, globalAlpha: opacity }); // until `within` ends
      if (!isUpright) return context.drawImage(one, left, top, width, height);
      context.translate(left, bottom);
      context.rotate(-Math.PI / 2);
      return context.drawImage(one, 0, 0, height, width);
    },
    /** A drawing of the page, as an image of its own. */
    async drawing(copy, { left, top, width, height }) {
      const image = new Image(width, height);
      image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
      await image.decode();
      context.drawImage(image, left, top, width, height);
    },
    canvas,
    file: () => new Promise((resolve) => canvas.toBlob(resolve, "image/png")),
  };
}
