// Says what one path of a source is: an array, a group, or nothing that can be read.
import { Group, RectilinearArray } from "rectilinear-zarr";
import { described } from "../model/catalog.js";
import { accessTo } from "../private/keep.js";

/** Whether nothing is there, which buckets that may not be listed call forbidden. */
const isAbsence = ({ name, status }) => name === "NotFoundError" || status === 403;

/** The entry of a node; one that can't be read says why, and `absent` where nothing is there. */
export async function look(source, path, { signal }) {
  const options = { signal, ...(await accessTo(source)) };
  try {
    const array = await RectilinearArray.open(source, { ...options, path });
    const entry = described(path, array);
    array.free();
    return entry;
  } catch (error) {
    signal?.throwIfAborted();
    let group;
    try {
      group = await Group.open(source, { ...options, path });
    } catch (other) {
      signal?.throwIfAborted();
      return { path, kind: "array", attrs: {}, error: error.message, absent: isAbsence(error) && isAbsence(other) };
    }
    const { attrs } = group;
    const members = group.tree()?.map((entry) => ({ ...entry, path: path ? `${path}/${entry.path}` : entry.path }));
    group.free();
    return { path, kind: "group", attrs, members };
  }
}

/** The entry of a group in one that is open, which is asked for as a group alone. */
export async function lookIn(group, path, { signal }) {
  try {
    const found = await group.group(path, { signal });
    const { attrs } = found;
    found.free();
    return { path, kind: "group", attrs };
  } catch (error) {
    signal?.throwIfAborted();
    return { path, kind: "group", attrs: {}, error: error.message, absent: true };
  }
}
