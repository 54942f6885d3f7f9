/** Scenes of OME-Zarr: images in one group, and how their coordinate systems relate. */

import type { Group } from "./group.js";
import type { LevelSystem, LevelTransform, SystemName } from "./level.js";
import type { Levels } from "./levels.js";
import type { OpenOptions } from "./open-options.js";
import type { Source } from "./source.js";

/** A scene of OME-Zarr 0.6: a group of images whose coordinate systems are related by transformations. */
export interface Scene {
  /** Coordinate systems: those of the scene, the first of which is its usual view, then those of its images with `path`. */
  readonly systems: LevelSystem[];
  /** Paths of the images that the scene's transformations relate. */
  readonly images: string[];
  /**
   * Gives the way from one coordinate system to another, by the fewest transformations of the scene and of its images,
   * inverted where they lead back.
   *
   * @param from The system to begin in: a name for one of the scene, a name and a path for one of an image.
   * @param to The other system.
   * @returns The matrix, and a function for points.
   * @throws RangeError if there is no such system
   * @throws InvalidMetadataError if a transformation is not valid; `path` is the JSON pointer to it
   * @throws UnsupportedError if no transformation leads there, if one is a field (`displacements`, `coordinates`), has a scale or
   * a translation in an array, or has no inverse
   */
  transform(from: SystemName, to: SystemName): LevelTransform;
  /**
   * Opens the levels of an image. Their `systems` are also those of the scene and of its other images, so that `levels.in`
   * places the image among the others.
   *
   * @param path The path of the image, one of `images`.
   * @param options The variable, and a signal.
   * @returns The levels; free them like others.
   * @throws RangeError if the scene has no such image
   * @throws NotFoundError, InvalidMetadataError, UnsupportedError or StoreError as for `Levels.open`
   */
  levels(path: string, options?: { variable?: string; signal?: AbortSignal }): Promise<Levels>;
  /**
   * Frees the scene's group. Levels that were opened stay.
   *
   * @returns Nothing.
   * @throws FreedError if the scene was freed before
   */
  free(): void;
  /**
   * Does what `free` does, at the end of a `using` block.
   *
   * @returns Nothing.
   * @throws FreedError if the scene was freed before
   */
  [Symbol.dispose](): void;
}

/**
 * Opens a scene of OME-Zarr 0.6: reads its systems and those of its images, of consolidated metadata without a request,
 * else by one document for each image.
 *
 * @param source The scene's group, which may be freed afterwards, or the group's URL or store.
 * @param options Options of `Group.open`, for URLs and stores.
 * @returns The scene.
 * @throws NotFoundError if there is no group, or no scene in its attributes
 * @throws InvalidMetadataError if it has more than 64 images
 * @throws StoreError if the store or host fails
 *
 * @example
 * const microscope = await scene("https://host/scene.ome.zarr");
 * const levels = await microscope.levels("fluorescence");
 * const placed = levels.in("stage"); // a system of the scene
 * const { matrix } = microscope.transform({ name: "physical", path: "fluorescence" }, { name: "physical", path: "electrons" });
 */
export function scene(source: Source | Group, options?: OpenOptions): Promise<Scene>;
