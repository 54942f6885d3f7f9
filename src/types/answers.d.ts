/**
 * The entry point `rectilinear-zarr/answers`: statistics of what a selection picks, without an array of all its items.
 *
 * @module rectilinear-zarr/answers
 */

import type { AxisSelection, CoordinateLabels, GetOptions, LabelQuery, RectilinearArray, Region, SelOptions } from "./index.js";
import type { HealpixGrid } from "./healpix.js";

/** A statistic by its name; `q0.9` and the like are quantiles. */
export type Statistic =
  | "count"
  | "sum"
  | "mean"
  | "var"
  | "std"
  | "min"
  | "max"
  | "argmin"
  | "argmax"
  | "median"
  | "quantile"
  | "histogram"
  | `q${number}`;

/** Values along some dimensions of an array, such as what `reduce` and `get` give, with the names of the dimensions. */
export interface Labelled {
  /** The values in C order. */
  data: ArrayLike<unknown>;
  /** Length along each dimension. Default: one dimension. */
  shape?: readonly number[];
  /** Name of each dimension. */
  dimensions: readonly string[];
}

/** Labels along dimensions of an array, by which items are grouped. Items whose label is missing belong to no group. */
export interface GroupLabels {
  /** Numbers or texts, as an array of this package, as a list along `dimension`, or in C order along `dimensions`. */
  labels: RectilinearArray | Labelled | ArrayLike<unknown>;
  /** Name of the axis of the answer. Default `"group"`. */
  name?: string;
  /** Dimension of a list. Default: the only one of its length. */
  dimension?: string;
  /** Dimensions of the labels. */
  dimensions?: readonly string[];
  /** Length along each of `dimensions`. */
  shape?: readonly number[];
}

/** Progress of a reduction. */
export interface ReduceProgress<Answer> {
  /** Chunks that are done. */
  chunks: number;
  /** Chunks of this pass. */
  totalChunks: number;
  /** Stored bytes that came for them. */
  bytes: number;
  /** Number of the pass over the chunks, from 1; quantiles and histograms without a range may take several. */
  pass: number;
  /** Share of the chunks of this pass that are done, from 0 to 1. */
  share: number;
  /**
   * Makes the answer of the chunks so far, without statistics that need all of them; it costs a copy of the answer, so
   * call it as often as the page draws. Empty in passes that give no answer.
   *
   * @returns The statistics so far by their names.
   */
  answer(): Partial<Record<Statistic, Answer>> | undefined;
}

