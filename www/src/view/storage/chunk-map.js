// The chunks of the picture, to scale, in the colours of how they stand, with a count of each that is also the key.
import { el, svg } from "../../dom.js";
import { bytes, count, plural } from "../../model/format.js";
import { chunkBytes } from "../../model/plane.js";
import { STATES } from "../../model/ledger.js";
import { createChunkRects } from "../figure/chunk-rects.js";
import { makePlace } from "../figure/place.js";

export function createChunkMap(root) {
  const rects = createChunkRects();
  const title = svg("title");
  const picture = svg("svg", { class: "chunk-map", preserveAspectRatio: "none", "aria-hidden": "true" }, title, rects.group);
  const size = el("p", { class: "total" });
  const tally = el("ul", { class: "tally" });
  root.append(el("h2", {}, "Chunks of this picture"), size, picture, tally);
  let laid;
  let counted; // what the tally says

  picture.addEventListener("pointermove", ({ clientX, clientY }) => {
    const box = picture.getBoundingClientRect();
    const [left, top, width, height] = rects.box();
    title.textContent = rects.wordsAt(left + ((clientX - box.left) / box.width) * width, top + ((clientY - box.top) / box.height) * height);
  });

  return {
    update({ dataset, plane, ledger, step }) {
      root.hidden = !plane.touched.length;
      if (root.hidden) return;
      if (laid !== plane) {
        laid = plane;
        const place = makePlace(dataset, plane);
        const { source } = plane;
        rects.lay(plane, place);
        picture.setAttribute("viewBox", rects.box().join(" "));
        picture.style.aspectRatio = plane.shown.length === 2 && !plane.strip ? place.aspect : 8;
        const sizes = plane.touched.slice(0, 64).map((coords) => chunkBytes(source, coords));
        const range = [...new Set([Math.min(...sizes), Math.max(...sizes)])].map(bytes).join(" to ");
        const all = (grid) => grid.shape.reduce((n, along) => n * along, 1);
        const shards = source.shards ? `, in ${plural(all(source.shards), "shard")}` : "";
        const level = source.level ? ` of level ${source.level}` : "";
        size.textContent = `${plural(plane.touched.length, "chunk")} of ${count(all(source.grid))}${level}${shards}; ${range} decoded`;
      }
      const counts = rects.update((key) => ledger.stateOf(key, step));
      const name = Object.keys(STATES).map((state) => counts.get(state)).join();
      if (name === counted) return;
      counted = name;
      tally.replaceChildren(...Object.keys(STATES).filter((state) => counts.has(state)).map((state) =>
        el("li", {}, el("i", { "data-state": state, "aria-hidden": "true" }), `${count(counts.get(state))} ${STATES[state]}`)));
    },
  };
}
