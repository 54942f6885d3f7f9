// The chunks of the picture, to scale, in the colours of how they stand, with a count of each that is also the key.
import { el, svg } from "../dom.js";
import { bytes, count, plural } from "../model/format.js";
import { chunkBytes } from "../model/plane.js";
import { STATES } from "../model/ledger.js";
import { createChunkRects } from "./chunk-rects.js";
import { makePlace } from "./place.js";

export function createChunkMap(root) {
  const rects = createChunkRects();
  const picture = svg("svg", { class: "chunk-map", preserveAspectRatio: "none", "aria-hidden": "true" }, rects.group);
  const size = el("p", { class: "total" });
  const tally = el("ul", { class: "tally" });
  root.append(el("h2", {}, "Chunks of this picture"), size, picture, tally);
  let laid;

  return {
    update({ dataset, plane, ledger, step }) {
      root.hidden = !plane.touched.length;
      if (root.hidden) return;
      if (laid !== plane) {
        laid = plane;
        const place = makePlace(dataset, plane);
        picture.setAttribute("viewBox", `0 0 ${place.width || 1} ${place.height || 1}`);
        picture.style.aspectRatio = plane.shown.length === 2 ? place.aspect : 8;
        rects.lay(dataset, plane, place);
        const sizes = plane.touched.slice(0, 64).map((coords) => chunkBytes(dataset, coords));
        const range = [...new Set([Math.min(...sizes), Math.max(...sizes)])].map(bytes).join(" to ");
        const all = (grid) => grid.shape.reduce((n, along) => n * along, 1);
        const shards = dataset.shards ? `, in ${plural(all(dataset.shards), "shard")}` : "";
        size.textContent = `${plural(plane.touched.length, "chunk")} of ${count(all(dataset.grid))}${shards}; ${range} decoded`;
      }
      const counts = rects.update((key) => ledger.stateOf(key, step));
      tally.replaceChildren(...Object.keys(STATES).filter((state) => counts.has(state)).map((state) =>
        el("li", {}, el("i", { "data-state": state, "aria-hidden": "true" }), `${count(counts.get(state))} ${STATES[state]}`)));
    },
  };
}
