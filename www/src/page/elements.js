// The elements of the document that the page writes to.

export const $ = (id) => document.getElementById(id);

/** The main element, which says whether the page is busy and where the picture stands. */
export const view = $("view");

/** Says a text to readers of screens. */
export const say = (text) => ($("status").textContent = text);

/** Shows or hides all that belongs to an open array, or only the `parts` with these ids. */
export function showArray(isOpen, parts = ["stage", "side", "about"]) {
  for (const id of parts) $(id).hidden = !isOpen;
}
