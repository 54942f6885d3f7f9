// The panel on the data and their host, once it is open: facts of the array and the store, and what the host answers.
import { el } from "../../dom.js";
import { layersOf } from "./attributes.js";
import { conventionsIn } from "./declared.js";
import { factsOf } from "./facts.js";
import { answerOf, judged, sampleOf } from "./host.js";

const STATES = { good: "good: ", lacks: "lacks: ", unknown: "not known: " };
const HOSTING = "./api/documents/Hosting.html";

function list(facts) {
  return el("dl", {}, facts.flatMap(({ name, words, state, remedy }) => [
    el("dt", {}, name),
    el("dd", { "data-state": state }, state ? el("span", { class: "visually-hidden" }, STATES[state]) : "", words, remedy ? el("code", {}, remedy) : ""),
  ]));
}

/** Fills `root`; `update(current)` shows the state that `current()` gives. */
export function createPanel(root) {
  const facts = el("div");
  const host = el("div");
  root.append(facts, host);
  let shown; // the sample's origin

  async function showHost(sample, current) {
    const { origin } = new URL(sample.url);
    if (origin === shown) return;
    shown = origin;
    host.replaceChildren(el("h3", {}, `The host, ${origin}`), el("p", {}, "Asking…"));
    const answer = await answerOf(sample);
    if (shown !== origin || !current()) return;
    host.lastChild.replaceWith(list(judged(answer)), el("p", {}, el("a", { href: HOSTING }, "How hosts are set up")));
  }

  return {
    update(current) {
      const state = current();
      facts.replaceChildren(...factsOf(state, conventionsIn(layersOf(state))).flatMap(([heading, list_]) => [el("h3", {}, heading), list(list_)]));
      const sample = sampleOf(state);
      if (!sample) {
        shown = undefined;
        host.replaceChildren();
      } else if (state.step && state.step.state !== "reading") showHost(sample, current); // a chunk tells more than metadata do
    },
  };
}
