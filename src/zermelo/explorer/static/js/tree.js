// <zm-tree>: a tree of which only what is opened is fetched, and only what is in sight is drawn.
//
// Properties: fetch(path, offset, count) -> Branch; name (of the files saved). Method: reveal(path).
// Event zm-go: detail.path is where the reader went, detail.node what is known there.

import { count, h } from "./dom.js";
import { key, said as saidNumbers } from "./nodes.js";

export const ROW = 30;  // px, the height of --row in the style sheet
export const PAGE = 200;
const BEYOND = 8;  // rows drawn above and below those in sight
export const FRESH = 900;  // ms that a change is marked
const STATUS = { won: ["W", "proved"], lost: ["L", "disproved"], unknown: ["", ""] };
let trees = 0;

export class Tree extends HTMLElement {
  connectedCallback() {
    if (this.body) return;
    this.id ||= `tree-${++trees}`;
    this.at = 0;
    this.body = h("div", { class: "tree-rows", role: "none" });
    this.scroller = h("div", { class: "tree-view", role: "tree", tabindex: 0,
      "aria-label": this.getAttribute("label") || "Tree of the search" }, this.body);
    this.scroller.addEventListener("scroll", () => this.draw());
    this.scroller.addEventListener("keydown", (event) => this.onKey(event));
    this.body.addEventListener("click", (event) => this.onClick(event));
    this.asked = h("p", { class: "tree-asked" });
    this.note = h("p", { class: "tree-note", role: "status" });
    this.append(this.tools(), this.asked, this.scroller, this.note);
    new ResizeObserver(() => this.draw()).observe(this.scroller);
    if (this.source) this.start();
  }

  set fetch(source) {
    this.source = source;
    if (this.body) this.start();
  }

  get fetch() { return this.source; }

  get path() { return this.rows?.[this.at]?.path || []; }

  tools() {
    const button = (text, title, onclick) =>
      h("button", { type: "button", class: "small", title, onclick }, text);
    return h("div", { class: "tree-tools" }, this.growth(button),
      button("Close all", "Leave the root alone open", () => this.closeAll()),
      h("span", { class: "grow" }),
      button("SVG", "Save what is open as a drawing", () => this.save("svg")),
      button("PNG", "Save what is open as a picture", () => this.save("png")),
      h("div", { class: "tree-legend" },
        h("span", {}, glyph({ kind: "or" }), " OR: the attacker moves"),
        h("span", {}, glyph({ kind: "and" }), " AND: the defender moves"),
        h("span", {}, glyph({ kind: "or", status: "won" }), " proved: the attacker wins"),
        h("span", {}, glyph({ kind: "or", status: "lost" }), " disproved"),
        h("span", { class: "tree-lit" }, this.litWords)));
  }

  /** What a tree that grows has besides. */
  growth() { return []; }

  get litWords() { return "the prover's move"; }

  async start() {
    this.known = new Map();  // key -> { node, path, children: [keys], more, open }
    this.rows = [];
    this.at = 0;
    this.question = undefined;
    await this.load([]);
    this.flatten();
    this.dispatchEvent(new CustomEvent("zm-ready", { bubbles: true }));
  }

  // Fetch the children of ``path`` from ``offset`` on; whether that was possible.
  async load(path, offset = 0, count = PAGE) {
    const source = this.source;
    try {
      const branch = await source(path, offset, count);
      if (source !== this.source) return false;
      this.take(path, branch, offset);
      this.note.textContent = "";
      return true;
    } catch (error) {
      if (source === this.source) this.note.textContent = error.message || String(error);
      return false;
    }
  }

  take(path, branch, offset) {
    if (this.question !== branch.question && this.known.size) this.known.clear(); // the search asks something else now
    this.question = branch.question;
    const parent = this.hold(path, branch.node);
    const fresh = branch.children.map((child) => {
      const where = [...path, child.move];
      this.hold(where, child);
      return key(where);
    });
    const before = parent.children || [];
    const longer = !offset && before.length > fresh.length;  // only the first of them came again
    const rest = new Set(fresh);
    parent.children = offset ? [...before.slice(0, offset), ...fresh]
      : longer ? [...fresh, ...before.filter((name) => !rest.has(name))] : fresh;
    if (!longer) parent.more = Number(branch.more) || 0;
    if (!path.length) parent.open = true;
    if (!path.length) this.asked.textContent = branch.asked ? `The question: ${branch.asked}` : branch.claim ? `${branch.claim}; the attacker is ${branch.attacker}.` : "";
  }

  hold(path, node) {
    const name = key(path);
    const entry = this.known.get(name) || { path, open: false, children: null, more: 0 };
    const before = entry.node && said(entry.node);
    if (node) entry.node = { ...node, also: node.also ?? entry.node?.also };
    if (this.busy && before !== undefined && before !== said(entry.node)) entry.changed = Date.now();
    this.known.set(name, entry);
    return entry;
  }

