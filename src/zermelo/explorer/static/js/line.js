// A line of moves: to hover, to click.

import { told } from "./api.js";
import { h } from "./dom.js";
import { after } from "./place.js";

/** Draws a line from a place into an element: preview(place), and preview(null) when it is left; go(place, line) on a click. */
export function drawLine(element, place, moves, preview, go) {
  const text = JSON.stringify([place, moves]);
  if (element.dataset.line === text) return;
  element.dataset.line = text;
  element.hidden = moves.length < 2;
  element.className = "line";
  const leave = () => preview(null);
  element.replaceChildren(h("span", { class: "small soft" }, "Line"), ...moves.map((move, i) => {
    const there = after(place, ...moves.slice(0, i + 1));
    const enter = () => preview(there);
    return h("button", { type: "button", class: "step", "aria-label": `Go to move ${i + 1} of the line, ${move}`, onmouseenter: enter, onfocus: enter,
      onmouseleave: leave, onblur: leave, onclick: () => { leave(); go(there, after(place, ...moves)); } }, move);
  }));
}

/** What shows a place on a board element for a while: preview(place), preview(null). */
export function previews(element, fetch) {
  let wanted = null;
  return async (place) => {
    wanted = place;
    const board = place && await told(fetch(place));
    if (wanted === place) element.preview = board;
  };
}
