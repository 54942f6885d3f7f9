// Draws elements of the page on a canvas as they are shown, in the pixels of the screen: canvases, drawings, marks and texts.

const STYLES = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "opacity", "vector-effect", "display", "visibility"];
const LEFT_OUT = ".tip, .zoom, .marker, .visually-hidden";
const FONT = '"IBM Plex Sans", system-ui, sans-serif';
const HATCH = 7; // pixels between the lines that mean that there is no data

const styleOf = (element) => getComputedStyle(element);

/** A drawing of the page as an image of its own, with the styles that it has from the page's sheets. */
async function imageOf(drawing, { width, height }) {
  const copy = drawing.cloneNode(true);
  const [from, to] = [drawing, copy].map((root) => [root, ...root.querySelectorAll("*")]);
  from.forEach((element, i) => {
    const style = styleOf(element);
    to[i].setAttribute("style", STYLES.map((name) => `${name}:${style.getPropertyValue(name)}`).join(";"));
  });
  for (const element of copy.querySelectorAll("title, .marker")) element.remove();
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  const image = new Image(width, height);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  return image;
}

/** A sheet of this width in the page's pixels, of which each is `scale` pixels of the picture; `begin(height)` gives it paper. */
export function createSheet(width, scale) {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d");
  const page = styleOf(document.documentElement);
  const [paper, ink, soft, faint] = ["--paper", "--ink", "--soft", "--line"].map((name) => page.getPropertyValue(name).trim());

  /** Lines of a text that fit a width. */
  function wrapped([text, size, weight], room) {
    context.font = `${weight} ${size}px ${FONT}`;
    return text.split(/\s+/).reduce((lines, word) => {
      const longer = [lines.at(-1), word].filter(Boolean).join(" ");
      return context.measureText(longer).width <= room || !lines.at(-1) ? lines.with(-1, longer) : [...lines, word];
    }, [""]);
  }

  function stroke(colour, ...points) {
    context.beginPath();
    points.forEach(([x, y], i) => (i % 2 ? context.lineTo(x, y) : context.moveTo(x, y)));
    Object.assign(context, { strokeStyle: colour, lineWidth: 1 });
    context.stroke();
  }

  /** The plot's ground, whose hatching means that there is no data. */
  function ground({ left, top, width: wide, height: tall }, isHatched) {
    context.save();
    context.beginPath();
    context.rect(left, top, wide, tall);
    context.clip();
    context.fillStyle = paper;
    context.fillRect(left, top, wide, tall);
    const lines = isHatched ? Math.ceil((wide + tall) / HATCH) : 0;
    stroke(faint, ...Array.from({ length: lines }, (_, i) => [[left + i * HATCH, top], [left + i * HATCH - tall, top + tall]]).flat());
    context.restore();
  }

  /** Ticks and the brackets of chunk lengths, which style sheets draw. */
  function marks(element, boxOf) {
    for (const tick of element.querySelectorAll(".ticks-x span, .ticks-y span, .scale span")) {
      const [box, around] = [boxOf(tick), boxOf(tick.parentElement)];
      const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
      if (tick.parentElement.matches(".ticks-y")) stroke(soft, [around.right - 4, y], [around.right, y]);
      else if (around.height > around.width) stroke(soft, [around.left, y], [around.left + 4, y]);
      else stroke(soft, [x, around.top], [x, around.top + 4]);
    }
    for (const edge of element.querySelectorAll(".edge")) {
      const { left, right, top, bottom } = boxOf(edge);
      if (edge.parentElement.matches(".edges-y")) stroke(soft, [left, top], [left, bottom]);
      else stroke(soft, [left, bottom], [right, bottom]);
    }
  }

  function texts(element, boxOf) {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (!node.data.trim() || parent.closest(`svg, ${LEFT_OUT}`) || !parent.checkVisibility()) continue;
      const style = styleOf(parent);
      const range = document.createRange();
      range.selectNodeContents(node);
      const { left, top, bottom } = boxOf(range);
      Object.assign(context, { font: `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`, fillStyle: style.color, textBaseline: "middle" });
      context.fillText(node.data, left, (top + bottom) / 2);
    }
  }

  return {
    /** Height of a text `[text, size, weight]` in a width. */
    measure: (text, room) => wrapped(text, room).length * text[1] * 1.3,
    begin(height) {
      Object.assign(canvas, { width: Math.round(width * scale), height: Math.round(height * scale) });
      context.fillStyle = paper;
      context.fillRect(0, 0, canvas.width, canvas.height);
      context.scale(scale, scale);
    },
    write(text, x, y, room) {
      const lines = wrapped(text, room);
      Object.assign(context, { fillStyle: ink, textBaseline: "top" });
      lines.forEach((line, i) => context.fillText(line, x, y + i * text[1] * 1.3));
    },
    /** Draws elements, each `{ element, x, y }`. */
    async draw(placed) {
      const boxed = placed.map(({ element, x, y }) => {
        const origin = element.getBoundingClientRect();
        const boxOf = (one) => {
          const { left, top, width: wide, height: tall } = one.getBoundingClientRect();
          return { left: left - origin.left + x, right: left - origin.left + x + wide, top: top - origin.top + y, bottom: top - origin.top + y + tall, width: wide, height: tall };
        };
        return { element, boxOf };
      });
      const within = (selector) => boxed.flatMap(({ element, boxOf }) => [...element.querySelectorAll(selector)].filter((one) => one.checkVisibility() && !one.closest(LEFT_OUT)).map((one) => ({ one, box: boxOf(one), boxOf })));
      for (const { one, box } of within(".plot")) ground(box, one.parentElement.dataset.kind === "map");
      for (const { one, box } of within(".flags i")) {
        context.fillStyle = styleOf(one).backgroundColor;
        context.fillRect(box.left, box.top, box.width, box.height);
      }
      for (const { one, box, boxOf } of within("canvas")) {
        one.closest(".plot")?.dispatchEvent(new CustomEvent("repaint", { detail: { dense: scale } }));
        const clip = boxOf(one.parentElement);
        context.save();
        context.beginPath();
        context.rect(clip.left, clip.top, clip.width, clip.height);
        context.clip();
        context.imageSmoothingEnabled = false;
        if (one.matches(".bar") && box.height > box.width) { // it stands upright, its first colour below
          context.translate(box.left, box.bottom);
          context.rotate(-Math.PI / 2);
          context.drawImage(one, 0, 0, box.height, box.width);
        } else context.drawImage(one, box.left, box.top, box.width, box.height);
        context.restore();
      }
      for (const { element } of boxed) element.querySelector(".plot")?.dispatchEvent(new CustomEvent("repaint")); // as the page has it
      for (const { one, box } of within("svg.overlay")) context.drawImage(await imageOf(one, box), box.left, box.top, box.width, box.height);
      for (const { element, boxOf } of boxed) {
        marks(element, boxOf);
        texts(element, boxOf);
      }
    },
    png: () => new Promise((resolve) => canvas.toBlob(resolve, "image/png")),
  };
}
