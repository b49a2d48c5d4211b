// Up to six searches on one position, side by side while they run.

import { once, post, remove, told } from "../api.js";
import { boardBeside } from "../beside.js";
import { noPlace } from "../noplace.js";
import { lineChart } from "../chart.js";
import { csv } from "../csv.js";
import { bytes, count, download, h, seconds } from "../dom.js";
import { RUNNING, follow } from "../following.js";
import { searchForm } from "../form.js";
import { after, toQuery } from "../place.js";
import { sortable } from "../table.js";
import { LETTERS } from "../titles.js";

const MOST = 6;
const USUAL = ["pn", "df-pn", "weak-df-pn", "mcts"];
const NODES = "nodes";
const DRAW = 250; // ms between two drawings

export async function show(main, place, context) {
  await Promise.all([context.styles("tables"), context.styles("charts")]);
  if (!place) {
    main.append(noPlace("Searches side by side", "/compare"));
    return {};
  }
  const rows = new Map(); // id -> session
  const stops = new Map();
  const searches = await once("/searches");
  const holder = h("div", {});
  const form = searchForm(holder, { searches, game: place.game, words: "Add this search", onSubmit: (asked) => begin(asked) });
  const add = form.submitButton;
  const panel = boardBeside({ onMove: (move) => context.navigate("/compare", after(place, move)) });
  const chart = h("div", { class: "compare-chart" });
  const what = h("select", { "aria-label": "What is drawn", onchange: () => draw() }, h("option", { value: NODES }, "nodes over time"));
  const log = h("input", { type: "checkbox", checked: true, onchange: () => draw() });
  const usual = h("button", { type: "button", onclick: async () => {
    const limits = form.value().limits;
    for (const search of USUAL) await begin({ search, limits });
  } }, `Start ${USUAL.join(", ")}`);
  const stopAll = h("button", { type: "button", class: "small", onclick: () => [...rows.values()].filter((one) => RUNNING.has(one.state)).forEach((one) => stop(one)) }, "Stop all");
  const save = h("button", { type: "button", class: "small", onclick: () => download("compare.csv", asCsv(), "text/csv") }, "CSV");
  const table = sortable(columns(), { caption: "Searches on this position", empty: "No search yet: add one, or start the usual ones.",
    rowClass: (row) => row.state });
  const enough = h("span", { class: "soft", hidden: true }, "Six at most: remove one to add another.");
  add.after(usual, enough);
  main.append(h("div", { class: "page" }, h("h1", {}, "Searches side by side"),
    h("div", { class: "two" }, panel.element,
      h("div", { class: "stack" },
        h("section", { class: "card", "aria-label": "Add a search" }, holder),
        h("section", { class: "card", "aria-label": "Searches" }, table.element, h("p", { class: "row" }, stopAll, save)),
        h("section", { class: "card", "aria-label": "Chart" }, h("div", { class: "row spread" }, h("label", { class: "tick" }, what),
          h("label", { class: "tick" }, log, " log scale")), chart)))));
  const drawing = lineChart(chart, { series: [], x: "seconds", empty: "The chart grows with the searches." });

  function columns() {
    const result = (name) => (row) => row.result?.[name] ?? null;
    const now = (name, last) => (row) => (row.result ? row.result[last] : null) ?? row.progress?.[name] ?? null;
    return [
      { name: "search", head: true, value: (row) => row.name, show: (row) => h("span", { class: "nowrap" }, h("span", { class: `dot-key c${row.colour}` }), row.name) },
      { name: "value", value: (row) => (row.result ? row.result.value : null), show: (row) => valueChip(row.result) },
      { name: "move", value: result("move") },
      { name: NODES, value: now("nodes", "nodes"), show: (row, value) => count(value) || "–" },
      { name: "nodes/s", value: (row) => rate(row), show: (row, value) => (value === null ? "–" : count(value)) },
      { name: "memory", value: now("bytes", "peak_bytes"), show: (row, value) => (value === null ? "–" : bytes(value)) },
      { name: "time", value: now("seconds", "seconds"), show: (row, value) => (value === null ? "–" : seconds(value)) },
      { name: "state", value: (row) => row.state, show: (row) => h("span", { title: row.error || row.command || null }, row.error || stateWords(row)) },
      { name: "actions", plain: true, value: () => null, show: (row) => h("span", { class: "row tight" }, ...buttons(row)) },
    ];
  }

  function buttons(row) {
    const button = (words, run) => h("button", { type: "button", class: "small", "aria-label": `${words} ${row.name}`, onclick: run }, words);
    return [RUNNING.has(row.state) && button("Stop", () => stop(row)),
      row.state === "stopped" && button("Go on", () => told(post(`/sessions/${row.id}/continue`, {}))),
      h("a", { class: "button small", href: "/tree" + toQuery(place, { session: row.id }), "aria-label": `Tree of ${row.name}` }, "Tree"),
      button("Remove", () => drop(row))].filter(Boolean);
  }

  const stop = (row) => told(post(`/sessions/${row.id}/stop`));

  async function begin(asked) {
    if (rows.size >= MOST) return full();
    const made = await told(post("/sessions", { kind: "solve", place, ...asked }));
    if (made && !context.signal.aborted) await join(made.id);
    return null;
  }

  async function join(id) {
    const colour = [1, 2, 3, 4, 5, 6].find((one) => ![...rows.values()].some((row) => row.colour === one));
    const followed = await told(follow(id, context.signal, (session) => {
      session.colour = colour;
      session.name ||= nameOf(session, rows, searches);
      rows.set(String(id), session);
      soon();
    }));
    if (followed) stops.set(String(id), followed.leave);
    full();
    remember();
  }

  async function drop(row) {
    stops.get(String(row.id))?.();
    rows.delete(String(row.id));
    full();
    remember();
    draw();
    await told(remove(`/sessions/${row.id}`));
  }

  const full = () => { add.disabled = rows.size >= MOST; enough.hidden = !add.disabled; usual.hidden = rows.size > MOST - USUAL.length; };
  const remember = () => history.replaceState(history.state, "", "/compare" + toQuery(place, { sessions: [...rows.keys()].join(",") || null }));

  let waiting = 0;
  function soon() {
    waiting ||= setTimeout(() => { waiting = 0; draw(); }, DRAW);
  }

  function draw() {
    if (context.signal.aborted) return;
    const all = [...rows.values()];
    const active = document.activeElement?.getAttribute("aria-label");
    table.update(all);
    if (active) table.element.querySelector(`[aria-label="${CSS.escape(active)}"]`)?.focus();
    const names = [NODES, ...new Set(all.flatMap((row) => (row.samples || []).slice(-1).flatMap((one) => Object.keys(one.root || {}))))];
    const chosen = names.includes(what.value) ? what.value : NODES;
    what.replaceChildren(...names.map((name) => h("option", { value: name, selected: name === chosen }, name === NODES ? "nodes over time" : `root: ${name}`)));
    const sorted = all.sort((a, b) => a.colour - b.colour);
    drawing.update({ log: log.checked, y: chosen, series: sorted.map((row) => ({ name: row.name, points: points(row, chosen), dots: (row.samples || []).length < 3 })) });
    stopAll.disabled = !all.some((row) => RUNNING.has(row.state));
    save.disabled = !all.length;
  }

  function asCsv() {
    const shown = columns().slice(0, -1);
    return csv(shown.map((one) => one.name), [...rows.values()].map((row) => shown.map((one) => one.value(row))));
  }

  await panel.go(place);
  for (const id of (context.extras.sessions || "").split(",").filter(Boolean).slice(0, MOST)) await join(id);
  draw();
  return {};
}

