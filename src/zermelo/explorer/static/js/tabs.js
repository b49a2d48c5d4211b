// Tabs: one row of names, arrows walk over them.

import { h } from "./dom.js";

/** tabs(label, [[id, words]], panel, onPick): `panel` is what they show; gives back {element, pick(id), current}. */
export function tabs(label, names, panel, onPick) {
  panel.id ||= `panel-${names[0][0]}`;
  panel.setAttribute("role", "tabpanel");
  const buttons = names.map(([id, words]) => h("button", { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": panel.id, onclick: () => pick(id) }, words));
  const element = h("div", { class: "tabs", role: "tablist", "aria-label": label, onkeydown: (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const next = (names.findIndex(([id]) => id === found.current) + step + names.length) % names.length;
    pick(names[next][0]);
    buttons[next].focus();
  } }, ...buttons);

  function pick(id, quiet = false) {
    found.current = id;
    buttons.forEach((button, k) => {
      button.setAttribute("aria-selected", String(names[k][0] === id));
      button.tabIndex = names[k][0] === id ? 0 : -1;
    });
    panel.setAttribute("aria-labelledby", `tab-${id}`);
    if (!quiet) onPick(id);
  }
  const found = { element, pick, current: names[0][0] };
  pick(names[0][0], true);
  return found;
}
