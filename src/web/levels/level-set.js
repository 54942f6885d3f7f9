/** The levels of a pyramid: opened from the metadata of a group, whatever convention it follows. */
import { fromProj, kindOf, textOf } from "./level-crs.js";
import { axesOf, boundsOf, coarseness, extentOf, isDegrees, isNumber, resolutionOf } from "./level-grid.js";
import { Nodes, join, split } from "./level-nodes.js";
import { parts } from "./level-parts.js";
import { transformOf } from "./level-rules.js";
import { nearest, statements } from "./level-statements.js";

/** The levels as a convention lists them; a group without one is a single level. */
async function listed(nodes, { multiscales, ome }) {
  if (multiscales?.layout) return (await parts.multiscales()).multiscales(nodes, multiscales);
  if (multiscales?.tile_matrix_set || multiscales?.tileMatrixSet) return (await parts.tiles()).tileMatrixSet(nodes, multiscales);
  const list = ome?.multiscales ?? multiscales;
  return list ? (await parts.images()).images(nodes, list) : { kind: "single", drafts: [{ path: "" }] };
}

/** Numbers for rows and columns, of numbers for each axis. */
const onGrid = (values, { y, x }) => values && (values.length === 2 ? values : [values.at(y), values.at(x)]);

/** Gives a level its axes, its shape and its transform, once its source has them. */
async function place(nodes, draft, group) {
  const { node, source } = draft;
  const stated = statements(nodes, draft, group);
  const attrsOf = (name) => nodes.tree?.get(join(node?.array ? split(node.array.path)[0] : "", name))?.attrs;
  draft.at ??= axesOf(node?.array, nearest(stated, "dimensions"), attrsOf);
  const { at } = draft;
  draft.shape = extentOf(node?.array, at) ?? stated.find(({ shape, where }) => shape && !(where === "group" && source))?.shape;
  draft.units = at.names.map((name) => attrsOf(name)?.units);
  if (!draft.transform) {
    await source?.placed;
    const [scale, translation] = [onGrid(draft.scale, at), onGrid(draft.translation, at)];
    Object.assign(draft, await transformOf(nodes, { ...draft, stated, scale, translation, names: at.names }));
  }
  // Each number is checked where it is read; factors of several levels may overflow together, or shrink to nothing.
  const isSound = draft.transform.every(isNumber) && resolutionOf(draft.transform).every((size) => size > 0);
  nodes.check(isSound, "", draft.pointer ?? "", `no numbers give the place of the pixels: [${draft.transform}] by ${draft.from}`);
}

/** Reads what each level needs, and places it. */
async function resolve(nodes, drafts, group, variable, hasCrs) {
  const read = async (draft) => {
    // Without consolidated metadata, a level whose entry says all takes no request.
    const isComplete = draft.entry?.["spatial:transform"] && draft.entry["spatial:shape"] && hasCrs;
    if (!draft.node && (nodes.tree || !isComplete)) draft.node = await nodes.level(draft.path, variable);
  };
  await Promise.all(drafts.map(read));
  // A level is placed after its source, whose promise must be there first.
  const begin = (draft) => (draft.placed ??= (draft.source && begin(draft.source), place(nodes, draft, group)));
  await Promise.all(drafts.map(begin));
}

/** An axis of the levels, of a dimension's name. */
function axisOf(name, { at, units }) {
  const role = at.names.indexOf(name);
  return { name: name ?? "", ...(role >= 0 && { type: "space" }), ...(textOf(units[role]) && { unit: units[role] }) };
}

/** Reads the metadata of a pyramid. */
export async function described(group, { variable, signal } = {}) {
  const nodes = new Nodes(group, signal);
  const { attrs } = group;
  const { kind, drafts, crs: own, axes, channels = [] } = await listed(nodes, attrs);
  await resolve(nodes, drafts, attrs, variable, own ?? fromProj(attrs, "group") ?? attrs._CRS);
  const only = drafts[0].node?.array?.path;
  if (kind === "single" && only !== (variable ?? only ?? NaN)) {
    const reason = variable === undefined ? "name an array with the option variable" : `there is no array ${JSON.stringify(variable)}`;
    throw Object.assign(new Error(`no level is found: ${reason}`), { name: "NotFoundError", path: join(group.path, variable), tried: [] });
  }
  if (drafts.some(({ from }) => from === "pixels")) (await parts.fallbacks()).alignPixels(drafts);
  drafts.sort((a, b) => coarseness(a.transform) - coarseness(b.transform));
  const [finest] = drafts;
  const { node, at } = finest;
  const declared = fromProj(node?.array?.attrs, "array") ?? fromProj(node?.attrs, "level") ?? fromProj(attrs, "group");
  const crs = kind === "ome" ? {} : (declared ?? (await (await parts.fallbacks()).mappedCrs(nodes, node)) ?? own ?? {});
  const coordinates = kindOf(crs) ?? (!crs.from && finest.units.every(isDegrees) ? "degrees" : undefined);
  const levels = drafts.map(({ path, shape, transform, from, node: { variables } = {}, vectors }, index) => {
    return { index, path, variables, shape, transform, resolution: resolutionOf(transform), bounds: shape && boundsOf(transform, shape), from, ...vectors };
  });
  const conventions = Array.isArray(attrs.zarr_conventions) ? attrs.zarr_conventions : [];
  const names = node?.array?.dimensionNames ?? at.names;
  const shown = { kind, crs, axes: axes ?? names.map((name) => axisOf(name, finest)), channels, conventions };
  return { shown, levels, places: drafts.map((draft) => ({ at: draft.at, isArray: Boolean(draft.node?.isArray) })), coordinates };
}
