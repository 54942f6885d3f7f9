// The look that a catalog gives the page: its colours in the light and in the dark, letters, corners and logo, as the variables of the style sheets. Loaded with the first catalog that has one.
import { el } from "../dom.js";
import { check, fault, resolved } from "./document.js";

/** Colours of the page's own, which a theme may leave as they are. */
const OWN = {
  light: { paper: "#f8f7f4", sheet: "#ffffff", ink: "#1c1b19", soft: "#625f58", line: "#dcd8d0", accent: "#0b6b73", "on-accent": "#ffffff", "accent-tint": "#c9e0e0", held: "#a9cfcf", bad: "#9d2a1c", "bad-tint": "#fbe9e5", second: "#a8480b" },
  dark: { paper: "#141517", sheet: "#1c1e21", ink: "#ebeae7", soft: "#a3a29d", line: "#34373b", accent: "#58c3c6", "on-accent": "#0d1f20", "accent-tint": "#21494c", held: "#2b5f62", bad: "#ff9a8a", "bad-tint": "#3a1f1b", second: "#f2a65a" },
};
/** Colours that lie on each other, and how they have to differ at least: texts by 4.5, lines by 3, as WCAG 2 asks for. */
const PAIRS = [
  ...["paper", "sheet", "accent-tint", "held", "bad-tint"].map((ground) => ["ink", ground, 4.5]),
  ...["paper", "sheet"].flatMap((ground) => [["soft", ground, 4.5], ["accent", ground, 4.5], ["second", ground, 3]]),
  ["on-accent", "accent", 4.5], ["bad", "bad-tint", 4.5],
];
const TINTS = { "accent-tint": 0.22, held: 0.38 }; // parts of the accent in what lies on the sheet
const MOST_RADIUS = 16; // pixels

