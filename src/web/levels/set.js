/** The levels of a pyramid: opened from the metadata of a group, whatever convention it follows. */
import { fromProj, kindOf, textOf } from "../conventions/crs.js";
import { axesOf, boundsOf, coarseness, extentOf, isDegrees, isNumber, resolutionOf } from "../conventions/grid.js";
import { Nodes, join, split } from "../conventions/nodes.js";
import { onDemand } from "../conventions/on-demand.js";
import { transformOf } from "../conventions/rules.js";
import { nearest, statements } from "../conventions/statements.js";

/** The levels as a convention lists them; a group without one is a single level. */
async function listed(nodes, { multiscales, ome }) {
  if (multiscales?.layout) return (await onDemand.multiscales()).multiscales(nodes, multiscales);
  if (multiscales?.tile_matrix_set || multiscales?.tileMatrixSet) return (await onDemand.tiles()).tileMatrixSet(nodes, multiscales);
  const list = ome?.multiscales ?? multiscales;
  return list ? (await onDemand.images()).images(nodes, list) : { kind: "single", drafts: [{ path: "" }] };
}

/**
 * Gives a level its axes, its shape and its transform, once its source has them.
 *
 * @param {any} nodes
 * @param {any} draft
 * @param {any} group attributes of the pyramid
 * @param {any} largest node of the level with the largest array
 */
async function place(nodes, draft, group, largest) {
  const { node, source } = draft;
  const stated = statements(nodes, draft, group);
  const dimensions = nearest(stated, "dimensions");
  let attrsOf = (name) => nodes.tree?.get(join(node?.array ? split(node.array.path)[0] : "", name))?.attrs;
  draft.at ??= axesOf(node?.array, dimensions, attrsOf);
  if (draft.at.isGuess && !nodes.tree) {
    // Names alone do not tell, and the coordinates' attributes may. Levels of the same dimensions have them in common, so
    // that each name is looked up once.
    const names = node.array.dimensionNames;
    const isShared = JSON.stringify(largest.array.dimensionNames) === JSON.stringify(names);
    attrsOf = await (await onDemand.fallbacks()).coordinateAttrs(nodes, isShared ? largest : node, names);
    draft.at = axesOf(node.array, dimensions, attrsOf);
  }
  const { at } = draft;
  draft.shape = extentOf(node?.array, at) ?? stated.find(({ shape, where }) => shape && !(where === "group" && source))?.shape;
  draft.units = at.names.map((name) => attrsOf(name)?.units);
  if (!draft.transform) {
    await source?.placed;
    Object.assign(draft, await transformOf(nodes, { ...draft, ...draft.scalesOn?.(draft), stated, names: at.names }));
  }
  // Each number is checked where it is read; factors of several levels may overflow together, or shrink to nothing.
  const isSound = draft.transform.every(isNumber) && resolutionOf(draft.transform).every((size) => size > 0);
  nodes.check(isSound, "", draft.pointer ?? "", `no numbers give the place of the pixels: [${draft.transform}] by ${draft.from}`);
}

/** Reads what each level needs, and places it. */
async function resolve(nodes, drafts, group, variable, hasCrs) {
  const read = async (draft, nth) => {
    if (draft.node) return;
    const { entry = {} } = draft;
    // Without consolidated metadata, a level whose entry says all takes no request; the first one tells the axes of all.
    const isPlaced = entry["spatial:transform"] && hasCrs && (entry["spatial:dimensions"] ?? group["spatial:dimensions"]);
    const isComplete = isPlaced && entry["spatial:shape"] && !(variable && nth === 0);
    if (nodes.tree || !isComplete) draft.node = await nodes.level(draft.path, variable, !nodes.tree && Boolean(isPlaced));
  };
  await Promise.all(drafts.map(read));
  const sizeOf = ({ array }) => array.shape.reduce((size, length) => size * length, 1);
  const [largest] = drafts.flatMap(({ node }) => (node?.array ? [node] : [])).sort((a, b) => sizeOf(b) - sizeOf(a));
  // A level is placed after its source, whose promise must be there first.
  const begin = (draft) => (draft.placed ??= (draft.source && begin(draft.source), place(nodes, draft, group, largest)));
  await Promise.all(drafts.map(begin));
}

/** An axis of the levels, of a dimension's name. */
function axisOf(name, { at, units }) {
  const role = at.names.indexOf(name);
  return { name: name ?? "", ...(role >= 0 && { type: "space" }), ...(textOf(units[role]) && { unit: units[role] }) };
}

/** Reads the metadata of a pyramid; `arrays` receives the arrays that were opened for it. @param {any} group @param {{ variable?: string, attrs?: boolean, signal?: AbortSignal, arrays?: Map<string, any>, scene?: any }} [options] */
export async function described(group, { variable: asked, attrs: wanted, signal, arrays, scene } = {}) {
  // An empty name is that of a level that is an array itself.
  const variable = asked || undefined;
  const nodes = new Nodes(group, signal, arrays, scene, wanted);
  const { attrs } = group;
  const { kind, drafts, crs: own, axes, channels = [], systems = [], relations } = await listed(nodes, attrs);
  await resolve(nodes, drafts, attrs, variable, own ?? fromProj(attrs, "group") ?? attrs._CRS);
  const only = drafts[0].node?.array?.path;
  if (kind === "single" && only !== (variable ?? only ?? NaN)) throw await (await onDemand.containers()).noLevel(nodes, variable);
  if (drafts.some(({ from }) => from === "pixels")) (await onDemand.fallbacks()).alignPixels(drafts);
  drafts.sort((a, b) => coarseness(a.transform) - coarseness(b.transform));
  const [finest] = drafts;
  const { node, at } = finest;
  const around = (node?.groups ?? []).map((one) => fromProj(one.attrs, one.path === node.path ? "level" : "group around the array"));
  const declared = [fromProj(node?.array?.attrs, "array"), ...around, fromProj(attrs, "group")].find(Boolean);
  const crs = kind === "ome" ? {} : (declared ?? (await (await onDemand.fallbacks()).mappedCrs(nodes, node)) ?? own ?? {});
  if (kind !== "ome" && !crs.from) finest.units = await (await onDemand.fallbacks()).unitsOf(nodes, finest);
  const coordinates = kindOf(crs) ?? (!crs.from && finest.units.every(isDegrees) ? "degrees" : undefined);
  const levels = drafts.map(({ path, shape, transform, from, node, vectors }, index) => {
    return { index, path, variables: node?.variables, shape, transform, resolution: resolutionOf(transform), bounds: shape && boundsOf(transform, shape), from, ...vectors };
  });
  const conventions = Array.isArray(attrs.zarr_conventions) ? attrs.zarr_conventions : [];
  const names = [finest, ...drafts].find((draft) => draft.node?.array)?.node.array.dimensionNames ?? at.names;
  /** @type {Pick<import("../../types/levels.js").Levels, "kind" | "crs" | "axes" | "channels" | "systems" | "conventions">} */
  const shown = { kind: /** @type {any} */ (kind), crs, axes: axes ?? names.map((name) => axisOf(name, finest)), channels, systems, conventions };
  const places = drafts.map((draft) => ({ at: draft.at, isKnown: Boolean(draft.node), isArray: Boolean(draft.node?.isArray), vectors: draft.vectors }));
  return { shown, levels, places, coordinates, relations };
}
