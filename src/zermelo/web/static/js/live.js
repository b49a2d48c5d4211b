// The live panel: a search at work, its numbers, its budget, its answer; stop, go on, write a proof.

import { post, told } from "./api.js";
import { bytes, count, download, h, icon, seconds } from "./dom.js";
import { commandOf, copyBox, searchForm } from "./form.js";
import { announce } from "./messages.js";
import { key, toQuery } from "./place.js";
import { follow, goOn, perFrame, RUNNING, start, stop } from "./session.js";
import { labelOf, moveWords, tint } from "./values.js";

const STATES = { waiting: "Waiting for a process…", compiling: "Compiling this game and search, once…", running: "Searching…" };
const REASONS = { nodes: "it reached its limit of nodes", time: "its time was up", memory: "its memory was full", user: "you stopped it", interrupted: "you stopped it", candidates: "its candidate moves ran out" };
const MEMORY = { K: 1e3, M: 1e6, G: 1e9 };
const STORE = "zermelo-solve";

/** "35M", "2m", "512MB" as a number. */
function amount(text, name) {
  const match = /^\s*([\d.,_]+(?:e\d+)?)\s*([a-zA-Z]*)/.exec(String(text ?? ""));
  if (!match) return null;
  const number = Number(match[1].replace(/[,_]/g, ""));
  const unit = match[2];
  if (name === "time") return number * ({ m: 60, h: 3600, d: 86400 }[unit] || 1);
  return number * (MEMORY[unit[0]?.toUpperCase()] || 1);
}

export class Live {
  /** Fills the section of the page: its form and, once there is one, the search. `page` has place, board, line(), changed(). */
  constructor(page, searches, chosen = {}) {
    Object.assign(this, { page, searches, follower: null, order: null, proof: null });
    this.paint = perFrame(() => this.draw());
    this.view = h("div", { class: "live", hidden: true });
    this.command = copyBox("", "Copy the command line");
    const formBox = h("div", {});
    page.chooser.append(formBox, h("p", { class: "soft small" }, "The same on the command line:"), this.command);
    page.chooser.after(this.view);
    this.form = searchForm(formBox, { searches, game: page.place.game, value: { limits: { nodes: "35M" }, ...chosen },
      onSubmit: (value) => this.begin(value), onChange: () => this.setPlace(), words: "Solve" });
    this.parts();
    this.setPlace();
  }

  get now() { return this.follower?.now ?? null; }
  get here() { return this.now?.place && this.page.board && key(this.now.place) === key(this.page.board.place); }

  /** What the search knows of the moves here, for the board. */
  get values() {
    if (!this.here) return [];
    const { result, progress } = this.now;
    if (result?.moves?.length && !RUNNING.has(this.now.state)) return result.moves.map((move) => ({ ...move, numbers: move.numbers || numbersOf(move) }));
    const asked = progress?.question?.includes(`does ${this.page.board.to_move} `) ?? true; // else the numbers are the opponent's
    return (progress?.moves || []).map(({ move, status, numbers }) => ({ move, numbers, near: asked ? tint(numbers) : 1 - (tint(numbers) ?? 0.5),
      proved: Boolean(status && status !== "unknown"), value: (asked ? { won: "win", lost: "not-win" } : { won: "loss" })[status] || "unknown" }));
  }

  setPlace() {
    const { board, place } = this.page;
    this.form.setGame(place.game);
    this.command.set(commandOf("solve", board?.place || place, this.form.value(), board?.text));
    this.paint();
  }

  parts() {
    this.status = h("p", { class: "state", role: "status" });
    this.where = h("p", { class: "small soft" });
    this.bars = h("div", { class: "bars" });
    this.numbers = h("dl", { class: "numbers" });
    this.chartBox = h("div", {});
    this.chart = null;
    this.path = h("div", { class: "path" });
    this.moves = h("div", { class: "table-wrap" });
    this.answer = h("div", {});
    this.buttons = h("div", { class: "row" });
    this.proofBox = h("div", {});
    this.view.append(this.status, this.where, this.answer, this.bars, this.buttons, this.proofBox, this.numbers, this.chartBox, this.path,
      h("details", { class: "roots" }, h("summary", {}, "Numbers of every move"), this.moves));
  }

  /** Attaches to a session that is there already. */
  attach(id) {
    this.follower?.close();
    this.proof = null;
    this.follower = follow(id, (now, type) => {
      if (type === "state" && !RUNNING.has(now.state)) announce(this.words(now));
      if (now.gone) { this.follower.close(); this.follower = null; forget(); }
      this.paint();
      this.page.changed();
    });
    this.view.hidden = false;
    try { sessionStorage.setItem(STORE, id); } catch { /* a private window */ }
    this.paint();
  }

  async begin(value) {
    this.page.worth.halt(); // they would slow each other down
    if (this.now && RUNNING.has(this.now.state)) await stop(this.now.id).catch(() => {});
    const order = { kind: "solve", place: this.page.board.place, ...value };
    const started = await told(start(order));
    if (!started) return;
    this.order = order;
    this.page.chooser.open = false;
    this.attach(started.id);
    if (started.command) this.command.set(started.command);
    announce("The search has started.");
  }

