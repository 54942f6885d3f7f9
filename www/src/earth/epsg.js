// Definitions for PROJ of EPSG codes that gridded data is often in, beside those that proj4 has itself (UTM and polar
// stereographic on WGS 84, Web Mercator). Checked against PROJ by tests/browser/www/earth-crs.test.mjs.

const GRS80 = "+ellps=GRS80";
const WGS84 = "+datum=WGS84";
const NAD83 = "+datum=NAD83";

/** Runs of UTM zones: first and last code, first zone, and what follows the zone. */
const ZONES = [[25828, 25838, 28, GRS80], [26901, 26923, 1, NAD83], [32601, 32660, 1, WGS84], [32701, 32760, 1, `+south ${WGS84}`]];

const CODES = {
  2056: "+proj=somerc +lat_0=46.9524055555556 +lon_0=7.43958333333333 +k_0=1 +x_0=2600000 +y_0=1200000 +ellps=bessel +towgs84=674.374,15.056,405.346,0,0,0,0",
  2154: `+proj=lcc +lat_0=46.5 +lon_0=3 +lat_1=49 +lat_2=44 +x_0=700000 +y_0=6600000 ${GRS80}`,
  2193: `+proj=tmerc +lat_0=0 +lon_0=173 +k=0.9996 +x_0=1600000 +y_0=10000000 ${GRS80}`,
  3006: `+proj=utm +zone=33 ${GRS80}`,
  3031: `+proj=stere +lat_0=-90 +lat_ts=-71 +lon_0=0 ${WGS84}`,
  3034: `+proj=lcc +lat_0=52 +lon_0=10 +lat_1=35 +lat_2=65 +x_0=4000000 +y_0=2800000 ${GRS80}`,
  3035: `+proj=laea +lat_0=52 +lon_0=10 +x_0=4321000 +y_0=3210000 ${GRS80}`,
  3067: `+proj=utm +zone=35 ${GRS80}`,
  3338: `+proj=aea +lat_0=50 +lon_0=-154 +lat_1=55 +lat_2=65 ${NAD83}`,
  3347: `+proj=lcc +lat_0=63.390675 +lon_0=-91.8666666666667 +lat_1=49 +lat_2=77 +x_0=6200000 +y_0=3000000 ${NAD83}`,
  3395: `+proj=merc +lon_0=0 +k=1 ${WGS84}`,
  3411: "+proj=stere +lat_0=90 +lat_ts=70 +lon_0=-45 +a=6378273 +b=6356889.449",
  3412: "+proj=stere +lat_0=-90 +lat_ts=-70 +lon_0=0 +a=6378273 +b=6356889.449",
  3413: `+proj=stere +lat_0=90 +lat_ts=70 +lon_0=-45 ${WGS84}`,
  3577: `+proj=aea +lat_0=0 +lon_0=132 +lat_1=-18 +lat_2=-36 ${GRS80}`,
  3976: `+proj=stere +lat_0=-90 +lat_ts=-70 +lon_0=0 ${WGS84}`,
  3978: `+proj=lcc +lat_0=49 +lon_0=-95 +lat_1=49 +lat_2=77 ${NAD83}`,
  3995: `+proj=stere +lat_0=90 +lat_ts=71 +lon_0=0 ${WGS84}`,
  3996: `+proj=stere +lat_0=90 +lat_ts=75 +lon_0=0 ${WGS84}`,
  5070: `+proj=aea +lat_0=23 +lon_0=-96 +lat_1=29.5 +lat_2=45.5 ${NAD83}`,
  6931: `+proj=laea +lat_0=90 +lon_0=0 ${WGS84}`,
  6932: `+proj=laea +lat_0=-90 +lon_0=0 ${WGS84}`,
  6933: `+proj=cea +lat_ts=30 +lon_0=0 ${WGS84}`,
  27700: "+proj=tmerc +lat_0=49 +lon_0=-2 +k=0.9996012717 +x_0=400000 +y_0=-100000 +ellps=airy +towgs84=446.448,-125.157,542.06,0.15,0.247,0.842,-20.489",
};

/** Geographic systems, whose coordinates are degrees within a metre or two of WGS 84. */
const DEGREES = [4258, 4269, 4283, 4326, 4490, 4617, 4674, 4979];

/** The definition of a code such as `"EPSG:3035"`; undefined for codes that are not here. */
export function definitionOf(code) {
  if (/^OGC:CRS84$/i.test(code)) return "+proj=longlat +datum=WGS84";
  const number = Number(/^EPSG:(\d+)$/i.exec(code)?.[1]);
  if (DEGREES.includes(number)) return "+proj=longlat +datum=WGS84";
  if (number === 3857) return "EPSG:3857";
  const zones = ZONES.find(([first, last]) => number >= first && number <= last);
  return zones ? `+proj=utm +zone=${number - zones[0] + zones[2]} ${zones[3]}` : CODES[number];
}
