// The difference of two arrays of a group, or of two stores: what is taken off an array, cell by cell, in maps and in lines. Loaded with the first of them.
import { openDataset } from "../model/dataset.js";
import { value } from "../model/format.js";
import { bookedOf } from "../model/ledger.js";
import { addressIn } from "../model/source.js";
import { planPlane, readPlane, touchedAlong } from "../model/plane.js";
import { joined } from "./layers.js";

const folderOf = (path) => path.split("/").slice(0, -1).join("/");

/** Whether what is taken off is named by its address, and not by its path in the store. */
export const isAddress = (text) => /^[a-z][a-z0-9+.-]*:\/\//i.test(text);

/** The name of an array as its group has it. */
export const nameOf = (path) => path.split("/").at(-1);

const isSame = (a, b) => String(a) === String(b);

/** Whether another array can be taken off an array that is drawn along these axes: its items are numbers that measure, and a map shows them. */
export const isMeasured = ({ dataset: { kind, dtype, decoder, shape, stored, isLabels }, axes }) =>
  !stored && !isLabels && kind === "numbers" && axes.length === 2 && !/^(bool|complex)/.test(dtype) && !decoder.flags && !decoder.isTimes && !shape.includes(0);

/** Whether an entry of a group may be taken off an array: one beside it of the same shape and dimensions, whose attributes say nothing else than numbers that measure. */
const isAlike = ({ path, shape, names }) => (entry) => {
  const { dtype = "", attrs = {} } = entry;
  return entry.kind === "array" && !entry.error && entry.path !== path && folderOf(entry.path) === folderOf(path) && isSame(entry.shape, shape)
    && names.every((name, d) => (entry.dimensionNames?.[d] ?? null) === name)
    && /^(u?int|b?float)/.test(dtype) && !attrs.flag_values && !/\ssince\s/i.test(attrs.units ?? "");
};

/** Paths of the arrays that can be taken off the one that is drawn, as far as the store says its members. */
export const othersFor = (state) => (isMeasured(state) ? state.catalog.entries.filter(isAlike(state.dataset)).map(({ path }) => path) : []);

const refuse = (path, why) => Object.assign(new Error(`“${path}” can't be taken off: ${why}`), { name: "SelectionError" });

/** How to say a difference of values of which some are packed: with the finer one's decimals. */
function wordsFor({ decoder }, other) {
  const places = [decoder, other.decoder].map(({ places: own }) => own);
  const finest = places.includes(undefined) ? undefined : Math.max(...places);
  const { units } = decoder;
  return (v) => (Number.isNaN(v) ? "no data" : `${value(v, finest)}${units && ` ${units}`}`);
}

/** Chunks of a source that the cells of a plan lie in. */
function touchedBy(source, { axes, index, starts, taken, steps, pieces }) {
  const origin = pieces[0]?.origin ?? index;
  const ends = starts.map((from, i) => Math.min(source.shape[axes[i]], from + taken[i].count * steps[i]));
  const along = axes.map((d, i) => touchedAlong(source.grid, origin, d, [starts[i], ends[i]], steps[i], Infinity));
  const first = source.grid.chunkAt(origin).coords;
  return { along, touched: axes.reduce((list, d, i) => list.flatMap((coords) => along[i].map((n) => coords.with(d, n))), [first]) };
}

/** The number that a ledger books an array under. */
function numberIn({ arrays }, array) {
  const known = arrays.findIndex(({ path }) => path === array.path);
  return known < 0 ? arrays.push(array) - 1 : known;
}

const coarsenessOf = ({ pitch }) => pitch[0] * pitch[1];

/** The array at a path of a catalog, or at an address: `{ member, other, free() }`, of another store as `openElsewhere` says, with what differs of its times in `note`, and a `book(ledger)`. */
async function openOther(dataset, catalog, path, signal) {
  if (!isAddress(path)) {
    const other = await openDataset(catalog, path, { signal });
    return { member: path, other, prefix: "", free: () => other.free() };
  }
  const { comparedGrids, openElsewhere } = await import("./elsewhere.js");
  const heard = []; // requests of its opening
  let ledger;
  const found = await openElsewhere(path, dataset.path, { signal, onRequest: (info) => (ledger ? ledger.note(info) : heard.push(info)) });
  try {
    const other = await openDataset(found.catalog, found.member, { signal });
    const free = () => (other.free(), found.catalog.free());
    return { ...found, other, free, compare: () => comparedGrids(dataset, other), listen: (next) => (next.open(heard.splice(0), `Opening of ${found.name}`), (ledger = next)) };
  } catch (error) {
    found.catalog.free();
    throw error;
  }
}

/**
 * The array at `path` of a catalog, or at an address, as what is taken off `dataset`, whose chunks a `ledger` books once it is given:
 * `{ path, member, catalog, name, heading, note, words, dataset, field, planMap(plan), planLine(…), readLine(plane, signal), free() }`, of which `member` is its path in
 * its store, and `catalog` that store where it is another one. Rejects where the two have no difference.
 */
