// Draws a sheet as SVG: pictures are embedded, and lines, coast and words stay lines and words.
import { svg } from "../dom.js";

const round = (n) => Number(n.toFixed(2));

export function createSvgPen() {
  const root = svg("svg");
  const ruler = document.createElement("canvas").getContext("2d");
  let group = root; // what is drawn into
  let clips = 0;

  const box = ({ left, top, width, height }) => ({ x: round(left), y: round(top), width: round(width), height: round(height) });

  return {
    begin(width, height) {
      for (const [name, value] of Object.entries({ width: round(width), height: round(height), viewBox: `0 0 ${round(width)} ${round(height)}` })) root.setAttribute(name, value);
    },
    measure: (text, font) => (Object.assign(ruler, { font }), ruler.measureText(text).width),
    fill: (colour, place) => void group.append(svg("rect", { ...box(place), fill: colour })),
    lines(colour, points) {
      if (points.length) group.append(svg("path", { d: points.map(([x, y], i) => `${i % 2 ? "L" : "M"}${round(x)},${round(y)}`).join(""), stroke: colour, "stroke-width": 1, fill: "none" }));
    },
    text(words, [x, y], { font, colour, baseline }) {
      const [, weight, size, family] = /^(\S+) (\S+) (.*)$/.exec(font);
      group.append(svg("text", { x: round(x), y: round(y), fill: colour, "font-weight": weight, "font-size": size, "font-family": family, "dominant-baseline": baseline === "top" ? "text-before-edge" : "central" }, words));
    },
    within(place, draw) {
      const id = `clip-${++clips}`;
      const around = group;
      around.append(svg("clipPath", { id }, svg("rect", box(place))));
      group = svg("g", { "clip-path": `url(#${id})` });
      around.append(group);
      draw();
      group = around;
    },
    picture(one, { left, top, bottom, width, height }, isUpright, opacity) {
      const turned = isUpright ? { transform: `translate(${round(left)} ${round(bottom)}) rotate(-90)`, x: 0, y: 0, width: round(height), height: round(width) } : box({ left, top, width, height });
      group.append(svg("image", { ...turned, opacity: opacity < 1 ? opacity : undefined, preserveAspectRatio: "none", style: "image-rendering:pixelated", href: one.toDataURL("image/png") }));
    },
    drawing(copy, place) {
      copy.removeAttribute("class");
      for (const [name, value] of Object.entries({ ...box(place), overflow: "hidden" })) copy.setAttribute(name, value);
      group.append(copy);
    },
    file: () => new Blob([new XMLSerializer().serializeToString(root)], { type: "image/svg+xml" }),
  };
}
