// The lines through cells, whose code comes with the first of them.

/** As `createSeries`, but that `show` resolves once the lines stand: to false where others were asked for meanwhile, or none. */
export function createLines(root, given) {
  let series;
  let loading;
  let turn = 0;
  return {
    get isAdding() {
      return series?.isAdding ?? false;
    },
    async show(...what) {
      const mine = ++turn;
      loading ??= import("./series.js").then(({ createSeries }) => (series = createSeries(root, given)));
      await loading.catch((error) => (loading = undefined, Promise.reject(error)));
      if (mine === turn) series.show(...what);
      return mine === turn;
    },
    mark: (index) => series?.mark(index),
    hide() {
      turn++;
      root.hidden = true;
      series?.hide();
    },
  };
}