const isObject = (v) => typeof v === "object" && v !== null && !Array.isArray(v);
const isLetters = (v) => typeof v === "string" && /^[\p{L}\p{N} _"',.-]+$/u.test(v) && (v.match(/["']/g)?.length ?? 0) % 2 === 0;
const GENERIC = /^(serif|sans-serif|monospace|cursive|fantasy|math|emoji|system-ui|ui-(serif|sans-serif|monospace|rounded))$/;

/** The name of one kind of letters without quotes, and such names as a style sheet takes them. */
const bare = (name) => name.replace(/["']/g, "").trim();
const lettersOf = (names) => names?.split(",").map(bare).filter(Boolean).map((name) => (GENERIC.test(name) ? name : JSON.stringify(name))).join(", ");

const isWeight = (v) => /^[1-9]\d{0,2}( [1-9]\d{0,2})?$/.test(String(v));

const COLOUR = [(v) => typeof v === "string" && /^#[0-9a-f]{6}$/i.test(v), "write a colour as #rrggbb"];
const LETTERS = [isLetters, "write names of letters with commas between them, such as “Inter, sans-serif”"];
const ADDRESS = [(v) => typeof v === "string" && v.trim() !== "", "write an address as a text; it may be relative to the catalog"];
const COLOURS = Object.fromEntries(Object.keys(OWN.light).map((name) => [name, COLOUR]));
const OF_THEME = {
  light: [isObject, "write an object of colours"],
  dark: [isObject, "write an object of colours"],
  sans: LETTERS,
  mono: LETTERS,
  radius: [(v) => Number.isFinite(v) && v >= 0 && v <= MOST_RADIUS, `write a number of pixels from 0 to ${MOST_RADIUS}`],
  fonts: [(v) => Array.isArray(v) && v.length > 0 && v.length <= 12 && v.every(isObject), "write a list of 1 to 12 fonts, each an object"],
};
const OF_FONT = {
  family: LETTERS,
  url: ADDRESS,
  weight: [isWeight, "write a number such as 600, or two of a font that varies, such as “100 900”"],
};

const partsOf = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
const colourOf = (parts) => `#${parts.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;

/** So much of a colour over another one. */
const mixed = (colour, ground, part) => colourOf(partsOf(colour).map((v, i) => v * part + partsOf(ground)[i] * (1 - part)));

function luminance(colour) {
  const [red, green, blue] = partsOf(colour).map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colours by WCAG 2, from 1 to 21. */
export function contrast(a, b) {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

/** The colours of one side that a theme gives, with those that follow from its accent; checks that they can be told apart. */
function coloursOf(given, side) {
  const at = `/theme/${side}`;
  const named = Object.fromEntries(Object.entries(given).filter(([name]) => name !== "logo"));
  check(named, COLOURS, at);
  const all = { ...OWN[side], ...Object.fromEntries(Object.entries(named).filter(([name]) => name in COLOURS)) };
  if (named.accent) {
    for (const [name, part] of Object.entries(TINTS)) all[name] = named[name] ?? mixed(named.accent, all.sheet, part);
    all["on-accent"] = named["on-accent"] ?? (contrast("#ffffff", named.accent) >= contrast("#000000", named.accent) ? "#ffffff" : "#000000");
  }
  for (const [a, b, least] of PAIRS) {
    const found = contrast(all[a], all[b]);
    if (found >= least) continue;
    const name = a in named ? a : b in named ? b : "accent";
    throw fault(`${at}/${name}`, `“${a}” and “${b}” differ by ${Math.floor(found * 100) / 100} : 1, and have to by ${least} : 1 at least, for people to read the page; ${all[a]} lies on ${all[b]}`);
  }
  return all;
}

/**
 * The theme of a catalog at `base`: `{ css, logo, fonts }`, of which `css` sets the variables, `logo` is the address of that for the dark,
 * and `fonts` are `{ family, url, weight }`. Throws an error that names the place at fault.
 */
export function themeOf(theme, base) {
  check(theme, OF_THEME, "/theme");
  const sides = Object.keys(OWN).filter((side) => theme[side]).map((side) => [side, coloursOf(theme[side], side)]);
  const fonts = (theme.fonts ?? []).map((font, i) => {
    const at = `/theme/fonts/${i}`;
    for (const name of ["family", "url"]) check(font, OF_FONT, at, name);
    return { family: bare(font.family), url: resolved(font.url, base, `${at}/url`).href, weight: String(font.weight ?? 400) };
  });
  for (const [side, { logo }] of Object.entries(theme).filter(([name]) => name in OWN)) {
    if (logo !== undefined && (side === "light" || !ADDRESS[0](logo))) throw fault(`/theme/${side}/logo`, side === "light" ? "that of the catalog is for the light; write one for the dark here" : ADDRESS[1]);
  }
  const declared = (variables) => Object.entries(variables).filter(([, v]) => v !== undefined).map(([name, v]) => `--${name}:${v};`).join("");
  const blocks = sides.map(([side, colours]) => `@media ${side === "dark" ? "" : "not "}(prefers-color-scheme: dark){:root{${declared(colours)}}}`);
  // The letters of a page that has fetched its own are set by `.lettered`.
  const others = declared({ sans: lettersOf(theme.sans), mono: lettersOf(theme.mono), radius: theme.radius === undefined ? undefined : `${theme.radius}px` });
  return { css: `${others ? `:root,.lettered{${others}}` : ""}${blocks.join("")}`, logo: resolved(theme.dark?.logo, base, "/theme/dark/logo")?.href, fonts };
}

/** Gives the page the look of a theme; gives what puts its logo for the dark beside the page's. */
export function wear(theme, base) {
  const { css, logo, fonts } = themeOf(theme, base);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [sheet]; // in place of the colours that the page's head took from it
  for (const { family, url, weight } of fonts) document.fonts.add(new FontFace(family, `url(${JSON.stringify(url)})`, { weight, display: "swap" }));
  return () => {
    const usual = document.querySelector(".brand .logo");
    if (!logo || !usual) return;
    const picture = el("picture", {}, el("source", { srcset: logo, media: "(prefers-color-scheme: dark)" }));
    usual.replaceWith(picture);
    picture.append(usual);
  };
}
