// Asks for a token or keys where a host refuses, and says what is sent while anything is.
import "../style/access.css";
import { el } from "../dom.js";
import { linkTo } from "../embed/embed.js";
import { isEmbedded } from "../embed/mode.js";
import { keep, keptFor } from "./keep.js";
import { bareToken, headersOf, keysOf } from "./parse.js";
import { serviceOf } from "./services.js";

const isPlain = (origin) => origin.startsWith("http:") && !/^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(origin);

/** Inputs for the keys that a host takes, which browsers neither keep nor show. */
const keyFields = (origin) => {
  const field = (name, label, type = "password") => ({ label, input: el("input", { name, type, autocomplete: "off", spellcheck: "false" }) });
  if (serviceOf(origin) === "azure") return [field("sas", "Shared access signature ")];
  return [field("accessKeyId", "Access key id ", "text"), field("secretAccessKey", "Secret access key "), field("sessionToken", "Session token, if any "), field("region", "Region, if any ", "text")];
};

/** What is sent, in words without a secret. */
function saidOf({ headers, keys }) {
  if (headers) return `carry your ${headers.map(([name]) => name).join(", ")}`;
  if (keys.token) return "carry your token";
  return keys.sas ? "carry your shared access signature" : "are signed with your access key";
}

/** `again(error, chunks)` opens what was refused once more; `reopen()` what the link says; `say(text)` speaks to screen readers. */
export function createAccess({ again, reopen, say }) {
  const root = el("section", { id: "access", class: "access", "aria-label": "Private data", hidden: true });
  document.getElementById("error").after(root);

  /** Says in a frame, whose reader may not trust the page around it with a token, where one can be given. */
  function refer(origin, { status = 404 }) {
    root.replaceChildren(el("p", {}, el("b", {}, new URL(origin).host), ` answers ${status}: it may want a token or keys, which a frame does not ask for. `,
      el("a", { href: linkTo(), target: "_blank", rel: "noopener" }, "Open full")));
    root.hidden = false;
  }

  /** Puts a box for a token below the error. */
  function ask(origin, error, chunks) {
    const token = el("input", { id: "token", type: "password", autocomplete: "off", spellcheck: "false" });
    const lines = el("textarea", { id: "headers", rows: 2, spellcheck: "false", autocomplete: "off", placeholder: "X-Api-Key: …" });
    const keys = keyFields(origin);
    const wrong = el("p", { class: "wrong", role: "alert" });
    const send = (event) => {
      event.preventDefault();
      let kept;
      try {
        const given = keysOf(Object.fromEntries(keys.map(({ input }) => [input.name, input.value])));
        const headers = given ? undefined : headersOf(token.value, lines.value);
        // Azure takes a token with a header of its own beside it.
        const isForAzure = headers?.length === 1 && token.value.trim() !== "" && serviceOf(origin) === "azure";
        kept = given || isForAzure ? { keys: given ?? { token: bareToken(token.value) } } : { headers };
      } catch ({ message }) {
        wrong.textContent = message;
        return;
      }
      keep(origin, kept);
      root.hidden = true;
      say("Opening.");
      again(error, chunks);
    };
    const form = el("form", { onsubmit: send, autocomplete: "off" },
      el("p", {}, el("b", {}, new URL(origin).host), ` answers ${error.status ?? 404}: it may want a token, or keys. What you give is sent to ${origin} alone, and kept in this tab until it is closed.`,
        isPlain(origin) ? " This address is not encrypted (http://): others on the way can read a token." : ""),
      el("div", { class: "fields" },
        el("label", { for: "token" }, "Token", el("small", {}, " (Authorization: Bearer)")), token,
        el("details", {}, el("summary", {}, "Keys of a bucket"), el("div", { class: "fields" }, keys.map(({ label, input }) => el("label", {}, label, input)))),
        el("details", {}, el("summary", {}, "Other headers"), el("label", { for: "headers" }, "Header lines"), lines),
        el("button", {}, "Open with this")),
      wrong);
    root.replaceChildren(form);
    root.hidden = false;
  }

  /** Says what goes to an origin, with a button that forgets it. */
  function show(origin) {
    const kept = keptFor(origin);
    root.hidden = !kept;
    if (!kept) return;
    const forget = () => {
      keep(origin, undefined);
      root.hidden = true;
      say("Forgotten.");
      reopen();
    };
    root.replaceChildren(el("p", {}, `Requests to ${origin} ${saidOf(kept)} while this tab is open. `,
      el("button", { type: "button", class: "quiet", onclick: forget }, "Forget")));
  }

  return {
    ask: isEmbedded ? refer : ask, show,
    hide() {
      root.hidden = true;
    },
  };
}
