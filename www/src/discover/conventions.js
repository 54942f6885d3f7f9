// The names that attributes give away: levels of pyramids, images of plates, parts of AnnData, coordinates by CF.

const ANNDATA = {
  anndata: ["X", "obs", "var", "layers", "obsm", "varm", "obsp", "varp", "uns"],
  csr_matrix: ["data", "indices", "indptr"],
  csc_matrix: ["data", "indices", "indptr"],
  categorical: ["codes", "categories"],
  "nullable-integer": ["values", "mask"],
  "nullable-boolean": ["values", "mask"],
};

const list = (value) => (Array.isArray(value) ? value : []);
const paths = (value) => list(value).map((each) => each?.path);
const words = (value) => (typeof value === "string" ? value.split(/\s+/).filter((word) => word && !word.endsWith(":")) : []);

/** Levels: of OME-NGFF and ndpyramid a list of datasets, of GeoZarr a layout or a tile matrix set. */
function levels({ multiscales }) {
  const { layout, tile_matrix_set: set } = multiscales ?? {};
  return [...list(multiscales).flatMap((each) => paths(each?.datasets)), ...list(layout).map((each) => each?.asset ?? each?.group), ...list(set?.tileMatrices).map((each) => each?.id)];
}

function images(ome) {
  return [...paths(ome.plate?.wells), ...paths(ome.well?.images), ...list(ome.series), ...list(ome.labels), ...(ome["bioformats2raw.layout"] ? ["0"] : [])];
}

function anndata(attrs) {
  const columns = attrs["encoding-type"] === "dataframe" ? [attrs._index, ...list(attrs["column-order"])] : [];
  return [...(ANNDATA[attrs["encoding-type"]] ?? []), ...columns];
}

/** Arrays that CF's attributes name beside the one that has them. */
export function neighboursIn(attrs) {
  return ["coordinates", "grid_mapping", "bounds", "climatology", "ancillary_variables", "cell_measures", "formula_terms"].flatMap((name) => words(attrs[name]));
}

/** Paths below a group that its attributes name; what is there of them, only the host can say. */
export function namesIn(attrs) {
  const ome = attrs.ome && typeof attrs.ome === "object" ? attrs.ome : attrs;
  const found = [...levels(attrs), ...levels(ome), ...images(ome), ...anndata(attrs), ...neighboursIn(attrs)];
  const isPath = (name) => typeof name === "string" && name && !/^[/.]|\.\.|:/.test(name);
  return [...new Set(found.filter(isPath).map((name) => name.replace(/\/+$/, "")))];
}
