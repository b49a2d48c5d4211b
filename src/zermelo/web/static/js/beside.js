// The board beside a tree, a proof or a record: it shows where the reader is, and the way there.

import "./board.js";
import { Refusal, latest, once, post } from "./api.js";
import { h } from "./dom.js";
import { toQuery } from "./place.js";

/** A panel with a board: go(place, from) shows a place, whose moves from number `from` on are the way
 * that was walked; onMove(move) hears of clicks on the board, onStep(n) of clicks on the way. */
export function boardBeside({ onMove, onStep, label = "Board" }) {
  const board = h("zm-board", {});
  const status = h("p", { class: "beside-status", role: "status" });
  const way = h("ol", { class: "way", "aria-label": "The moves played" });
  const link = h("a", { class: "button small", href: "/board" }, "Open on the board page");
  const element = h("section", { class: "card beside", "aria-label": label }, board, status, way, h("p", { class: "row" }, link));
  if (onMove) board.addEventListener("zm-move", (event) => onMove(event.detail.move));
  const ask = latest((place) => post("/board", { place }));
  const panel = { element, board, place: null, go };

  async function go(place, from = 0) {
    panel.place = place;
    let seen = null;
    try {
      seen = await ask(place);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      status.textContent = error.message;
      return null;
    }
    if (!seen) return null;
    panel.seen = seen;
    board.board = seen;
    status.textContent = seen.status;
    link.href = "/board" + toQuery(place);
    way.replaceChildren(...place.moves.slice(from).map((move, k) => h("li", {},
      h("button", { type: "button", class: "link", "aria-current": from + k + 1 === place.moves.length ? "step" : null,
        onclick: () => onStep?.(from + k + 1) }, move))));
    if (onStep && place.moves.length > from) {
      way.prepend(h("li", {}, h("button", { type: "button", class: "link", onclick: () => onStep(from) }, "root")));
    }
    return seen;
  }
  return panel;
}

/** The game of a place, as the list of games has it. */
export const gameOf = async (place) => (await once("/games")).find((game) => game.name === place?.game);

const EXAMPLES = [["Tic-tac-toe", "game=tic-tac-toe"], ["Connect Four, 5 x 4", "game=connect-four&columns=5&rows=4"], ["Hex, 3 x 3", "game=hex&size=3"], ["A random tree", "game=p-game&depth=8"]];

/** What to do where a page needs a position and has none: take one elsewhere, or a small example. */
export function noPlace(words, path) {
  return h("div", { class: "page narrow" }, h("h1", {}, words),
    h("p", {}, "Choose a position: ", h("a", { href: "/" }, "take a game or paste a position at the start"), ", or begin with a small one."),
    h("ul", { class: "row" }, ...EXAMPLES.map(([name, query]) => h("li", {}, h("a", { class: "button", href: `${path}?${query}` }, name)))));
}

/** A style sheet that only some pages need: css/NAME.css. */
export function styles(name) {
  const href = `/static/css/${name}.css`;
  if (document.querySelector(`link[href="${href}"]`)) return Promise.resolve();
  return new Promise((done) => document.head.append(h("link", { rel: "stylesheet", href, onload: done, onerror: done })));
}
