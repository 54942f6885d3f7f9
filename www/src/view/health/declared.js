// The conventions that attributes declare, or whose members they hold.

/** Conventions of Zarr by their UUIDs, as names and addresses differ between writers. */
const BY_UUID = {
  "d35379db-88df-4056-af3a-620245f8e347": "GeoZarr multiscales",
  "f17cb550-5864-4468-aeb7-f3180cfb622f": "GeoZarr proj",
  "689b58e2-cf7b-45e0-9fff-9cfc0883d6b4": "GeoZarr spatial",
  "7b255807-140c-42ca-97f6-7a1cfecdbc38": "DGGS",
  "b77365e5-2b0c-4141-b917-c03b7c68e935": "license",
  "3bbe438d-df37-49fe-8e2b-739296d46dfb": "uom",
};

const isObject = (v) => typeof v === "object" && v !== null && !Array.isArray(v);
const list = (v) => (Array.isArray(v) ? v : []);
const has = (attrs, prefix) => Object.keys(attrs).some((name) => name.startsWith(prefix));

/** Kinds of pyramids: by where their levels are listed. */
function pyramid({ multiscales, omero }) {
  if (isObject(multiscales)) return multiscales.tile_matrix_set ? ["GeoZarr tile matrix set"] : list(multiscales.layout).length ? ["GeoZarr multiscales"] : [];
  const [first] = list(multiscales).filter(isObject);
  if (!first) return [];
  if (first.axes || first.coordinateSystems || omero || /^0\./.test(first.version)) return [`OME-Zarr ${typeof first.version === "string" ? first.version : "0.4"}`];
  return ["ndpyramid multiscales"];
}

function ome({ ome: own, plate, well }) {
  if (isObject(own)) return [`OME-Zarr ${typeof own.version === "string" ? own.version : ""}`.trim()];
  return [plate, well].filter(isObject).map(({ version }) => `OME-Zarr ${typeof version === "string" ? version : "0.4"}`);
}

/** Names that the attribute `Conventions` lists, apart by commas or blanks: "CF-1.11 ACDD-1.3". */
const named = ({ Conventions }) => (typeof Conventions === "string" ? Conventions.split(Conventions.includes(",") ? /\s*,\s*/ : /\s+/).filter(Boolean) : []);

function declared(attrs) {
  const own = list(attrs.zarr_conventions).filter(isObject).map(({ uuid, name }) => BY_UUID[uuid] ?? (typeof name === "string" ? name : undefined));
  return own.filter(Boolean);
}

/** Conventions found in these attributes, an array's and its groups', without repetition. */
export function conventionsIn(layers) {
  const found = layers.flatMap((attrs) => [
    ...named(attrs), ...declared(attrs), ...ome(attrs), ...pyramid(attrs),
    has(attrs, "proj:") && "GeoZarr proj", has(attrs, "spatial:") && "GeoZarr spatial", isObject(attrs.dggs) && "DGGS",
    typeof attrs["encoding-type"] === "string" && "AnnData", typeof attrs.grid_mapping === "string" && "CF grid mapping", attrs._CRS && "GDAL _CRS",
  ]);
  return [...new Set(found.filter(Boolean))];
}
