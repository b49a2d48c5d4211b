// <zm-board>: a game's picture to click, with the value of each move on it.
//
// Properties: board (Board of the API), values (list of values of moves), hidden (no values), flipped,
// editing (a function that lays squares over the picture: these are clicked, not moves; or null). Events: zm-move {move}, zm-square {square}.

import { h, s } from "./dom.js";
import { moveWords } from "./titles.js";

let words = null; // of values

/** What boards need to show values: values.js says so itself, where a page has it. */
export const wear = (module) => { words = module; };

const MIRRORED = new Set(["connect-four", "p-game"]); // stones fall, trees grow: left and right change, not up and down

/** The stone of the player to move, beside the words that say so; none where names say enough. */
export const stoneOf = ({ outcome, stones, mover }) => (outcome || !stones ? []
  : [s("svg", { class: "stone", viewBox: "0 0 20 20", "aria-hidden": "true" }, s("circle", { cx: 10, cy: 10, r: 9, fill: stones[mover] }))]);

class BoardElement extends HTMLElement {
  #board = null;
  #values = new Map();
  #hidden = false;
  #flipped = false;
  #editing = null;
  #picked = null; // the square of the piece in hand
  #svg = null;
  #focus = null; // the move that tab goes to
  #painting = 0;
  #preview = null;