  toggle() { return this.now && RUNNING.has(this.now.state) ? told(stop(this.now.id)) : this.begin(this.form.value()); }

  async more(factor) {
    const limits = { ...(this.order?.limits || this.now.limits || {}) };
    const used = this.now.progress || {};
    const bound = { nodes: used.nodes, time: used.seconds };
    for (const name of ["nodes", "time"]) if (limits[name]) limits[name] = Math.ceil(Math.max(amount(limits[name], name), bound[name] || 1) * factor);
    if (this.now.stopped === "memory") {
      limits.memory = Math.ceil((amount(limits.memory, "memory") || used.bytes || 5e8) * factor);
    }
    const answer = await told(goOn(this.now.id, limits));
    if (answer) this.order = { ...(this.order || { kind: "solve", place: this.now.place, search: this.now.search, goal: this.now.goal }), limits };
  }

  words(now) {
    if (now.state === "failed") return now.error || "The search ended unexpectedly.";
    if (STATES[now.state]) return STATES[now.state];
    const result = now.result;
    if (!result) return now.state === "done" ? "Done." : "Stopped.";
    const mover = result.to_move || this.page.board.to_move;
    if (result.concluded || result.proved) {
      const how = result.proved ? "proved" : "concluded, not proved";
      const move = result.move ? `: ${(result.turn?.length ? result.turn : [result.move]).map((each) => moveWords({ place: now.place }, each)).join(" ")}` : "";
      const length = result.distance ? ` in ${result.distance}` : "";
      const score = typeof result.score === "number" ? ` Score ${result.score}.` : "";
      const words = { win: `${mover} wins${length}${move}`, draw: `A draw${move}`, loss: `${mover} loses`, "not-win": `${mover} does not win` }[result.value];
      return `${words} (${how}).${score}`;
    }
    const partial = result.partial ? `${mover} does not win (proved); draw or loss is not known. ` : "";
    return `${partial}Stopped: ${REASONS[now.stopped || result.stopped] || now.stopped || result.stopped}. Nothing is lost.`;
  }

  draw() {
    const now = this.now;
    this.view.hidden = !now;
    if (!now) return;
    const running = RUNNING.has(now.state);
    this.status.className = `state ${now.state} ${now.result?.proved ? now.result.value : ""}`;
    this.status.textContent = this.words(now);
    this.where.hidden = this.here || !now.place;
    if (!this.where.hidden) {
      this.where.replaceChildren("For another position. ", h("a", { href: `/board${toQuery(now.place)}` }, "Go there"));
    }
    this.drawBars(now);
    this.drawButtons(now, running);
    this.drawNumbers(now);
    this.drawChart(now);
    this.drawPath(now);
    this.drawMoves(now);
    this.page.line(this.answer, now.place, now.result?.line || []);
  }

  drawBars(now) {
    const limits = this.order?.limits || now.progress?.limits || now.limits || {};
    const used = now.progress || now.result || {};
    const wanted = [["nodes", used.nodes, count, "nodes"], ["time", used.seconds, seconds, ""], ["memory", used.bytes ?? used.peak_bytes, bytes, ""]]
      .map(([name, value, format, unit]) => ({ name, value: value || 0, most: amount(limits[name], name), format, unit })).filter((each) => each.most);
    if (this.bars.children.length !== wanted.length) this.bars.replaceChildren(...wanted.map(() => h("div", { class: "bar" }, h("span", {}), h("progress", {}))));
    wanted.forEach(({ name, value, most, format, unit }, i) => {
      const [label, bar] = this.bars.children[i].children;
      label.textContent = `${format(value)} of ${format(most)}${unit ? ` ${unit}` : name === "memory" ? " of memory" : ""}`;
      bar.max = most;
      bar.value = Math.min(value, most);
      bar.setAttribute("aria-label", label.textContent);
    });
  }

  drawButtons(now, running) {
    const proved = now.result?.proved || now.result?.partial;
    const state = `${now.id} ${now.state} ${proved} ${Boolean(this.proof)}`;
    if (this.buttons.dataset.state === state) return;
    this.buttons.dataset.state = state;
    const button = (name, words, run, main) => h("button", { type: "button", class: main ? "primary" : null, onclick: run }, icon(name), words);
    const again = () => this.begin(this.order ? (({ kind, place, ...value }) => value)(this.order) : this.form.value());
    this.buttons.replaceChildren(...[
      running && button("stop", "Stop", () => told(stop(now.id)), true),
      now.state === "stopped" && button("more", "Go on: 2 × as much", () => this.more(2), true),
      now.state === "stopped" && button("more", "10 ×", () => this.more(10)),
      now.state === "failed" && button("play", now.again ? "Begin again" : "Start it again", now.again ? () => this.more(1) : again, true),
      now.state === "done" && proved && !this.proof && button("check", "Write a proof", () => this.certify()),
      now.state !== "failed" && h("a", { class: "button", href: `/tree${toQuery(now.place || this.page.place, { session: now.id })}` }, icon("tree"), "Tree"),
      now.result && button("down", "JSON", () => download("result.json", JSON.stringify(now.result, null, 2), "application/json")),
    ].filter(Boolean));
  }

