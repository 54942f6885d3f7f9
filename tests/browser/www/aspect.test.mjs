/** Shapes of the explorer's pictures: true to the ground, and the coast by how much of it a pixel covers. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { scaleFor } from "../../../www/src/earth/coast.js";
import { makeAxis } from "../../../www/src/model/axis.js";
import { aspectOf } from "../../../www/src/view/figure/aspect.js";

const even = (first, step, size) => Array.from({ length: size }, (_, i) => first + i * step);
const axis = (name, values, attrs = {}) => makeAxis(name, values.length, { values, attrs });
/** The aspect of a grid by its axes, rows first. */
const shape = (down, across, more = {}) => aspectOf({ axes: [down, across], usual: [0, 1], ...more }, [0, 1], across.size, down.size);
const near = (found, wanted) => assert.ok(Math.abs(found - wanted) < 1e-9 * wanted, `${found} is not ${wanted}`);

describe("shapes of pictures", () => {
  test("the sea ice grid of 304 by 448 cells of 25 km is as high as it is, not a square nearly", () => {
    const [x, y] = [axis("x", even(-3_837_500, 25_000, 304), { units: "m" }), axis("y", even(5_837_500, -25_000, 448), { units: "m" })];
    near(shape(y, x), 304 / 448);
  });

  test("cells of unequal sides count by their metres, in whatever unit each axis is", () => {
    const [x, y] = [axis("x", even(0, 2, 100), { units: "km" }), axis("y", even(0, 1000, 100), { units: "m" })];
    near(shape(y, x), 2);
    near(shape(axis("y", even(0, 1, 50), { units: "rad" }), axis("x", even(0, 3, 50), { units: "rad" })), 3);
    near(shape(axis("y", even(0, 1, 50), { units: "rad" }), axis("x", even(0, 3, 50), { units: "m" })), 1); // of which nobody knows the lengths
  });

  test("a region in degrees is as narrow as its middle parallel, and the globe is twice as wide as high", () => {
    near(shape(axis("lat", even(35, 0.5, 73)), axis("lon", even(-15, 0.5, 121))), (121 / 73) * Math.cos((53 * Math.PI) / 180));
    near(shape(axis("lat", even(-89.5, 1, 180)), axis("lon", even(0.5, 1, 360))), 2);
    near(shape(axis("lat", even(-10, 1, 21)), axis("lon", [...even(350, 1, 10), ...even(0, 1, 11)])), 1); // over the meridian
  });

  test("latitudes at unequal distances count by their mean", () => {
    near(shape(axis("lat", [-80, -30, 0, 30, 80]), axis("lon", even(0, 40, 9))), (9 * 40) / (5 * 40));
  });

  test("a grid without coordinates has the sides of its transform, drawn as that says", () => {
    const [y, x] = [makeAxis("axis 0", 100), makeAxis("axis 1", 100)];
    near(shape(y, x, { georeference: { crs: { code: "EPSG:32632" }, transform: [20, 0, 0, 0, -10, 0] } }), 2);
    near(shape(y, x, { georeference: { crs: { code: "EPSG:4326" }, transform: [0.1, 0, 0, 0, -0.1, 65] } }), 0.5);
    near(shape(y, x, { usual: [1, 2], georeference: { crs: {}, transform: [20, 0, 0, 0, -10, 0] } }), 1);
    near(shape(y, x), 1);
  });

  test("what would be a line is stretched, and what is no length too", () => {
    assert.equal(shape(makeAxis("axis 0", 3), makeAxis("axis 1", 20_000)), 3);
    assert.equal(shape(makeAxis("axis 0", 20_000), makeAxis("axis 1", 3)), 0.8);
    assert.equal(shape(makeAxis("time", 12), axis("lon", even(0, 1, 360))), 2);
  });
});

test("the finer coast is drawn where a pixel covers less than 12 km", () => {
  assert.equal(scaleFor({ radius: 28 }, { width: 880, height: 500 }), 50); // Europe on a page
  assert.equal(scaleFor({ radius: 28 }, { width: 300, height: 200 }), 110); // and on a phone
  assert.equal(scaleFor({ radius: 90 }, { width: 1000, height: 500 }), 110);
  assert.equal(scaleFor(undefined, { width: 1000, height: 500 }), 110);
});
