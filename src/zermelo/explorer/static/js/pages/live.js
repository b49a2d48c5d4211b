// A search at work: its numbers, its budget, its answer; stop, go on, write a proof.

import { get, once, post, told } from "../api.js";
import { boardBeside } from "../beside.js";
import { noPlace } from "../noplace.js";
import { bytes, count, download, h, icon, seconds } from "../dom.js";
import { copyBox } from "../copybox.js";
import { commandOf, searchForm } from "../form.js";
import { drawLine, previews } from "../line.js";
import { announce } from "../messages.js";
import { after, at, key, toQuery } from "../place.js";
import { follow, goOn, RUNNING, start, stop } from "../session.js";
import { moveWords } from "../titles.js";
import { labelOf, tint } from "../values.js";

const STATES = { waiting: "Waiting for a process…", compiling: "Compiling this game and search, once…", running: "Searching…" };
const REASONS = { nodes: "it reached its limit of nodes", time: "its time was up", memory: "its memory was full", interrupted: "you stopped it", candidates: "its candidate moves ran out" };

const PAUSE = 250; // ms between two drawings: nobody reads faster
const LATE = 15; // times a frame's delay: so many tabs leave time for clicks

export async function show(main, place, context) {
  const { session, search, goal = "value" } = context.extras;
  const id = session === "new" ? null : session;
  if (!place && !id) {
    main.append(noPlace("A search at work", "/live"));
    return {};
  }
  const known = id && await get(`/sessions/${id}`).catch((error) => { if (!place) throw error; });
  const page = new Live(main, context, await once("/searches"), place || known.place, { search, goal, ...known });
  await page.go(page.place);
  if (id) page.attach(id);
  else if (session) await page.begin(page.form.value());
  return { keys: { s: { words: "solve, or stop", run: () => page.toggle() } } };
}

class Live {
  /** `chosen` is what the form begins with. */
  constructor(main, context, searches, place, chosen) {
    Object.assign(this, { context, place, follower: null, proof: null });
    this.paint = perFrame(() => this.draw());
    this.panel = boardBeside({ onMove: (move) => this.go(after(this.place, move)), onStep: (n) => this.go(at(this.place, n)) });
    this.preview = previews(this.panel.board, (there) => post("/board", { place: there }));
    this.command = copyBox("", "Copy the command line");
    const formBox = h("div", {});
    this.chooser = h("details", { class: "chooser", open: !context.extras.session }, h("summary", {}, "Search, goal, limits"), formBox,
      h("p", { class: "soft small" }, "The same on the command line:"), this.command);
    this.form = searchForm(formBox, { searches, game: place.game, value: { limits: { nodes: "35M" }, ...chosen },
      onSubmit: (value) => this.begin(value), onChange: () => this.setCommand(), words: "Solve" });
    main.append(h("div", { class: "page" }, h("h1", {}, "A search at work"), h("div", { class: "two live-page" }, this.panel.element,
      h("section", { class: "card", "aria-label": "Search" }, this.chooser, this.parts()))));
    context.signal.addEventListener("abort", () => this.follower?.close());
  }

  get now() { return this.follower?.now ?? null; }
  get here() { return this.now?.place && key(this.now.place) === key(this.place); }

  /** What the search knows of the moves of its position. */
  get known() {
    const { result, progress, state, mover } = this.now;
    if (result?.moves?.length && !RUNNING.has(state)) return result.moves.map((move) => ({ ...move, numbers: move.numbers || numbersOf(move) }));
    const asked = progress?.question?.includes(`does ${mover} `) ?? true; // else the numbers are the opponent's
    return (progress?.moves || []).map(({ move, status, numbers }) => ({ move, numbers, near: asked ? tint(numbers) : 1 - (tint(numbers) ?? 0.5),
      proved: Boolean(status && status !== "unknown"), value: (asked ? { won: "win", lost: "not-win" } : { won: "loss" })[status] || "unknown" }));
  }

  /** Shows a place on the board; a search that runs elsewhere goes on. */
  async go(place) {
    this.place = place;
    const seen = await this.panel.go(place);
    if (!seen) return;
    this.place = seen.place;
    this.context.setPlace(seen.place);
    this.setCommand();
    this.paint();
  }

  setCommand() { this.command.set(commandOf("solve", this.place, this.form.value(), this.panel.seen?.text)); }

