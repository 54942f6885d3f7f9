/** A host of large arrays whose chunks are made when they are asked for, from a formula that tests can repeat. */

/** The cell at a row and a column of a plane, and of the level of a pyramid at which it has `2 ** level` times the length. */
export const cellOf = (row, column, level = 0) => ((row * 31 + column * 17) % 997) + 1000 * level;

const attributes = (levels, path) => ({
  multiscales: {
    layout: Array.from({ length: levels }, (_, level) => ({
      asset: `${level}`, ...(level && { derived_from: `${level - 1}`, transform: { scale: [2, 2], translation: [0, 0] } }),
      "spatial:transform": [2 ** level, 0, 0, 0, 2 ** level, 0],
    })),
  },
  zarr_conventions: [{ name: "multiscales" }, { name: "spatial:" }],
  title: path,
});

function arrayOf({ shape, chunk, type = "uint16", attributes: attrs = {} }) {
  return {
    zarr_format: 3, node_type: "array", shape, data_type: type, fill_value: 0, attributes: attrs, dimension_names: ["time", "y", "x"].slice(-shape.length),
    chunk_grid: { name: "regular", configuration: { chunk_shape: chunk } }, chunk_key_encoding: { name: "default" },
    codecs: [{ name: "bytes", configuration: { endian: "little" } }],
  };
}

/** Bytes of a chunk of uint16; a step along time adds to each of its cells. */
function chunkOf(chunk, coords, level) {
  const [rows, columns] = chunk.slice(-2);
  const [top, left] = coords.slice(-2).map((nth, i) => nth * chunk.slice(-2)[i]);
  const step = coords.length > 2 ? coords[0] : 0;
  return Buffer.from(Uint16Array.from({ length: rows * columns }, (_, i) => cellOf(top + Math.floor(i / columns), left + (i % columns), level) + step).buffer);
}

/**
 * Handler of the arrays by name: `{ shape, chunk }`, and `levels` of a pyramid with consolidated metadata. `log` lists
 * what was asked for: the path, its bytes, and whether the client went before all was sent; `held` is a promise that answers wait for.
 */
export function planes(arrays) {
  const given = { log: [], held: undefined };
  async function handle(request, response) {
    const [, name, ...rest] = request.url.split("/");
    const { levels, ...array } = arrays[name] ?? {};
    const halved = (level) => ({ ...array, shape: array.shape.map((n, d) => (d < array.shape.length - 2 ? n : Math.ceil(n / 2 ** level))) });
    const entry = { path: request.url, bytes: 0, left: false };
    const send = (body) => {
      entry.bytes = body.length;
      response.end(body);
    };
    if (!array.shape) return response.writeHead(404).end();
    const level = levels ? Number(rest.shift()) : 0;
    if (levels && Number.isNaN(level)) {
      const members = Array.from({ length: levels }, (_, nth) => [`${nth}`, arrayOf(halved(nth))]);
      return send(JSON.stringify({ zarr_format: 3, node_type: "group", attributes: attributes(levels, name), consolidated_metadata: { kind: "inline", must_understand: false, metadata: Object.fromEntries(members) } }));
    }
    if (rest[0] === "zarr.json") return send(JSON.stringify(arrayOf(halved(level))));
    if (rest[0] !== "c") return response.writeHead(404).end();
    given.log.push(entry);
    response.on("close", () => (entry.left = !response.writableFinished));
    await given.held;
    if (!response.destroyed) send(chunkOf(array.chunk, rest.slice(1).map(Number), level));
  }
  return { given, handle };
}
