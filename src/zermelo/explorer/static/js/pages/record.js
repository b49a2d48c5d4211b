// A game that was played: the value of each position, the evaluation, who was nearer to winning.

import { once, post, told } from "../api.js";
import { boardBeside } from "../beside.js";
import { lineChart } from "../chart.js";
import { csv } from "../csv.js";
import { download, h, iconButton } from "../dom.js";
import { RUNNING, follow } from "../following.js";
import { announce } from "../messages.js";
import { at } from "../place.js";
import { recordBox } from "../recordbox.js";
import { tabs } from "../tabs.js";
import { LETTERS } from "../titles.js";

const HEIGHTS = { win: 1, draw: 0, loss: -1 };
const WORDS = { 1: "win", 0: "draw", "-1": "loss" };
const TABS = [["value", "Value"], ["evaluation", "Evaluation"], ["rscn", "RSCN"]];
const MOST_TIME = "1m";

export async function show(main, place, context) {
  await Promise.all([context.styles("tables"), context.styles("charts")]);
  const box = recordBox(context, (reading) => context.navigate("/record", reading.place));
  const page = h("div", { class: "page" }, h("h1", {}, "A game, move by move"), box);
  main.append(page);
  if (!place?.moves.length) {
    box.append(h("p", { class: "soft" }, "Or look at ", h("a", { href: "/record?game=connect-four&columns=5&rows=4&moves=3,3,3,3,2,4,1,4,4,4,5" }, "a game that was given away"), "."));
    return {};
  }
  box.open = false;
  const game = (await once("/games")).find((each) => each.name === place.game);
  return new Record(page, place, context, game?.players || ["first", "second"]).begin();
}

class Record {
  constructor(page, place, context, players) {
    Object.assign(this, { page, place, context, players, ply: place.moves.length, notes: [], turns: [], steps: [], moments: [], T: [] });
    this.movers = [];
  }

  async begin() {
    const { place, context } = this;
    this.panel = boardBeside({ label: "Position of the game", onMove: (move) => context.navigate("/board", { ...at(place, this.ply), moves: [...place.moves.slice(0, this.ply), move] }) });
    this.list = h("ol", { class: "moves-list", "aria-label": "Moves" });
    this.state = h("p", { class: "soft", role: "status" });
    this.chart = h("div", {});
    const panel = h("div", { id: "record-chart" }, this.chart);
    this.tabs = tabs("What is drawn", TABS, panel, () => this.draw());
    const holder = h("div", {});
    const step = (words, name, to, key) => iconButton(name, words, () => this.go(to()), key);
    const buttons = h("div", { class: "row" }, step("Beginning", "first", () => 0, "Home"), step("Back", "previous", () => this.ply - 1, "←"),
      step("Forward", "next", () => this.ply + 1, "→"), step("End", "last", () => place.moves.length, "End"));
    this.panel.element.lastChild.prepend(buttons);
    const save = (words, run) => h("button", { type: "button", class: "small", onclick: run }, words);
    this.page.append(h("div", { class: "two" }, this.panel.element,
      h("div", { class: "stack" }, h("div", { class: "record-side" },
        h("section", { class: "card", "aria-label": "Chart" }, h("div", { class: "row spread" }, this.tabs.element,
          h("span", { class: "row" }, save("JSON", () => this.saveJson()), save("CSV", () => this.saveCsv()))),
        panel, this.state),
        h("section", { class: "card", "aria-label": "Moves" }, this.list)),
        h("details", { class: "card", ontoggle: () => this.drawForm(holder) }, h("summary", {}, "Search and limits"), holder))));
    this.drawing = lineChart(this.chart, { series: [] });
    this.go(this.ply);
    this.annotate({ limits: { time: MOST_TIME } });
    this.evaluate();
    const key = (words, run) => ({ words, run: () => this.go(run()) });
    return { keys: { ArrowLeft: key("a move back", () => this.ply - 1), ArrowRight: key("a move forward", () => this.ply + 1), Home: key("the beginning", () => 0), End: key("the end", () => place.moves.length) } };
  }

