// The keys of the page: arrows and page keys step along the first axis, the space bar plays, s shows how the data are stored.

/** `strips()` gives the strips that are shown, each with its axis before it; `toggle(axis)` starts and stops the player, `storage()` shows the storage or hides it. */
export function listenToKeys(strips, toggle, storage) {
  addEventListener("keydown", (event) => {
    const [[axis, first] = []] = strips();
    if (event.target.closest("input, textarea, select, button, summary, a") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "s") return storage();
    if (!first) return;
    const keys = { ArrowLeft: () => first.step(-1), ArrowRight: () => first.step(1), PageUp: () => first.jump(1), PageDown: () => first.jump(-1), " ": () => toggle(axis) };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
}
