/** A host of map tiles whose colours say where they are. */

import { crc32, deflateSync } from "node:zlib";

import { allow, listen } from "./server.mjs";

const SIZE = 256; // pixels

function part(type, body) {
  const named = Buffer.concat([Buffer.from(type, "latin1"), body]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

/** A PNG of `[red, green, blue]` by pixel. */
function pngOf(colourAt) {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(SIZE, 0);
  head.writeUInt32BE(SIZE, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const rows = Array.from({ length: SIZE }, (_, y) => [0, ...Array.from({ length: SIZE }, (_, x) => colourAt(x, y)).flat()]);
  const data = deflateSync(Buffer.from(rows.flat()), { level: 1 });
  return Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), part("IHDR", head), part("IDAT", data), part("IEND", Buffer.alloc(0))]);
}

/** The blue of a tile. */
export const blueOf = (z, x, y) => (z * 29 + x * 67 + y * 13) % 256;

/** The colour that the tiles of a zoom have at a place. */
export function colourAt(z, [lon, lat]) {
  const [u, v] = [(lon + 180) / 360, 0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)].map((n) => n * 2 ** z);
  const [x, y] = [u, v].map(Math.floor);
  return [(u - x) * 255, (v - y) * 255, blueOf(z, x, y)];
}

/** Tiles at `/z/x/y.png`, whose red and green are the parts of the way from west to east and from north to south. `status()` may be another than 200. */
export async function startTiles() {
  const given = { status: () => 200, delay: () => 0, isOpen: true };
  const site = await listen(async (request, response) => {
    if (given.isOpen && allow(request, response)) return undefined;
    await new Promise((done) => setTimeout(done, given.delay(request.url)));
    const [z, x, y] = /^\/(\d+)\/(\d+)\/(\d+)\.png$/.exec(request.url).slice(1).map(Number);
    const status = given.status({ z, x, y });
    if (status !== 200) return response.writeHead(status).end();
    const blue = blueOf(z, x, y);
    return response.writeHead(200, { "Content-Type": "image/png" }).end(pngOf((px, py) => [Math.round(((px + 0.5) / SIZE) * 255), Math.round(((py + 0.5) / SIZE) * 255), blue]));
  });
  return Object.assign(site, { given, asked: () => site.requests.filter(({ method }) => method === "GET").map(({ url }) => url) });
}
