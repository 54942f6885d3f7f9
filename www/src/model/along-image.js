// The names, places and units along the axes of an OME-Zarr image. Loaded with the first one.
import { isText } from "./image.js";

/** Units as OME-Zarr writes them, by their signs. */
const UNITS = {
  angstrom: "Å", centimeter: "cm", kilometer: "km", meter: "m", micrometer: "µm", micron: "µm", millimeter: "mm", nanometer: "nm", picometer: "pm",
  day: "d", hour: "h", microsecond: "µs", millisecond: "ms", minute: "min", nanosecond: "ns", second: "s",
};

/** What stands along an axis, as `makeAxis` takes it: names of channels, or places in a unit; undefined where nothing says more than its numbers. */
export function alongImage({ type, unit }, size, [scale, translation], channels) {
  if (type === "channel") {
    const values = Array.from({ length: size }, (_, i) => channels[i]?.label);
    return values.every(isText) ? { values, attrs: {}, isCalculated: true } : undefined;
  }
  const units = Object.hasOwn(UNITS, unit ?? "") ? UNITS[unit] : unit;
  if (!Number.isFinite(scale) || !Number.isFinite(translation) || scale === 0 || (!units && scale === 1 && translation === 0)) return undefined;
  // Twelve figures say any place, and leave out what a product adds to them.
  return { values: Array.from({ length: size }, (_, i) => Number((i * scale + translation).toPrecision(12))), attrs: { units }, isCalculated: true };
}
