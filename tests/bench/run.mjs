/**
 * Runs the benchmarks, most of them in a browser, for `make bench`. Each prints ratios of medians measured in turn in one
 * page, or counts.
 *
 *   node run.mjs [NAME...]
 *
 * runs the named ones; other words select rows and sources of adapters, calls, decode, explorer, files, firefox, memory,
 * panning and workers by their names or parts of these; `panning waterfall` prints the requests of a walk. BENCH_MS is
 * the time in ms after which no further round begins; each bench has its own default.
 */

import { launch as launchFirefox } from "../browser/support/firefox.mjs";
import { adapters } from "./adapters.mjs";
import { answers } from "./answers.mjs";
import { calls } from "./calls.mjs";
import { codecs } from "./codecs.mjs";
import { copy } from "./copy.mjs";
import { decode } from "./decode.mjs";
import { explorer } from "./explorer.mjs";
import { files } from "./files.mjs";
import { first } from "./first.mjs";
import { healpix } from "./healpix/healpix.mjs";
import { memory } from "./memory.mjs";
import { network } from "./network.mjs";
import { panning } from "./panning.mjs";
import { sparse } from "./sparse.mjs";
import { workers } from "./workers.mjs";

const BENCHES = {
  adapters,
  answers,
  calls,
  copy,
  codecs,
  decode: (rows) => decode(rows),
  firefox: (rows) => decode(rows, launchFirefox),
  explorer,
  files,
  first,
  healpix,
  memory,
  network,
  panning,
  sparse,
  workers,
};

const words = process.argv.slice(2);
const named = words.filter((word) => word in BENCHES);
const rows = words.filter((word) => !(word in BENCHES));
for (const [name, bench] of Object.entries(BENCHES)) {
  if (!named.length || named.includes(name)) await bench(rows);
}