export async function openAgainst(dataset, catalog, path, signal) {
  if (!isMeasured({ dataset, axes: dataset.usual })) throw refuse(path, `the items of “${dataset.name}” are no numbers that measure`);
  if (path === dataset.path) throw refuse(path, "it is the array itself");
  const opened = await openOther(dataset, catalog, path, signal).catch((error) => Promise.reject(error.name === "Error" || error.name === "Address" ? refuse(path, error.message.replace(/\.$/, "")) : error));
  const { other, member, prefix } = opened;
  let compared = {};
  try {
    signal?.throwIfAborted();
    if (opened.address && opened.address === addressIn(catalog.place, dataset.path) && !catalog.place.version) throw refuse(path, "it is the array itself");
    if (!isMeasured({ dataset: other, axes: other.usual })) throw refuse(path, "its items are no numbers that measure");
    if (!isSame(other.shape, dataset.shape)) throw refuse(path, `its shape is ${other.shape.join(" × ")}, and that of “${dataset.name}” ${dataset.shape.join(" × ")}`);
    if (!opened.catalog && !isSame(other.names, dataset.names)) throw refuse(path, `its axes are ${other.names.join(", ")}, and those of “${dataset.name}” ${dataset.names.join(", ")}`);
    if (opened.compare) compared = opened.compare();
    if (compared.problem) throw refuse(path, compared.problem);
  } catch (error) {
    opened.free();
    throw error;
  }
  // Levels of both pyramids that lie on each other.
  const pairs = dataset.sources.flatMap((source) => {
    const own = other.sources.find(({ level, shape, scale, offset }) => level === source.level && isSame([shape, scale, offset], [source.shape, source.scale, source.offset]));
    return own ? [{ source, own }] : [];
  });
  const ownOf = (source) => pairs.find((pair) => pair.source === source).own;
  const mineOf = (own) => pairs.find((pair) => pair.own === own)?.source;
  const fields = [{ ...dataset, sources: pairs.map(({ source }) => source) }, { ...dataset, sources: pairs.map(({ own }) => own) }];
  const plain = nameOf(member) || other.name;
  const name = opened.catalog ? `${plain} of ${opened.name}` : plain;
  const hasTitles = dataset.title !== other.title;
  const [title, less] = hasTitles || opened.catalog ? [dataset.title, opened.catalog ? `${hasTitles ? other.title : "that"} of ${opened.name}` : other.title] : [dataset.name, name];
  const mark = `less ${path}`;
  const [units, others] = [dataset.decoder.units, other.decoder.units];
  let booked; // the ledger's numbers of the other array's levels

  const numberOf = (own) => booked?.get(own) ?? 0;

  return {
    path: opened.address ?? path, member, catalog: opened.catalog, name, dataset: other,
    heading: `${title} less ${less}`,
    note: `Each cell less its value in “${name}”${hasTitles ? ` (${other.title})` : ""}.${units === others ? "" : ` Its unit is ${others || "not said"}, that of “${dataset.name}” ${units || "is not said"}: the difference is one of the numbers.`}${compared.note ?? ""}`,
    words: wordsFor(dataset, other),
    /** Has the chunks of the other array booked too. */
    book(ledger) {
      opened.listen?.(ledger);
      booked = new Map(bookedOf(other.sources, member).map((one, nth) => [other.sources[nth], numberIn(ledger, { ...one, path: `${prefix}${one.path}`.replace(/\/$/, "") })]));
    },
    /** The plan of a map, as `plan(field)` makes one of either array: the coarser of both, as each has to keep within its bounds. */
    planMap(plan) {
      const [mine, its] = fields.map(plan);
      const isIts = its.source.level !== mine.source.level ? its.source.level > mine.source.level : coarsenessOf(its) > coarsenessOf(mine);
      const chosen = isIts ? its : mine;
      const source = isIts ? mineOf(its.source) : mine.source;
      const own = ownOf(source);
      const { touched, along } = isIts ? touchedBy(source, its) : mine;
      const at = `${chosen.at};${mark}`;
      return {
        ...chosen, source, touched, along, at, join: "difference", less: { touched: touchedBy(own, chosen).touched, level: numberOf(own), source: own },
        pieces: chosen.pieces.map((piece) => ({ ...piece, source, at, join: "difference", less: own, key: `${piece.key};${mark}`, others: [piece.selection] })),
        selections: [chosen.selection],
      };
    },
    /** The plan of a line, as `planPlane`; by steps as wide as both arrays need. */
    planLine(index, axes, of) {
      const its = planPlane(other, index, axes, of);
      const mine = planPlane(dataset, index, axes, { ...of, least: its.shown[0].step });
      const again = mine.shown[0].step > its.shown[0].step ? planPlane(other, index, axes, { ...of, least: mine.shown[0].step }) : its;
      return { ...mine, less: { touched: again.touched, level: numberOf(other.sources[0]) } };
    },
    readLine: async (plane, reading) => joined({ join: "difference" }, await Promise.all([dataset, other].map((one) => readPlane(one, plane, reading)))),
    free: opened.free,
  };
}

/** Has the open array, whose state is `held`, drawn less the one at `path`, or itself again, by `recast`; gives what that does. Rejects where it can't be. */
export async function lessened(held, path, recast) {
  const mine = held.state;
  const turn = (mine.lessening = {});
  const isLast = () => held.state === mine && mine.lessening === turn;
  try {
    const against = path ? await openAgainst(mine.dataset, mine.catalog, path) : undefined;
    if (!isLast()) return against?.free();
    against?.book(mine.ledger);
    mine.lessProblem = undefined;
    return await recast({ against });
  } catch (error) {
    if (isLast()) throw error;
    return undefined;
  }
}
