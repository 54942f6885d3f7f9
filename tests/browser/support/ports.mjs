/** Ports for programs that cannot be told to choose one and say which. */

import { createServer } from "node:net";

/** Ports below those that systems give away, so that no server and no connection of another test takes one meanwhile. */
const [LEAST, MOST] = [20_000, 32_000];

/** Ports that each process of tests may take before it comes to those of another one. */
const EACH = 16;

let taken = 0;

/** Whether nobody listens on a port. */
function isFree(port) {
  const server = createServer();
  return new Promise((done) => server.once("error", () => done(false)).listen(port, "127.0.0.1", () => server.close(() => done(true))));
}

/** A port that nobody listens on, and that no other process of tests is given. */
export async function freePort() {
  for (let tries = 0; tries < MOST - LEAST; tries++) {
    const port = LEAST + ((process.pid * EACH + taken++) % (MOST - LEAST));
    if (await isFree(port)) return String(port);
  }
  throw new Error(`no port from ${LEAST} to ${MOST} is free`);
}
