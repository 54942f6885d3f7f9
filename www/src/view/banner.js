// Says an error in words above the page: the package's name for it and its message, which tells what to try.
import { el } from "../dom.js";
import { count, plural } from "../model/format.js";

const HEADINGS = {
  Address: "That address can't be read.",
  Catalog: "The page's catalog can't be used.",
  NotFoundError: "Nothing is there.",
  StoreError: "The data could not be fetched.",
  InvalidMetadataError: "The metadata are not what Zarr asks for.",
  UnsupportedError: "This can't be read yet.",
  CodecError: "A chunk could not be decoded.",
};

/** What a picture lacks. */
const flawOf = (faults, all) => `${count(faults.length)} of ${plural(all, "chunk")} of this picture could not be read; the others are drawn.`;

/** `onHide()` hears where the error is taken away. */
export function createBanner(root, onHide) {
  let isFlaw = false; // whether what is said is of chunks of the picture

  function hide() {
    root.hidden = true;
    onHide();
  }

  /** Says an error, and `after` it what is left. */
  function say(error, after) {
    isFlaw = false;
    root.replaceChildren(el("p", {}, el("b", {}, HEADINGS[error.name] ?? "Something went wrong."), ` ${error.name === "Address" || error.name === "Catalog" ? "" : `${error.name ?? "Error"}: `}${error.message ?? String(error)}`),
      after ? el("span", { class: "kept" }, after) : "",
      el("button", { type: "button", class: "quiet", onclick: hide }, "Dismiss"));
    root.hidden = false;
  }

  return {
    hide,
    /** `kept` is true where something is still open behind the error. */
    show: (error, kept) => say(error, kept ? "What was open before is still here." : ""),
    /** Says the failures of chunks of a picture of so many; where there are none, those of the picture before go. */
    flaw(faults, all) {
      if (!faults?.length) return isFlaw && hide();
      say(faults[0], flawOf(faults, all));
      isFlaw = true;
      return true;
    },
  };
}
