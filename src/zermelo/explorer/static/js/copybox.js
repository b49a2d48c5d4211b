// A text with a button that copies it.

import { copyText, h, icon } from "./dom.js";
import { toast } from "./messages.js";

/** A command (or any short text) with a button that copies it. */
export function copyBox(text, words = "Copy") {
  const code = h("code", { tabindex: 0 }, text);
  const button = h("button", { type: "button", class: "icon-button", "aria-label": words, title: words,
    onclick: async () => { await copyText(code.textContent); toast("Copied."); } }, icon("copy"));
  const box = h("div", { class: "copy-box" }, code, button);
  box.set = (next) => { code.textContent = next; };
  return box;
}
