// For pages that need a position.

import { h } from "./dom.js";

const EXAMPLES = [["Tic-tac-toe", "game=tic-tac-toe"], ["Connect Four, 5 x 4", "game=connect-four&columns=5&rows=4"], ["Hex, 3 x 3", "game=hex&size=3"], ["A random tree", "game=p-game&depth=8"]];

/** What to do where a page needs a position and has none: take one elsewhere, or a small example. */
export function noPlace(words, path) {
  return h("div", { class: "page narrow" }, h("h1", {}, words),
    h("p", {}, "Choose a position: ", h("a", { href: "/" }, "take a game or paste a position at the start"), ", or begin with a small one."),
    h("ul", { class: "row" }, ...EXAMPLES.map(([name, query]) => h("li", {}, h("a", { class: "button", href: `${path}?${query}` }, name)))));
}