  parts() {
    const box = (tag, name) => h(tag, { class: name });
    Object.assign(this, { status: h("p", { class: "state", role: "status" }), where: box("p", "small soft"), bars: box("div", "bars"), numbers: box("dl", "numbers"),
      chartBox: box("div", ""), path: box("div", "path"), moves: box("div", "table-wrap"), answer: box("div", ""), buttons: box("div", "row"), proofBox: box("div", "") });
    this.view = h("div", { class: "live", hidden: true }, this.status, this.where, this.answer, this.bars, this.buttons, this.proofBox, this.numbers, this.chartBox, this.path,
      h("details", { ontoggle: () => this.paint() }, h("summary", {}, "Numbers of every move"), this.moves));
    return this.view;
  }

  /** Follows a session. */
  attach(id) {
    this.follower?.close();
    this.proof = null;
    this.proofBox.replaceChildren();
    this.follower = follow(id, (now, type) => {
      if (type === "state" && !RUNNING.has(now.state)) announce(this.words(now));
      if (type !== "progress") this.paint();
      else this.soon ||= setTimeout(() => { this.soon = 0; this.paint(); }, Math.min(Math.max(PAUSE, LATE * this.paint.late), 8 * PAUSE));
    });
    this.paint();
  }

  async begin(value) {
    if (this.now && RUNNING.has(this.now.state)) await stop(this.now.id).catch(() => {});
    const made = await told(start({ kind: "solve", place: this.place, ...value }));
    if (!made) return;
    this.chooser.open = false;
    history.replaceState({}, "", `/live${toQuery(this.place, { session: made.id })}`);
    this.attach(made.id);
    announce("The search has started.");
  }

  toggle() { return this.now && RUNNING.has(this.now.state) ? told(stop(this.now.id)) : this.begin(this.form.value()); }

  /** Goes on, with so many times what was allowed. */
  async more(factor) {
    const { limits = {}, nodes = 1, seconds: time = 1, bytes: memory = 5e8 } = this.now.progress || {};
    const used = { nodes, time, memory };
    const { now } = this;
    const larger = { ...now.limits };
    for (const name of new Set([...Object.keys(larger), now.stopped])) { // what was asked for, and what was met
      if (limits[name] && (name !== "memory" || now.stopped === name)) larger[name] = Math.ceil(Math.max(limits[name], used[name]) * factor);
    }
    if (await told(goOn(now.id, larger))) now.limits = larger;
  }

  words(now) {
    if (now.state === "failed") return now.error || "The search ended unexpectedly.";
    if (STATES[now.state]) return now.state === "running" && now.progress?.question ? `Searching: ${now.progress.question}` : STATES[now.state];
    const result = now.result;
    if (!result) return now.state === "done" ? "Done." : "Stopped.";
    const mover = result.to_move;
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
    const { now, here } = this;
    this.view.hidden = !now;
    if (here) now.mover = this.panel.seen?.to_move;
    this.panel.board.values = here ? this.known : [];
    if (!now) return;
    const running = RUNNING.has(now.state);
    this.beat = !this.beat; // an animation would draw sixty times a second
    this.status.className = `state ${now.state} ${now.result?.proved ? now.result.value : ""} ${this.beat ? "beat" : ""}`;
    this.status.textContent = this.words(now);
    this.where.hidden = here || !now.place;
    if (!this.where.hidden) this.where.replaceChildren("For another position. ", h("button", { type: "button", class: "link", onclick: () => this.go(now.place) }, "Go there"));
    this.drawBars(now);
    this.drawButtons(now, running);
    this.drawNumbers(now);
    this.drawChart(now);
    this.drawPath(running && now.progress?.path || []);
    this.drawMoves();
    drawLine(this.answer, now.place || this.place, now.result?.line || [], this.preview, (there) => this.go(there));
  }

