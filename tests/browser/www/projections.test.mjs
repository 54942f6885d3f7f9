/** Maps of the explorer in projections of the Earth: where places are, which cell a pixel shows, moves, links and painters. */

import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { launchDrawing } from "../support/chromium.mjs";
import { startExplorer } from "../support/explorer.mjs";
import { ROOT } from "../support/paths.mjs";
import { siteModule } from "../support/site-modules.mjs";

const { completed, mapOf, moved, zoomed } = await siteModule("earth/projections/maps.js");
const { gridOf, viewOf } = await siteModule("earth/projections/grid.js");
const { degreesOf } = await siteModule("earth/degrees.js");
const { makeAxis } = await siteModule("model/axis.js");
const { projectionIn, projectionText } = await siteModule("earth/projection.js");
const SCREENSHOTS = join(ROOT, "target/screenshots");

/** x and y on a sphere of radius 1, by PROJ 9 (pyproj): `+proj=natearth`, `ortho` and `laea`, with the `+lon_0` and `+lat_0` of the centre. */
const BY_PROJ = [
  ["world", [0, 0], [[0, 90], [0, 1.422390507]], [[180, 0], [2.735384723, 0]], [[60, 45], [0.821329185, 0.793051394]], [[-120.5, -33.25], [-1.734452504, -0.586678396]], [[179, -85], [1.701775118, -1.391943075]]],
  ["world", [150, 0], [[60, 45], [-1.231993778, 0.793051394]], [[-100, 20], [1.640357334, 0.352203886]]],
  ["globe", [10, 45], [[30, 20], [0.321393805, -0.382546238]], [[-60, 70], [-0.321393805, 0.581747244]]],
  ["north", [0, 90], [[30, 20], [0.573576436, -0.99346353]], [[-60, 70], [-0.300767466, -0.173648178]]],
  ["south", [0, -90], [[30, -20], [0.573576436, 0.99346353]]],
];
const ENDS = { globe: [1, 1], north: [Math.SQRT2, Math.SQRT2], south: [Math.SQRT2, Math.SQRT2], world: [2.735384723, 1.422390507] };

/** The part of a picture that has x and y of PROJ, of the whole Earth. */
const partOf = (kind, [x, y]) => [0.5 + x / ENDS[kind][0] / 2, 0.5 - y / ENDS[kind][1] / 2];
const near = (a, b, by) => a.every((n, i) => Math.abs(n - b[i]) < by);

for (const [kind, centre, ...places] of BY_PROJ) {
  test(`${kind} around ${centre}: places are where PROJ has them, and come back`, () => {
    const map = mapOf({ kind, centre, zoom: 1 });
    for (const [place, xy] of places) {
      assert.ok(near(map.forward(place), partOf(kind, xy), 1e-7), `${place}: ${map.forward(place)} is not ${partOf(kind, xy)}`);
      const back = map.inverse(map.forward(place));
      if (Math.abs(place[0]) !== 180 && Math.abs(place[1]) !== 90) assert.ok(near(back, place, 1e-6), `${back} is not ${place}`);
    }
  });
}

test("the far side has no place, nor has what lies beside the Earth", () => {
  assert.equal(mapOf({ kind: "globe", centre: [0, 0], zoom: 1 }).forward([100, 0]), undefined);
  assert.equal(mapOf({ kind: "north", centre: [0, 90], zoom: 1 }).forward([0, -1]), undefined);
  for (const [kind, centre] of [["globe", [20, 30]], ["north", [0, 90]], ["south", [0, -90]], ["world", [0, 0]]]) {
    const map = mapOf({ kind, centre, zoom: 1 });
    for (const corner of [[0.01, 0.01], [0.99, 0.01], [0.01, 0.99], [0.99, 0.99]]) assert.equal(map.inverse(corner), undefined, `${kind} at ${corner}`);
    assert.ok(map.inverse([0.5, 0.5]));
  }
});

test("a drag brings the place under the pointer along, and a zoom leaves it", () => {
  for (const projection of [{ kind: "globe", centre: [10, 45], zoom: 3 }, { kind: "north", centre: [30, 70], zoom: 4 }, { kind: "world", centre: [100, 20], zoom: 5 }]) {
    const from = [0.55, 0.45];
    const place = mapOf(projection).inverse(from);
    const dragged = mapOf(moved(projection, [0.05, -0.02])).forward(place);
    assert.ok(near(dragged, [0.6, 0.43], projection.kind === "north" ? 1e-6 : 0.02), `${projection.kind}: ${dragged}`); // a globe turns
    const nearer = zoomed(projection, 2, from);
    assert.equal(nearer.zoom, projection.zoom * 2);
    assert.ok(near(mapOf(nearer).forward(place), from, 0.02), `${projection.kind}: ${mapOf(nearer).forward(place)}`);
  }
  assert.deepEqual(zoomed({ kind: "north", centre: [30, 70], zoom: 2 }, 0.1), { kind: "north", centre: [0, 90], zoom: 1 });
});

