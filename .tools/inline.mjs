// Writes the WebAssembly modules of a package as JavaScript: node .tools/inline.mjs DIRECTORY
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const NAME = /^rectilinear_zarr(?:_(\w+))?_bg\.wasm$/;

const [directory] = process.argv.slice(2);
for (const name of readdirSync(directory).filter((name) => NAME.test(name))) {
  const [, module] = NAME.exec(name);
  const file = module ? `inlined-${module}.js` : "inlined.js";
  const packed = gzipSync(readFileSync(join(directory, name)), { level: 9 });
  const text = `/** ${name}, gzipped, in base64. */\nexport const module = "${packed.toString("base64")}";\n`;
  writeFileSync(join(directory, file), text);
}
