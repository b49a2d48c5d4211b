// Whatever is pasted or dropped: a position, a game, a certificate. Says what it was taken for, and asks where two readings fit.

import { post, told } from "./api.js";
import { h, icon } from "./dom.js";
import { hand } from "./handed.js";
import { announce, toast } from "./messages.js";
import { gameTitle } from "./titles.js";

const MAGIC = /^(zermelo|ZERMELO|\x89ZMP|PK|\x1f\x8b)/;
const LARGEST = 900000;

async function isCertificate(file) {
  if (/\.(proof|cert|zproof)$/i.test(file.name)) return true;
  const head = new Uint8Array(await file.slice(0, 64).arrayBuffer());
  return head.includes(0) || (MAGIC.test(String.fromCharCode(...head)) && !/\.(txt|sgf|pgn|obf|csv)$/i.test(file.name));
}

/** Opens a file: a certificate on the proof page, else as a text. */
export async function openFile(file, context, place = null) {
  if (await isCertificate(file)) {
    hand({ file });
    return context.navigate("/proof");
  }
  if (file.size > LARGEST) return toast(`${file.name} is too large to be read as a position or a game.`, "refusal");
  return openText(await file.text(), context, place);
}

/** Opens a text on the board; `place` is where the user is now, asked first. */
export async function openText(text, context, place = null) {
  const trimmed = text.trim();
  if (!trimmed) return null;
  const link = asLink(trimmed);
  if (link) return context.go(link);
  const found = await told(post("/recognise", { text: trimmed, ...(place ? { game: place.game, parameters: place.parameters } : {}) }));
  if (!found) return null;
  if (!found.readings.length && place) return openText(text, context, null);
  if (!found.readings.length) {
    const words = found.refused?.[0]?.error || "No game reads this as a position.";
    toast(words, "refusal");
    return announce(words);
  }
  return found.readings.length === 1 ? open(found.readings[0], context) : choose(found.readings, context);
}

/** A link to a page of the explorer, wherever it ran. */
function asLink(text) {
  if (!/^https?:\/\/\S+$/.test(text)) return null;
  const url = new URL(text);
  return /^\/(board|tree|replay|compare|record)?$/.test(url.pathname) && url.searchParams.has("game") ? (url.pathname === "/" ? "/board" : url.pathname) + url.search : null;
}

function open(reading, context) {
  const words = `Read as ${reading.words || reading.notation}.`;
  const annotate = reading.record && reading.place.moves?.length > 1
    ? { words: "Where did it turn?", run: () => context.navigate("/record", reading.place) } : null;
  toast(words, "note", annotate);
  announce(words);
  return context.navigate("/board", reading.place);
}

async function choose(readings, context) {
  await context.styles("start");
  const dialog = h("dialog", { class: "readings", "aria-labelledby": "readings-title" },
    h("div", { class: "row spread" }, h("h2", { id: "readings-title" }, "This can be read in more than one way"),
      h("button", { type: "button", class: "icon-button", "aria-label": "Close", onclick: () => dialog.close() }, icon("close"))),
    h("ul", { class: "tiles" }, readings.map((reading) => h("li", {}, h("button", { type: "button", class: "tile",
      onclick: () => { dialog.close(); open(reading, context); } },
    picture(reading.picture, ""), h("b", {}, gameTitle(reading.place.game)), h("span", { class: "soft small" }, reading.words || reading.notation))))));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** An svg text as a picture that can't run or load anything. */
export function picture(svg, words) {
  if (!svg) return h("span", { class: "picture none", "aria-hidden": "true" }, "?");
  return h("img", { class: "picture", alt: words, loading: "lazy", src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}` });
}

/** A box to paste into, with a button to open a file. */
export function pasteBox(context, place = () => null, rows = 3) {
  const box = h("textarea", { rows, spellcheck: "false", autocomplete: "off", "aria-label": "A position or a game in any notation",
    placeholder: "Paste a position or a game: moves, a board, FEN, SGF, OBF, a link…" });
  const file = h("input", { type: "file", class: "unseen", tabindex: -1, "aria-hidden": "true", "aria-label": "A file",
    onchange: () => { if (file.files[0]) openFile(file.files[0], context, place()); file.value = ""; } });
  const run = () => openText(box.value, context, place());
  box.addEventListener("keydown", (event) => { if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); run(); } });
  box.addEventListener("paste", () => setTimeout(run, 0));
  return h("form", { class: "paste", onsubmit: (event) => { event.preventDefault(); run(); } }, box,
    h("div", { class: "row" }, h("button", { type: "submit", class: "primary" }, "Open"),
      h("button", { type: "button", onclick: () => file.click() }, "A file…"), file,
      h("span", { class: "soft small" }, "or drop it anywhere")));
}