/** Options of `reduce`. */
export interface ReduceOptions {
  /** Names or numbers of the axes that are reduced. Default: those of `by`, or all. */
  over?: string | number | readonly (string | number)[];
  /** Part of the array, as `get` takes it. An axis with an integer is not part of the answer. Default: all. */
  selection?: readonly AxisSelection[] | Readonly<Record<string, AxisSelection>> | null;
  /** Part of the array by labels, as the method `sel` takes them, in place of `selection`: `{ time: "2024-02" }`. */
  sel?: LabelQuery;
  /** Label to take for one of `sel` that does not exist, as in the method `sel`. */
  method?: SelOptions["method"];
  /** Largest distance to the label that `method` finds. */
  tolerance?: SelOptions["tolerance"];
  /** Period after which an axis of `sel` closes, as in the method `sel`. */
  wrap?: SelOptions["wrap"];
  /**
   * Groups, which become one axis of the answer in place of the grouped one, sorted by their labels: a dimension and a
   * field of its dates (`"time.year"`, `month`, `season`, `quarter`, `day`, `dayofyear`, `hour`, `minute`), in every
   * calendar that `decodeTime` knows; a dimension, by the values of its coordinate; or labels.
   *
   * As in xarray, seasons are `"DJF"`, `"JJA"`, `"MAM"`, `"SON"`; December belongs to the winter of its own year, and day
   * 60 of the year is 29 February or 1 March.
   */
  by?: string | RectilinearArray | GroupLabels;
  /**
   * Weights of items: `"area"` (the variable that `cell_measures` names, else by bounds or centres of latitudes and
   * longitudes on a sphere), `"cos"` (cosine of latitude, as many scripts do), or finite numbers along some of the
   * dimensions. They apply to sum, mean, var, std and histogram.
   */
  weights?: "area" | "cos" | RectilinearArray | Labelled | ArrayLike<number>;
  /**
   * Whether NaN and not-a-time count as no item. Else they make the answer NaN or not-a-time. By default they count as none,
   * but for not-a-time in `sum`, `min`, `max`, `argmin` and `argmax`, where it spreads as in xarray.
   */
  skipna?: boolean;
  /** Number that the count is reduced by in `var` and `std`. Default 0. */
  ddof?: number;
  /** Fewest items of a cell; those with fewer are NaN, except for counts, histograms, quantiles and integers. Default 0. */
  minCount?: number;
  /** Quantiles of the statistic `"quantile"`, from 0 to 1. A list makes them an axis: the first, or with groups the last. */
  q?: number | readonly number[];
  /** Number of bins of the statistic `"histogram"`, or their edges, as numpy takes them. Default 10. */
  bins?: number | readonly number[];
  /** Lowest and highest edge of the bins. Default: the least and the greatest item, which takes a pass of its own. */
  range?: readonly [number, number];
  /**
   * Most bytes of values that quantiles hold at once, up to 1 GiB. Beyond it, and for cells of more than 65,536 items
   * each, values are counted by their leading bits in passes over the chunks (two for float32), or the answer is made
   * part by part. Default 256 MiB.
   */
  maxBytes?: number;
  /** Whether labels of the kept axes are brought along. Groups always have theirs. Default `"all"`. */
  coordinates?: "all" | "none";
  /** `"cf"` decodes items as `get` does; `false` takes them as stored. Default `"cf"`. */
  decode?: "cf" | false;
  /** Number type that items are converted to first, as in `get`. */
  as?: GetOptions["as"];
  /** Missing values, as in `get`. */
  mask?: GetOptions["mask"];
  /** Unpacking of items, as in `get`. */
  scale?: GetOptions["scale"];
  /** Name of one field of a struct. */
  fields?: string;
  /** Aborts the read, and all its requests. */
  signal?: AbortSignal;
  /** Called for chunks that are done, with the answer so far. */
  onProgress?: (progress: ReduceProgress<Answer>) => void;
}

/** A statistic of each cell: of each place along the kept axes, and of each group. */
export interface Answer {
  /**
   * Values in C order. The type follows xarray: float32 keeps its type in sum, mean, var, std, min, max and median; other
   * numbers have float64 means and int64 or uint64 sums (bigints); min and max keep the type of the items; means of
   * times are times. Counts, quantiles, bins and positions are float64. Values of cells without items are NaN, and 0 for
   * counts and sums.
   */
  data: Float64Array | Float32Array | BigInt64Array | BigUint64Array | Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array;
  /** Length along each axis. */
  shape: number[];
  /** Names of the axes. */
  dimensions: string[];
  /** Labels along axes that have any: groups, coordinates, quantiles. */
  coordinates: Record<string, ArrayLike<unknown>>;
  /** Number of items that are not missing, by cell. */
  counts: Float64Array;
  /** Edges of the bins of a histogram. */
  edges?: Float64Array;
}

/**
 * Reduces what a selection picks to a statistic of each cell. Chunks are reduced as they are decoded, in any order, and
 * the answer is the same to the bit whichever comes first; memory holds the answer and the chunks in flight.
 *
 * `argmin` and `argmax` give the position of the first such item along the reduced axis; with several reduced axes, its
 * number in C order. They are NaN in cells without items. Complex numbers have `count`, `sum`, `mean`, `var` and `std`;
 * sums and means have one more axis, `"part"`. Sums are compensated in float64 and rounded once.
 *
 * Rejects as `get` does; with SelectionError where an axis, a statistic or a group does not exist, where labels or
 * weights do not fit, and where the answer and what it is made of would take more than 1 GiB; with UnsupportedError for
 * items that are no numbers, and for the variance of times.
 *
 * @param array An opened array.
 * @param how Name of the statistic.
 * @param options Axes, groups, weights, decoding.
 * @returns The statistic of each cell.
 *
 * @example
 * const t2m = await RectilinearArray.open("https://host/model_run.zarr/t2m");
 * const mean = await reduce(t2m, "mean", { over: ["lat", "lon"], weights: "area" }); // a curve over time
 * console.log(mean.data[0], mean.coordinates.time?.[0]);
 */