const rate = (row) => {
  if (!row.result) return row.progress?.nodes_per_second ?? null;
  return row.result.seconds > 0 ? row.result.nodes / row.result.seconds : null;
};

const stateWords = (row) => (row.state === "stopped" && row.result?.stopped ? `stopped: ${row.result.stopped}` : row.state);

function points(row, name) {
  const at = (one) => [one.seconds, name === NODES ? one.nodes : one.root?.[name] ?? null];
  const found = (row.samples || []).map(at);
  if (row.result) found.push(at(row.result));
  return found.filter(([x]) => typeof x === "number");
}

function nameOf(session, rows, searches) {
  const usual = Object.fromEntries((searches.find((one) => one.id === session.search)?.options || []).map((one) => [one.name, one.default]));
  const options = Object.entries(session.options || {}).filter(([name, value]) => value !== usual[name]).map(([name, value]) => `${name}=${value}`);
  const name = [session.search, ...options].join(" ") + (session.seed ? ` seed ${session.seed}` : "");
  const same = [...rows.values()].filter((row) => row.name === name || row.name?.startsWith(`${name} #`)).length;
  return same ? `${name} #${same + 1}` : name;
}

/** A result's value as a chip with its letter. */
export function valueChip(result) {
  if (!result) return "–";
  return h("span", { class: "nowrap" }, h("span", { class: `chip ${result.value}` }, LETTERS[result.value] || "?"),
    ` ${result.value}${result.proved || result.value === "unknown" ? "" : " (concluded)"}`);
}
