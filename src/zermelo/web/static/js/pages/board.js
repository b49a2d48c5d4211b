// The board page: a position, the value of every move, the line, a search at work.

import "../board.js";
import { latest, once, post, Refusal, told } from "../api.js";
import { count, h, icon, iconButton, seconds } from "../dom.js";
import { announce, toast } from "../messages.js";
import { takeAnything } from "../drop.js";
import { after, key, sameOrigin, toQuery } from "../place.js";
import { RUNNING } from "../session.js";
import { badgeText, best, isSettled, labelOf, moveWords } from "../values.js";
import { answerOf, sorted, Worth } from "../worth.js";
import { gameTitle } from "../titles.js";

const SHOWN = 24; // moves in the list before "all"

export async function show(main, place, context) {
  const page = new BoardPage(main, context);
  await page.open(place);
  return { update: (next) => page.go(next), keys: page.keys() };
}

const remembered = () => { try { return sessionStorage.getItem("zermelo-solve"); } catch { return null; } };

class BoardPage {
  constructor(main, context) {
    Object.assign(this, { main, context, place: null, board: null, moves_: [], boards: new Map(), players: [false, false], all: false });
    this.ask = latest((place) => this.fetch(place));
    try { this.concealed = localStorage.getItem("zermelo-hidden") === "yes"; } catch { this.concealed = false; }
    this.worth = new Worth(() => this.changed());
    context.signal.addEventListener("abort", () => { this.worth.close(); this.live?.close(); });
  }

  async open(place) {
    const about = place ? null : await this.context.about();
    const first = place || { game: about.own_game?.name || about.own_game || "connect-four", parameters: {}, position: "start", moves: [] };
    this.place = first;
    await this.fetch(first);
    this.layout();
    takeAnything(this.context, () => this.place);
    await this.go(first);
    const before = this.context.extras.session || remembered();
    if (before) (await this.panel()).attach(before);
  }

  /** The panel of a search, loaded when it is first needed. */
  panel() {
    const { search, goal = "value" } = this.context.extras;
    this.loading ||= Promise.all([import("../live.js"), once("/searches")]).then(([{ Live }, searches]) => {
      this.live = new Live(this, searches, search ? { search, goal } : { goal });
      return this.live;
    });
    return this.loading;
  }

  async solve() { return (await this.panel()).toggle(); }

  layout() {
    this.element = h("zm-board", {});
    this.element.addEventListener("zm-move", ({ detail }) => this.play(detail.move));
    this.element.addEventListener("zm-square", ({ detail }) => this.editor?.put(detail.square));
    this.status = h("p", { class: "status" });
    this.noSpot = h("div", { class: "row loose" });
    this.strip = h("ol", { class: "strip", "aria-label": "Moves played" });
    this.editBox = h("div", {});
    this.answer = h("div", { class: "answer" });
    this.lineBox = h("div", {});
    this.look = h("div", { class: "look" });
    this.list = h("div", { class: "moves" });
    this.chooser = h("details", { class: "chooser", ontoggle: () => told(this.panel()) }, h("summary", {}, "Search, goal, limits"));
    this.liveBox = h("section", { class: "card solve", "aria-label": "Search" }, h("div", { class: "row spread" }, h("h2", {}, "Search"),
      h("button", { type: "button", class: "primary", onclick: async () => { const live = await told(this.panel()); live?.begin(live.form.value()); } }, icon("play"), "Solve")), this.chooser);
    this.tools = h("section", { class: "card", "aria-label": "Position" });
    const pressed = (name, words, run, shortcut) => { const button = iconButton(name, words, run, shortcut); button.setAttribute("aria-pressed", false); return button; };
    this.buttons = {
      first: iconButton("first", "First", () => this.to(0), "Home"), undo: iconButton("previous", "Undo", () => this.undo(), "←"),
      redo: iconButton("next", "Redo", () => this.redo(), "→"), last: iconButton("last", "Last", () => this.to(this.moves_.length), "End"),
      best: iconButton("light", "Play the best move", () => this.playBest(), "space"), flip: pressed("flip", "Flip the board", () => this.flip(), "f"),
      hide: pressed("eye", "Hide the values", () => this.hide(), "h"), edit: pressed("edit", "Edit the position", () => this.edit(), "e"),
    };
    this.main.append(h("div", { class: "board-page" },
      h("div", { class: "board-side" }, h("h1", { class: "unseen" }, "Board"), this.element, this.status, this.noSpot,
        h("div", { class: "bar-buttons", role: "toolbar", "aria-label": "Board" }, Object.values(this.buttons)), this.editBox, this.strip),
      h("div", { class: "sides" }, h("section", { class: "card", "aria-label": "Answer" }, this.answer, this.lineBox, this.look, this.list), this.liveBox, this.tools)));
  }