export function reduce(array: RectilinearArray, how: Statistic, options?: ReduceOptions | null): Promise<Answer>;
/**
 * Reduces what a selection picks to several statistics of each cell, in one read.
 *
 * @param array An opened array.
 * @param how Names of the statistics.
 * @param options Axes, groups, weights, decoding.
 * @returns The statistics by their names.
 *
 * @example
 * const t2m = await RectilinearArray.open("https://host/model_run.zarr/t2m");
 * const { mean, std } = await reduce(t2m, ["mean", "std"], { by: "time.month" }); // twelve maps of each
 */
export function reduce<S extends Statistic>(array: RectilinearArray, how: readonly S[], options?: ReduceOptions | null): Promise<Record<S, Answer>>;

/** A statistic of a zone by its name; `q0.9` and the like are quantiles. */
export type ZoneStatistic = "count" | "sum" | "mean" | "var" | "std" | "min" | "max" | "mode" | "minority" | "variety" | "median" | `q${number}`;

/** Progress of zonal statistics. */
export interface ZonalProgress {
  /** Chunks that are done, those among them that no feature touches and that are not read. */
  chunks: number;
  /** Chunks of the selection. */
  totalChunks: number;
  /** Stored bytes that came for them. */
  bytes: number;
  /** Share of the chunks that are done, from 0 to 1. */
  share: number;
  /**
   * Makes the statistics of the chunks so far.
   *
   * @returns The statistics by their names.
   */
  answer(): Record<string, ZonalAnswer>;
}

/** Options of `zonal`. */
export interface ZonalOptions {
  /** Names of the statistics. Default `["mean"]`. */
  stats?: ZoneStatistic | readonly ZoneStatistic[];
  /**
   * Part of the array, as `get` takes it; a slice with step 1 along the axes of the grid, and any selection of cells of
   * HEALPix. Default: all.
   */
  selection?: readonly AxisSelection[] | Readonly<Record<string, AxisSelection>> | null;
  /** Part of the array by labels, as the method `sel` takes them, in place of `selection`: `{ time: "2024-02" }`. */
  sel?: LabelQuery;
  /** Label to take for one of `sel` that does not exist, as in the method `sel`. */
  method?: SelOptions["method"];
  /** Period after which an axis of `sel` closes, as in the method `sel`. */
  wrap?: SelOptions["wrap"];
  /**
   * Weights of cells, which multiply their shares: `"area"` (as in `reduce`; of cells with corners, the area between
   * these on a sphere; cells of HEALPix have one area), or numbers along one or both axes of the grid. Default: cells
   * count by their share in the grid's own coordinates.
   */
  weights?: "area" | RectilinearArray | Labelled;
  /** From longitude and latitude to the coordinates of the grid, such as `proj4(crs).forward`. */
  project?: (point: [number, number]) => readonly number[];
  /**
   * Six numbers that place a grid without coordinates, along the last two axes: `[a, b, c, d, e, f]` with the corner of a
   * cell at x = a · column + b · row + c and y = d · column + e · row + f, as in `spatial:transform` of GeoZarr. Of a
   * projection with `project`; else x and y are degrees.
   */
  transform?: readonly number[];
  /** Farthest that a projected edge may be from its true place, in the grid's units. Default: a tenth of a cell. */
  tolerance?: number;
  /** Whether an edge that is longer than 180 degrees goes the short way, across 180 degrees. Default true. */
  unwraps?: boolean;
  /** `"cf"` decodes items as `get` does; `false` takes them as stored. Default `"cf"`. */
  decode?: "cf" | false;
  /** Number type that items are converted to first, as in `get`. */
  as?: GetOptions["as"];
  /** Missing values, as in `get`. */
  mask?: GetOptions["mask"];
  /** Unpacking of items, as in `get`. */
  scale?: GetOptions["scale"];
  /** Name of one field of a struct. */
  fields?: string;
  /** Aborts the read, and all its requests. */
  signal?: AbortSignal;
  /** Called for chunks that are done. */
  onProgress?: (progress: ZonalProgress) => void;
}

