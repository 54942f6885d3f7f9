/** Modules of the explorer in Node: those that touch no document, whose imports of the package lead to the one that was built. */

import { register } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { PACKAGE, ROOT } from "./paths.mjs";

const hooks = `
  let root;
  export const initialize = (given) => { root = given; };
  export const resolve = (name, context, next) => {
    const [, entry] = /^rectilinear-zarr(?:\\/([a-z]+))?$/.exec(name) ?? [];
    return next(name.startsWith("rectilinear-zarr") ? root + (entry ?? "node") + ".js" : name, context);
  };`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`, { data: `${pathToFileURL(PACKAGE)}/` });

/** A module of `www/src`, by its path there. */
export const siteModule = (path) => import(pathToFileURL(join(ROOT, "www/src", path)));