test("a link has a projection, or nothing where that makes no sense", () => {
  for (const text of ["globe", "globe,10,45.5,2.25", "world,-120,0,1", "south"]) assert.equal(projectionText(completedText(text)), text);
  assert.deepEqual(["mercator", "", "constructor", undefined].map(projectionIn), Array(4).fill(undefined));
  assert.deepEqual(["globe,10", "globe,10,91,1", "globe,10,45,0.5", "globe,a,b,c", "globe,1,2,999"].map(projectionIn), Array(5).fill({ kind: "globe" }));
});
const completedText = (text) => (assert.ok(projectionIn(text)), projectionIn(text));

const axisOf = (name, values) => makeAxis(name, values.length, { values, attrs: { units: name === "lat" ? "degrees_north" : "degrees_east" } });
const even = (first, step, size) => Array.from({ length: size }, (_, i) => first + i * step);
/** Latitudes at unequal distances, as those of a Gaussian grid are. */
const LATS = even(0, 1, 36).map((i) => 1 - (2 * (i + 0.5)) / 36).map((part) => Number((88 * Math.sign(part) * Math.abs(part) ** 0.8).toFixed(4)));
const LONS = even(0, 5, 72);
const dataset = (lats, lons) => {
  const axes = [axisOf("lat", lats), axisOf("lon", lons)];
  return { axes, shape: [lats.length, lons.length], earth: degreesOf({ axes }) };
};

test("the cell at a place is that of the grid, which may begin anywhere and run either way", () => {
  for (const [lats, lons] of [[even(-89.5, 1, 180), even(-179.5, 1, 360)], [LATS, LONS], [even(70, -0.5, 60), even(-10, 0.5, 80)], [even(-60, 1, 50), even(200, -2, 60)]]) {
    const one = dataset(lats, lons);
    const grid = gridOf(one, one.earth);
    const isAround = Math.abs(lons[1] - lons[0]) * lons.length >= 360;
    for (const [row, lat] of lats.entries()) for (const [column, lon] of lons.entries()) {
      if ((row + column) % 7) continue;
      for (const turn of [-360, 0, 360]) assert.ok(near(grid.cellOf([lon + turn, lat]), [row + 0.5, column + 0.5], 1e-6), `${[lon, lat]}: ${grid.cellOf([lon, lat])}`);
      // The tables say the same, by straight lines between their entries.
      const entry = ({ from, to, values }, at) => {
        const part = ((at - from) / (to - from)) * (values.length - 1);
        const first = Math.min(values.length - 2, Math.floor(part));
        return values[first] + (part - first) * (values[first + 1] - values[first]);
      };
      const turnedLon = grid.west + (((lon - grid.west) % 360) + 360) % 360;
      assert.ok(near([entry(grid.rows, lat), entry(grid.columns, turnedLon)], [row + 0.5, column + 0.5], 0.05), `${entry(grid.rows, lat)} is not ${row + 0.5}`);
    }
    if (!isAround) assert.equal(grid.cellOf([lons[0] + 180, lats[0]]), undefined);
  }
});

test("what is read of a grid is what a map shows of it", () => {
  const one = dataset(even(89.5, -1, 180), even(-179.5, 1, 360));
  const grid = gridOf(one, one.earth);
  const whole = { centre: [90, 180], zoom: 1 };
  assert.deepEqual(viewOf(mapOf(completed({ kind: "world" })), grid), whole);
  assert.deepEqual(viewOf(mapOf(completed({ kind: "north" })), grid).zoom, 1); // all longitudes
  const near10 = mapOf({ kind: "globe", centre: [10, 45], zoom: 6 });
  const { centre, zoom } = viewOf(near10, grid);
  const box = [[centre[0] - 90 / zoom, centre[0] + 90 / zoom], [centre[1] - 180 / zoom, centre[1] + 180 / zoom]];
  assert.ok(zoom > 4 && zoom < 16, `${zoom}`);
  for (const part of [[0, 0], [1, 0], [0.5, 0], [0, 1], [1, 1], [0.3, 0.7]]) {
    const cell = grid.cellOf(near10.inverse(part));
    assert.ok(cell.every((at, i) => at >= box[i][0] && at <= box[i][1]), `${cell} is not in ${box}`);
  }
  // Across the ends of the grid's longitudes both ends are needed.
  assert.equal(viewOf(mapOf({ kind: "globe", centre: [180, 0], zoom: 6 }), grid).zoom, 1);
});