  /** The form comes when it is asked for. */
  async drawForm(holder) {
    if (holder.firstChild) return;
    const { searchForm } = await import("../form.js");
    searchForm(holder, { searches: await once("/searches"), game: this.place.game, value: { limits: { time: MOST_TIME } }, words: "Annotate again", onSubmit: (asked) => this.annotate(asked) });
  }

  order(kind, more) {
    const { place } = this;
    const from = place.position && place.position !== "start" ? { from: place.position } : {};
    return post("/sessions", { kind, game: place.game, parameters: place.parameters, record: place.moves.join(" "), ...from, ...more }, this.context.signal);
  }

  async annotate({ threads, candidates, ...asked }) {
    const made = await told(this.order("annotate", asked));
    if (!made) return;
    this.notes = [];
    await follow(made.id, this.context.signal, (session) => {
      for (const note of session.steps || []) if (note.ply !== undefined) this.notes[note.ply] = note;
      if (session.result?.positions) {
        this.notes = session.result.positions;
        this.turns = session.result.turns;
        this.annotation = session.result;
      }
      this.working = RUNNING.has(session.state) ? `${this.notes.filter(Boolean).length} of ${this.place.moves.length + 1} positions have been looked at` : session.error || "";
      if (session.result && !this.said) {
        this.said = true;
        announce(this.turns.length ? `${this.turns.length} moves gave something away` : "No move is known to have given anything away");
      }
      this.draw();
    });
  }

  async evaluate() {
    try {
      const made = await this.order("progress", {});
      await follow(made.id, this.context.signal, (session) => {
        for (const step of session.steps || []) if (step.ply !== undefined) this.steps[step.ply] = step;
        if (session.result) {
          ({ steps: this.steps, moments: this.moments, T: this.T } = session.result);
          this.progress = session.result;
        }
        this.why = session.error || (RUNNING.has(session.state) ? "The evaluation is being worked out…" : "");
        this.draw();
      });
    } catch (error) {
      if (error.name === "AbortError") return;
      this.why = error.message;
      this.draw();
    }
  }

  go(ply) {
    this.ply = Math.max(0, Math.min(this.place.moves.length, ply));
    this.panel.go(at(this.place, this.ply), this.ply).then((seen) => {
      if (seen && this.ply === this.place.moves.length) this.movers = seen.played || [];
      if (seen) this.draw();
    });
    this.draw();
  }

  draw() {
    if (this.context.signal.aborted) return;
    const marks = this.tabs.current === "value" ? this.turns.map((turn) => ({ x: turn.ply, words: turnWords(turn) }))
      : this.moments.map((moment) => ({ x: moment.ply, words: `${moment.player} ${moment.move} cost ${moment.loss === "inf" ? "the game" : moment.loss}` }));
    this.drawing.update({ ...this.picture(), marks, x: "moves", picked: this.ply, onPick: (ply) => this.go(ply),
      slider: { role: "slider", tabindex: 0, "aria-valuemin": 0, "aria-valuemax": this.place.moves.length, "aria-valuenow": this.ply } });
    this.state.textContent = this.tabs.current === "value" ? this.working || "" : this.why || "";
    this.drawMoves();
  }

  /** The series of the chart; all numbers are for the first player. */
  picture() {
    const [first] = this.players;
    if (this.tabs.current === "value") {
      return { y: `value for ${first}`, low: -1.4, high: 1.2, format: (y) => WORDS[y] ?? "", log: false, empty: "The values come one after the other.",
        series: [{ name: `value for ${first}`, dots: true, step: true, points: this.notes.filter(Boolean).map((note) => [note.ply, HEIGHTS[note.first] ?? null]) }] };
    }
    const known = this.steps.filter(Boolean);
    const finite = known.map((step) => step.value).filter((one) => typeof one === "number");
    const edge = Math.max(1, ...finite.map(Math.abs)) * 1.15;
    if (this.tabs.current === "evaluation") {
      return { y: "evaluation", low: -edge, high: edge, format: undefined, empty: this.why || "The evaluation is being worked out.",
        series: [{ name: `evaluation for ${first}`, dots: true, points: known.map((step) => [step.ply, bounded(step.value, edge)]) }] };
    }
    const names = this.T.length ? this.T : [""];
    const leads = names.map((T, k) => known.map((step) => [step.ply, lead(step, k, first)]));
    const far = Math.max(1, ...leads.flat().map(([, y]) => Math.abs(y ?? 0)));
    return { y: "RSCN", low: -far, high: far, format: undefined, empty: this.why || "RSCN is being worked out.",
      series: leads.map((points, k) => ({ name: `lead of ${first} in conspirators${names[k] === "" ? "" : `, T=${names[k]}`}`, dots: true, points })) };
  }

