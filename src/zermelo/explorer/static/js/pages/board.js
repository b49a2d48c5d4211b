// The board page: a position, the value of every move, the line.

import { stoneOf } from "../board.js";
import { latest, post, Refusal, told } from "../api.js";
import { count, h, icon, iconButton, KEY_WORDS, seconds } from "../dom.js";
import { announce, toast } from "../messages.js";
import { takeAnything } from "../drop.js";
import { drawLine, previews } from "../line.js";
import { after, key, sameOrigin, toQuery } from "../place.js";
import { RUNNING, solved } from "../session.js";
import { badgeText, best, isSettled, labelOf } from "../values.js";
import { answerOf, sorted, valuesOf, Worth } from "../worth.js";
import { gameTitle, LETTERS, moveWords } from "../titles.js";

export async function show(main, place, context) {
  const page = new BoardPage(main, context);
  await page.open(place);
  return { update: (next) => page.go(next), keys: page.keys() };
}

class BoardPage {
  constructor(main, context) {
    Object.assign(this, { main, context, place: null, board: null, moves_: [], boards: new Map(), players: [false, false] });
    this.ask = latest((place) => this.fetch(place));
    try { this.concealed = localStorage.getItem("zermelo-hidden") === "yes"; } catch { this.concealed = false; }
    this.worth = new Worth(() => this.changed(), context.extras.goal === "score" ? "score" : "shortest");
    context.signal.addEventListener("abort", () => this.worth.close());
  }

  async open(place) {
    const about = place ? null : await this.context.about();
    const first = place || { game: about.own_game?.name || about.own_game || "connect-four", parameters: {}, position: "start", moves: [] };
    this.place = first;
    await this.fetch(first);
    this.layout();
    takeAnything(this.context, () => this.place);
    await this.go(first);
  }

  /** To the page of searches: `session` is "new" where one is to begin at once. */
  solve(session = "new") {
    const { search, goal } = this.context.extras;
    return this.context.navigate("/live", this.place, { extras: { search, goal, session } });
  }

  layout() {
    this.element = h("zm-board", {});
    this.element.addEventListener("zm-move", ({ detail }) => this.play(detail.move));
    this.preview = previews(this.element, (place) => this.fetch(place));
    this.element.addEventListener("zm-square", ({ detail }) => this.editor?.put(detail.square));
    this.status = h("p", { class: "status" });
    this.noSpot = h("div", { class: "row loose" });
    this.strip = h("ol", { class: "strip", "aria-label": "Moves played" });
    this.editBox = h("div", {});
    this.answer = h("div", { class: "answer" });
    this.lineBox = h("div", {});
    this.look = h("div", { class: "look" }, h("span", {}), h("button", { type: "button", class: "link" }));
    this.list = h("div", { class: "moves" });
    const search = h("section", { class: "card row", "aria-label": "Search" },
      h("button", { type: "button", class: "primary", onclick: () => this.solve() }, icon("play"), "Solve"),
      h("button", { type: "button", onclick: () => this.solve(null) }, "Choose a search, goal, limits…"));
    this.tools = h("section", { class: "card", "aria-label": "Position" });
    this.buttons = Object.fromEntries(this.actions().filter(([name]) => name).map(([name, key_, words, run]) => [name, iconButton(name, words, run, KEY_WORDS[key_] || key_)]));
    for (const name of ["flip", "eye", "edit"]) this.buttons[name].setAttribute("aria-pressed", false);
    this.main.append(h("div", { class: "board-page" },
      h("div", { class: "board-side" }, h("h1", { class: "unseen" }, "Board"), this.element, this.status, this.noSpot,
        h("div", { class: "bar-buttons", role: "toolbar", "aria-label": "Board" }, Object.values(this.buttons)), this.editBox, this.strip),
      h("div", { class: "sides" }, h("section", { class: "card", "aria-label": "Answer" }, this.answer, this.lineBox, this.look, this.list), search, this.tools)));
  }

  /** What buttons and keys do: [icon of the button or null, key, words, run]. */
  actions() {
    return [
      ["first", "Home", "First position", () => this.to(0)], ["previous", "ArrowLeft", "Undo", () => this.undo()],
      ["next", "ArrowRight", "Redo", () => this.redo()], ["last", "End", "Last position", () => this.to(this.moves_.length)],
      ["light", " ", "Play the best move", () => this.playBest()], ["flip", "f", "Flip the board", () => this.flip()],
      ["eye", "h", "Hide the values", () => this.hide()], ["edit", "e", "Edit the position", () => this.edit()],
      [null, "l", "Look longer", () => this.worth.longer(this.board)], [null, "s", "Solve", () => this.solve()], [null, "Backspace", null, () => this.undo()],
    ];
  }

  keys() { return Object.fromEntries(this.actions().map(([, key_, words, run]) => [key_, { words, run }])); }

  async fetch(place) {
    const name = key(place);
    if (!this.boards.has(name)) {
      this.boards.set(name, post("/board", { place }));
      this.boards.get(name).catch(() => this.boards.delete(name));
      if (this.boards.size > 80) this.boards.delete(this.boards.keys().next().value);
    }
    return this.boards.get(name);
  }

