/** The explorer over stores that a script of the oracle makes. */

import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { startExplorer } from "./explorer.mjs";
import { ROOT } from "./paths.mjs";

const program = process.env.PYTHON ?? join(ROOT, ".tools/local/venv/bin/python");

/** Runs the oracle's Python with these words; gives what it printed. */
export const python = async (...words) => (await promisify(execFile)(program, ["-W", "ignore", ...words])).stdout;

/**
 * Runs a script of `tests/oracle` and serves its folder at `/made`, beside `mounts`; gives `{ directory, explorer, close() }`.
 * `options` are those of the explorer.
 */
export async function startMade(script, mounts = {}, options = {}) {
  const directory = await mkdtemp(join(tmpdir(), "rectilinear-made-"));
  await python(join(ROOT, "tests/oracle", script), directory);
  const explorer = await startExplorer({ "/made": directory, ...mounts }, options);
  return {
    directory,
    explorer,
    async close() {
      await explorer.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
