// Says how wide a picture is for its height, so that what is round on the ground is round on the screen.

const ACROSS = /^(x|rlon|easting|projection_x_coordinate|grid_longitude)$/i;
const LONGEST = 8; // times the other side; a longer picture would be a line
const STRETCHED = [0.8, 3]; // what such a picture is stretched to
const REGION = 90; // degrees of latitude; of more no one parallel is the right one
const IN_DEGREES = /^(EPSG:4326|EPSG:4258|EPSG:4269|OGC:CRS84)$/i;
const METRES = { m: 1, metre: 1, metres: 1, meter: 1, meters: 1, km: 1000, kilometre: 1000, kilometres: 1000, kilometer: 1000, kilometers: 1000 };

const hasNumbers = ({ coordinate }) => typeof coordinate?.values[0] === "number" && coordinate.values.length > 1 && !coordinate.labels;

const pitches = new WeakMap(); // by the coordinate of an axis

/** The mean distance between neighbours; longitudes may pass 360. */
function pitchOf({ kind, coordinate }) {
  if (pitches.has(coordinate)) return pitches.get(coordinate);
  const { values } = coordinate;
  let sum = 0;
  for (let i = 1; i < values.length; i++) {
    const by = values[i] - values[i - 1];
    sum += Math.abs(kind === "lon" ? by - 360 * Math.round(by / 360) : by);
  }
  pitches.set(coordinate, sum / (values.length - 1));
  return pitches.get(coordinate);
}

/** How much narrower a degree of longitude is than one of latitude, in the middle of a region. */
const narrowing = (from, to) => (Math.abs(to - from) <= REGION ? Math.max(0.1, Math.cos((((from + to) / 2) * Math.PI) / 180)) : 1);

/** Lengths of a cell across and down in one unit; undefined where nothing says them. */
function cellOf({ georeference, usual }, [across, down], height) {
  if (hasNumbers(across) && hasNumbers(down)) {
    const cell = [across, down].map(pitchOf);
    const { values } = down.coordinate;
    if (across.kind === "lon" && down.kind === "lat") return [cell[0] * narrowing(values[0], values.at(-1)), cell[1]];
    const isFlat = down.kind === "up" && [across.name, across.coordinate.attrs.standard_name].some((name) => ACROSS.test(name ?? ""));
    const units = [across, down].map(({ coordinate: { attrs } }) => attrs.units);
    const metres = units.map((unit) => (Object.hasOwn(METRES, unit ?? "") ? METRES[unit] : undefined));
    if (isFlat && !metres.includes(undefined)) return cell.map((pitch, i) => pitch * metres[i]);
    const isImage = across.coordinate.isCalculated && down.coordinate.isCalculated;
    return (isFlat || isImage) && units[0] === units[1] ? cell : undefined;
  }
  const { crs, transform } = georeference ?? {};
  if (!transform || transform[1] || transform[3] || String(usual) !== String([down.axis, across.axis])) return undefined;
  const [wide, , , , high, top] = transform;
  return [Math.abs(wide) * (IN_DEGREES.test(crs?.code ?? "") ? narrowing(top, top + high * height) : 1), Math.abs(high)];
}

/**
 * Width over height of a picture of `dataset` with `width` by `height` cells along the axes `drawn`, `[down, across]`:
 * that of the ground where lengths are known, else of the cells where both axes may be lengths.
 */
export function aspectOf(dataset, drawn, width, height) {
  const [down, across] = drawn.map((axis) => ({ ...dataset.axes[axis], axis }));
  const apart = [across, down].some(({ kind }) => kind === "time" || kind === "text") || (across.kind === "index") !== (down.kind === "index");
  if (apart) return 2;
  const [wide, high] = cellOf(dataset, [across, down], height) ?? [1, 1];
  const aspect = (width * wide) / (height * high);
  if (aspect >= 1 / LONGEST && aspect <= LONGEST) return aspect;
  return STRETCHED[aspect > 1 ? 1 : 0];
}
