/**
 * OME-Zarr's lists of axes in the order of a view. From version 0.5 on they are below `ome`. Up to 0.4 they are
 * attributes of their own, and the arrays do not name their dimensions: the axes do.
 */
import { orderOf } from "./options.js";

/** Images of a group's attributes; undefined where it has none. */
const imagesOf = (attrs) => [attrs.ome?.multiscales, attrs.multiscales].find(Array.isArray);

/** Names of an image's axes. Version 0.3 lists names alone. */
const namesOf = ({ axes }) => axes.map((axis) => axis?.name ?? axis);

/** Transformations of pixels with their numbers in another order. */
function moved(transformations, order) {
  return transformations?.map((one) => {
    const lists = ["scale", "translation"].filter((name) => one?.[name]?.length === order.length);
    const inner = Array.isArray(one?.transformations) && { transformations: moved(one.transformations, order) };
    return { ...one, ...inner, ...Object.fromEntries(lists.map((name) => [name, order.map((axis) => one[name][axis])])) };
  });
}

function movedImage(image, dimensions) {
  const order = Array.isArray(image?.axes) && orderOf(dimensions, { dimensionNames: namesOf(image) });
  if (!order) return image;
  const through = (part) => (Array.isArray(part?.coordinateTransformations) ? { ...part, coordinateTransformations: moved(part.coordinateTransformations, order) } : part);
  return { ...through(image), axes: order.map((axis) => image.axes[axis]), ...(Array.isArray(image.datasets) && { datasets: image.datasets.map(through) }) };
}

/**
 * Attributes of a group with the axes of its images in the order of the view.
 *
 * @param {Record<string, any>} attrs
 * @param {string[] | undefined} dimensions checked list with one placeholder
 */
export function omeInOrder(attrs, dimensions) {
  const images = dimensions && imagesOf(attrs);
  if (!images) return attrs;
  const multiscales = images.map((image) => movedImage(image, dimensions));
  return images === attrs.multiscales ? { ...attrs, multiscales } : { ...attrs, ome: { ...attrs.ome, multiscales } };
}

/**
 * Names that an image gives to the axes of one of its arrays; undefined where the group has no such image.
 *
 * @param {Record<string, any>} attrs attributes of the group
 * @param {string} path path of the array in the group
 * @returns {string[] | undefined}
 */
export function axesInOme(attrs, path) {
  const plain = (given) => String(given ?? "").replace(/^(\.?\/)+|\/+$/g, "");
  const has = ({ axes, datasets }) => Array.isArray(axes) && Array.isArray(datasets) && datasets.some((one) => one && plain(one.path) === path);
  const image = imagesOf(attrs)?.find((one) => one && has(one));
  return image && namesOf(image);
}
