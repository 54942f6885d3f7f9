// The first tile by zarrita, as early as a page can have it.
import { FetchStore, get, open, slice } from "zarrita";

import { tell } from "./tell.js";

const array = await open.v3(new FetchStore(new URL("/data", location.href)), { kind: "array" });
tell(await get(array, [slice(0, 256), slice(0, 256)]));