/** A store of one field on uneven latitudes, whose longitudes run from 0 to 355. */
function field(request, response) {
  const bytes = { "lat/c/0": Float64Array.from(LATS), "lon/c/0": Float64Array.from(LONS), "v/c/0/0": Float32Array.from({ length: 36 * 72 }, (_, i) => ((i * 7919) % 36) * 72 + Math.floor(i / 36)) };
  const array = (data_type, shape, dimension_names, attributes = {}) => ({
    zarr_format: 3, node_type: "array", data_type, shape, dimension_names, attributes, fill_value: 0, codecs: [{ name: "bytes", configuration: { endian: "little" } }],
    chunk_grid: { name: "regular", configuration: { chunk_shape: shape } }, chunk_key_encoding: { name: "default" },
  });
  const metadata = {
    lat: array("float64", [36], ["lat"], { units: "degrees_north" }), lon: array("float64", [72], ["lon"], { units: "degrees_east" }),
    v: array("float32", [36, 72], ["lat", "lon"], { units: "K" }),
  };
  const path = request.url.slice(1);
  if (bytes[path]) return response.end(Buffer.from(bytes[path].buffer));
  const own = metadata[path.replace(/\/zarr\.json$/, "")];
  if (own) return response.end(JSON.stringify(own));
  if (path !== "zarr.json") return response.writeHead(404).end();
  return response.end(JSON.stringify({ zarr_format: 3, node_type: "group", attributes: {}, consolidated_metadata: { kind: "inline", must_understand: false, metadata } }));
}

