// Writes a package's inlined.js, the WebAssembly module as text: node .tools/inline.mjs DIRECTORY
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const [directory] = process.argv.slice(2);
const packed = gzipSync(readFileSync(join(directory, "rectilinear_zarr_bg.wasm")), { level: 9 });
const text = `/** rectilinear_zarr_bg.wasm, gzipped, in base64. */\nexport const module = "${packed.toString("base64")}";\n`;
writeFileSync(join(directory, "inlined.js"), text);
