// A window of a GeoTIFF by the package, as early as a page can have it.
import { Group, slice } from "rectilinear-zarr";

import { tell } from "../first/tell.js";

const group = await Group.open(new URL("/data/pyramid.tif", location.href));
tell(await (await group.array("0")).get([slice(1500, 2524), slice(1500, 2524)]));
