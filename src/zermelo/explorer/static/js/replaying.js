// A search step by step: the tree after any frame, in either direction, and what of it is shown.

import { key } from "./nodes.js";

export const PHASES = ["select", "expand", "evaluate", "back up"];
const ALL = 30; // nodes that are drawn without leaving any out
const SIBLINGS = 12;

/** The phases of a frame: one that visits a node again makes no children. */
export const phasesOf = (frame) => (frame.step === 0 ? [3] : frame.created.length ? [0, 1, 2, 3] : [0, 3]);

export class Film {
  constructor(replay) {
    this.replay = replay;
    this.frames = replay.frames;
    this.nodes = new Map(); // key -> node, in the order of creation
    this.children = new Map(); // key -> [keys]
    this.undo = [];
    this.done = -1; // the last frame whose changes are in
    this.forward();
  }

  /** The tree after frame `k`. */
  to(k) {
    while (this.done < k) this.forward();
    while (this.done > k) this.backward();
  }

  forward() {
    const frame = this.frames[++this.done];
    const before = [];
    if (frame.step === 0) { // a question begins with a tree of its own
      before.whole = [this.nodes, this.children];
      [this.nodes, this.children] = [new Map(), new Map()];
    }
    for (const made of frame.created) {
      before.push([key(made.path), this.nodes.get(key(made.path))]);
      this.put(made);
    }
    for (const { path, after, status } of frame.changed) {
      const old = this.nodes.get(key(path));
      if (!old) continue;
      before.push([key(path), old]);
      this.nodes.set(key(path), { ...old, numbers: after, status: status ?? old.status });
    }
    this.undo.push(before);
  }

  backward() {
    const before = this.undo.pop();
    this.done--;
    if (before.whole) {
      [this.nodes, this.children] = before.whole;
      return;
    }
    for (const [name, node] of before.reverse()) {
      if (node) this.nodes.set(name, node);
      else {
        const { path } = this.nodes.get(name);
        this.nodes.delete(name);
        this.children.delete(name);
        const above = this.children.get(key(path.slice(0, -1)));
        if (path.length) above.splice(above.indexOf(name), 1);
      }
    }
  }

  put(made) {
    const name = key(made.path);
    if (!this.nodes.has(name) && made.path.length) {
      const above = key(made.path.slice(0, -1));
      if (!this.children.has(above)) this.children.set(above, []);
      this.children.get(above).push(name);
    }
    const { held, ...node } = made; // a table holds no node before it is entered
    this.nodes.set(name, node);
  }

  /** The nodes to draw at a phase of frame `k`, with their marks. `whole`: leave none out. */
  picture(k, phase, whole = false) {
    const frame = this.frames[k];
    const last = phase === PHASES.length - 1 || frame.step === 0;
    this.to(last ? k : k - 1);
    const fresh = new Set(frame.created.map((made) => key(made.path)));
    const early = !last && phase > 0 ? frame.created.filter((made) => !this.nodes.has(key(made.path))) : [];
    for (const made of early) this.put(phase === 1 ? { ...made, status: "unknown" } : made);
    const lit = new Set(frame.path.map((_, n) => key(frame.path.slice(0, n + 1))).concat(""));
    const changed = new Map(last ? frame.changed.map(({ path, before }) => [key(path), before]) : []);
    const limits = frame.thresholds || {};
    const found = this.shown(lit, whole).map(({ name, kids }) => {
      const node = this.nodes.get(name);
      return { ...node, kids, selected: frame.step > 0 && lit.has(name), fresh: frame.step > 0 && phase > 0 && fresh.has(name),
        plain: phase === 1 && fresh.has(name) && frame.step > 0, before: changed.get(name), limits: limits[name] };
    });
    for (const made of early.reverse()) this.take(key(made.path));
    return found;
  }

  take(name) {
    const { path } = this.nodes.get(name);
    this.nodes.delete(name);
    if (path.length) this.children.get(key(path.slice(0, -1))).pop();
  }

  /** All nodes of a small tree; of a large one the selected path and what stands beside it. */
  shown(lit, whole) {
    const found = [];
    const all = whole || this.nodes.size <= ALL;
    const walk = (name) => {
      const below = this.children.get(name) || [];
      if (!all && !lit.has(name)) return found.push({ name, kids: below.length });
      const most = all ? below : below.filter((child, n) => n < SIBLINGS || lit.has(child));
      found.push({ name, kids: below.length - most.length });
      most.forEach(walk);
    };
    walk("");
    return found;
  }
}
