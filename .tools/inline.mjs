// Writes the WebAssembly modules of a package as JavaScript: node .tools/inline.mjs PACKAGE TARGET. The parts of the main
// module are in one file, the modules that few programs need in files of their own.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { PARTS } from "./parts.mjs";

const NAME = /^rectilinear_zarr_(\w+)_bg\.wasm$/;

const [directory, target] = process.argv.slice(2);
const packed = (name) => gzipSync(readFileSync(join(directory, name)), { level: 9 }).toString("base64");

const parts = Object.fromEntries(PARTS.map((name) => [name, packed(name)]));
writeFileSync(join(target, "inlined.js"), `/** Parts of the main module, gzipped, in base64. */\nexport const modules = ${JSON.stringify(parts, null, 2)};\n`);
for (const name of readdirSync(directory).filter((name) => NAME.test(name) && !PARTS.includes(name))) {
  const text = `/** ${name}, gzipped, in base64. */\nexport const module = "${packed(name)}";\n`;
  writeFileSync(join(target, `${NAME.exec(name)[1]}.inlined.js`), text);
}
