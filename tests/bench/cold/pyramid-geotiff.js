// The same window by geotiff.js.
import { fromUrl } from "geotiff";

import { tell } from "../first/tell.js";

const file = await fromUrl(new URL("/data/pyramid.tif", location.href).href);
const window = [1500, 1500, 2524, 2524];
tell({ data: await (await file.getImage(0)).readRasters({ window, interleave: true }) });
