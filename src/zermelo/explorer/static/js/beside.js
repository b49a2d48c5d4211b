// The board beside a tree, a proof or a record: it shows where the reader is, and the way there.

import { stoneOf } from "./board.js";
import { Refusal, latest, post } from "./api.js";
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
    status.replaceChildren(...stoneOf(seen), seen.status);
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