  drawBars(now) {
    const { limits = {}, ...used } = now.progress || {};
    const wanted = [["nodes", used.nodes, count, " nodes"], ["time", used.seconds, seconds, ""], ["memory", used.bytes, bytes, " of memory"]]
      .map(([name, value, format, unit]) => ({ value: value || 0, most: now.limits?.[name] && limits[name], format, unit })).filter((each) => each.most);
    if (this.bars.children.length !== wanted.length) this.bars.replaceChildren(...wanted.map(() => h("div", { class: "bar" }, h("span", {}), h("progress", {}))));
    wanted.forEach(({ value, most, format, unit }, i) => {
      const [label, bar] = this.bars.children[i].children;
      label.textContent = `${format(value)} of ${format(most)}${unit}`;
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
    this.buttons.replaceChildren(...[
      running && button("stop", "Stop", () => told(stop(now.id)), true),
      now.state === "stopped" && button("more", "Go on: 2 × as much", () => this.more(2), true),
      now.state === "stopped" && button("more", "10 ×", () => this.more(10)),
      now.state === "failed" && button("play", "Begin again", () => (now.again ? this.more(1) : this.begin(this.form.value())), true),
      now.state === "done" && proved && !this.proof && button("check", "Write a proof", () => this.certify()),
      now.state !== "failed" && h("a", { class: "button", href: `/tree${toQuery(now.place || this.place, { session: now.id })}` }, icon("tree"), "Tree"),
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
          h("a", { href: written.file, download: `${this.place.game.split(/[/\\:]/).pop()}.proof` }, "Download the certificate")))));
  }

  drawNumbers(now) {
    const used = now.progress || {};
    const rows = [["search", now.search], ["nodes", count(used.nodes)], ["nodes/s", count(used.nodes_per_second)], ["time", used.seconds && seconds(used.seconds)], ["memory", used.bytes && bytes(used.bytes)],
      ["in use", typeof used.fill === "number" ? `${(100 * used.fill).toFixed(used.fill < 0.1 ? 1 : 0)} %` : ""], ["settled", used.settled?.[1] ? used.settled.join(" of ") : ""],
      ...Object.entries(used.root || {}).slice(0, 4).map(([name, value]) => [name, count(value)])].filter(([, value]) => value);
    this.numbers.replaceChildren(...rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
  }

  drawChart({ samples }) {
    const names = Object.keys(samples.at(-1)?.root || {}).filter((name) => samples.some(({ root }) => typeof root?.[name] === "number")).slice(0, 4);
    this.chartBox.hidden = samples.length < 3 || !names.length;
    if (this.chartBox.hidden) return;
    const series = names.map((name) => ({ name, points: samples.map((each) => [each.seconds, each.root?.[name] ?? null]) }));
    const all = series.flatMap((each) => each.points.map(([, y]) => y)).filter((y) => typeof y === "number" && y > 0);
    const options = { series, x: "seconds", y: "Numbers of the root", height: 170, log: all.length > 0 && Math.max(...all) > 20 * Math.min(...all) };
    if (this.chart) this.chart.update(options);
    else Promise.all([import("../chart.js"), this.context.styles("charts")]).then(([{ lineChart }]) => { this.chart ||= lineChart(this.chartBox, options); });
  }

  drawPath(path) {
    this.path.hidden = !path.length;
    this.path.replaceChildren(h("span", { class: "soft small" }, "looking at "), ...path.slice(0, 12).map(({ move, numbers }) => h("span", {
      class: "step", title: Object.entries(numbers || {}).map(([name, value]) => `${name} ${count(value)}`).join(", ") }, move)),
    path.length > 12 ? h("span", { class: "soft small" }, ` and ${path.length - 12} more`) : "");
  }

  drawMoves() {
    if (!this.moves.parentElement.open) return;
    const rows = this.known.slice(0, 400);
    const names = [...new Set(rows.flatMap((row) => Object.keys(row.numbers)))].slice(0, 5);
    this.moves.replaceChildren(h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "move"), h("th", {}, "so far"), ...names.map((name) => h("th", { class: "n" }, name)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, h("td", {}, row.move), h("td", {}, row.proved ? labelOf({ ...row, numbers: {} }) : ""),
        ...names.map((name) => h("td", { class: "n" }, count(row.numbers[name]))))))));
  }
}

const numbersOf = ({ move, value, proved, status, numbers, ...rest }) => rest;

/** Calls `run` at most once a frame; `late`: ms that the last one took to come. */
function perFrame(run) {
  let asked = 0;
  const paint = () => {
    if (asked) return;
    asked = performance.now();
    requestAnimationFrame(() => { paint.late = performance.now() - asked; asked = 0; run(); });
  };
  return Object.assign(paint, { late: 0 });
}