  /** Shows a place: the one of the URL. */
  async go(place) {
    this.pending = false;
    if (!place) return this.context.navigate("/board", this.place, { replace: true });
    let board;
    try {
      board = await this.ask(place);
    } catch (error) {
      if (!this.board || !(error instanceof Refusal)) throw error;
      toast(error.message, "refusal");
      announce(error.message);
      return this.context.navigate("/board", this.place, { replace: true });
    }
    if (!board) return null;
    this.boards.set(key(board.place), Promise.resolve(board));
    const last = this.board;
    const same = last && sameOrigin(last.place, board.place);
    const played = board.place.moves;
    if (!same || played.some((move, i) => this.moves_[i] !== move)) this.moves_ = played;
    this.board = board;
    this.place = board.place;
    if (key(place) !== key(board.place)) history.replaceState(history.state, "", `/board${toQuery(board.place)}`);
    this.context.setPlace(board.place);
    this.context.title(`${gameTitle(board.place.game)}: ${board.status}`);
    this.element.board = board;
    if (last && !same) { this.editor?.close(); this.toolsFor = null; }
    this.drawPosition();
    this.worth.go(board, !this.concealed || this.players[board.mover]);
    this.changed();
    return board;
  }

  play(move) {
    if (!this.board.moves.some((each) => each.move === move)) return null;
    return this.context.navigate("/board", after(this.place, move), { state: { step: true } });
  }

  undo() {
    const n = this.place.moves.length;
    if (!n || this.pending) return;
    let target = n - 1;
    if (this.players.some(Boolean)) while (target > 0 && this.players[this.board.played[target]?.player]) target -= 1;
    if (target === n - 1 && history.state?.step) { this.pending = true; history.back(); } else this.to(target);
  }

  redo() { if (this.moves_.length > this.place.moves.length) this.play(this.moves_[this.place.moves.length]); }

  to(n) { if (n !== this.place.moves.length) this.context.navigate("/board", { ...this.place, moves: this.moves_.slice(0, n) }); }

  playBest() {
    const found = best(this.values().filter((value) => value.value !== "unknown")) || best(this.values());
    if (found) this.play(found.move);
    else toast(this.board.outcome ? "The game is over." : "Nothing is known about the moves yet.");
  }

  flip() { this.element.flipped = !this.element.flipped; this.buttons.flip.setAttribute("aria-pressed", this.element.flipped); }

  hide(to = !this.concealed) {
    this.concealed = to;
    try { localStorage.setItem("zermelo-hidden", to ? "yes" : "no"); } catch { /* a private window */ }
    if (!to) this.worth.go(this.board, true);
    this.changed();
    announce(to ? "Values are hidden." : "Values are shown.");
  }

  async edit() {
    if (this.editor) return this.editor.close();
    const { Editor } = await import("../editor.js");
    this.editor = new Editor(this, this.editBox);
    return null;
  }

  /** What is known of the moves here: by the look at them, and by a search that was watched. */
  values() {
    const known = new Map(valuesOf(this.board, solved.get(key(this.board.place))).map((value) => [value.move, value]));
    for (const value of this.worth.values) if (value.value !== "unknown" || !known.has(value.move)) known.set(value.move, value);
    return [...known.values()];
  }

