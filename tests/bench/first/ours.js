// The first tile by the package, as early as a page can have it.
import { RectilinearArray, slice } from "rectilinear-zarr";

import { tell } from "./tell.js";

const array = await RectilinearArray.open(new URL("/data", location.href));
tell(await array.get([slice(0, 256), slice(0, 256)]));
