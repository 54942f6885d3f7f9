// Plays along one axis: the next step is asked for when the last is drawn, never sooner than a moment after it.

const PACE = { still: 700, fetched: 90, held: 33 }; // ms between steps: for readers who want little motion, of chunks that were fetched, and from the cache
const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * `step(axis)` draws the next position and resolves when it stands; false from it stops the player. `isHeld()` says
 * whether the last one came from the cache.
 */
export function createPlayer(step, isHeld, onChange) {
  let axis;
  let turn = 0;

  async function run(mine) {
    while (mine === turn && axis !== undefined) {
      const begun = performance.now();
      if ((await step(axis)) === false && mine === turn) stop();
      const pace = isStill ? PACE.still : isHeld() ? PACE.held : PACE.fetched;
      await new Promise((resolve) => setTimeout(resolve, begun + pace - performance.now()));
    }
  }

  function stop() {
    if (axis === undefined) return;
    axis = undefined;
    turn++;
    onChange();
  }

  return {
    get axis() {
      return axis;
    },
    stop,
    toggle(d) {
      if (axis === d) return stop();
      axis = d;
      onChange();
      run(++turn);
    },
  };
}
