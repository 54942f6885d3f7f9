// Opens what the user asks for, from an address, the history or the link, and keeps the link true.
import { loadColours } from "../model/colormap.js";
import { catalogAddress, placesOf, webAddress } from "../model/source.js";
import { channelsLink } from "../reading/channels.js";
import { describeNothing } from "../view/heading.js";
import { $, say, view } from "./elements.js";
import { EMBEDDED, SOLSTICE, home } from "./embedded.js";
import { dropLink, enterHistory, flushLink, isAddressed, readHash, writeHash } from "./hash.js";
import { linkOf, linkedStore, linkedVersion } from "./link.js";

/** `chart(point, axis)` draws the line through a cell. */
export function createVisits({ explorer, parts, player, look, chart }) {
  let asked; // the opening by an address that was last begun, until it worked
  let restoring = 0; // openings of what a link says that are under way
  let left; // what is open until then: the address is no longer its
  const remember = () => explorer.state !== left && writeHash(linkOf(explorer.state, look, parts.history.beside()));

  /** Runs what opens something; where it worked, the history gets an entry, so that Back returns to what was open before. Gives whether it worked. */
  async function visit(work) {
    flushLink();
    asked = undefined;
    home.list(false);
    const before = location.href;
    player.stop();
    parts.banner.hide();
    view.setAttribute("aria-busy", "true");
    say("Opening.");
    const worked = await work();
    flushLink();
    if (worked) enterHistory(before);
    return worked;
  }

  async function openAddress(address, options = {}) {
    if (!address) {
      history.pushState(null, "", location.pathname + location.search); // that of a catalog's list
      return restore();
    }
    asked = { address, options };
    const { beside } = look;
    let url;
    try {
      url = webAddress(address);
    } catch (error) {
      view.setAttribute("aria-busy", "false");
      if (!explorer.catalog) describeNothing(home.url);
      return parts.banner.show(error, Boolean(explorer.state));
    }
    look.beside = options.beside;
    const { stac: listed, ...shown } = options;
    const stac = catalogAddress(listed);
    const find = async (signal) => (await placesOf(url, signal, options.version)).map((place) => (stac ? { ...place, stac } : place));
    const worked = await explorer.open(find, { ...shown, index: options.index ?? (url === EMBEDDED ? SOLSTICE : undefined) });
    if (worked) asked = undefined;
    else look.beside ??= beside; // of what may still be open
    return worked && pick();
  }

  /** What an opening takes to show an array as it is shown; nothing where none is open. */
  function asShown(state) {
    const linked = state ? linkOf(state, look) : {};
    return { ...linked, range: state?.userRange, channels: state && channelsLink(state), reference: linked.minus };
  }

  /** Draws the lines through the cells that a link names. */
  async function pick() {
    const { pins } = explorer.state ?? {};
    if (pins) await chart(pins.point, pins);
    return true;
  }

  /** Opens what the link says. */
  async function restore() {
    dropLink();
    if (home.list(!isAddressed())) {
      player.stop();
      explorer.close();
      parts.banner.hide();
      $("url").value = "";
      return view.setAttribute("aria-busy", "false");
    }
    const { url = home.url, stac, version, beside, index, axes, view: at, point, point2, along, span, minus, less, channels, range, each, scale, histogram, colourMap, chunks, coast, graticule, projection, columns, over, basemap } = readHash();
    Object.assign(look, { colourMap, scale, each: each ?? false, histogram: histogram ?? false, chunks: chunks ?? false, coast: coast ?? true, graticule: graticule ?? false, projection, columns, over, basemap });
    if (colourMap) loadColours(colourMap)?.catch(() => undefined); // beside all else that the picture takes
    $("url").value = URL.parse?.(url, document.baseURI)?.href ?? url;
    player.stop();
    view.setAttribute("aria-busy", "true");
    restoring++;
    left = explorer.state;
    const opened = openAddress(url, { stac, version, beside, index, axes, range, view: at, reference: minus, less, channels, point, point2, along, spans: span && [span.slice(0, 2), span.slice(2, 4)] });
    return opened.finally(() => --restoring || (left = undefined));
  }

  return {
    remember,
    visit,
    openAddress,

    /** Opens another version of the repository that is open, where the user stands. */
    openVersion: (version) => visit(async () => {
      const { state, catalog } = explorer;
      const path = state?.dataset.path ?? "";
      return (await explorer.open(async () => [{ ...catalog.place, version, path }], { ...asShown(state), path })) && pick();
    }),

    /** Opens the array anew, where the user stands. */
    anew: async () => (await explorer.openMember(explorer.state.dataset.path, asShown(explorer.state))) && pick(),

    /** Opens once more what a host refused with an error: an address, a member, or what is open. */
    again(error, kept) {
      const { address = kept ? error.key : undefined, options } = asked ?? {};
      return visit(() => (address === undefined ? restore() : openAddress(address, options)));
    },

    /** Writes the link at once, for what the user does one by one; steps may come by the hundred. */
    rememberNow() {
      remember();
      flushLink();
    },

    /** The link of a store without an array. */
    rememberStore: (catalog) => writeHash({ ...linkedStore(catalog, ""), version: linkedVersion(catalog) }),

    restore,
  };
}
