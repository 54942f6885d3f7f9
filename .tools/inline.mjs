// Writes the WebAssembly modules of a package as JavaScript: node .tools/inline.mjs DIRECTORY
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const FILES = {
  "rectilinear_zarr_bg.wasm": "inlined.js",
  "rectilinear_zarr_rare_bg.wasm": "inlined-rare.js",
  "rectilinear_zarr_systems_bg.wasm": "inlined-systems.js",
};

const [directory] = process.argv.slice(2);
for (const [name, file] of Object.entries(FILES)) {
  const packed = gzipSync(readFileSync(join(directory, name)), { level: 9 });
  const text = `/** ${name}, gzipped, in base64. */\nexport const module = "${packed.toString("base64")}";\n`;
  writeFileSync(join(directory, file), text);
}
