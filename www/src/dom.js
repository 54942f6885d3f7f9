// Makes elements in one line, HTML and SVG, and does work once a frame.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== undefined && child !== null));
  return node;
}

/** `el("p", { class: "note" }, "text")`; an attribute named `onclick` adds a listener. */
export const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);

/** An element in the SVG namespace. */
export const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

const ICONS = {
  play: "M5 3.5v13l11-6.5z",
  pause: "M5 4h3.5v12H5zM11.5 4H15v12h-3.5z",
  back: "M12.5 4.5L7 10l5.5 5.5",
  forward: "M7.5 4.5L13 10l-5.5 5.5",
  zoomIn: "M10 4v12M4 10h12",
  zoomOut: "M4 10h12",
  whole: "M3 5h14v10H3zM7 8.5h6v3H7z",
  full: "M3.5 8V3.5H8M12 3.5h4.5V8M16.5 12v4.5H12M8 16.5H3.5V12",
  chunkBack: "M6 4v12M14.5 4.5L9 10l5.5 5.5",
  chunkForward: "M14 4v12M5.5 4.5L11 10l-5.5 5.5",
};

/** A 20-unit icon; `play` and `pause` are filled, the others drawn as lines. */
export function icon(name) {
  const solid = name === "play" || name === "pause";
  return svg("svg", { viewBox: "0 0 20 20", class: solid ? "icon solid" : "icon", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
}

/** A function that does a piece of work once for all the calls before the next frame, `apart` milliseconds after the last time at least; a page in the background has no frames. */
export function framed(work, apart = 0) {
  let waiting = false;
  let last = -Infinity;
  const inFrame = () => (document.hidden ? setTimeout : requestAnimationFrame)(() => {
    waiting = false;
    last = performance.now();
    work();
  });
  return () => {
    if (waiting) return;
    waiting = true;
    const wait = last + apart - performance.now();
    if (wait > 0) setTimeout(inFrame, wait);
    else inFrame();
  };
}
