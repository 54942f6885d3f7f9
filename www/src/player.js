// Plays along one axis: the next step is asked for when the last is drawn, never sooner than a moment after it.

const PACE = matchMedia("(prefers-reduced-motion: reduce)").matches ? 700 : 90; // ms between steps

/** `step(axis)` draws the next position and resolves when it stands; false from it stops the player. */
export function createPlayer(step, onChange) {
  let axis;
  let turn = 0;

  async function run(mine) {
    while (mine === turn && axis !== undefined) {
      const wait = new Promise((resolve) => setTimeout(resolve, PACE));
      if ((await step(axis)) === false && mine === turn) stop();
      await wait;
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