  flatten() {
    const rows = [];
    const walk = (name, level, place, size) => {
      const entry = this.known.get(name);
      rows.push({ path: entry.path, name, entry, level, place, size });
      if (!entry.open || !entry.children) return;
      const many = entry.children.length;
      const total = typeof entry.node.children === "number" ? entry.node.children : many;
      entry.children.forEach((child, k) => walk(child, level + 1, k + 1, Math.max(total, many)));
      if (entry.more) rows.push({ path: entry.path, name: name + " +", entry, level: level + 1, more: true,
        left: entry.more });
    };
    const selected = this.rows?.[this.at]?.name;
    if (this.known.has("")) walk("", 1, 1, 1);
    this.rows = rows;
    const found = rows.findIndex((row) => row.name === selected);
    this.at = found >= 0 ? found : Math.min(this.at, Math.max(rows.length - 1, 0));
    this.body.style.height = rows.length * ROW + "px";
    this.draw();
  }

  draw() {
    if (!this.rows) return;
    const { scrollTop, clientHeight } = this.scroller;
    const first = Math.max(0, Math.floor(scrollTop / ROW) - BEYOND);
    const last = Math.min(this.rows.length, Math.ceil((scrollTop + clientHeight) / ROW) + BEYOND);
    this.body.replaceChildren(...this.rows.slice(first, last).map((row, k) => this.row(row, first + k)));
    if (this.rows.length)
      this.scroller.setAttribute("aria-activedescendant", `${this.id}-${this.at}`);
  }

  row(row, k) {
    const box = h("div", { id: `${this.id}-${k}`, role: "treeitem", class: "tree-row",
      "aria-level": row.level, "aria-selected": String(k === this.at) });
    box.dataset.row = k;
    box.style.top = k * ROW + "px";
    box.style.paddingInlineStart = `${indent(row.level)}px`;
    if (row.more) {
      box.classList.add("tree-more");
      box.append(`show more${row.left > 0 ? ` (${count(row.left)} left)` : ""} …`);
      return box;
    }
    const { node, open, changed } = row.entry;
    box.setAttribute("aria-setsize", row.size);
    box.setAttribute("aria-posinset", row.place);
    const inner = hasChildren(row.entry);
    if (inner) box.setAttribute("aria-expanded", String(open));
    box.classList.toggle("best", Boolean(node.best));
    box.classList.toggle("lost-entry", node.held === false);
    box.classList.toggle("fresh", Date.now() - changed < FRESH);
    box.append(
      h("span", { class: "tree-twisty", "aria-hidden": "true" }, inner ? (open ? "▾" : "▸") : ""),
      glyph(node),
      h("b", { class: "tree-move" }, row.path.length ? node.move : "root"),
      h("span", { class: "tree-numbers" }, saidNumbers(node.numbers)),
      ...marks(node));
    return box;
  }

  onClick(event) {
    const box = event.target.closest("[data-row]");
    if (!box) return;
    const row = this.rows[+box.dataset.row];
    const also = event.target.closest("[data-also]");
    if (also) return this.reveal(row.entry.node.also[0]);
    this.focusRow(+box.dataset.row);
    if (row.more) return this.more(row);
    if (event.target.closest(".tree-twisty")) return this.toggle(row);
    this.go();
    if (!row.entry.open) this.toggle(row);
  }

  focusRow(k, scroll = true) {
    this.at = Math.max(0, Math.min(k, this.rows.length - 1));
    const top = this.at * ROW;
    const view = this.scroller;
    if (scroll && top < view.scrollTop) view.scrollTop = top;
    if (scroll && top + ROW > view.scrollTop + view.clientHeight)
      view.scrollTop = top + ROW - view.clientHeight;
    this.draw();
  }

  go() {
    const row = this.rows[this.at];
    if (row && !row.more) this.dispatchEvent(new CustomEvent("zm-go",
      { bubbles: true, detail: { path: row.path, node: row.entry.node } }));
  }

  async toggle(row, open = !row.entry.open) {
    if (!hasChildren(row.entry)) return;
    if (open && !row.entry.children && !await this.load(row.path)) return;
    row.entry.open = open;
    this.flatten();
  }

  async more(row) {
    await this.load(row.path, row.entry.children.length);
    this.flatten();
  }

  closeAll() {
    for (const entry of this.known.values()) entry.open = entry.path.length === 0;
    this.at = 0;
    this.flatten();
  }

  // Open all nodes down to ``path`` and go there.
  async reveal(path) {
    for (let depth = 0; depth < path.length; depth++) {
      const above = path.slice(0, depth);
      const entry = this.known.get(key(above));
      if (!entry || (!entry.children && !await this.load(above))) break;
      while (entry.more && !entry.children.includes(key(path.slice(0, depth + 1))) &&
             await this.load(above, entry.children.length));
      entry.open = true;
    }
    this.showRow(path);
  }