/** A statistic of each feature. */
export interface ZonalAnswer {
  /** Values in C order; NaN of features without valid cells, 0 for count, sum and variety. */
  data: Float64Array;
  /** Number of features, then the length along each remaining axis. */
  shape: number[];
  /** `"feature"`, then the names of the remaining axes. */
  dimensions: string[];
  /** Ids of the features, else their numbers, and labels of the remaining axes. */
  coordinates: Record<string, ArrayLike<unknown>>;
}

/** GeoJSON: a geometry, a feature or a collection, of polygons. */
export interface GeoJson {
  /** Kind of the object. */
  type: string;
  /** Its other members. */
  [member: string]: unknown;
}

/**
 * Statistics of a grid within the polygons of a map, in one read for all of them: each cell counts by the share of its
 * area that a polygon covers. Chunks that no feature touches are not read.
 *
 * The grid is found by coordinates: latitude and longitude along an axis each, or x and y with the option `project`; cells
 * lie between their bounds, or half-way between the coordinates. The option `transform` gives the grid of an array without
 * coordinates. Else latitudes and longitudes along two axes, which the
 * attribute `coordinates` names or which lie beside the array, make a curvilinear grid of up to 2^22 cells: their corners
 * are the bounds (four vertices a cell), or the means of the four middles around them, as xarray infers them; the grid
 * goes on where middles are missing, whose cells have no share in anything. Else the metadata of the array and of those
 * beside it describe cells of HEALPix, up to level 13; where the group's attributes do, pass the grid that
 * `healpix(group, name)` gives in place of the array. The share of a cell of HEALPix, whose edges are curved, is right to
 * 10^-6. Holes subtract whatever their winding, polygons of one feature add, rings go on across 180 degrees, and rings
 * around a pole hold it. `count` is the sum of shares of cells with a value, `sum` and `mean` weigh by share, `mode`
 * has the largest share; quantiles are weighted.
 *
 * Rejects as `get` does; with SelectionError for features that are no polygons, have vertices that are no degrees, or are
 * too many (10^4 features, 10^6 vertices), which it names, and for a grid without coordinates.
 *
 * @param array An opened array with coordinates, or the HEALPix grid of one.
 * @param geojson Polygons in degrees.
 * @param options Statistics, selection, weights.
 * @returns The statistics by their names, one item a feature and place along the remaining axes.
 *
 * @example
 * const t2m = await RectilinearArray.open("https://host/model_run.zarr/t2m");
 * const box = { type: "Polygon", coordinates: [[[0, 0], [30, 0], [30, 20], [0, 20], [0, 0]]] };
 * const { mean } = await zonal(t2m, box, { stats: ["mean"] }); // a curve over time
 * console.log(mean.shape, mean.data[0]);
 */
export function zonal<S extends ZoneStatistic = "mean">(
  array: RectilinearArray | HealpixGrid,
  geojson: GeoJson,
  options?: (ZonalOptions & { stats?: S | readonly S[] }) | null,
): Promise<Record<S, ZonalAnswer>>;

/** Limits of the cost of a series; a number that is absent has its default. */
export interface SeriesBudget {
  /** Most requests for values; those for coordinates do not count. Default 512. `Infinity` is allowed. */
  requests?: number;
  /**
   * Most stored bytes of values. Default 64 MiB. `Infinity` is allowed. A batch is as large as the largest chunk so far
   * lets it be, so that chunks of very different sizes may take somewhat more; the first chunk is read in any case.
   */
  bytes?: number;
}

/** Options of `series`. */
export interface SeriesOptions {
  /** Name or number of the axis of the series. Default: the only one that the place leaves, times mostly. */
  along?: string | number;
  /** Limits of its cost. */
  budget?: SeriesBudget;
  /**
   * Label to take for one of the place that does not exist, as in the method `sel`. Default `"nearest"`. It does not apply to
   * ranges and texts.
   */
  method?: SelOptions["method"];
  /** Largest distance to the label that `method` finds, in units of the labels. Default: any. */
  tolerance?: SelOptions["tolerance"];
  /** Period after which an axis closes, as in the method `sel`. Default: 360 for longitudes. */
  wrap?: SelOptions["wrap"];
  /** Form of int64 and uint64, as in `get`. */
  int64?: GetOptions["int64"];
  /** `"cf"` decodes items as `get` does; `false` takes them as stored. Default `"cf"`. */
  decode?: "cf" | false;
  /** Number type that items are converted to first, as in `get`. */
  as?: GetOptions["as"];
  /** Missing values, as in `get`. */
  mask?: GetOptions["mask"];
  /** Unpacking of items, as in `get`. */
  scale?: GetOptions["scale"];
  /** Name of one field of a struct. */
  fields?: string;
  /** Aborts the series, and all its requests. */
  signal?: AbortSignal;
}

