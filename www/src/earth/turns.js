// Turns and enlarges a map that is drawn in a projection of the Earth; what draws it is loaded with the first.
import { drawnOn } from "./degrees.js";

/** `current()` gives what a figure shows, `projectionNow()` the projection that may not be drawn yet, and `onLook(view, projection)` hears of another one. */
export function createTurns({ current, projectionNow, onLook }) {
  let module;
  let loading;
  let drawing;

  const go = (projection) => onLook(module.viewIn(current().place, projection), projection);

  return {
    /** A place of a picture, in the projection that its look asks for, once that is loaded: `again()` hears then. Others stay as they are. */
    placed(place, dataset, plane, { projection }, again) {
      const earth = projection && plane.isMap ? drawnOn(dataset, plane) : undefined;
      if (!earth?.isStraight) return place;
      if (module) return module.placedIn(place, dataset, earth, projection);
      // A page that is offline by then draws the map as it is stored.
      loading ??= import("./projections/warp.js").then((loaded) => ((module = loaded), again()), () => (loading = undefined));
      return place;
    },
    /** What draws a map in a projection, of which `again()` hears that it has to be drawn anew. */
    drawing: (plot, sheet, again) => (drawing ??= module.createWarp(plot, sheet, again)),
    hide: () => drawing?.hide(),
    drop: (piece) => drawing?.drop(piece),
    isOn: () => Boolean(current()?.place.warp),
    zoomNow: () => projectionNow().zoom ?? 1,
    /** A map is drawn in a projection for the first time: where its view is another than the grid has, that is read. */
    begin(view) {
      const wanted = module.viewIn(current().place, projectionNow());
      const isSame = Math.abs(wanted.zoom - view.zoom) < 1e-3 * view.zoom && wanted.centre.every((at, i) => Math.abs(at - view.centre[i]) < 0.5);
      if (!isSame) setTimeout(() => current()?.place.warp && go(projectionNow()));
    },
    zoom: (factor, at) => go(module.zoomedTo(projectionNow(), factor, at)),
    move: (by) => go(module.movedTo(projectionNow(), by)),
    whole: () => go({ kind: projectionNow().kind }),
  };
}
