/** The types of every entry compile with the libraries of ES2022 and of the DOM alone, which lack `Symbol.dispose`. */

import type { OpenOptions, Region } from "rectilinear-zarr";
import { Group, RectilinearArray, slice } from "rectilinear-zarr";
import * as inline from "rectilinear-zarr/inline";
import * as adapters from "rectilinear-zarr/adapters";
import * as healpix from "rectilinear-zarr/healpix";
import * as levels from "rectilinear-zarr/levels";
import * as stores from "rectilinear-zarr/stores";
import * as sparse from "rectilinear-zarr/sparse";
import * as worker from "rectilinear-zarr/service-worker.js";

export const entries = [inline, adapters, healpix, levels, stores, sparse, worker];

export async function reads(options: OpenOptions): Promise<Region> {
  const group = await Group.open("https://host/run.zarr", options);
  const array = await group.array("t2m");
  const region = await array.get([slice(0, 3)]);
  for await (const { coords } of array.stream()) console.log(coords);
  array.free();
  group.free();
  return region;
}

/** Arrays keep their type where the library has no name for what disposes of them. */
export const isArray = (opened: RectilinearArray | Group): opened is RectilinearArray => opened instanceof RectilinearArray;
