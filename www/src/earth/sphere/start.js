// Chooses the view that a map of some cells of the globe opens with: all of these, and little around them.

const MOST = 4096; // cells that tell where all of them are
const WIDEST = 300; // degrees east to west of what may lie on both sides of the map's edge, and is not zoomed to
const LEAST = 1.25; // times that a view has to be enlarged to be worth it

/**
 * The view `{ centre, zoom }` of so many cells, whose centres `at(n)` gives as `[lon, lat]`, with `room` degrees of a cell,
 * on a map of `[height, width]`; undefined where it is about the whole map.
 */
export function startOf({ count, at, room: side }, [height, width]) {
  const every = Math.ceil(count / MOST);
  const room = side * Math.sqrt(every); // of cells beside those that are looked at
  let [west, south, east, north] = [180, 90, -180, -90];
  for (let n = 0; n < count; n += every) {
    const [lon, lat] = at(n);
    const turned = lon > 180 ? lon - 360 : lon;
    [west, south, east, north] = [Math.min(west, turned), Math.min(south, lat), Math.max(east, turned), Math.max(north, lat)];
  }
  const across = east - west > WIDEST ? 360 : Math.min(360, east - west + 2 * room);
  const zoom = Math.min(360 / across, 180 / (north - south + 2 * room));
  if (!(zoom > LEAST)) return undefined;
  const middle = across === 360 ? 0 : (east + west) / 2;
  return { centre: [((90 - (north + south) / 2) / 180) * height, ((middle + 180) / 360) * width], zoom };
}