  showRow(path) {
    this.flatten();
    const found = this.rows.findIndex((row) => row.name === key(path));
    if (found < 0) return;
    this.focusRow(found);
    this.go();
  }

  onKey(event) {
    const row = this.rows?.[this.at];
    if (!row || event.ctrlKey || event.altKey || event.metaKey) return;
    const parent = () => this.rows.findLastIndex((one, k) => k < this.at && one.level < row.level);
    const inner = !row.more && hasChildren(row.entry);
    const page = Math.max(1, Math.floor(this.scroller.clientHeight / ROW) - 1);
    const move = (k) => { this.focusRow(k); this.follow(); };
    const does = {
      ArrowDown: () => move(this.at + 1), ArrowUp: () => move(this.at - 1),
      PageDown: () => move(this.at + page), PageUp: () => move(this.at - page),
      Home: () => move(0), End: () => move(this.rows.length - 1),
      ArrowRight: () => row.entry.open && inner ? move(this.at + 1) : this.toggle(row, true),
      ArrowLeft: () => row.entry.open && inner ? this.toggle(row, false) : move(parent()),
      Enter: () => row.more ? this.more(row) : this.go(),
      " ": () => row.more ? this.more(row) : this.toggle(row),
      "*": () => this.openLevel(row),
    }[event.key];
    if (!does) return;
    event.preventDefault();
    event.stopPropagation();
    does();
  }

  // The board follows the keyboard once it rests.
  follow() {
    clearTimeout(this.soon);
    this.soon = setTimeout(() => this.go(), 150);
  }

  async openLevel(row) {
    const above = row.path.slice(0, -1);
    const names = row.path.length ? this.known.get(key(above)).children : [""];
    for (const name of names.slice(0, 50)) {
      const entry = this.known.get(name);
      if (hasChildren(entry) && (entry.children || await this.load(entry.path))) entry.open = true;
    }
    this.flatten();
  }

  async save(form) {
    const [{ drawTree }, files] = await Promise.all([import("./drawing.js"), import("./export.js")]);
    const nodes = this.rows.filter((row) => !row.more).slice(0, 3000).map((row) => ({
      ...row.entry.node, path: row.path, kids: hasChildren(row.entry) && !row.entry.open }));
    const drawing = drawTree(nodes, "Tree");
    const frame = h("div", { class: "tree-print" }, drawing);
    this.append(frame);
    try {
      await files.save(drawing, this.name || "tree", form);
    } finally {
      frame.remove();
    }
  }
}

const indent = (level) => 4 + 16 * Math.min(level - 1, 14) + 5 * Math.max(level - 15, 0);
const said = (node) => `${node.status} ${JSON.stringify(node.numbers)}`;

export function hasChildren(entry) {
  if (entry.node.kind === "end") return false;
  if (entry.children) return entry.children.length > 0;
  return entry.node.children !== 0;
}

// A square where the attacker moves, a circle where the defender does, a diamond at the end.
function glyph(node) {
  const [letter] = STATUS[node.status] || STATUS.unknown;
  const words = { or: "OR", and: "AND", end: "end" }[node.kind] || "";
  return h("span", { class: `glyph ${node.kind} ${node.status || "unknown"}`, role: "img",
    "aria-label": [words, (STATUS[node.status] || [])[1]].filter(Boolean).join(", "),
    title: node.to_move ? `${node.to_move} to move` : words }, h("i", {}, letter));
}

function marks(node) {
  const found = [];
  const mark = (text, title, more = {}) => found.push(h("span", { class: "mark", title, ...more }, text));
  if (STATUS[node.status]?.[1])
    found.push(h("span", { class: `badge ${node.status}` }, STATUS[node.status][1]));
  if (node.outcome) mark(node.outcome === "draw" ? "draw" : `${node.outcome} wins`, "The game is over here");
  if (node.thresholds) mark(`thresholds ${saidNumbers(node.thresholds)}`, "The search stays below here while its numbers are less than these");
  if (node.repeats) mark("↻ repeats", "The position stood here before on this path");
  if (node.also?.length) {
    const link = h("button", { type: "button", class: "mark link", tabindex: -1,
      title: `The same position: ${node.also.slice(0, 5).map((path) => path.join(" ") || "the root").join("; ")}` },
      `⇄ also ${node.also[0].join(" ") || "at the root"}${node.also.length > 1 ? ` and ${node.also.length - 1} more` : ""}`);
    link.dataset.also = "";
    found.push(link);
  }
  if (node.considered === false) mark("outside the zone", "The proof does not depend on this reply");
  if (node.held === false) mark("lost from the table", "The table no longer holds this position");
  return found;
}

customElements.define("zm-tree", Tree);
