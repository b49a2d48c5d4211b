// Messages on the page, and the live region that screen readers read out.

import { h, icon } from "./dom.js";

/** Says something to screen readers. */
export function announce(words) {
  const live = document.getElementById("live");
  if (live.textContent === words) live.textContent = "";
  requestAnimationFrame(() => { live.textContent = words; });
}

/** A message for some seconds. `kind`: "refusal" stays longer. `action`: {words, run}. */
export function toast(words, kind = "note", action = null) {
  const box = document.getElementById("toasts");
  for (const old of [...box.children].filter((each) => each.dataset.words === words)) old.remove();
  const close = () => message.remove();
  const message = h("div", { class: `toast ${kind}`, "data-words": words },
    h("span", {}, words),
    action && h("button", { type: "button", class: "link", onclick: () => { close(); action.run(); } }, action.words),
    h("button", { type: "button", class: "icon-button", "aria-label": "Close this message", onclick: close }, icon("close")));
  box.append(message);
  while (box.children.length > 3) box.firstChild.remove();
  setTimeout(close, kind === "refusal" ? 12000 : 4000);
  return close;
}
