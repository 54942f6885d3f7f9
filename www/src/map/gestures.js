// Turns what a mouse, fingers or keys do over the picture into moves of its view.

const WHEEL = 0.0022; // parts of a doubling for a pixel of the wheel
const STILL = 5; // pixels that a press may move and still be a click
const SCROLLED = 300; // ms after the page scrolled in which a wheel still scrolls it

/**
 * `zoom(factor, at)` and `move(by)` get places and distances as parts of the picture, from its left and top; `isWhole()`
 * says whether all of the plane is in view, `isStill()` whether nothing can be dragged, and `isOn()` whether there is a plane to move;
 * `isFrame` says that another page is scrolled by the wheel, unless ctrl is down.
 */
export function createGestures(plot, { isOn, isWhole, isStill, isFrame, zoom, move, whole }) {
  const pressed = new Map(); // pointer -> { x, y }
  let start; // where the press began, until it moves
  let dragged = false;
  let scrolled = -Infinity;

  const partOf = ({ x, y }) => {
    const box = plot.getBoundingClientRect();
    return [(x - box.left) / box.width, (y - box.top) / box.height];
  };
  const places = () => [...pressed.values()];
  const middle = (list) => ({ x: list.reduce((sum, { x }) => sum + x, 0) / list.length, y: list.reduce((sum, { y }) => sum + y, 0) / list.length });
  const spread = (list) => (list.length < 2 ? 0 : Math.hypot(list[0].x - list[1].x, list[0].y - list[1].y));

  addEventListener("scroll", () => (scrolled = performance.now()), { passive: true });
  plot.addEventListener("wheel", (event) => {
    const lines = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
    const out = event.deltaY > 0;
    // A page that is being scrolled goes on, and so does one whose picture can't get smaller.
    if (!isOn() || (isFrame && !event.ctrlKey) || (out && isWhole()) || performance.now() - scrolled < SCROLLED) return;
    event.preventDefault();
    const times = event.ctrlKey ? 4 : 1; // a pinch on a touchpad comes in small steps
    zoom(2 ** (-event.deltaY * lines * WHEEL * times), partOf({ x: event.clientX, y: event.clientY }));
  }, { passive: false });

  plot.addEventListener("pointerdown", (event) => {
    if (!isOn() || event.button !== 0) return;
    if (pressed.size === 0) dragged = false;
    pressed.set(event.pointerId, { x: event.clientX, y: event.clientY });
    start = { x: event.clientX, y: event.clientY };
  });
  plot.addEventListener("pointermove", (event) => {
    if (!pressed.has(event.pointerId)) return;
    const before = places();
    const [from, wide] = [middle(before), spread(before)];
    const isSmall = Math.hypot(event.clientX - start.x, event.clientY - start.y) < STILL;
    if (!dragged && pressed.size === 1 && (isSmall || isStill())) return;
    if (!dragged) plot.setPointerCapture(event.pointerId);
    dragged = true;
    pressed.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const after = places();
    const to = middle(after);
    const [[u1, v1], [u2, v2]] = [partOf(from), partOf(to)];
    if (wide > 0) zoom(spread(after) / wide, [u1, v1]); // first, as only what is enlarged can be moved
    move([u2 - u1, v2 - v1]);
  });
  for (const name of ["pointerup", "pointercancel"]) plot.addEventListener(name, (event) => pressed.delete(event.pointerId));
  // The end of a drag is no click.
  plot.addEventListener("click", (event) => {
    if (!dragged) return;
    dragged = false;
    event.stopImmediatePropagation();
  }, { capture: true });
  plot.addEventListener("dblclick", (event) => {
    if (!isOn()) return;
    event.preventDefault();
    zoom(event.shiftKey ? 1 / 2 : 2, partOf({ x: event.clientX, y: event.clientY }));
  });
  plot.addEventListener("keydown", (event) => {
    const keys = { "+": () => zoom(1.5), "=": () => zoom(1.5), "-": () => zoom(1 / 1.5), 0: whole };
    if (!isOn() || !keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  });
}
