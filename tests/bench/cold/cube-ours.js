// A plane of an HDF5 file by the package, as early as a page can have it.
import { Group } from "rectilinear-zarr";

import { tell } from "../first/tell.js";

const group = await Group.open(new URL("/data/cube.nc", location.href));
tell(await (await group.array("t2m")).get([200, null, null]));
