// A table that sorts by a click on a column's head, and shows the rows that hold a text.

import { h } from "./dom.js";

/** What a cell is sorted by: numbers as numbers, also those written with commas, units or bounds. */
export function sortKey(cell) {
  if (cell === null || cell === undefined || cell === "" || cell === "-" || cell === "–") return null;
  if (typeof cell === "number") return cell;
  if (cell === "inf" || cell === "∞") return Infinity;
  const found = /^\s*([-+−]?[\d,]*\.?\d+(?:e[-+]?\d+)?)\s*(?:[%±/[(].*|[a-zA-Z]{1,3})?$/.exec(String(cell));
  return found ? Number(found[1].replaceAll(",", "").replace("−", "-")) : String(cell).toLowerCase();
}

function order(a, b) {
  const [x, y] = [sortKey(a), sortKey(b)];
  if (x === null || y === null) return (x === null) - (y === null); // what is missing stands last
  if (typeof x === typeof y) return x < y ? -1 : x > y ? 1 : 0;
  return typeof x === "number" ? -1 : 1;
}

/**
 * columns: [{name, title?, value(row), show?(row, value) -> text or element, head?: the cell names its row,
 * plain?: not to sort by}]
 * Returns {element, update(rows)}; options: caption, filter (a box above), tools (elements beside it), sort: [column, falling], empty, onSort(column, falling)
 * for tables that are sorted elsewhere.
 */
export function sortable(columns, options = {}) {
  let rows = [];
  let [by, falling] = options.sort || [null, false];
  const heads = columns.map((column) => h("th", { scope: "col" }, column.plain ? h("span", { class: "unseen" }, column.name) : h("button", { type: "button", class: "sort", title: column.title || null,
    onclick: () => {
      falling = by === column.name ? !falling : false;
      by = column.name;
      if (options.onSort) options.onSort(by, falling);
      draw();
    } }, column.name)));
  const body = h("tbody", {});
  const box = options.filter && h("input", { type: "search", placeholder: options.filter, "aria-label": options.filter, oninput: () => draw() });
  const told = h("span", { class: "soft", role: "status" });
  const element = h("div", { class: "sortable" }, h("div", { class: "row" }, h("h2", {}, options.caption), h("span", { class: "grow" }), told, box, options.tools),
    h("div", { class: "table-wrap", tabindex: 0, role: "region", "aria-label": options.caption },
      h("table", { "aria-label": options.caption }, h("thead", {}, h("tr", {}, ...heads)), body)));

  function draw() {
    const column = columns.find((one) => one.name === by);
    heads.forEach((head, k) => {
      if (columns[k] === column) head.setAttribute("aria-sort", falling ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
      const cells = rows.map((row) => sortKey(columns[k].value(row))).filter((cell) => cell !== null);
      head.classList.toggle("n", cells.length > 0 && cells.every((cell) => typeof cell === "number"));
    });
    const text = (box?.value || "").toLowerCase();
    const words = text.split(/\s+/).filter(Boolean);
    let seen = rows.map((row, k) => ({ row, k, cells: columns.map((one) => one.value(row)) }));
    if (words.length) seen = seen.filter(({ cells }) => words.every((word) => cells.some((cell) => String(cell ?? "").toLowerCase().includes(word))));
    if (column && !options.onSort) {
      const at = columns.indexOf(column);
      seen.sort((a, b) => {
        const missing = (sortKey(a.cells[at]) === null) - (sortKey(b.cells[at]) === null);
        return missing || (falling ? -1 : 1) * order(a.cells[at], b.cells[at]) || a.k - b.k;
      });
    }
    body.replaceChildren(...seen.map(({ row, cells }) => h("tr", { class: options.rowClass?.(row) || null }, ...columns.map((one, k) =>
      h(one.head ? "th" : "td", { scope: one.head ? "row" : null, class: typeof sortKey(cells[k]) === "number" ? "n" : null },
        one.show ? one.show(row, cells[k]) : (cells[k] ?? "–"))))));
    if (!seen.length) body.append(h("tr", {}, h("td", { colspan: columns.length, class: "soft" }, words.length ? "No row has this text." : options.empty || "Nothing here yet.")));
    told.textContent = words.length ? `${seen.length} of ${rows.length}` : "";
  }

  draw();
  return { element, update(now) { rows = now; draw(); } };
}

const empty = (cell) => cell === null || cell === undefined || cell === "" || cell === "-";

/** Rows of texts under a header, as the lab has them; those without any result are left out at first. */
export function plainTable({ title, columns, rows, note }, tools = []) {
  const figures = columns.map((_, k) => rows.some((row) => typeof sortKey(row[k]) === "number"));
  const full = rows.filter((row) => row.some((cell, k) => figures[k] && !empty(cell)));
  const all = h("input", { type: "checkbox", onchange: () => table.update(all.checked ? rows : full) });
  const less = full.length < rows.length && h("label", { class: "tick" }, all, ` also ${rows.length - full.length} rows without results`);
  const table = sortable(columns.map((name, k) => ({ name, value: (row) => row[k], head: k === 0 })),
    { caption: title, filter: rows.length > 8 ? `Filter ${title}` : null, empty: "No results yet.", tools: [less, ...tools] });
  table.update(full);
  return h("div", {}, table.element, note && h("p", { class: "soft" }, note));
}
