/** The options that calls accept are those of the types: no option of the types is refused, and none is accepted that they lack. */

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { METHODS, OPEN, READ, SEL } from "../../src/web/common/options.js";

const ts = createRequire(import.meta.url)("typescript-5");
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Types of the options of each call, by the name that messages have. */
const TYPES = {
  get: "GetOptions | FieldsOptions",
  getPoints: "GetOptions | FieldsOptions",
  getChunk: "ChunkOptions | FieldsChunkOptions",
  openStream: "GetOptions | FieldsOptions",
  prefetch: "GetOptions",
  decodeTime: "TimeOptions",
  getEncoded: 'NonNullable<Parameters<RectilinearArray["getEncoded"]>[1]>',
  refresh: 'NonNullable<Parameters<RectilinearArray["refresh"]>[0]>',
  array: "MemberOptions",
  group: "MemberOptions",
  sel: "SelOptions",
  "${name}.open": "OpenOptions",
  "codecs.set": "CodecOptions",
  decoder: 'NonNullable<Parameters<typeof decoder>[2]>',
  "Levels.open": "levels.LevelsOptions",
  scene: "OpenOptions",
  levels: 'NonNullable<Parameters<levels.Scene["levels"]>[1]>',
  at: 'NonNullable<Parameters<levels.Levels["at"]>[1]>',
  window: 'NonNullable<Parameters<levels.Levels["window"]>[1]>',
  tile: "levels.TileOptions",
  "a read of levels": "levels.PixelOptions",
  zipStore: "stores.ZipOptions",
  sparse: "sparse.SparseOptions",
  "a read of a sparse matrix": "sparse.SparseReadOptions",
  size: "sparse.SparseReadOptions",
  toDense: "sparse.DenseOptions",
  ragged: "Parameters<typeof sparse.ragged>[1]",
  table: "sparse.TableOptions",
  column: "sparse.ColumnOptions",
  index: "sparse.ColumnOptions",
  healpix: "healpix.HealpixOptions",
  reduce: "answers.ReduceOptions",
  zonal: "answers.ZonalOptions",
  series: "answers.SeriesOptions",
  budget: "answers.SeriesBudget",
  stac: "stac.StacOptions",
  children: 'NonNullable<Parameters<stac.Stac["children"]>[0]>',
  items: "stac.ItemsOptions",
  // Views: a variable holds the name of the call.
  call: "adapters.RegularOptions",
  fetchHandler: "adapters.HandlerOptions",
  "a source of registerViews": "adapters.WorkerSource",
};

/** Names of options in a literal of a source. */
const named = (literal) => {
  const lists = {
    OPEN,
    READ,
    SEL,
    VIEW: listIn("src/web/views/options.js", "VIEW"),
    OPTIONS: listIn("src/web/answers/reduce.js", "OPTIONS"),
    ZONAL: listIn("src/web/answers/zonal.js", "ZONAL"),
    SERIES: listIn("src/web/answers/series.js", "SERIES"),
    READS: listIn("src/web/sparse/matrix.js", "READS"),
    SOURCE: listIn("src/web/adapters/register-views.js", "SOURCE"),
  };
  return literal.replace(/\$\{(\w+)\}/g, (_, name) => lists[name]).split(" ");
};
const listIn = (file, name) => new RegExp(`const ${name} =\\s+"(.*)"`).exec(readFileSync(join(ROOT, file), "utf8"))[1];

/** Options by call, as the sources check them. */
function accepted() {
  const found = new Map(Object.entries(METHODS).map(([name, list]) => [name, list.split(" ")]));
  const web = join(ROOT, "src/web");
  for (const file of readdirSync(web, { recursive: true }).filter((name) => name.endsWith(".js") && !name.endsWith("common/options.js"))) {
    const text = readFileSync(join(web, file), "utf8");
    for (const [, call, , literal] of text.matchAll(/checkOptions\(["`]?(.*?)["`]?, (\w+), (["`].*?["`]|\w+)\)/g)) {
      found.set(call, named(/^\w/.test(literal) ? `\${${literal}}` : literal.slice(1, -1)));
    }
  }
  return found;
}

/** Options by call, as the types have them. */
function declared() {
  const file = join(ROOT, "tests/types/options-of-types.ts");
  const text = `import type * as main from "rectilinear-zarr";
    import type { GetOptions, FieldsOptions, ChunkOptions, FieldsChunkOptions, TimeOptions, RectilinearArray, MemberOptions, SelOptions, OpenOptions, CodecOptions, decoder } from "rectilinear-zarr";
    import type * as levels from "rectilinear-zarr/levels";
    import type * as stores from "rectilinear-zarr/stores";
    import type * as sparse from "rectilinear-zarr/sparse";
    import type * as healpix from "rectilinear-zarr/healpix";
    import type * as answers from "rectilinear-zarr/answers";
    import type * as stac from "rectilinear-zarr/stac";
    import type * as adapters from "rectilinear-zarr/adapters";
    type Keys<T> = T extends unknown ? keyof T : never;
    ${Object.values(TYPES).map((type, nth) => `export type T${nth} = Keys<${type}>;`).join("\n")}`;
  const { config } = ts.readConfigFile(join(ROOT, "tests/tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, join(ROOT, "tests"));
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.getSourceFile = (name, ...more) => (name === file ? ts.createSourceFile(name, text, ts.ScriptTarget.ESNext) : getSourceFile(name, ...more));
  host.fileExists = (name) => name === file || fileExists(name);
  const program = ts.createProgram([file], options, host);
  const source = program.getSourceFile(file);
  assert.deepEqual(program.getSemanticDiagnostics(source).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " ")), []);
  const checker = program.getTypeChecker();
  const types = checker.getExportsOfModule(checker.getSymbolAtLocation(source)).map((symbol) => checker.getDeclaredTypeOfSymbol(symbol));
  return new Map(Object.keys(TYPES).map((call, nth) => [call, (types[nth].types ?? [types[nth]]).map(({ value }) => value)]));
}

test("calls accept the options of their types", () => {
  const [found, types] = [accepted(), declared()];
  assert.deepEqual([...found.keys()].sort(), [...types.keys()].sort(), "each call that checks its options has a type here");
  for (const [call, names] of types) assert.deepEqual([...new Set(found.get(call))].sort(), names.sort(), call);
});