  keys() {
    const key_ = (words, run) => ({ words, run });
    return {
      ArrowLeft: key_("undo", () => this.undo()), ArrowRight: key_("redo", () => this.redo()),
      Home: key_("first position", () => this.to(0)), End: key_("last position", () => this.to(this.moves_.length)),
      " ": key_("play the best move", () => this.playBest()), h: key_("hide or show the values", () => this.hide()),
      f: key_("flip the board", () => this.flip()), e: key_("edit the position", () => this.edit()),
      l: key_("look longer", () => this.worth.longer(this.board)), s: key_("solve, or stop", () => this.solve()),
      Backspace: key_(null, () => this.undo()),
    };
  }

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
    this.live?.setPlace();
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

  /** What is known of the moves here: their values; where there is none, the numbers of the search in the panel. */
  values() {
    const known = new Map(this.live?.values.map((value) => [value.move, value]) || []);
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
    this.status.replaceChildren(h("b", {}, board.status), h("span", { class: "soft" }, said && ` ${said}`));
    announce(`${said} ${board.status}`);
    for (const name of ["first", "undo"]) buttons[name].disabled = !n;
    for (const name of ["redo", "last"]) buttons[name].disabled = n >= this.moves_.length;
    buttons.edit.hidden = !board.can_edit;
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
    this.buttons.hide.setAttribute("aria-pressed", this.concealed);
    const answer = answerOf(board, values);
    const solved = this.live?.here && this.live.now.result?.proved ? this.live.now.result : null;
    if (solved && answer.value === "unknown") Object.assign(answer, { value: solved.value, sure: true, words: this.live.words(this.live.now).replace(" (proved).", "") });
    if (solved?.line?.length && (answer.line?.length ?? 0) < 2) answer.line = solved.line;
    const shown = this.concealed && !board.outcome ? { value: null, words: "Values are hidden.", sure: true } : answer;
    const words = shown.words || (worth.state === "failed" ? "Not known." : "Looking…");
    if (this.said !== words + key(board.place) && shown.value && shown.value !== "unknown") { this.said = words + key(board.place); announce(words); }
    this.answer.replaceChildren(...[shown.value && h("span", { class: `chip big ${shown.value}${shown.sure || shown.value === "unknown" ? "" : " concluded"}`, "aria-hidden": "true" },
      { win: "W", draw: "D", loss: "L", "not-win": "N" }[shown.value] || "?"), h("div", {}, h("b", { class: "words" }, words),
      shown.value && shown.value !== "unknown" && h("span", { class: "small soft" }, shown.sure ? "proved" : "concluded, not proved"))].filter(Boolean));
    this.line(this.lineBox, this.place, this.concealed || board.outcome ? [] : answer.line || []);
    this.drawLook(values);
    this.drawList(this.concealed ? [] : values);
  }

