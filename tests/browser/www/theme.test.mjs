/** The theme of a catalog: colours, letters, corners and logo of the page, in the light and in the dark, that people can read. */

import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { explorerFiles, startExplorer } from "../support/explorer.mjs";
import { ROOT } from "../support/paths.mjs";
import { siteModule } from "../support/site-modules.mjs";

globalThis.document = { baseURI: "https://host/" };
const { contrast, themeOf } = await siteModule("catalog/theme.js");
const Ajv = createRequire(createRequire(import.meta.url).resolve("eslint"))("ajv");
const SCREENSHOTS = join(ROOT, "target/screenshots");
const read = (path) => readFile(join(ROOT, path), "utf8");
const axe = await read("tests/node_modules/axe-core/axe.min.js");
const schema = JSON.parse(await read("www/public/explorer.schema.json"));
const example = JSON.parse(/"theme": (\{.*?\n {2}\})/s.exec(await read("www/docs/theme.md"))?.[1] ?? assert.fail("the page has an example"));
const BASE = "https://host/data/explorer.json";

/** What no theme may be: the place at fault, words of the remedy, and whether the schema refuses it too. */
const BAD = [
  [{ light: { ink: "black" } }, /\/theme\/light\/ink: write a colour as #rrggbb/],
  [{ light: "red" }, /\/theme\/light: write an object of colours/],
  [{ radius: 40 }, /\/theme\/radius: write a number of pixels from 0 to 16/],
  [{ sans: "Inter; } body { display: none" }, /\/theme\/sans: write names of letters/],
  [{ sans: "\"Inter" }, /\/theme\/sans: write names of letters/, "here alone"],
  [{ fonts: [] }, /\/theme\/fonts: write a list of 1 to 12 fonts/],
  [{ fonts: [{ family: "Inter" }] }, /\/theme\/fonts\/0\/url: it is missing; write an address/],
  [{ fonts: [{ url: "a.woff2" }] }, /\/theme\/fonts\/0\/family: it is missing/],
  [{ fonts: [{ family: "Inter", url: "a.woff2", weight: "bold" }] }, /\/theme\/fonts\/0\/weight: write a number such as 600/, "here alone"],
  [{ fonts: [{ family: "Inter", url: "javascript:1" }] }, /\/theme\/fonts\/0\/url: “javascript:” is no address of the web/, "here alone"],
  [{ light: { logo: "a.svg" } }, /\/theme\/light\/logo: that of the catalog is for the light/, "here alone"],
  [{ light: { ink: "#999999" } }, /\/theme\/light\/ink: “ink” and “paper” differ by 2\.\d+ : 1, and have to by 4\.5 : 1 at least.*#999999 lies on #f8f7f4/, "here alone"],
  [{ light: { accent: "#ffcc00" } }, /\/theme\/light\/accent: “accent” and “paper” differ by 1\.\d+ : 1/, "here alone"],
  [{ dark: { paper: "#666666", sheet: "#666666" } }, /\/theme\/dark\/paper: /, "here alone"],
];

test("contrast is that of WCAG 2", () => {
  assert.equal(contrast("#000000", "#ffffff"), 21);
  assert.equal(contrast("#777777", "#777777"), 1);
  assert.ok(Math.abs(contrast("#767676", "#ffffff") - 4.54) < 0.005); // the grey that is known to suffice
});

test("the colours that a theme leaves are those of the style sheets, and can be read", async () => {
  const sheets = `${await read("www/src/style/base.css")}${await read("www/src/style/reading.css")}`;
  const { css } = themeOf({ light: {}, dark: {} }, BASE);
  const own = [...sheets.matchAll(/--([a-z-]+): (#[0-9a-f]{3,6});/g)].map(([, name, value]) => `--${name}:${value.length === 4 ? value.replace(/[0-9a-f]/g, "$&$&") : value};`);
  assert.equal(own.length, 24);
  for (const declaration of own) assert.ok(css.includes(declaration), declaration);
});

test("of an accent what lies on it and its tints follow", () => {
  const { css } = themeOf({ light: { accent: "#003366" }, dark: { accent: "#ffcc00", "on-accent": "#111111" } }, BASE);
  assert.match(css, /@media not \(prefers-color-scheme: dark\)\{:root\{[^}]*--accent:#003366;--on-accent:#ffffff;--accent-tint:#c7d2dd;/);
  assert.match(css, /@media \(prefers-color-scheme: dark\)\{:root\{[^}]*--accent:#ffcc00;--on-accent:#111111;/);
});

test("a theme that is bad is refused by its place and a remedy, by the schema too where that can tell", () => {
  const validate = new Ajv().compile(schema);
  for (const [theme, words, alone] of BAD) {
    assert.throws(() => themeOf(theme, BASE), { name: "Catalog", message: words }, JSON.stringify(theme));
    assert.equal(validate({ theme, stores: [{ url: "a.zarr" }] }), alone !== undefined, JSON.stringify(theme));
  }
  assert.ok(validate({ theme: example, stores: [{ url: "a.zarr" }] }), JSON.stringify(validate.errors));
});

test("letters are named as style sheets take them", () => {
  const { css, fonts } = themeOf({ sans: "Source Sans 3, 'Segoe UI', system-ui", mono: "monospace", radius: 0, fonts: [{ family: "\"Source Sans 3\"", url: "a.woff2" }] }, BASE);
  assert.equal(css, ':root,.lettered{--sans:"Source Sans 3", "Segoe UI", system-ui;--mono:monospace;--radius:0px;}');
  assert.deepEqual(fonts, [{ family: "Source Sans 3", url: "https://host/data/a.woff2", weight: "400" }]);
});

test("members that nobody knows are passed over with a word in the console", (t) => {
  const warned = t.mock.method(console, "warn", () => {});
  themeOf({ shadows: 3, light: { glow: "#ffffff" } }, BASE);
  assert.match(warned.mock.calls.map(({ arguments: [text] }) => text).join("\n"), /\/theme\/shadows: there is no member.*\n\/theme\/light\/glow: there is no member/);
});

describe("a page with a theme", () => {
  let explorer;
  let theme;
  let user;

  before(async () => {
    const dist = explorerFiles();
    const svg = (colour) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><rect width="40" height="20" fill="${colour}"/></svg>`;
    explorer = await startExplorer({ "/site": async (request, response) => {
      const path = request.url.split("?")[0];
      if (path === "/explorer.json") return response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify({ title: "Brand", logo: "brand/logo.svg", theme, stores: [{ url: "data/clear-sky-2024.zarr", array: "ghi" }] }));
      if (path.startsWith("/brand/logo")) return response.writeHead(200, { "Content-Type": "image/svg+xml" }).end(svg(path.includes("dark") ? "white" : "navy"));
      if (path.startsWith("/brand/")) return response.writeHead(200, { "Content-Type": "font/woff2" }).end(await readFile(join(ROOT, "www/node_modules/@fontsource/ibm-plex-mono/files/ibm-plex-mono-latin-400-normal.woff2")));
      return dist(request, response);
    } }, { watches: true });
    await mkdir(SCREENSHOTS, { recursive: true });
  });
  after(() => explorer?.close());
  beforeEach(async () => {
    theme = example;
    user = await explorer.page();
  });
  afterEach(() => user.close());

  const open = async () => {
    await user.page.goto(`${explorer.site.url}/site/`);
    await user.settled();
  };

  for (const [name, width, height] of [["wide", 1280, 800], ["narrow", 390, 844]]) {
    for (const scheme of ["light", "dark"]) {
      test(`wears the theme of the documentation, and axe finds nothing: ${name}, ${scheme}`, async () => {
        await user.page.setViewport({ width, height });
        await user.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
        await open();
        const style = (selector, property) => user.page.$eval(selector, (element, of) => getComputedStyle(element).getPropertyValue(of), property);
        const rgb = (colour) => `rgb(${[1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)).join(", ")})`;
        assert.equal(await style("#open button[type=submit]", "background-color"), rgb(example[scheme].accent));
        assert.equal(await style("html", "background-color"), rgb(example[scheme].paper));
        assert.equal(await style("#open button[type=submit]", "border-top-left-radius"), `${example.radius}px`);
        assert.match(await style("body", "font-family"), /^"?Source Sans 3"?/);
        await user.waitFor(() => [...document.fonts].some(({ family, status }) => /Source Sans 3/.test(family) && status === "loaded"));
        await user.waitFor((wanted) => document.querySelector(".logo").currentSrc.endsWith(wanted), scheme === "dark" ? "logo-dark.svg" : "logo.svg");
        await user.page.screenshot({ path: join(SCREENSHOTS, `theme-${name}-${scheme}.png`) });
        await user.page.evaluate(axe);
        assert.deepEqual(await user.page.evaluate(async () => (await globalThis.axe.run(document)).violations.map(({ id, nodes }) => `${id}: ${nodes.length} of ${nodes[0].html.slice(0, 160)}`)), []);
        assert.deepEqual(user.problems, []);
      });
    }
  }

  test("the page is seen in its theme's colours from the first, however late the catalog and the theme's code come", async () => {
    explorer.given.delay = (url) => (/explorer\.json/.test(url) ? 400 : /assets\/theme-.*\.js/.test(url) ? 600 : 0);
    const rgb = (colour) => `rgb(${[1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)).join(", ")})`;
    await user.page.evaluateOnNewDocument(() => {
      globalThis.seen = [];
      globalThis.grounds = new Set(); // while nothing else is seen
      const style = (element) => getComputedStyle(element);
      const look = () => {
        const button = document.querySelector("#open button[type=submit]");
        const { backgroundColor: paper, visibility } = style(document.documentElement);
        if (button && visibility === "visible") globalThis.seen.push([paper, style(button).backgroundColor, style(button).color].join(" "));
        else globalThis.grounds.add(paper);
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    try {
      for (const [scheme, on] of [["light", "#ffffff"], ["dark", "#000000"]]) {
        await user.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
        await open();
        const seen = await user.page.evaluate(() => globalThis.seen);
        assert.ok(seen.length > 5, `${seen.length} frames`);
        assert.deepEqual([...new Set(seen)], [[example[scheme].paper, example[scheme].accent, on].map(rgb).join(" ")]);
        const grounds = await user.page.evaluate(() => [...globalThis.grounds]);
        assert.ok(grounds.length > 0 && !grounds.some((ground) => ["#f8f7f4", "#141517"].map(rgb).includes(ground)), `${grounds}`);
        assert.equal(await user.page.evaluate(() => document.adoptedStyleSheets.length), 1);
        await user.page.goto("about:blank");
      }
      // A catalog that does not come holds nothing back for long.
      explorer.given.delay = (url) => (/explorer\.json/.test(url) ? 4000 : 0);
      await user.page.goto(`${explorer.site.url}/site/#url=data/clear-sky-2024.zarr/ghi`, { waitUntil: "domcontentloaded" });
      await user.waitFor(() => getComputedStyle(document.documentElement).visibility === "visible");
      assert.ok(await user.page.evaluate(() => performance.now()) < 3500);
    } finally {
      explorer.reset();
    }
    assert.deepEqual(user.problems, []);
  });

  test("one that cannot be read is refused with a word, and the page keeps its own look", async () => {
    theme = { light: { ink: "#cccccc" } };
    await open();
    await user.says("#error", /catalog can't be used\. \/theme\/light\/ink: “ink” and “paper” differ by 1\.\d+ : 1/);
    assert.equal(await user.page.evaluate(() => document.adoptedStyleSheets.length), 0);
    assert.deepEqual(user.problems, []);
  });

  test("a page without one loads nothing for it", async () => {
    theme = undefined;
    await open();
    assert.equal(await user.page.evaluate(() => document.adoptedStyleSheets.length), 0);
    assert.deepEqual(explorer.site.requests.filter(({ url }) => /assets\/theme-/.test(url)).length > 0, true); // by the tests before, and not by this one
    assert.equal(await user.page.evaluate(() => performance.getEntriesByType("resource").some(({ name }) => /assets\/theme-/.test(name))), false);
  });
});
