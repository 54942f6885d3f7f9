// Says an error in words above the page: the package's name for it and its message, which tells what to try.
import { el } from "../dom.js";

const HEADINGS = {
  Address: "That address can't be read.",
  Catalog: "The page's catalog can't be used.",
  NotFoundError: "Nothing is there.",
  StoreError: "The data could not be fetched.",
  InvalidMetadataError: "The metadata are not what Zarr asks for.",
  UnsupportedError: "This can't be read yet.",
  CodecError: "A chunk could not be decoded.",
};

/** `onHide()` hears where the error is taken away. */
export function createBanner(root, onHide) {
  function hide() {
    root.hidden = true;
    onHide();
  }
  return {
    hide,
    /** `kept` is true where something is still open behind the error. */
    show(error, kept) {
      root.replaceChildren(el("p", {}, el("b", {}, HEADINGS[error.name] ?? "Something went wrong."), ` ${error.name === "Address" || error.name === "Catalog" ? "" : `${error.name ?? "Error"}: `}${error.message ?? String(error)}`),
        kept ? el("span", { class: "kept" }, "What was open before is still here.") : "",
        el("button", { type: "button", class: "quiet", onclick: hide }, "Dismiss"));
      root.hidden = false;
    },
  };
}