  async certify() {
    this.proof = {};
    this.proofBox.replaceChildren(h("p", { class: "soft" }, "Writing the certificate and checking it…"));
    this.paint();
    const written = await told(post(`/sessions/${this.now.id}/proof`));
    this.proof = written;
    this.paint();
    if (!written) return this.proofBox.replaceChildren();
    const longest = typeof written.longest === "number" ? `, longest line ${written.longest} moves` : ""; // a game of one's own may not say
    const words = `Checked: ${count(written.positions)} positions${longest}, ${bytes(written.bytes)}.`;
    announce(words);
    return this.proofBox.replaceChildren(h("div", { class: "proof-badge" }, icon("check"),
      h("div", {}, h("b", {}, words), h("div", { class: "soft small" }, `sha256 ${String(written.digest).slice(0, 16)}…`),
        h("p", { class: "row" }, h("a", { href: `/proof${toQuery(null, { certificate: written.certificate })}` }, "Walk the proof"),
          h("a", { href: written.file, download: `${this.page.place.game.split(/[/\\:]/).pop()}.proof` }, "Download the certificate")))));
  }

  drawNumbers(now) {
    const used = now.progress || now.result || {};
    const rows = [["nodes", count(used.nodes)], ["nodes/s", used.nodes_per_second ? count(used.nodes_per_second) : used.nodes && used.seconds ? count(Math.round(used.nodes / used.seconds)) : ""],
      ["time", used.seconds !== undefined ? seconds(used.seconds) : ""], ["memory", used.bytes || used.peak_bytes ? bytes(used.bytes || used.peak_bytes) : ""],
      ["in use", typeof used.fill === "number" ? `${(100 * used.fill).toFixed(used.fill < 0.1 ? 1 : 0)} %` : ""],
      ["settled", used.settled?.[1] ? `${used.settled[0]} of ${used.settled[1]}` : ""],
      ...Object.entries(used.root || {}).slice(0, 4).map(([name, value]) => [name, count(value)])].filter(([, value]) => value !== "" && value !== undefined);
    this.numbers.replaceChildren(...rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
  }

  drawChart(now) {
    const names = Object.keys(now.samples.at(-1)?.root || {}).filter((name) => now.samples.some(({ root }) => typeof root?.[name] === "number")).slice(0, 4);
    this.chartBox.hidden = now.samples.length < 3 || !names.length;
    if (this.chartBox.hidden) return;
    const series = names.map((name) => ({ name, points: now.samples.map((each) => [each.seconds, each.root?.[name] ?? null]) }));
    const all = series.flatMap((each) => each.points.map(([, y]) => y)).filter((y) => typeof y === "number" && y > 0);
    const options = { series, x: "seconds", y: "Numbers of the root", height: 170, log: all.length > 0 && Math.max(...all) > 20 * Math.min(...all) };
    if (this.chart) this.chart.update(options);
    else import("./chart.js").then(({ lineChart }) => { this.chart ||= lineChart(this.chartBox, options); });
  }

  drawPath(now) {
    const path = RUNNING.has(now.state) ? now.progress?.path || [] : [];
    this.path.hidden = !path.length;
    this.path.replaceChildren(h("span", { class: "soft small" }, "looking at "), ...path.slice(0, 12).map(({ move, numbers }) => h("span", {
      class: "step", title: Object.entries(numbers || {}).map(([name, value]) => `${name} ${count(value)}`).join(", ") }, move)),
    path.length > 12 ? h("span", { class: "soft small" }, ` and ${path.length - 12} more`) : "");
  }

  drawMoves(now) {
    if (!this.moves.parentElement.open && this.moves.children.length) return;
    const rows = (now.progress?.moves?.length ? now.progress.moves : now.result?.moves || []).slice(0, 400);
    const names = [...new Set(rows.flatMap((row) => Object.keys(row.numbers || numbersOf(row))))].slice(0, 5);
    this.moves.replaceChildren(h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "move"), h("th", {}, "so far"), ...names.map((name) => h("th", { class: "n" }, name)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, h("td", {}, row.move), h("td", {}, row.status && row.status !== "unknown" ? row.status : row.value ? labelOf({ ...row, numbers: {} }) : ""),
        ...names.map((name) => h("td", { class: "n" }, count((row.numbers || row)[name]))))))));
  }

  close() { this.follower?.close(); }
}

const numbersOf = ({ move, value, proved, status, numbers, ...rest }) => rest;
const forget = () => { try { sessionStorage.removeItem(STORE); } catch { /* a private window */ } };

