// Does what the user asks for in the open array: positions, looks, differences and channels, and lines through cells.
import { isEmbedded } from "../embed/mode.js";
import { axesOfLines } from "../model/position.js";
import { $ } from "./elements.js";

/** `page` holds the explorer, the player and, once they are made, `parts`, `painting`, `earth` and `visits`. */
export function createActs(page) {
  const { explorer, player } = page;

  /** Ends playback, as all does that the user does by hand. */
  function leap(work) {
    player.stop();
    return work();
  }

  /** Draws lines through a cell, and through a second one where there is one. */
  function chart(point, { axis, second } = {}) {
    const { state } = explorer;
    const axes = axesOfLines(state, axis);
    if (!axes.length || state.dataset.kind !== "numbers") return;
    page.parts.figure.mark(point, second);
    if (isEmbedded) return; // a frame has the marks of a link, and no lines
    return explorer.beside.chart(point, axes, second);
  }

  /** Draws the lines that are charted again, with a change. */
  function rechart(change, move = (point) => point) {
    const { point, axis, second } = explorer.state.series;
    return chart(move(point), { axis, second, ...change });
  }

  return {
    chart,
    rechart,

    /** Charts a cell that was picked: with shift, or where one is asked for, as the second. */
    pick(index, isSecond) {
      const { series } = explorer.state;
      if (series && (isSecond || page.parts.series.isAdding)) return rechart({ second: index });
      return chart(index, { second: series?.second });
    },

    /** Closes the chart. */
    unchart() {
      const { parts, earth, visits } = page;
      explorer.beside.unchart();
      earth.unpin();
      parts.series.hide();
      parts.figure.mark(undefined);
      parts.take.update();
      visits.rememberNow();
      $("plot").focus();
    },

    changeLook(change) {
      page.painting.changeLook(change);
      if (!explorer.state) return;
      page.visits.rememberNow();
      page.parts.telling();
    },

    /** Draws the position as a difference or as channels. */
    recast(change) {
      player.stop();
      const drawn = explorer.recast(change);
      page.visits.rememberNow();
      return drawn;
    },

    /** Draws the array less another one, or itself again; the lines that are charted too. */
    async lessen(path) {
      player.stop();
      const { pins } = explorer.state;
      const drawn = await explorer.lessen(path);
      page.visits.rememberNow();
      page.head();
      if (drawn && pins) await chart(pins.point, pins);
      return drawn;
    },

    /** Other parts of the lines are in view. */
    span(spans) {
      explorer.state.spans = spans;
      page.visits.remember();
    },

    repaint() {
      page.painting.paint();
      page.visits.rememberNow();
    },

    turn: (axes) => leap(() => explorer.turn(axes)),
    seek: (d, i) => leap(() => explorer.go(explorer.state.index.with(d, i))),
  };
}
