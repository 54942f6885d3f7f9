// The choice of the axes that are drawn: one down, one across.
import { el } from "../../dom.js";

/** `onTurn([rows, columns])`, which are always two different axes. */
export function createTurn(root, onTurn) {
  const select = (id, label) => el("select", { id, "aria-label": `Axis drawn ${label}`, onchange: () => changed(id) });
  const [down, across] = [select("rows", "from top to bottom"), select("columns", "from left to right")];
  let axes = [];
  let listed; // the array whose axes the choices have, and which of them are drawn
  root.append(el("label", { for: "rows" }, "Down"), down, el("label", { for: "columns" }, "Across"), across);

  function changed(id) {
    const next = [Number(down.value), Number(across.value)];
    if (next[0] === next[1]) next[id === "rows" ? 1 : 0] = axes[id === "rows" ? 0 : 1]; // they change places
    onTurn(next);
  }

  return {
    update({ dataset, axes: drawn }) {
      axes = drawn;
      root.hidden = drawn.length < 2 || Boolean(dataset.stored);
      const name = `${drawn}`;
      if (root.hidden || (listed?.dataset === dataset && listed.name === name)) return; // steps leave it as it is
      listed = { dataset, name };
      for (const [i, list] of [down, across].entries()) {
        list.replaceChildren(...dataset.axes.map(({ name }, d) => el("option", { value: d, selected: d === drawn[i] }, name)));
      }
    },
  };
}
