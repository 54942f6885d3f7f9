// Runs the benchmark in the reader's browser: arrays made on the page, read by the package and by zarrita in turn.
import "./style/base.css";
import "./style/bench.css";
import * as zarr from "rectilinear-zarr";
import * as zarrita from "zarrita";

import { shapeOf, smoothField, stored } from "./bench/data.js";
import { ROWS, bothReaders, difference } from "./bench/reads.js";
import { createTable } from "./bench/table.js";
import { breathe, inTurn } from "./bench/timing.js";
import { plural } from "./model/format.js";
import { useLetters } from "./page/fonts.js";

useLetters();

const { VITE_OURS, VITE_ZARRITA } = import.meta.env;

const $ = (id) => document.getElementById(id);
const [form, button, progress, copyButton] = ["run", "start", "progress", "copy"].map($);
const say = (text) => ($("status").textContent = text);
let table = createTable($("table"), ROWS);
let running;
let heading = [];

/** One row: the array made, read once by each and compared, then timed. */
async function measure(row, values, mib, signal) {
  const shape = shapeOf(mib, row.axes);
  const readers = await bothReaders(zarr, zarrita, await stored(values, shape, row), row.selection);
  const differs = difference(await readers.ours(), await readers.theirs());
  if (differs) throw new Error(`the two read other values: ${differs}`);
  return inTurn(readers, signal);
}

async function run(mib) {
  running = new AbortController();
  const { signal } = running;
  table = createTable($("table"), ROWS);
  heading = [
    `rectilinear-zarr ${VITE_OURS} beside zarrita ${VITE_ZARRITA}: ${mib} MiB of float32 from memory, no workers, medians in ms`,
    `${navigator.userAgent}; ${plural(navigator.hardwareConcurrency, "logical processor")}; ${new Date().toISOString().slice(0, 10)}`,
  ];
  const values = smoothField(...shapeOf(mib));
  for (const [nth, row] of ROWS.entries()) {
    progress.value = nth;
    say(`Row ${nth + 1} of ${ROWS.length}`);
    table.mark(nth);
    await breathe();
    try {
      table.fill(nth, await measure(row, values, mib, signal));
    } catch (error) {
      if (signal.aborted) return "Stopped";
      table.fill(nth, { error: String(error.message ?? error) });
    }
  }
  progress.value = ROWS.length;
  return "Done";
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (running) return running.abort();
  button.textContent = "Stop";
  progress.max = ROWS.length;
  progress.hidden = false;
  copyButton.disabled = true;
  document.body.dataset.state = "running";
  const ended = await run(Number($("mib").value));
  running = undefined;
  table.mark(undefined);
  button.textContent = "Run again";
  progress.hidden = true;
  copyButton.disabled = false;
  document.body.dataset.state = ended.toLowerCase();
  say(ended);
});

copyButton.addEventListener("click", async () => {
  const text = table.text(heading);
  const area = $("text");
  area.value = text;
  area.hidden = false;
  area.rows = text.split("\n").length;
  area.focus();
  area.select();
  try {
    await navigator.clipboard.writeText(text);
    say("Copied");
  } catch {
    say("Selected below: copy it from there"); // pages without https, and readers who forbid it
  }
});