  drawMoves() {
    const turns = new Map(this.turns.map((turn) => [turn.ply, turn]));
    const moments = new Map(this.moments.map((moment) => [moment.ply, moment]));
    const rows = this.place.moves.map((move, k) => this.moveRow(move, k + 1, turns.get(k + 1), moments.get(k + 1)));
    const before = this.list.scrollTop;
    const focused = this.list.contains(document.activeElement) ? document.activeElement.dataset.ply : null;
    this.list.replaceChildren(...rows);
    this.list.scrollTop = before;
    if (focused) this.list.querySelector(`[data-ply="${focused}"]`)?.focus();
    const here = this.list.children[this.ply - 1];
    if (here && (here.offsetTop < this.list.scrollTop || here.offsetTop + here.offsetHeight > this.list.scrollTop + this.list.clientHeight)) this.list.scrollTop = here.offsetTop - this.list.clientHeight / 2;
  }

  moveRow(move, ply, turn, moment) {
    const note = this.notes[ply];
    const player = this.movers[ply - 1]?.player ?? "";
    return h("li", { class: turn ? "gave-away" : null }, h("button", { type: "button", class: "move-button", "data-ply": ply, "aria-current": ply === this.ply ? "step" : null, onclick: () => this.go(ply) },
      h("span", { class: "soft number" }, `${ply}.`), h("span", { class: "soft" }, typeof player === "number" ? this.players[player] : player), h("b", {}, move),
      note && chip(note, this.players[0]),
      turn && h("span", { class: "turn-words" }, `✗ ${turnWords(turn)}`),
      !turn && moment && this.tabs.current !== "value" && h("span", { class: "soft" }, `cost ${moment.loss === "inf" ? "the game" : moment.loss}`)));
  }

  saveJson() {
    download("record.json", JSON.stringify({ place: this.place, annotation: this.annotation ?? null, progress: this.progress ?? null }, null, 2), "application/json");
  }

  saveCsv() {
    const rows = [...this.place.moves, null].map((move, ply) => {
      const note = this.notes[ply] || {};
      const step = this.steps[ply] || {};
      return [ply, note.to_move ?? step.to_move, move, note.value, note.proved, note.first, note.score, note.length, note.kept, (note.best || []).join(" "), step.value, ...(this.T.flatMap((_, k) => [step.scn?.[k], step.rscn?.[k]]))];
    });
    const header = ["ply", "to_move", "move", "value", "proved", "first", "score", "length", "kept", "best", "evaluation", ...this.T.flatMap((T) => [`scn T=${T}`, `rscn T=${T}`])];
    download("record.csv", csv(header, rows), "text/csv");
  }
}

const chip = (note, first) => h("span", { class: `chip ${note.first}${note.proved || note.first === "unknown" ? "" : " concluded"}`, title: `for ${first}: ${note.first}${note.proved ? ", proved" : ""}` }, LETTERS[note.first] || "?");

const bounded = (value, edge) => (value === "inf" ? edge : value === "-inf" ? -edge : value);

/** By how many conspirators the first player is nearer to the threshold. */
function lead(step, k, first) {
  const rscn = step.rscn?.[k];
  if (typeof rscn !== "number") return null;
  return step.to_move === first ? -rscn : rscn;
}

function turnWords(turn) {
  const better = turn.best?.length ? `; better: ${turn.best.join(" ")}` : "";
  if (turn.scores) return `gave away points: ${turn.scores[1] ?? "less"} instead of ${turn.scores[0]}${better}`;
  return `gave away a ${turn.before}: ${turn.after === "not-win" ? "no win" : turn.after} now${better}`;
}
