/** Copies items into another order of axes. */

/**
 * Items of a box in C order of the view's axes.
 *
 * @template {{ length: number, constructor: any }} Items
 * @param {Items} data items in C order of the array's axes
 * @param {number[]} shape shape of the box along the array's axes
 * @param {number[]} order axis of the array for each axis of the view
 * @param {number} each elements of an item
 * @returns {Items}
 */
export function reordered(data, shape, order, each) {
  const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((items, edge) => items * edge, each));
  const [edges, steps] = [shape, strides].map((values) => order.map((axis) => values[axis]));
  const [edge, step] = [edges.pop() ?? 1, steps.pop() ?? 1];
  const found = new data.constructor(data.length);
  const place = new Array(edges.length).fill(0);
  let from = 0;
  for (let to = 0; to < found.length; ) {
    for (let nth = 0; nth < edge; nth++) {
      const item = from + nth * step;
      for (let element = 0; element < each; element++) found[to++] = data[item + element];
    }
    for (let axis = edges.length - 1; axis >= 0; axis--) {
      from += steps[axis];
      if (++place[axis] < edges[axis]) break;
      from -= edges[axis] * steps[axis];
      place[axis] = 0;
    }
  }
  return found;
}