  get board() { return this.#board; }
  set board(board) {
    const hadFocus = this.contains(document.activeElement);
    this.#board = board;
    this.#preview = this.#picked = null;
    this.classList.remove("previewing");
    this.#draw();
    if (hadFocus) this.#focusable()[0] && this.#setFocus(this.#near(), true);
  }

  set values(values) {
    this.#values = new Map((values || []).map((value) => [value.move, value]));
    cancelAnimationFrame(this.#painting);
    this.#painting = requestAnimationFrame(() => this.#paint());
  }

  get hidden() { return this.#hidden; }
  set hidden(hidden) { this.#hidden = Boolean(hidden); this.#paint(); }
  get flipped() { return this.#flipped; }
  set flipped(flipped) { this.#flipped = Boolean(flipped); this.#draw(); }
  set editing(areas) { this.#editing = areas; this.#picked = null; this.#draw(); }

  /** Another board that is shown for a while, without values and not to be clicked; null for none. */
  set preview(board) {
    if (this.#preview === board) return;
    this.#preview = board;
    this.classList.toggle("previewing", Boolean(board));
    this.#draw();
  }

  /** The svg on the page, for exports. */
  get svg() { return this.#svg; }

  connectedCallback() {
    this.setAttribute("role", "group");
    this.addEventListener("click", (event) => this.#click(event.target));
    this.addEventListener("keydown", (event) => this.#key(event));
    this.addEventListener("focusin", (event) => { this.#focus = event.target.dataset?.move ?? event.target.dataset?.square ?? this.#focus; });
  }

  #draw() {
    const board = this.#preview || this.#board;
    if (!board) return;
    this.setAttribute("aria-label", `Board: ${board.status || ""}`);
    const parsed = board.svg && new DOMParser().parseFromString(board.svg, "image/svg+xml").documentElement;
    if (!parsed || parsed.nodeName !== "svg") {
      this.#svg = null;
      this.replaceChildren(h("pre", { class: "diagram", tabindex: 0, "aria-label": "Diagram" }, board.diagram || board.text || ""));
      this.classList.add("plain");
      return;
    }
    this.classList.remove("plain");
    const svg = document.importNode(parsed, true);
    for (const bad of svg.querySelectorAll("script, foreignObject")) bad.remove();
    svg.setAttribute("role", "presentation");
    svg.removeAttribute("width");
    svg.removeAttribute("height");
    const box = svg.viewBox.baseVal;
    this.#svg = svg;
    this.style.setProperty("--ratio", box?.height ? box.width / box.height : 1);
    this.style.setProperty("--natural", box?.width || 400);
    this.replaceChildren(svg);
    this.#editing?.(svg);
    if (this.#flipped) this.#turn(svg);
    this.#paint();
  }

  /** Turns the board round (or left and right) and sets its letters upright again. */
  #turn(svg) {
    const { width, height } = svg.viewBox.baseVal;
    const mirror = MIRRORED.has(this.#board.place?.game);
    const inside = s("g", { transform: mirror ? `translate(${width} 0) scale(-1 1)` : `rotate(180 ${width / 2} ${height / 2})` });
    inside.append(...svg.childNodes);
    svg.append(inside);
    for (const text of inside.querySelectorAll("text")) {
      const [x, y] = [text.getAttribute("x") || 0, text.getAttribute("y") || 0];
      text.setAttribute("transform", mirror ? `translate(${2 * x} 0) scale(-1 1)` : `rotate(180 ${x} ${y})`);
    }
  }

  #at([x, y]) {
    if (!this.#flipped) return [x, y];
    const { width, height } = this.#svg.viewBox.baseVal;
    return [width - x, MIRRORED.has(this.#board.place?.game) ? y : height - y];
  }

  #moves() { return this.#board?.moves || []; }
  get #pieces() { return this.#moves().some((move) => move.from); }

  /** What can be clicked now: [{name, move?, square?, element, words, value, spot}]. */
  #targets() {
    const found = [];
    const values = this.#hidden || !words ? new Map() : this.#values;
    const elements = (name, value) => [...this.#svg.querySelectorAll(`[${name}="${CSS.escape(value)}"]`)];
    if (this.#editing) {
      for (const { square, x, y } of this.#board.squares || []) {
        found.push({ name: square, square, elements: elements("data-square", square), words: `square ${square}`, spot: [x, y] });
      }
    } else if (this.#pieces) {
      const pieces = new Map();
      for (const move of this.#moves().filter((each) => each.from)) {
        if (!pieces.has(move.from)) pieces.set(move.from, []);
        pieces.get(move.from).push(move);
      }
      for (const [square, moves] of pieces) {
        const value = words?.best(moves.map((move) => values.get(move.move)));
        found.push({ name: square, square, elements: elements("data-square", square), spot: moves[0].spots?.[0], value, small: true,
          words: `piece on ${square}, ${moves.length} move${moves.length > 1 ? "s" : ""}${value ? `, best ${words.labelOf(value)}` : ""}`,
          picked: this.#picked === square });
      }
      for (const move of pieces.get(this.#picked) || []) {
        const value = values.get(move.move);
        found.push({ name: move.move, move: move.move, square: move.to, elements: elements("data-square", move.to), spot: move.spots?.at(-1),
          value, target: true, words: `${this.#picked} to ${move.to}${value ? `, ${words.labelOf(value)}` : ""}` });
      }
    } else {
      for (const move of this.#moves()) {
        const value = values.get(move.move);
        const touched = elements("data-move", move.move);
        if (!touched.length && !move.spots?.length) continue;
        found.push({ name: move.move, move: move.move, elements: touched, spot: move.spots?.at(-1), value,
          words: `${moveWords(this.#board, move.move)}${value ? `, ${words.labelOf(value)}` : ""}` });
      }
    }
    return found;
  }

  #paint() {
    const svg = this.#svg;
    if (!svg || this.#preview) return;
    svg.querySelector(".zm-badges")?.remove();
    const layer = s("g", { class: "zm-badges" });
    const targets = this.#targets();
    const used = new Set(targets.flatMap((target) => target.elements));
    for (const old of svg.querySelectorAll(".zm-hit")) {
      old.classList.remove("zm-hit", "zm-picked", "zm-target");
      if (!used.has(old)) for (const name of ["tabindex", "role", "aria-label"]) old.removeAttribute(name); // else it would lose the focus
    }
    const size = this.#board.cell;
    const order = targets.map((target) => (target.value ? words.orderOf(target.value) : -1));
    const top = Math.max(...order, 0);
    const firm = targets.some((target, i) => target.value && order[i] < top) && targets.some((target, i) => order[i] === top && target.value?.value !== "unknown");
    targets.forEach((target, i) => {
      for (const element of target.elements) {
        element.classList.add("zm-hit");
        if (target.picked) element.classList.add("zm-picked");
        if (target.target) element.classList.add("zm-target");
      }
      const element = target.elements.at(-1) || target.elements[0];
      if (element) {
        element.setAttribute("tabindex", target.name === this.#focus ? 0 : -1);
        element.setAttribute("role", "button");
        element.setAttribute("aria-label", target.words);
      }
      if (!target.spot) return;
      const spot = this.#at(target.spot);
      const dimmed = this.#picked && target.small && !target.picked;
      if (target.picked) layer.append(s("circle", { class: "zm-hand", cx: spot[0], cy: spot[1], r: size * 0.5 }));
      else if (target.target && !target.value) layer.append(s("circle", { class: "zm-dot", cx: spot[0], cy: spot[1], r: size * 0.14 }));
      if (target.value && !dimmed) {
        layer.append(words.badge(target.value, spot, size, { best: firm && order[i] === top, small: target.small, crowd: targets.length }));
      }
    });
    svg.append(layer);
    const focusable = this.#focusable();
    if (focusable.length && !focusable.some((each) => each.getAttribute("tabindex") === "0")) focusable[0].setAttribute("tabindex", 0);
  }

  #focusable() { return this.#svg ? [...this.#svg.querySelectorAll(".zm-hit[tabindex]")] : []; }

  #near() {
    const all = this.#focusable();
    return all.find((each) => each.dataset.move === this.#focus || each.dataset.square === this.#focus) || all[0];
  }

  #setFocus(element, now = false) {
    for (const each of this.#focusable()) each.setAttribute("tabindex", -1);
    element.setAttribute("tabindex", 0);
    if (now) element.focus({ preventScroll: true });
  }

  #click(element) {
    const hit = element.closest?.("[data-move], [data-square]");
    if (!hit || !this.contains(hit)) return;
    const { move, square } = hit.dataset;
    if (this.#editing) {
      if (square) this.#send("zm-square", { square });
    } else if (this.#pieces && square) {
      this.#pick(square);
    } else if (move && this.#moves().some((each) => each.move === move)) {
      this.#send("zm-move", { move });
    }
  }

  #pick(square) {
    const there = this.#moves().filter((move) => move.from === this.#picked && move.to === square);
    if (this.#picked && there.length) return this.#send("zm-move", { move: there[0].move });
    this.#picked = square !== this.#picked && this.#moves().some((move) => move.from === square) ? square : null;
    const inside = this.contains(document.activeElement);
    this.#paint();
    if (inside) this.#setFocus(this.#near(), true);
  }

  #send(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true })); }

  #key(event) {
    const from = event.target.closest?.(".zm-hit");
    if (!from || event.ctrlKey || event.metaKey || event.altKey) return;
    const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (event.key === "Enter") this.#click(from);
    else if (event.key === "Escape" && this.#picked) this.#pick(this.#picked);
    else if (event.key === "Escape") from.blur();
    else if (direction) this.#walk(from, direction);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** To the nearest target in a direction: along it counts once, aside twice. */
  #walk(from, [dx, dy]) {
    const centre = (element) => { const box = element.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
    const [x, y] = centre(from);
    let found = null;
    let least = Infinity;
    for (const element of this.#focusable()) {
      const [along, aside] = [(centre(element)[0] - x) * dx + (centre(element)[1] - y) * dy, Math.abs((centre(element)[0] - x) * dy + (centre(element)[1] - y) * dx)];
      if (along > 1 && along + 2 * aside < least) [found, least] = [element, along + 2 * aside];
    }
    if (found) this.#setFocus(found, true);
  }
}

customElements.define("zm-board", BoardElement);
