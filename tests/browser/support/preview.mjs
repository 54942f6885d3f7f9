/** Server of `make demo` for the explorer's public files: `vite preview`, as in the script `serve` of www. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { until } from "./network.mjs";
import { passing } from "./passing.mjs";
import { ROOT } from "./paths.mjs";
import { freePort } from "./ports.mjs";

const WWW = join(ROOT, "www");

/** Starts the server; `handle` is a proxy to it for another server. `folder` is what it serves: by default the public files. */
export async function startPreview(folder = "public") {
  const { scripts } = JSON.parse(await readFile(join(WWW, "package.json"), "utf8"));
  const [program, ...words] = scripts.serve.split(" ");
  const port = await freePort();
  // The public files are in the folder that the build copies, so that tests of the data need no build.
  const own = ["--outDir", folder, "--host", "127.0.0.1", "--port", port, "--strictPort"];
  const child = spawn(join(WWW, "node_modules/.bin", program), [...words, ...own], { cwd: WWW, stdio: ["ignore", "ignore", "inherit"] });
  const ended = once(child, "exit");
  const url = `http://127.0.0.1:${port}`;
  let answers = false;
  await until(() => {
    fetch(`${url}/favicon.svg`).then(() => (answers = true), () => undefined);
    return answers;
  });

  async function close() {
    child.kill("SIGTERM");
    await ended;
  }

  return { url, handle: passing(port), close };
}
