// Lets the line of an array of one axis be enlarged, whose part in view is read anew. Loaded with the first of them.
import { createSpan } from "./span.js";

/** `current()` gives the explorer's state, and `onPart(span)` hears of another part of the line; `update()` shows which moves there are, `follow(at)` hears of the cursor's cell. */
export function createMainLine(plot, { current, onPart }) {
  const isLine = () => current()?.dataset.kind === "numbers" && current().plane.shown.length === 1;
  const span = createSpan(plot, {
    label: "Zoom of the line",
    size: () => (isLine() ? current().plane.shown[0].stop : undefined),
    current: () => current().part,
    axis: () => current().dataset.axes[current().plane.shown[0].axis],
    onSpan: onPart,
  });
  plot.closest("figure").prepend(span.element);
  return {
    follow: span.follow,
    update() {
      span.element.hidden = !isLine();
      if (isLine()) span.update();
      else plot.classList.remove("zoomed");
    },
  };
}
