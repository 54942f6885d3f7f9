// Asks for a token where a host refuses, and says which headers are sent while any are.
import "../style/access.css";
import { el } from "../dom.js";
import { linkTo } from "../embed/embed.js";
import { isEmbedded } from "../embed/mode.js";
import { headersFor, keepHeaders } from "./keep.js";
import { headersOf } from "./parse.js";

const isPlain = (origin) => origin.startsWith("http:") && !/^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(origin);

/** `again(error, kept)` opens what was refused once more; `reopen()` what the link says; `say(text)` speaks to screen readers. */
export function createAccess({ again, reopen, say }) {
  const root = el("section", { id: "access", class: "access", "aria-label": "Private data", hidden: true });
  document.getElementById("error").after(root);

  /** Says in a frame, whose reader may not trust the page around it with a token, where one can be given. */
  function refer(origin, { status }) {
    root.replaceChildren(el("p", {}, el("b", {}, new URL(origin).host), ` answers ${status}: it may want a token, which a frame does not ask for. `,
      el("a", { href: linkTo(), target: "_blank", rel: "noopener" }, "Open full")));
    root.hidden = false;
  }

  /** Puts a box for a token below the error. */
  function ask(origin, error, kept) {
    const token = el("input", { id: "token", type: "password", autocomplete: "off", spellcheck: "false" });
    const lines = el("textarea", { id: "headers", rows: 2, spellcheck: "false", autocomplete: "off", placeholder: "X-Api-Key: …" });
    const wrong = el("p", { class: "wrong", role: "alert" });
    const send = (event) => {
      event.preventDefault();
      let headers;
      try {
        headers = headersOf(token.value, lines.value);
      } catch ({ message }) {
        wrong.textContent = message;
        return;
      }
      keepHeaders(origin, headers);
      root.hidden = true;
      say("Opening.");
      again(error, kept);
    };
    const form = el("form", { onsubmit: send, autocomplete: "off" },
      el("p", {}, el("b", {}, new URL(origin).host), ` answers ${error.status}: it may want a token. What you give is sent to ${origin} alone, and kept in this tab until it is closed.`,
        isPlain(origin) ? " This address is not encrypted (http://): others on the way can read a token." : ""),
      el("div", { class: "fields" },
        el("label", { for: "token" }, "Token", el("small", {}, " (Authorization: Bearer)")), token,
        el("details", {}, el("summary", {}, "Other headers"), el("label", { for: "headers" }, "Header lines"), lines),
        el("button", {}, "Open with this")),
      wrong);
    root.replaceChildren(form);
    root.hidden = false;
  }

  /** Says which headers go to an origin, with a button that forgets them. */
  function show(origin) {
    const headers = headersFor(origin);
    root.hidden = !headers;
    if (!headers) return;
    const forget = () => {
      keepHeaders(origin, undefined);
      root.hidden = true;
      say("Forgotten.");
      reopen();
    };
    root.replaceChildren(el("p", {}, `Requests to ${origin} carry your ${headers.map(([name]) => name).join(", ")} while this tab is open. `,
      el("button", { type: "button", class: "quiet", onclick: forget }, "Forget")));
  }

  return {
    ask: isEmbedded ? refer : ask, show,
    hide() {
      root.hidden = true;
    },
  };
}
