// The lab: experiments, how far they are, their tables, figures, claims and jobs.

import { get, told } from "../api.js";
import { csv } from "../csv.js";
import { count, download, h, seconds } from "../dom.js";
import { copyBox } from "../copybox.js";
import { toQuery } from "../place.js";
import { plainTable, sortable } from "../table.js";
import { tabs } from "../tabs.js";

const POLL = 3000; // ms
const PAGE = 50;
const VERDICTS = { holds: "win", "does not hold": "loss", "not judged": "unknown" };

export async function show(main, place, context) {
  await context.styles("tables");
  return context.extras.name ? experiment(main, context.extras.name, context) : list(main, context);
}

/** Asks again every few seconds while the page is looked at; draws only what has changed. */
function poll(path, context, draw) {
  let last = "";
  let timer = 0;
  const ask = async () => {
    if (!document.hidden) {
      const found = await get(path, context.signal).catch((error) => {
        if (error.name !== "AbortError" && !last) throw error;
        return null;
      });
      const text = JSON.stringify(found);
      if (found && text !== last) {
        last = text;
        await draw(found);
      }
    }
    if (!context.signal.aborted) timer = setTimeout(ask, POLL);
  };
  context.signal.addEventListener("abort", () => clearTimeout(timer));
  return ask();
}

