// A tree as a drawing: the root at the left, a row for each leaf, parents in the middle of theirs.
//
// A node is {path, move, kind, status, numbers} and, where it is so: best (lit), selected, fresh
// (new in this picture), before (its numbers before they changed), limits (thresholds by name),
// kids (it has children that are not drawn; a number says how many).

import { count, s } from "./dom.js";
import { key, shown, value } from "./nodes.js";

const ROW = 38;
const ROW_OF_TWO = 48; // where labels have two lines
const MOST = 2; // numbers in one line
const SIZE = 12; // half of a node's side
const EDGE = 36;
const LETTER = 8.6; // the width of a letter, on average
const LABEL = SIZE + 7; // where a label begins
const MARGIN = 20;
// a bare node has no label: for a legend
const LETTERS = { won: "W", lost: "L" };

export class Drawing {
  constructor(label) {
    this.edges = s("g", { class: "edges" });
    this.nodes = s("g", {});
    this.ground = s("rect", { class: "ground" });
    this.svg = s("svg", { class: "drawing", ...(label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" }) }, this.ground, this.edges, this.nodes);
    this.drawn = new Map();
    this.lines = new Map();
  }

  /** Draws `nodes`, the root first; what was drawn before moves to its new place. */
  update(nodes) {
    const { places, after, width, height } = layout(nodes);
    const seen = new Set();
    for (const node of nodes) {
      const name = key(node.path);
      const [x, y] = places.get(name);
      seen.add(name);
      const old = this.drawn.get(name);
      const group = old || s("g", {});
      if (!old) {
        this.drawn.set(name, group);
        this.nodes.append(group);
      }
      group.setAttribute("class", ["node", node.kind, node.status, ...["best", "selected", "fresh"].filter((word) => node[word]),
        node.before && "changed", node.held === false && "lost-entry"].filter(Boolean).join(" "));
      group.setAttribute("data-path", name);
      group.style.transform = `translate(${x}px, ${y}px)`;
      group.setAttribute("transform", `translate(${x} ${y})`);
      group.replaceChildren(...parts(node));
      if (node.path.length) this.edge(name, places.get(key(node.path.slice(0, -1))), [x, y], node, after.get(key(node.path.slice(0, -1))));
    }
    for (const kept of [this.drawn, this.lines]) {
      for (const [name, element] of kept) {
        if (seen.has(name)) continue;
        element.remove();
        kept.delete(name);
      }
    }
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.ground.setAttribute("width", width);
    this.ground.setAttribute("height", height);
    this.size = [width, height];
    this.places = places;
    this.after = after;
  }

  edge(name, [x1, y1], [x2, y2], node, label) {
    let line = this.lines.get(name);
    if (!line) {
      line = s("path", {});
      this.lines.set(name, line);
      this.edges.append(line);
    }
    const from = x1 + SIZE + 8 + label;
    const to = x2 - SIZE;
    const bend = to - EDGE / 2;
    line.setAttribute("d", `M${from} ${y1}H${bend - 8}C${bend + 4} ${y1} ${bend - 8} ${y2} ${bend + 4} ${y2}H${to}`);
    line.setAttribute("class", node.selected || node.best ? "edge lit" : "edge");
    if (node.selected || node.best) this.edges.append(line); // over the others
  }
}

/** Where each node stands, and the size of the whole. */
function layout(nodes) {
  const children = new Map(nodes.map((node) => [key(node.path), []]));
  const wide = [];
  const after = new Map(); // the width of a label
  for (const node of nodes) {
    const depth = node.path.length;
    after.set(key(node.path), Math.max(...lines(node).map((line) => line.length)) * LETTER);
    wide[depth] = Math.max(wide[depth] || 0, after.get(key(node.path)));
    if (depth) children.get(key(node.path.slice(0, -1))).push(key(node.path));
  }
  const left = [MARGIN + SIZE];
  wide.forEach((width, depth) => left.push(left[depth] + SIZE * 2 + width + EDGE + 14));
  const places = new Map();
  const high = nodes.some((node) => listed(node).length > MOST) ? ROW_OF_TWO : ROW;
  let row = 0;
  const put = (name, depth) => {
    const below = children.get(name).map((child) => put(child, depth + 1));
    const y = below.length ? (below[0] + below.at(-1)) / 2 : MARGIN + SIZE / 2 + high * row++;
    places.set(name, [left[depth], y]);
    return y;
  };
  if (nodes.length) put("", 0);
  return { places, after, width: Math.ceil(left.at(-1) || 40), height: MARGIN * 2 + SIZE + high * Math.max(row - 1, 0) };
}

function parts(node) {
  const shape = node.kind === "and" ? s("circle", { class: "shape", r: SIZE + 1 })
    : node.kind === "end" ? s("path", { class: "shape", d: `M0 ${-SIZE - 3}L${SIZE + 3} 0 0 ${SIZE + 3} ${-SIZE - 3} 0z` })
      : s("rect", { class: "shape", x: -SIZE, y: -SIZE, width: SIZE * 2, height: SIZE * 2, rx: 2 });
  const letter = LETTERS[node.status];
  return [shape,
    letter && s("text", { class: "letter", y: 5 }, letter),
    !node.bare && s("text", { class: "label", x: LABEL, y: second(node) ? -3 : 5.5 },
      s("tspan", { class: "name" }, node.path.length ? node.move : "root"), ...told(node)),
  ].filter(Boolean);
}

/** The numbers as tspans: `pn 1 → 3 < 5`, before, after and threshold. */
function told(node) {
  const words = [];
  for (const [k, [name, after]] of listed(node).entries()) {
    words.push(s("tspan", { class: "quiet-text", ...(k && k === second(node) ? { x: LABEL, dy: 17 } : { dx: 7 }) }, name));
    if (changed(node, name)) {
      words.push(s("tspan", { class: "before", dx: 4 }, value(node.before[name])), s("tspan", { class: "quiet-text", dx: 3 }, "→"));
    }
    words.push(s("tspan", { class: words.at(-1).textContent === "→" ? "after" : "number", dx: 4 }, value(after)));
    const limit = bounds(node, name);
    if (limit) words.push(s("tspan", { class: "limit", dx: 3 }, limit));
  }
  if (node.kids) words.push(s("tspan", { class: "quiet-text", dx: 8 }, node.kids === true ? "…" : `+ ${count(node.kids)}`));
  return words;
}

const listed = (node) => (node.plain ? [] : shown(node.numbers));

/** The thresholds of a number; those of p are two, and beyond 0 and 1 there are none. */
function bounds({ limits = {} }, name) {
  if (name in limits) return `< ${value(limits[name])}`;
  return name === "p" && "lo" in limits ? [limits.lo > 0 && `> ${value(limits.lo)}`, limits.hi < 1 && `< ${value(limits.hi)}`].filter(Boolean).join(" ") : "";
}

/** Which of the numbers begins the second line of the label; 0: there is none. */
const second = (node) => (listed(node).length > MOST ? Math.ceil(listed(node).length / 2) : 0);

/** The label's lines, to measure them. */
function lines(node) {
  const numbers = listed(node).map(([name, one]) => [name, changed(node, name) && `${value(node.before[name])} >`, value(one), bounds(node, name)].filter(Boolean).join(" "));
  const cut = second(node) || numbers.length;
  const last = node.kids ? [`+ ${count(node.kids)}`] : [];
  const first = [node.path.length ? node.move : "root", ...numbers.slice(0, cut)];
  return node.bare ? [""] : cut === numbers.length ? [[...first, ...last].join(" ")] : [first.join(" "), [...numbers.slice(cut), ...last].join(" ")];
}

/** Whether a number of the node is another one than before. */
const changed = (node, name) => node.before?.[name] !== undefined && String(node.before[name]) !== String(node.numbers[name]);

/** A drawing of its own, for a file. */
export function drawTree(nodes, words) {
  const drawing = new Drawing(words);
  drawing.update(nodes);
  return drawing.svg;
}
