// Parts that the built pages need to load quickly: WebAssembly asked for from the page's head, and files compressed beside themselves.
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompress, constants, gzip } from "node:zlib";
import { promisify } from "node:util";
import { minifySync } from "vite";

/** Files that the first picture takes, by the beginnings of their names; the explorer's code asks for them one after the other. */
const EARLY = /^assets\/rectilinear_zarr_((calls|grids|opening)_)?bg-.*\.wasm$/;

const LEAST = 1024; // bytes; less gains nothing

const COMPRESSIONS = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  gz: (bytes) => promisify(gzip)(bytes, { level: 9 }),
};

const TYPES = { html: "text/html", js: "text/javascript", css: "text/css", wasm: "application/wasm", svg: "image/svg+xml" };

/** The script of the explorer's head, which no style sheet may stand before: scripts wait for these. */
export const first = {
  name: "first",
  transformIndexHtml: {
    order: "pre",
    async handler(html) {
      const script = await readFile(join(import.meta.dirname, "src/catalog/early.js"), "utf8");
      return html.replace("<!--early-->", () => `<script>${minifySync("early.js", script).code}</script>`);
    },
  },
};

/** Links in the head of the explorer's page to what its first picture takes: to the catalog, and to what src/catalog/early.js asks for after it. */
export const early = {
  name: "early",
  transformIndexHtml: {
    order: "post",
    handler(_, { bundle, path }) {
      if (!bundle || path !== "/index.html") return [];
      const fetched = { as: "fetch", crossorigin: true };
      const catalog = { tag: "link", attrs: { rel: "preload", ...fetched, href: "./explorer.json" }, injectTo: "head-prepend" };
      return [catalog, ...Object.keys(bundle).filter((name) => EARLY.test(name)).map((name) => ({ tag: "link", attrs: { rel: "later", ...fetched, type: "application/wasm", href: `./${name}` }, injectTo: "head" }))];
    },
  },
};

/**
 * Marks the calls that make d3's colour maps as pure: else those that nobody uses stay in the page, with d3-color and
 * d3-interpolate. The maps that load later are of a second copy of d3's one file, so that they stay out of the page too.
 */
export const shaken = {
  name: "shaken",
  enforce: "pre",
  async resolveId(name, importer) {
    if (name !== "d3-scale-chromatic" || !importer?.endsWith("/more-colours.js")) return undefined;
    const { id } = await this.resolve(name, importer, { skipSelf: true });
    return `${id}?later`;
  },
  transform(code, id) {
    if (!/d3-scale-chromatic\.mjs(\?later)?$/.test(id)) return undefined;
    return { code: code.replaceAll(/(?<=^var \S+ = )(?=[\w$]+\()|(?<=[(,] ?)(?=(cubehelix\$1|colors)\()/gm, "/* @__PURE__ */ "), map: null };
  },
};

/** Modules that one leads to by imports that are no calls. */
function importedBy(id, context, found = new Set()) {
  if (found.has(id)) return found;
  found.add(id);
  for (const each of [...(context.getModuleInfo(id)?.importedIds ?? [])]) importedBy(each, context, found); // a list that is used again
  return found;
}

const begun = new Map(); // by the module that a page begins with, those that it leads to

/** Whether a page begins with a module. */
function beginsWith(path, id, context) {
  const begin = join(import.meta.dirname, path);
  if (!begun.has(begin)) begun.set(begin, importedBy(begin, context));
  return begun.get(begin).has(id);
}

/**
 * Puts what the explorer begins with into two files, of which the benchmark has one: else each set of parts that load
 * later would cut a file of its own out of it.
 */
export const beginnings = [
  { name: "pages", priority: 2, pages: ["src/main.js", "src/bench.js"] },
  { name: "explorer", priority: 1, pages: ["src/main.js"] },
].map(({ name, priority, pages }) => ({
  debugName: name, priority, tags: ["$initial"],
  name: (id, context) => (pages.every((path) => beginsWith(path, id, context)) ? name : null),
}));

/** Writes each file of the build a second and a third time, compressed, as hosts with static compression want them. */
export const compressed = {
  name: "compressed",
  apply: "build",
  async writeBundle({ dir }, bundle) {
    const names = Object.keys(bundle).filter((name) => name.split(".").at(-1) in TYPES);
    await Promise.all(names.map(async (name) => {
      const bytes = await readFile(join(dir, name));
      if (bytes.length < LEAST) return;
      await Promise.all(Object.entries(COMPRESSIONS).map(async ([ending, compress]) => writeFile(join(dir, `${name}.${ending}`), await compress(bytes))));
    }));
  },
};

/** The path of a request, or "" for one that makes no sense. */
function decoded(address) {
  try {
    return decodeURIComponent(address.replace(/[?#].*/, ""));
  } catch {
    return "";
  }
}

/** Answers from these files on the server of `make demo`, as nginx does with `gzip_static` and `brotli_static`. */
export const answersCompressed = {
  name: "answers-compressed",
  configurePreviewServer({ middlewares, config }) {
    middlewares.use(async (request, response, next) => {
      const path = decoded(request.url).replace(/\/$/, "/index.html");
      const type = TYPES[path.split(".").at(-1)];
      const [ending, encoding] = /\bbr\b/.test(request.headers["accept-encoding"]) ? ["br", "br"] : ["gz", "gzip"];
      if (!type || path.includes("..") || request.headers.range || !/\b(br|gzip)\b/.test(request.headers["accept-encoding"])) return next();
      const file = join(config.root, config.build.outDir, `${path}.${ending}`);
      const size = await stat(file).then(({ size: bytes }) => bytes, () => undefined);
      if (size === undefined) return next();
      const isHashed = path.startsWith("/assets/");
      response.writeHead(200, {
        "Content-Type": type, "Content-Encoding": encoding, "Content-Length": size, Vary: "Accept-Encoding",
        "Cache-Control": isHashed ? "public, max-age=31536000, immutable" : "no-cache",
      });
      response.end(request.method === "HEAD" ? undefined : await readFile(file));
    });
  },
};