  changed() {
    if (!this.board) return;
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.drawValues());
    if (this.players[this.board.mover] && !this.board.outcome) this.machine();
  }

  drawPosition() {
    const { board, buttons } = this;
    const n = this.place.moves.length;
    const said = this.machineSaid || "";
    this.machineSaid = null;
    this.status.replaceChildren(...stoneOf(board), h("b", {}, board.status), h("span", { class: "soft" }, said && ` ${said}`));
    announce(`${said} ${board.status}`);
    for (const name of ["first", "previous"]) buttons[name].disabled = !n;
    for (const name of ["next", "last"]) buttons[name].disabled = n >= this.moves_.length;
    buttons.edit.hidden = !board.can_edit;
    buttons.flip.hidden = !this.element.svg;
    this.strip.replaceChildren(...this.moves_.map((move, i) => h("li", {}, h("button", { type: "button", class: `step ${i >= n ? "ahead" : ""}`,
      "aria-current": i === n - 1 ? "step" : null, "aria-label": `After move ${i + 1}, ${move}`, onclick: () => this.to(i + 1) }, move))));
    this.strip.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
    if (this.toolsFor !== board.place.game) {
      this.toolsFor = board.place.game;
      import("../tools.js").then(({ drawTools }) => { this.updateTools = drawTools(this.tools, this); });
    } else this.updateTools?.();
  }

  drawValues() {
    const { board, worth } = this;
    const values = this.values();
    this.element.hidden = this.concealed;
    this.element.values = values;
    this.buttons.eye.setAttribute("aria-pressed", this.concealed);
    const answer = answerOf(board, values);
    const found = solved.get(key(board.place));
    if (found?.value === "draw") Object.assign(answer, { value: "draw", sure: true, words: `A draw: ${moveWords(board, found.move)}` });
    const shown = this.concealed && !board.outcome ? { value: null, words: "Values are hidden.", sure: true } : answer;
    const words = shown.words || (worth.state === "failed" ? "Not known." : "Looking…");
    if (this.said !== words + key(board.place) && shown.value && shown.value !== "unknown") { this.said = words + key(board.place); announce(words); }
    this.answer.replaceChildren(...[shown.value && h("span", { class: `chip big ${shown.value}${shown.sure || shown.value === "unknown" ? "" : " concluded"}`, "aria-hidden": "true" },
      LETTERS[shown.value]), h("div", {}, h("b", { class: "words" }, words),
      shown.value && shown.value !== "unknown" && h("span", { class: "small soft" }, shown.sure ? "proved" : "concluded, not proved"))].filter(Boolean));
    drawLine(this.lineBox, this.place, this.concealed || board.outcome ? [] : answer.line || [], this.preview,
      (there, end) => { this.moves_ = end.moves; this.context.navigate("/board", there); });
    this.drawLook(values);
    this.drawList(this.concealed ? [] : values);
  }

  /** How far the look at the moves is, and what can be done about it. */
  drawLook(values) {
    const { worth, board } = this;
    const { state } = worth;
    const now = worth.current?.now;
    const [words, button] = this.look.children;
    this.look.hidden = board.outcome || this.concealed;
    const settled = values.filter(isSettled).length;
    const used = now?.progress || now?.result;
    const error = worth.current?.error || (state === "failed" ? now.error : null);
    words.className = `small ${error ? "refusal" : "soft"}`;
    words.textContent = error || (state === "compiling" ? "Compiling this game, once…" : !state ? "" : `${settled} of ${board.moves.length} moves settled${
      used?.nodes ? ` · ${count(used.nodes)} nodes in ${seconds(used.seconds || 0)}` : ""}${RUNNING.has(worth.current.deeper?.now.state) ? " · measuring lengths…" : ""}`);
    const [text, run] = worth.running ? ["Stop", () => worth.halt()] : error ? ["Go on", () => worth.begin(board)] : !state ? ["Look", () => worth.begin(board)]
      : settled < board.moves.length || worth.unmeasured ? ["Look longer", () => worth.longer(board)] : ["", null];
    if (button.textContent !== text) button.textContent = text;
    button.hidden = !text;
    button.onclick = run;
  }

  drawList(values) {
    const { board } = this;
    const known = new Map(values.map((value) => [value.move, value]));
    const loose = board.moves.filter((move) => !move.spots?.length && !(move.from && this.element.svg));
    const row = (move) => { const value = known.get(move); return h("button", { type: "button", class: "move", "data-list-move": move,
      "aria-label": `Play ${moveWords(board, move)}${value ? `, ${labelOf(value)}` : ""}`, onclick: () => this.play(move) },
    h("span", {}, move), value && h("span", { class: `chip ${value.value}${value.proved || value.value === "unknown" ? "" : " concluded"}` }, badgeText(value) || "?")); };
    const rows = [...sorted(values).map((value) => value.move), ...board.moves.map(({ move }) => move).filter((move) => !known.has(move))];
    const text = JSON.stringify([rows, values.map((value) => [value.move, badgeText(value), value.proved]), this.concealed]) + key(board.place);
    if (text === this.listed) return;
    this.listed = text;
    const focused = document.activeElement?.dataset?.listMove;
    this.noSpot.replaceChildren(...(loose.length < board.moves.length ? loose.map(({ move }) => row(move)) : [])); // such as pass or swap
    this.list.replaceChildren(...rows.map((move) => row(move)));
    if (focused) this.list.querySelector(`[data-list-move="${CSS.escape(focused)}"]`)?.focus();
  }

  /** Plays for the machine once enough is known: a best proved move, else a guess. */
  machine() {
    const { board, worth } = this;
    const won = worth.values.some((value) => value.proved && value.value === "win");
    if (!worth.current || (worth.running && !won) || this.thinking === key(board.place)) return;
    this.thinking = key(board.place);
    setTimeout(() => { // a shorter win may show in the meantime
      if (this.thinking !== key(this.board.place) || !this.players[this.board.mover]) return;
      this.thinking = null;
      const { found, sure } = chosen(board, worth.values);
      const move = found?.move ?? board.moves[0].move;
      this.machineSaid = `${board.to_move} plays ${moveWords(board, move)}: ${sure ? `${labelOf(found)}, proved.` : "a guess; nothing better is proved yet."}`;
      this.play(move);
    }, worth.running ? 1000 : 350);
  }

  setPlayer(player, machine) {
    this.players[player] = machine;
    if (machine && !this.concealed) this.hide(true);
    this.worth.go(this.board, !this.concealed || this.players[this.board.mover]);
  }
}

/** The move of the perfect player: a best one if that is proved, else the most hopeful of those that are not lost. */
function chosen(board, values) {
  const proved = values.filter((value) => value.proved && value.value !== "unknown");
  const found = best(proved);
  if (found && (found.value === "win" || proved.filter(isSettled).length === board.moves.length)) return { found, sure: true };
  return { found: best(values.filter((value) => !(value.proved && value.value === "loss"))) || best(values), sure: false };
}
