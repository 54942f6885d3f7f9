// Says an error in words above the page: the package's name for it and its message, which tells what to try.
import { el } from "../dom.js";

export function createBanner(root) {
  const hide = () => (root.hidden = true);
  return {
    hide,
    /** `kept` is true where something is still open behind the error. */
    show(error, kept) {
      root.replaceChildren(el("p", {}, el("b", {}, `${error.name ?? "Error"}:`), " ", error.message ?? String(error)),
        kept ? el("span", { class: "kept" }, "What was open before is still here.") : "",
        el("button", { type: "button", class: "quiet", onclick: hide }, "Dismiss"));
      root.hidden = false;
    },
  };
}
