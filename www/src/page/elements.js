// The elements of the document that the page writes to.

export const $ = (id) => document.getElementById(id);

/** The main element, which says whether the page is busy and where the picture stands. */
export const view = $("view");

/** Says a text to readers of screens. */
export const say = (text) => ($("status").textContent = text);

/** Shows or hides what belongs to an open array, whose facts are shown once they are written. */
export function showArray(isOpen) {
  for (const id of ["stage", "side"]) $(id).hidden = !isOpen;
  $("about").hidden = true;
}
