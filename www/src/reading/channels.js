// Shows the channels of an image over each other, each in its own colour and window: OME's where the image has them.

const NAMES = /^(c|ch|channels?|bands?|rgba?|samples?)$/i;
const MOST = 16; // channels that anyone tells apart
const MOST_AT_FIRST = 6; // of an image that says that more are shown: each is as many requests as one
const FIRST = 3; // of an image that does not say which are shown
const COLOURS = ["#ff0000", "#00ff00", "#0000ff", "#ffff00", "#ff00ff", "#00ffff"];

/** The axis that an array's channels lie along, by its name or its pyramid; undefined where there is none. */
export function channelAxisOf({ kind, shape, axes, decoder, stored, channelAxis }) {
  if (stored || kind !== "numbers" || shape.length < 3 || decoder.flags || decoder.isTimes) return undefined;
  const axis = channelAxis ?? axes.findIndex(({ name }) => NAMES.test(name));
  return axis in shape && shape[axis] > 1 && shape[axis] <= MOST ? axis : undefined;
}

const isNumber = (n) => typeof n === "number" && Number.isFinite(n);

/** A channel as it is shown at first, by what OME's metadata say of it. */
function channelOf(given, nth, { axes, dtype }, axis) {
  const { label, color = "", active, inverted, window = {} } = given ?? {};
  const { start = window.min, end = window.max } = window;
  const own = isNumber(start) && isNumber(end) && start < end ? [start, end] : undefined;
  return {
    channel: nth,
    label: typeof label === "string" && label ? label : axes[axis].say(nth),
    colour: /^[0-9a-f]{6}/i.test(color) ? `#${color.slice(0, 6).toLowerCase()}` : COLOURS[nth % COLOURS.length],
    inverted: inverted === true,
    window: own ?? (dtype === "uint8" ? [0, 255] : undefined),
    on: given ? active !== false : nth < FIRST,
  };
}

const settingOf = ({ colour, window }) => `${colour};${window}`;

/** The text of a link in which the channels of an image are not drawn together. */
export const APART = "none";

/** Whether an array opens with its channels together: an image, whose metadata describe them. */
const opensTogether = ({ channels }) => Boolean(channels?.length);

/** The same channels along other axes of the array, or in another version of it; undefined where they cannot be drawn together there. */
export const sameComposite = (state, composite) => composite && createComposite(state, linkedChannels(composite));

/** The channels of an array as it opens, by what its link says of them; undefined where one is drawn alone. */
export function openedComposite(state, link) {
  if (link) return link === APART ? undefined : createComposite(state, link);
  const composite = opensTogether(state.dataset) && !state.reference ? createComposite(state) : undefined;
  composite?.channels.filter(({ on }) => on).slice(MOST_AT_FIRST).forEach((one) => (one.on = false));
  return composite;
}

/** The channels of the open array as they are shown, which the page changes, or undefined; `link` is what `linkedChannels` gave. */
export function createComposite({ dataset, axes }, link) {
  const axis = channelAxisOf(dataset);
  if (axis === undefined || axes.includes(axis) || axes.length < 2) return undefined;
  const channels = Array.from({ length: dataset.shape[axis] }, (_, nth) => channelOf(dataset.channels?.[nth], nth, dataset, axis));
  const composite = {
    axis, channels, opened: channels.map(settingOf),
    /** The numbers of the channels that are shown. */
    shown: () => channels.filter(({ on }) => on).map(({ channel }) => channel),
    /** How they look, the windows that nobody gave as `found(channel)` says. */
    looks: (found) => channels.filter(({ on }) => on).map(({ channel, label, colour, inverted, window }) => ({ channel, label, colourMap: inverted ? `${colour}-r` : colour, range: window ?? found(channel) ?? [0, 1] })),
  };
  if (link) restore(channels, link);
  if (!composite.shown().length) channels[0].on = true;
  return composite;
}

/** Text on the channels of a picture for a link; undefined where it has to say nothing. `windowOf` is as for `linkedChannels`. */
export function channelsLink({ composite, dataset, axes, reference, against }, windowOf) {
  if (composite) return linkedChannels(composite, windowOf);
  const axis = opensTogether(dataset) && !reference && !against ? channelAxisOf(dataset) : undefined;
  return axis === undefined || axes.includes(axis) ? undefined : APART;
}

/**
 * Numbers of the channels that are shown, with colour and window where they are not as they opened. `windowOf(channel)` gives
 * a window to say of one that has none of its own, where there is any.
 */
export function linkedChannels({ channels, opened }, windowOf = () => undefined) {
  const textOf = (one) => {
    const window = one.window ?? windowOf(one.channel);
    return settingOf({ ...one, window }) === opened[one.channel] ? `${one.channel}` : [one.channel, one.colour.slice(1), ...(window ?? [])].join(":");
  };
  return channels.filter(({ on }) => on).map(textOf).join(",");
}

function restore(channels, link) {
  const given = link.split(",").map((text) => /^(\d+)(?::([0-9a-f]{6}))?(?::([^:]+):([^:]+))?$/.exec(text)).filter((found) => found && found[1] in channels);
  if (!given.length) return;
  for (const each of channels) each.on = false;
  for (const [, nth, colour, low, high] of given) {
    const one = channels[nth];
    one.on = true;
    if (colour) one.colour = `#${colour}`;
    if (Number(low) < Number(high) && isFinite(high - low)) one.window = [Number(low), Number(high)];
  }
}