/** A text of an experiment, with its *emphasis*, **weight** and `code`. */
const marked = (text) => (text || "").split(/(\*\*[^*]+\*\*|\*[^*\s][^*]*\*|`[^`]+`)/).map((part) => (part.startsWith("**") ? h("b", {}, part.slice(2, -2))
  : part.startsWith("*") && part.length > 2 ? h("em", {}, part.slice(1, -1)) : part.startsWith("`") && part.length > 2 ? h("code", {}, part.slice(1, -1)) : part));

/** Done of all as a bar and in words. */
function bar(row) {
  if (row.jobs === null || row.jobs === undefined) return h("span", { class: "soft" }, row.note || "not run yet");
  const words = `${count(row.done)} of ${count(row.jobs)} jobs`;
  return h("span", { class: "lab-bar" }, h("progress", { max: Math.max(row.jobs, 1), value: row.done, "aria-label": words }), h("span", { class: "number" }, words),
    row.running ? h("span", { class: "running" }, `${row.running} running`) : null);
}

async function list(main, context) {
  const table = sortable([
    { name: "experiment", head: true, value: (row) => row.name, show: (row) => (row.own_file ? row.name : h("a", { href: "/lab" + toQuery(null, { name: row.name }) }, row.name)) },
    { name: "title", value: (row) => row.title, show: (row) => h("span", { class: "wrap" }, row.title) },
    { name: "progress", value: (row) => (row.jobs ? row.done / row.jobs : null), show: bar },
    { name: "solved", value: (row) => row.solved }, { name: "failed", value: (row) => row.failed },
    { name: "arms", value: (row) => size(row.arms) }, { name: "sets", value: (row) => size(row.sets) },
  ], { caption: "Experiments", filter: "Filter experiments", empty: "One moment: the experiments are being read…", rowClass: (row) => (row.running ? "running-row" : null) });
  main.append(h("div", { class: "page" }, h("h1", {}, "The lab"),
    h("p", { class: "soft" }, "Experiments of papers, with their jobs in a store. A run in a terminal (", h("code", {}, "zermelo lab run NAME"), ") shows here while it goes on."),
    h("div", { class: "card" }, table.element)));
  await poll("/lab", context, (rows) => table.update(rows));
  return {};
}

const size = (value) => (Array.isArray(value) ? value.length : value ?? 0);

async function experiment(main, name, context) {
  const head = h("div", {});
  const body = h("div", { class: "stack", id: "lab-panel" });
  const chosen = Number(context.query.get("settings")) || 0;
  const jobs = jobTable(name, context, chosen);
  let known = null;
  const row = tabs("Parts of the experiment", [["results", "Results"], ["claims", "Claims"], ["figures", "Figures"], ["jobs", "Jobs"], ["about", "About"]], body, () => draw());
  main.append(h("div", { class: "page" }, h("p", {}, h("a", { href: "/lab" }, "← all experiments")), head, row.element, body));
  const path = `/lab/${encodeURIComponent(name)}`;

  async function draw() {
    const part = row.current;
    const typed = [...body.querySelectorAll("input[type=search]")].map((box) => box.value);
    const again = body.dataset.part === part;
    body.dataset.part = part;
    if (part === "jobs") {
      if (!again) body.replaceChildren(jobs.element);
      return jobs.refresh();
    }
    body.replaceChildren(...{ results: () => tables(known, name), claims: () => [claims(known)], figures: () => figures(known, path, chosen),
      about: () => [differs(known), commands(known)] }[part]().filter(Boolean));
    if (!body.children.length) body.append(h("p", { class: "soft" }, "There is nothing of this."));
    [...body.querySelectorAll("input[type=search]")].forEach((box, k) => {
      if (!again || !typed[k]) return;
      box.value = typed[k];
      box.dispatchEvent(new Event("input"));
    });
    return null;
  }

  await poll(`${path}?settings=${chosen}`, context, (found) => {
    known = found;
    context.title(found.name);
    head.replaceChildren(h("h1", {}, found.title || found.name), h("p", { class: "soft" }, found.paper || ""), h("p", { class: "lab-about" }, marked(found.about)), settings(found, context.navigate), h("p", {}, bar(found)));
    return draw();
  });
  return {};
}

const tables = (found, name) => (found.tables || []).map((table) => h("div", { class: "card" }, plainTable(table, [
  h("button", { type: "button", class: "small", onclick: () => download(`${name}-${table.title}.csv`, csv(table.columns, table.rows), "text/csv") }, "CSV")])));

function claims(found) {
  if (!found.claims?.length) return null;
  const table = sortable([
    { name: "claim", head: true, value: (row) => row.text, show: (row) => h("span", { class: "wrap" }, row.text) },
    { name: "verdict", value: (row) => row.verdict, show: (row) => h("span", { class: "nowrap" }, h("span", { class: `chip ${VERDICTS[row.verdict] || "unknown"}` }, { holds: "✓", "does not hold": "✗" }[row.verdict] || "?"), ` ${row.verdict}`) },
    { name: "measured", value: (row) => row.measured, show: (row) => h("span", { class: "wrap" }, row.measured || "–") },
    { name: "source", value: (row) => row.source },
  ], { caption: "What was claimed" });
  table.update(found.claims);
  return h("div", { class: "card" }, table.element);
}

const figures = (found, path, chosen) => (found.figures || []).map((figure) => {
  const file = typeof figure === "string" ? figure : figure.file || `${figure.name}.svg`;
  const words = figure.caption || figure.title || file.replace(/\.svg$/, "");
  return h("section", { class: "card", "aria-label": words }, h("figure", { class: "lab-figure" }, h("img", { src: `/api/v1${path}/figures/${encodeURIComponent(file)}?settings=${chosen}`, alt: words, onerror: (event) => event.target.replaceWith(h("p", { class: "soft" }, "Nothing to show in it yet.")) }), h("figcaption", { class: "soft" }, words)));
});

const differs = (found) => found.differs && h("section", { class: "card", "aria-label": "What differs" }, h("h2", {}, "What differs, and why"), h("p", { class: "lab-about" }, marked(found.differs)));

/** An experiment may have been run in several ways. */
function settings(found, navigate) {
  if (!(found.settings?.length > 1)) return "";
  const choice = h("select", { onchange: () => navigate("/lab", null, { extras: { name: found.name, settings: choice.value } }) },
    ...found.settings.map((words, k) => h("option", { value: k, selected: k === found.chosen }, words)));
  return h("label", { class: "field" }, h("span", {}, "Run with"), choice);
}

function commands(found) {
  if (!found.commands?.length) return null;
  return h("section", { class: "card", "aria-label": "Commands" }, h("h2", {}, "To run it"), ...found.commands.map((one) => copyBox(one)));
}

/** The jobs, fetched a page at a time, sorted and filtered by the server. */
function jobTable(name, context, settings) {
  let offset = 0;
  let sort = "";
  let chosen = null;
  const filter = h("input", { type: "search", placeholder: "Filter jobs: an arm, a position, failed …", "aria-label": "Filter jobs", oninput: () => { offset = 0; refresh(); } });
  const told_ = h("span", { class: "soft", role: "status" });
  const detail = h("div", { class: "job-detail" });
  const back = h("button", { type: "button", class: "small", onclick: () => { offset = Math.max(0, offset - PAGE); refresh(); } }, "Earlier");
  const next = h("button", { type: "button", class: "small", onclick: () => { offset += PAGE; refresh(); } }, "Later");
  const number = (key, show) => ({ name: key, value: (row) => row[key], show });
  const table = sortable([
    { name: "arm", head: true, value: (row) => row.arm, show: (row) => h("button", { type: "button", class: "link", onclick: () => { chosen = row; details(); } }, row.arm) },
    { name: "set", value: (row) => row.set }, { name: "id", title: "of the position", value: (row) => row.id, show: (row, value) => h("span", { class: "clip", title: row.position }, value) },
    number("seed"), number("status"), number("value"), number("verdict"),
    number("nodes", (row, value) => (value === null || value === undefined ? "–" : count(value))),
    number("seconds", (row, value) => (typeof value === "number" ? seconds(value) : "–")),
  ], { caption: "Jobs", empty: "No job fits.", tools: [told_, filter], onSort: (column, falling) => { sort = (falling ? "-" : "") + column; offset = 0; refresh(); } });
  const element = h("div", { class: "card jobs" }, table.element, h("p", { class: "row" }, back, next), detail);

  async function refresh() {
    const query = new URLSearchParams({ offset, count: PAGE, sort, filter: filter.value, settings });
    const found = await told(get(`/lab/${encodeURIComponent(name)}/jobs?${query}`, context.signal));
    if (!found) return;
    const rows = found.rows || found.jobs || found;
    const total = found.total ?? rows.length;
    table.update(rows);
    told_.textContent = total ? `${count(offset + 1)} to ${count(offset + rows.length)} of ${count(total)}` : "";
    back.disabled = offset === 0;
    next.disabled = offset + rows.length >= total;
  }

  function details() {
    const facts = Object.entries(chosen).filter(([key, value]) => key !== "command" && value !== null && value !== undefined && value !== "");
    detail.replaceChildren(h("h2", { tabindex: -1 }, `Job: ${chosen.arm} on ${chosen.id}`),
      chosen.command && copyBox(chosen.command), h("dl", { class: "facts-list" }, ...facts.flatMap(([key, value]) => [h("dt", {}, key), h("dd", {}, typeof value === "object" ? JSON.stringify(value) : String(value))])));
    detail.querySelector("h2").focus();
  }
  return { element, refresh };
}
