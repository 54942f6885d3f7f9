/** nginx with its defaults: the page's own origin on one port, and the same files with CORS headers on another. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { until } from "./network.mjs";
import { PACKAGE, ROOT, SUPPORT } from "./paths.mjs";
import { freePort } from "./ports.mjs";
import { PAGE } from "./server.mjs";

/** Path of nginx: NGINX_PROGRAM, which `make test-browser` sets, or the one on PATH. */
export const NGINX = process.env.NGINX_PROGRAM || "nginx";

const configuration = (home, [near, far]) => `
daemon off;
master_process off;
pid ${home}/pid;
error_log stderr crit;
events {}
http {
  include ${home}/mime.types;
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${home}/temp-${name};`).join("\n  ")}
  log_format asked '$server_port\t$request_method\t$uri\t$http_range\t$http_if_range\t$status\t$body_bytes_sent';
  access_log ${home}/log asked;
  root ${home}/files;
  server {
    listen 127.0.0.1:${near};
    location /pkg/ { alias ${PACKAGE}/; access_log off; }
    location /support/ { alias ${SUPPORT}/; access_log off; }
  }
  server {
    listen 127.0.0.1:${far};
    add_header Access-Control-Allow-Origin * always;
  }
}
`;

/** Whether nginx can be started. */
export async function hasNginx() {
  const child = spawn(NGINX, ["-v"], { stdio: "ignore" });
  return new Promise((done) => child.on("error", () => done(false)).on("exit", (code) => done(code === 0)));
}

/** Serves `files`, a Map from paths to bytes; `log()` gives the requests to one of its origins. */
export async function startNginx(files) {
  const home = await mkdtemp(join(tmpdir(), "rectilinear-zarr-nginx-"));
  const write = async (path, bytes) => {
    const file = join(home, "files", path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, bytes);
    return file;
  };
  const [near, far] = [await freePort(), await freePort()];
  await Promise.all([...files].map(([path, bytes]) => write(path, bytes)));
  await write("index.html", PAGE);
  await writeFile(join(home, "mime.types"), "types { text/html html; text/javascript js mjs; application/wasm wasm; application/json json; }");
  await writeFile(join(home, "conf"), configuration(home, [near, far]));
  const child = spawn(NGINX, ["-p", home, "-c", join(home, "conf")], { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"] });
  const ended = once(child, "exit");
  const url = `http://127.0.0.1:${near}`;
  let answers = false;
  await until(() => {
    fetch(`${url}/pkg/package.json`).then(() => (answers = true), () => undefined);
    return answers;
  });

  /** Requests to one origin for chunks (`/c/`), once there are `count`: method, range, If-Range, status, bytes. */
  async function log(origin, count) {
    const port = new URL(origin).port;
    let found = [];
    const read = async () => {
      const lines = (await readFile(join(home, "log"), "utf8")).split("\n").map((line) => line.split("\t"));
      found = lines.filter(([at, , path]) => at === port && path.includes("/c/"));
    };
    await until(() => (read(), found.length >= count));
    // A request too many would arrive within this time.
    await new Promise((done) => setTimeout(done, 50));
    await read();
    return found.map(([, method, , range, ifRange, status, bytes]) => ({ method, range, ifRange, status: Number(status), bytes: Number(bytes) }));
  }

  async function close() {
    child.kill("SIGTERM");
    await ended;
    await rm(home, { recursive: true, force: true });
  }

  const forget = () => writeFile(join(home, "log"), "");
  return { url, far: `http://127.0.0.1:${far}`, write, log, forget, close };
}
