// The help overlay: what values look like, and the keys of a page.

import { h, icon, KEY_WORDS } from "./dom.js";
import { LETTERS } from "./titles.js";

/** Shows the overlay with a page's keys; `closed` is called when it is closed. */
export function showHelp(all, closed) {
  const dialog = document.getElementById("help-dialog");
  const keys = Object.entries(all).filter(([, key]) => key.words);
  dialog.replaceChildren(
    h("div", { class: "row spread" }, h("h2", { id: "help-title" }, "Help"),
      h("button", { type: "button", class: "icon-button", "aria-label": "Close", onclick: () => dialog.close() }, icon("close"))),
    h("p", {}, "Zermelo proves who wins. Each move wears what it is worth to the player who makes it:"),
    h("ul", { class: "legend" },
      ...[["win", "wins, by force; a number is the length in moves"], ["draw", "draws"], ["loss", "loses"],
        ["not-win", "does not win; whether it draws was not asked"], ["unknown", "not known yet; its numbers say how near a proof is"]]
        .map(([value, words]) => h("li", {}, h("span", { class: `chip ${value}` }, LETTERS[value]), words))),
    h("p", {}, "A value is ", h("b", {}, "proved"), " when it follows from finished games alone. With a broken rim it is only ",
      h("b", {}, "concluded"), ", within a precision, and can be false."),
    h("h3", {}, "Keys"),
    h("dl", { class: "keys" }, ...[...keys.map(([key, { words }]) => [KEY_WORDS[key] || key, words[0].toLowerCase() + words.slice(1)]),
      ["t", "light or dark"], ["?", "this help"]].flatMap(([key, words]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, words)])),
    h("p", { class: "soft" }, "On the board, tab goes to the moves, the arrows walk over them, enter plays, escape leaves. ",
      "Everything runs on this machine; nothing is sent elsewhere."),
  );
  if (closed) dialog.addEventListener("close", closed, { once: true });
  if (!dialog.open) dialog.showModal();
}
