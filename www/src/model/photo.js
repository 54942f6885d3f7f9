// Tells photos among arrays: three axes, one of them of red, green and blue.

const COLOURS = /^(c|ch|channels?|bands?|rgba?|samples?)$/i;
const LEAST = 16; // rows and columns of a picture; shorter axes may be anything
const [RED, GREEN, BLUE] = ["ff0000", "00ff00", "0000ff"].map((color, nth) => ({ color, label: ["red", "green", "blue"][nth], active: true }));
const OPACITY = { color: "ffffff", label: "opacity", active: false };

/**
 * The axis of colours of an array that is a photo, and what each of its positions is: `{ axis, channels }`, as OME-Zarr
 * describes channels; undefined of other arrays. Colours come last, and are bytes, where no name says what they are.
 */
export function photoOf({ shape, dtype, dimensionNames }) {
  const last = shape.length - 1;
  if (shape.length !== 3 || !/^uint(8|16)$/.test(dtype) || shape[0] < LEAST || shape[1] < LEAST || ![3, 4].includes(shape[last])) return undefined;
  const name = dimensionNames?.[last];
  const isColours = name ? COLOURS.test(name) : dtype === "uint8";
  return isColours ? { axis: last, channels: [RED, GREEN, BLUE, OPACITY].slice(0, shape[last]) } : undefined;
}
