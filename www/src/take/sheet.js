// Draws elements of the page as they are shown, in the page's pixels, with a pen: canvases, drawings, marks and texts.

const STYLES = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "opacity", "vector-effect", "display", "visibility"];
const LEFT_OUT = ".tip, .zoom, .marker, .visually-hidden";
const HATCH = 7; // pixels between the lines that mean that there is no data

const styleOf = (element) => getComputedStyle(element);
const letters = () => styleOf(document.body).fontFamily;

/** A drawing of the page, with the styles that it has from the page's sheets. */
function copyOf(drawing, { width, height }) {
  const copy = drawing.cloneNode(true);
  const [from, to] = [drawing, copy].map((root) => [root, ...root.querySelectorAll("*")]);
  from.forEach((element, i) => {
    const style = styleOf(element);
    to[i].setAttribute("style", STYLES.map((name) => `${name}:${style.getPropertyValue(name)}`).join(";"));
  });
  for (const element of copy.querySelectorAll("title, .marker")) element.remove();
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  return copy;
}

/** Lines of a text `[text, size, weight]` that fit a width. */
function wrapped([text, size, weight], room, measure) {
  const font = `${weight} ${size}px ${letters()}`;
  return text.split(/\s+/).reduce((lines, word) => {
    const longer = [lines.at(-1), word].filter(Boolean).join(" ");
    return measure(longer, font) <= room || !lines.at(-1) ? lines.with(-1, longer) : [...lines, word];
  }, [""]);
}

/** A sheet of this width on which a pen draws, `dense` times as finely as the page; `begin(height)` gives it paper. */
export function createSheet(width, pen, dense) {
  const page = styleOf(document.documentElement);
  const [paper, ink, soft, faint] = ["--paper", "--ink", "--soft", "--line"].map((name) => page.getPropertyValue(name).trim());
  const stroke = (colour, ...points) => pen.lines(colour, points);

  /** The plot's ground, whose hatching means that there is no data. */
  function ground({ left, top, width: wide, height: tall }, isHatched) {
    const lines = isHatched ? Math.ceil((wide + tall) / HATCH) : 0;
    pen.within({ left, top, width: wide, height: tall }, () => {
      pen.fill(paper, { left, top, width: wide, height: tall });
      stroke(faint, ...Array.from({ length: lines }, (_, i) => [[left + i * HATCH, top], [left + i * HATCH - tall, top + tall]]).flat());
    });
  }

  /** Ticks and the brackets of chunk lengths, which style sheets draw. */
  function marks(element, boxOf) {
    for (const tick of element.querySelectorAll(".ticks-x span, .ticks-y span, .scale span")) {
      const [box, around] = [boxOf(tick), boxOf(tick.parentElement)];
      const by = parseFloat(tick.style.getPropertyValue("--by")) || 0; // that the label was moved
      const [x, y] = [(box.left + box.right) / 2 + by, (box.top + box.bottom) / 2];
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
      pen.text(node.data, [left, (top + bottom) / 2], { font: `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`, colour: style.color, baseline: "middle" });
    }
  }

  return {
    /** Height of a text `[text, size, weight]` in a width. */
    measure: (text, room) => wrapped(text, room, pen.measure).length * text[1] * 1.3,
    begin(height) {
      pen.begin(width, height);
      pen.fill(paper, { left: 0, top: 0, width: width + 1, height: height + 1 }); // its last pixels may be parts of the page's
    },
    write(text, x, y, room) {
      const [, size, weight] = text;
      wrapped(text, room, pen.measure).forEach((line, i) => pen.text(line, [x, y + i * size * 1.3], { font: `${weight} ${size}px ${letters()}`, colour: ink, baseline: "top" }));
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
      for (const { one, box } of within(".plot")) ground(box, one.parentElement.dataset.kind === "map" && !one.querySelector("canvas.basemap:not([hidden])"));
      for (const { one, box } of within(".flags i")) {
        pen.fill(styleOf(one).backgroundColor, box);
      }
      for (const { one, box, boxOf } of within("canvas")) {
        one.closest(".plot")?.dispatchEvent(new CustomEvent("repaint", { detail: { dense } }));
        const opacity = Number(styleOf(one).getPropertyValue("--cover") || 1); // on a base map
        pen.within(boxOf(one.parentElement), () => pen.picture(one, box, one.matches(".bar") && box.height > box.width, opacity)); // a bar that stands has its first colour below
      }
      for (const { element } of boxed) element.querySelector(".plot")?.dispatchEvent(new CustomEvent("repaint")); // as the page has it
      for (const { one, box } of within("svg.overlay")) await pen.drawing(copyOf(one, box), box);
      for (const { box } of within(".attribution")) pen.fill(paper, box);
      for (const { element, boxOf } of boxed) {
        marks(element, boxOf);
        texts(element, boxOf);
      }
    },
  };
}
