// A box that takes a game in any notation: pasted, typed or dropped.

import { post, told } from "./api.js";
import { h } from "./dom.js";

const MOST = 900000; // letters: a request may hold 1 MB

/** The box; onReading(reading) is called with what was read, after a choice where there are several. */
export function recordBox(context, onReading) {
  const text = h("textarea", { rows: 4, spellcheck: "false", "aria-label": "A game in any notation", placeholder: "4453 2 … or d4 c3 …, an SGF, PGN, OBF or GGF record, or drop a file here" });
  const found = h("div", { class: "readings", role: "status" });
  const box = h("details", { class: "card drop-card", open: true }, h("summary", {}, "Paste or drop a game"),
    h("form", { onsubmit: (event) => { event.preventDefault(); read(text.value); } }, text, h("p", { class: "row" }, h("button", { type: "submit", class: "primary" }, "Read it"))), found);

  async function read(given) {
    found.replaceChildren();
    if (!given.trim()) return;
    const answer = await told(post("/recognise", { text: given.slice(0, MOST) }, context.signal));
    if (!answer) return;
    const games = answer.readings.filter((reading) => reading.record || reading.place.moves?.length);
    if (games.length === 1) return onReading(games[0]);
    if (!games.length) {
      found.replaceChildren(h("p", { class: "refusal" }, answer.readings.length ? "This is a position, not a game: it has no moves." : refusal(answer)));
      return;
    }
    found.replaceChildren(h("p", {}, "This can be read in several ways. Which is meant?"),
      h("ul", { class: "row" }, ...games.map((reading) => h("li", {}, h("button", { type: "button", onclick: () => onReading(reading) }, `${reading.place.game}: ${reading.words || reading.notation}`)))));
  }

  document.addEventListener("dragover", (event) => { event.preventDefault(); box.classList.add("over"); }, { signal: context.signal });
  document.addEventListener("dragleave", () => box.classList.remove("over"), { signal: context.signal });
  document.addEventListener("drop", async (event) => {
    event.preventDefault();
    box.classList.remove("over");
    const file = event.dataTransfer.files[0];
    box.open = true;
    text.value = file ? await file.text() : event.dataTransfer.getData("text");
    read(text.value);
  }, { signal: context.signal });
  return box;
}

const refusal = (answer) => (answer.refused?.length === 1 ? answer.refused[0].error : "No game reads this as a record.");
