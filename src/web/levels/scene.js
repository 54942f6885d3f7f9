/** Scenes of OME-Zarr 0.6: images in one group, and the transformations that relate their coordinate systems. */
import { imagesOf } from "../conventions/containers.js";
import { systemsOf, wayOf } from "../conventions/coordinate-systems.js";
import { textOf } from "../conventions/crs.js";
import { Nodes, join } from "../conventions/nodes.js";
import { withMatrices } from "../conventions/matrices.js";
import { nameOf, related, waysIn } from "../conventions/transformations.js";
import { checkOptions, given } from "../common/options.js";

/** Most images of a scene. */
const MOST_IMAGES = 64;

/** Name of a system in messages, and under which the graph has it: that of a scene, or of an image by its path. */
const keyOf = (name, path) => (path ? `${path}: ${name}` : name);

/** The first image of a group's attributes; undefined where it has none. */
function imageOf(attrs) {
  const list = attrs?.ome?.multiscales;
  return Array.isArray(list) && list[0] && typeof list[0] === "object" && Array.isArray(list[0].datasets) && list[0].datasets[0] ? list[0] : undefined;
}

class Scene {
  #group;
  #Levels;
  #graph;

  constructor(Levels, group, graph, images) {
    this.systems = graph.systems.map(({ given: system }) => system);
    this.images = images;
    [this.#Levels, this.#group, this.#graph] = [Levels, group, graph];
  }

  transform(from, to) {
    return wayOf(this.#graph, from, to);
  }

  async levels(path, options) {
    checkOptions("levels", options, "variable signal");
    if (!this.images.includes(path)) throw new RangeError(`the scene has no image ${JSON.stringify(path)}; there are: ${this.images.join(", ") || "none"}`);
    const { variable, signal } = given(options);
    const group = await this.#group.group(path, { signal });
    try {
      const { systems, between, pointer, keyOf: ofScene } = this.#graph;
      const own = new Set(systems.flatMap(({ given: system }) => (system.path === path ? [system.name] : [])));
      const others = systems.flatMap(({ given: system }) => (system.path === path ? [] : [{ ...system, path: system.path ?? "" }]));
      // A name alone is that of the image's own system, and else of the scene's.
      const inImage = (asked) => (typeof asked === "string" && own.has(asked) ? keyOf(asked, path) : ofScene(asked));
      return await this.#Levels.open(group, { variable, signal }, { systems, between, pointer, keyOf: inImage, others });
    } finally {
      group.free();
    }
  }

  free() {
    this.#group.free();
  }
}
if (Symbol.dispose) Scene.prototype[Symbol.dispose] = Scene.prototype.free;

/** Reads the systems of a scene and of its images. The group is freed with the scene, or where there is none. */
export async function openScene(Levels, group, signal) {
  try {
    const nodes = new Nodes(group, signal);
    const { attrs } = group;
    const [scene, pointer] = attrs.ome?.scene === undefined ? [attrs.scene, "/scene"] : [attrs.ome.scene, "/ome/scene"];
    if (typeof scene !== "object" || scene === null) {
      const message = `no scene of OME-Zarr is found: the group ${JSON.stringify(group.path || "/")} has no attribute ome.scene; open an image by Levels.open`;
      throw Object.assign(new Error(message), { name: "NotFoundError", path: group.path, tried: [] });
    }
    const images = imagesOf(scene);
    const at = `${pointer}/coordinateTransformations`;
    nodes.check(images.length <= MOST_IMAGES, "", at, `more than ${MOST_IMAGES} images`);
    const found = await nodes.groupsAt(images);
    const { systems: own } = systemsOf(scene, { coordinateTransformations: undefined });
    /** @type {{ name: string, axes: any[], given: { name: string, axes: any[], from: string, path?: string } }[]} */
    const systems = own.map((system) => ({ name: system.name, axes: system.axes, given: { ...system, from: "the scene" } }));
    const check = (isRight, place, reason) => nodes.check(isRight, "", place, reason);
    const ways = waysIn(await withMatrices(nodes, scene.coordinateTransformations, at), at, check, (side) => keyOf(nameOf(side) ?? "", textOf(side?.path)));
    for (const { path, attrs: its } of found) {
      const image = imageOf(its);
      if (!image) continue;
      for (const system of systemsOf(image, image.datasets[0]).systems) systems.push({ name: keyOf(system.name, path), axes: system.axes, given: { ...system, path } });
      const inImage = (isRight, place, reason) => nodes.check(isRight, path, place, reason);
      const endOf = (side) => keyOf(nameOf(side) ?? "", textOf(side?.path) ? join(path, side.path) : path);
      const place = "/ome/multiscales/0/coordinateTransformations";
      ways.push(...waysIn(await withMatrices(nodes, image.coordinateTransformations, place, path), place, inImage, endOf));
    }
    const between = (from, to) => related(systems, ways, at, check).between(from, to);
    const named = (asked) => (typeof asked === "string" ? asked : keyOf(textOf(asked?.name) ?? "", textOf(asked?.path)));
    return new Scene(Levels, group, { systems, between, pointer: at, keyOf: named }, images);
  } catch (error) {
    group.free();
    throw error;
  }
}