describe("maps in projections", () => {
  let explorer;
  const users = {};
  before(async () => {
    explorer = await startExplorer({ "/field": field }, { browse: launchDrawing });
    await mkdir(SCREENSHOTS, { recursive: true });
    for (const kind of ["webgl2", "canvas"]) {
      users[kind] = await explorer.page();
      await users[kind].page.evaluateOnNewDocument((isGpu) => {
        const get = HTMLCanvasElement.prototype.getContext;
        HTMLCanvasElement.prototype.getContext = function (name, options) {
          if (name !== "webgl2") return get.call(this, name, options);
          return isGpu ? get.call(this, name, { ...options, failIfMajorPerformanceCaveat: false }) : null;
        };
      }, kind === "webgl2");
    }
  });
  after(() => explorer?.close());
  const at = (more) => `url=${explorer.site.url}/field/v${more}`;

  /** Colours at parts of the plot, without what lies over it. */
  async function coloursAt({ page }, parts) {
    await page.addStyleTag({ content: ".zoom, .tip, .overlay, .degrees-at { visibility: hidden }" });
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const shot = await (await page.$("#plot")).screenshot({ encoding: "base64" });
    return page.evaluate(async (data, list) => {
      const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
      context.drawImage(bitmap, 0, 0);
      return list.map(([u, v]) => [...context.getImageData(Math.floor(u * bitmap.width), Math.floor(v * bitmap.height), 1, 1).data].slice(0, 3).join());
    }, shot, parts);
  }
  const warped = (user) => user.waitFor(() => document.querySelector(".frame.warped canvas") && document.querySelector("#view").ariaBusy === "false");

  /** Cells in the middle of a map, with the part of the picture that their middles are at, by the closed formulas of the projections. */
  function samples(kind, [lon0, lat0]) {
    const radians = (n) => (n * Math.PI) / 180;
    return LATS.flatMap((lat, row) => LONS.map((lon, column) => {
      const [l, p, p0] = [radians(lon - lon0), radians(lat), radians(lat0)];
      const x = Math.cos(p) * Math.sin(l);
      const y = Math.cos(p0) * Math.sin(p) - Math.sin(p0) * Math.cos(p) * Math.cos(l);
      const facing = Math.sin(p0) * Math.sin(p) + Math.cos(p0) * Math.cos(p) * Math.cos(l);
      const times = kind === "globe" ? 1 : Math.sqrt(2 / (1 + facing));
      return { row, column, facing, part: partOf(kind, [x * times, y * times]) };
    })).filter(({ facing, row, column }) => facing > 0.6 && Math.abs(LATS[row]) < 75 && (row * 5 + column) % 11 === 0);
  }

  for (const [name, user] of [["webgl2", () => users.webgl2], ["canvas", () => users.canvas]]) {
    for (const [kind, centre] of [["globe", [10, 45]], ["globe", [180, -20]], ["north", [0, 90]], ["south", [0, -90]]]) {
      test(`${name} draws each cell where it is: ${kind} around ${centre}`, async () => {
        const one = user();
        await one.page.bringToFront();
        const cells = samples(kind, centre);
        assert.ok(cells.length > 15);
        await one.show(at(""));
        const flat = await coloursAt(one, cells.map(({ row, column }) => [(column + 0.5) / 72, (row + 0.5) / 36]));
        assert.ok(new Set(flat).size > 10);
        await one.show(at(`&projection=${kind},${centre},1`));
        await warped(one);
        assert.equal(await one.page.$eval(".frame.warped canvas:not([hidden])", (canvas) => canvas.dataset.painter), name);
        const found = await coloursAt(one, cells.map(({ part }) => part));
        const other = cells.filter((_, i) => found[i] !== flat[i]);
        assert.deepEqual(other.map(({ row, column }) => [row, column]), []);
        assert.deepEqual(one.problems, []);
      });
    }
  }

  test("the tip says the cell that is drawn there, a click charts it, and nothing is said beside the Earth", async () => {
    const user = users.canvas;
    await user.page.bringToFront();
    await user.show(at("&projection=globe,10,45,1"));
    await warped(user);
    for (const { row, column, part: [u, v] } of samples("globe", [10, 45]).slice(0, 6)) {
      await user.point([u * 1000 - 0.5, v * 1000 - 0.5], [1000, 1000]);
      const i = row * 72 + column;
      assert.equal(await user.text(".tip b"), `${(((i * 7919) % 36) * 72 + Math.floor(i / 36)).toLocaleString("en")} K`);
    }
    await user.point([20, 20], [1000, 1000]);
    assert.equal(await user.page.$eval(".tip", ({ hidden }) => hidden), true);
    const { part: [u, v], row, column } = samples("globe", [10, 45])[3];
    await user.point([u * 1000 - 0.5, v * 1000 - 0.5], [1000, 1000], { click: true });
    await user.waitFor((point) => location.hash.includes(`point=${point}`), `${row},${column}`);
    assert.deepEqual(user.problems, []);
  });

  test("choosing, dragging and zooming are in the link, which restores them; as stored it is as before", async () => {
    const user = users.canvas;
    const { page } = user;
    await page.bringToFront();
    await user.show(at("&graticule=1"));
    await page.select("#projection", "globe");
    await warped(user);
    await user.waitFor(() => location.hash.includes("projection=globe"));
    await page.$eval("#plot", (plot) => plot.scrollIntoView({ block: "center" }));
    const { x, y, width, height } = await (await page.$("#plot")).boundingBox();
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.6, y + height * 0.5, { steps: 4 });
    await page.mouse.up();
    await user.waitFor(() => /projection=globe,-1[01]/.test(location.hash)); // a tenth of the width is 11.5 degrees
    await page.click('#figure [aria-label="Zoom in"]');
    await user.waitFor(() => /projection=globe,[^,]+,[^,]+,2(&|$)/.test(location.hash));
    const path = () => page.$eval("#plot .graticule .line", (line) => line.getAttribute("d"));
    await user.waitFor(() => document.querySelector("#view").ariaBusy === "false");
    const before_ = await path();
    await page.screenshot({ path: join(SCREENSHOTS, "projection-globe.png") });
    const hash = (await page.evaluate(() => location.hash)).slice(1);
    await user.show(hash);
    await warped(user);
    await page.waitForSelector("#plot .graticule .line");
    const numbers = (d) => d.match(/-?[\d.]+/g).map(Number);
    const [one, two] = [numbers(before_), numbers(await path())];
    assert.equal(one.length, two.length);
    assert.ok(one.every((n, i) => Math.abs(n - two[i]) < 2), "the same lines, as far as a link's figures say");
    await page.select("#projection", "");
    await user.waitFor(() => !document.querySelector(".frame.warped") && !location.hash.includes("projection") && document.querySelector("#plot canvas:not([hidden])"));
    assert.deepEqual(user.problems, []);
  });

  test("arrays that are no map of degrees are drawn as they are stored", async () => {
    const user = users.canvas;
    await user.page.bringToFront();
    await user.show(`url=${explorer.site.url}/field/lat&projection=globe`);
    assert.equal(await user.page.$(".frame.warped"), null);
    assert.deepEqual(user.problems, []);
  });
});
