/** Handlers that pass requests on to a server of another program. */

import { request as ask } from "node:http";

/**
 * Handler that passes requests on to a port of this machine. Each has a connection of its own: one that was kept open
 * may be closed by the server just as the next request is sent on it.
 */
export function passing(port) {
  return ({ method, url, headers }, response) => {
    const asked = ask({ host: "127.0.0.1", port, method, path: url, headers: { ...headers, connection: "close" }, agent: false }, (answer) => {
      const own = Object.entries(answer.headers).filter(([name]) => !/^(connection|keep-alive)$/.test(name));
      response.writeHead(answer.statusCode, Object.fromEntries(own));
      answer.pipe(response);
    });
    asked.on("error", () => response.destroy()).end();
  };
}