  /** How far the look at the moves is, and what can be done about it. */
  drawLook(values) {
    const { worth, board } = this;
    const { state } = worth;
    const now = worth.current?.now;
    const settled = values.filter(isSettled).length;
    const used = now?.progress || now?.result;
    const error = worth.current?.error || (state === "failed" ? now.error : null);
    const parts = [];
    if (board.outcome || this.concealed) this.look.replaceChildren();
    else {
      if (error) parts.push(h("span", { class: "refusal" }, error));
      else if (state === "compiling") parts.push("Compiling this game, once…");
      else if (state) parts.push(`${settled} of ${board.moves.length} moves settled`, used?.nodes ? ` · ${count(used.nodes)} nodes in ${seconds(used.seconds || 0)}` : "",
        RUNNING.has(worth.current.deeper?.now.state) ? " · measuring lengths…" : "");
      const action = worth.running ? ["Stop", () => worth.halt()] : error ? ["Go on", () => worth.begin(board)]
        : !state ? ["Look", () => worth.begin(board)] : settled < board.moves.length || worth.unmeasured ? ["Look longer", () => worth.longer(board)] : null;
      const text = action?.[0] ?? "";
      if (this.lookButton?.textContent !== text) this.lookButton = action && h("button", { type: "button", class: "link" }, text);
      if (this.lookButton) this.lookButton.onclick = action[1];
      this.look.firstChild?.remove?.();
      const line = h("span", { class: "small soft" }, parts);
      if (this.look.contains(this.lookButton)) this.look.prepend(line);
      else this.look.replaceChildren(line, ...(this.lookButton ? [this.lookButton] : []));
    }
  }

  drawList(values) {
    const { board } = this;
    const known = new Map(values.map((value) => [value.move, value]));
    const loose = board.moves.filter((move) => !move.spots?.length && !(move.from && this.element.svg));
    const row = (move) => { const value = known.get(move); return h("button", { type: "button", class: "move", "data-list-move": move,
      "aria-label": `Play ${moveWords(board, move)}${value ? `, ${labelOf(value)}` : ""}`, onclick: () => this.play(move) },
    h("span", {}, move), value && h("span", { class: `chip ${value.value}${value.proved || value.value === "unknown" ? "" : " concluded"}` }, badgeText(value) || "?")); };
    const rows = [...sorted(values).map((value) => value.move), ...board.moves.map(({ move }) => move).filter((move) => !known.has(move))];
    const text = JSON.stringify([rows, values.map((value) => [value.move, badgeText(value), value.proved]), this.all, this.concealed]) + key(board.place);
    if (text === this.listed) return;
    this.listed = text;
    const focused = document.activeElement?.dataset?.listMove;
    this.noSpot.replaceChildren(...(loose.length < board.moves.length ? loose.map(({ move }) => row(move)) : [])); // such as pass or swap
    const some = this.all ? rows : rows.slice(0, SHOWN);
    this.list.replaceChildren(...some.map((move) => row(move)), ...(rows.length > SHOWN ? [h("button", { type: "button", class: "link", onclick: () => { this.all = !this.all; this.drawValues(); } },
      this.all ? "fewer" : `all ${rows.length} moves`)] : []));
    if (focused) this.list.querySelector(`[data-list-move="${CSS.escape(focused)}"]`)?.focus();
  }

  /** A line of moves from a place: to click, and to hover. */
  line(element, place, moves) {
    const text = JSON.stringify([place, moves]);
    if (element.dataset.line === text) return;
    element.dataset.line = text;
    element.hidden = moves.length < 2;
    element.className = "line";
    const preview = (n) => this.preview(after(place, ...moves.slice(0, n)));
    element.replaceChildren(h("span", { class: "small soft" }, "Line"), ...moves.map((move, i) => h("button", { type: "button", class: "step",
      "aria-label": `Go to move ${i + 1} of the line, ${move}`, onmouseenter: () => preview(i + 1), onfocus: () => preview(i + 1),
      onmouseleave: () => this.preview(null), onblur: () => this.preview(null),
      onclick: () => { this.preview(null); this.moves_ = [...place.moves, ...moves]; this.context.navigate("/board", after(place, ...moves.slice(0, i + 1))); } }, move)));
  }

  async preview(place) {
    this.previewing = place;
    if (!place) { this.element.preview = null; return; }
    const board = await told(this.fetch(place));
    if (board && this.previewing === place) this.element.preview = board;
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