/** A series, as far as it is known. Each part has lists of its own, which later parts do not change. */
export interface SeriesPart {
  /**
   * The items, as `get` gives them with the same options; integers of up to 32 bits are float64. Items that are not known
   * yet are NaN, "not a time" for datetime64 and timedelta64, `undefined` in lists, and 0 for other 64-bit integers.
   */
  data: Region["data"];
  /** 1 for each item that is known, else 0; an item that is known may be missing itself. */
  known: Uint8Array;
  /** Number of items, as a list of one length. */
  shape: number[];
  /** Name of the axis of the series. */
  dimensions: string[];
  /**
   * Labels of the series, times as ISO 8601 texts, where there are any as for `sel`, and the labels that the place came to,
   * by the names of their dimensions.
   */
  coordinates: Record<string, CoordinateLabels>;
  /** Share of the items that are known, from 0 to 1. */
  share: number;
  /**
   * Requests for values so far. In sharded arrays, each chunk counts as one beside the index of its shard, though near
   * ones may come together.
   */
  requests: number;
  /** Stored bytes of the chunks so far. */
  bytes: number;
  /** Whether all items are known. */
  exact: boolean;
}

/** The cost of a whole series. */
export interface SeriesPlan {
  /** The selection that `get` takes for the whole series. */
  selection: AxisSelection[];
  /** Decoded bytes of the series. */
  bytes: number;
  /** Number of chunks: inner chunks in a sharded array. */
  chunks: number;
  /** Number of stored chunks: shards in a sharded array. */
  storedChunks: number;
  /** Requests that are known before any is made, as in `plan` of the array; absent for more than 100,000 stored chunks. */
  requests?: number;
}

/** A series at a place, which is iterated over once. Leaving the loop ends its requests. */
export interface Series extends AsyncGenerator<SeriesPart, void, undefined> {
  /**
   * Tells what the whole series would cost. Reads the coordinates of the place, and no values.
   *
   * @returns Chunks, requests and bytes.
   * @throws SelectionError as the loop does
   */
  plan(): Promise<SeriesPlan>;
}

/**
 * Reads the series at a place coarsely at first, and then ever denser, until all of it is known or the budget is spent. The
 * first part comes after one round of up to 17 chunks at equal distances, the first and the last one among them; each
 * later one halves the distances. While a batch takes long, it yields four times a second what came so far. A chunk is
 * read once, and items that are known are exact.
 *
 * Where the host takes many requests on one connection (HTTP/2 and 3, as the browser tells, or else as the throughput
 * shows), up to four times as many are in flight as the option `concurrency` of `open` says, up to 128, until the
 * series ends.
 *
 * The loop throws as `get` does; SelectionError for a place that leaves no axis or several, for a range with steps, and
 * for more than 2^26 items.
 *
 * @param array An opened array.
 * @param place Labels by dimension, as the method `sel` takes them, or a list of indices with `null` for the axis that
 * stays. A range of labels along that axis reads a part of it. Axes of length 1 need none.
 * @param options Budget, look-up, decoding.
 * @returns The series, to be iterated over.
 *
 * @example
 * const t2m = await RectilinearArray.open("https://host/model_run.zarr/t2m");
 * for await (const { data, coordinates, share, exact } of series(t2m, { lat: 12.3, lon: -45.6 })) {
 *   console.log(`${Math.round(100 * share)} %`, exact, data[0], coordinates["time"]);
 * }
 */
export function series(array: RectilinearArray, place: LabelQuery | readonly AxisSelection[], options?: SeriesOptions | null): Series;
