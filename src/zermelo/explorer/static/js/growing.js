// <zm-growing-tree>: the tree of a search, which changes while it is looked at.
//
// Besides what <zm-tree> has: live (fetch again every second), hint() -> path. Methods: refresh(), lit() (opens the most-proving path).

import { h } from "./dom.js";
import { key } from "./nodes.js";
import { FRESH, hasChildren, PAGE, ROW, Tree } from "./tree.js";

const LIVE = 1000;  // ms
const MOST_REFRESHED = 60;
const MOST_LIVE = 12;
const DEEPEST = 400;

class GrowingTree extends Tree {
  connectedCallback() {
    super.connectedCallback();
    this.beat();
  }

  disconnectedCallback() { clearTimeout(this.timer); }

  get litWords() { return "most-proving path"; }

  growth(button) {
    this.liveBox = h("input", { type: "checkbox", checked: Boolean(this.isLive),
      onchange: () => { this.live = this.liveBox.checked; } });
    return [button("Most-proving path", "Open the path on which the search works", () => this.lit()),
      button("Refresh", "Fetch what is open again", () => this.refresh()),
      h("label", { class: "tick" }, this.liveBox, " live")];
  }

  set live(on) {
    this.isLive = Boolean(on);
    if (this.liveBox) this.liveBox.checked = this.isLive;
    this.beat();
  }

  get live() { return this.isLive; }

  beat() {
    clearTimeout(this.timer);
    if (!this.isLive || !this.isConnected) return;
    this.timer = setTimeout(async () => {
      if (!document.hidden && this.source) await this.refresh(true);
      this.beat();
    }, LIVE);
  }

  // Fetch the open nodes again, those in sight and on the lit path first.
  async refresh(quiet = false) {
    if (this.busy || !this.known) return;
    this.busy = true;
    await this.load([]);
    const first = this.scroller.scrollTop / ROW;
    const last = first + this.scroller.clientHeight / ROW;
    const open = this.rows.map((row, k) => ({ row, near: Boolean(row.entry.node.best) || (k >= first - 30 && k <= last) }))
      .filter(({ row }) => row.path.length && !row.more && row.entry.open && row.entry.children && this.known.has(row.name))
      .sort((a, b) => Number(b.near) - Number(a.near))
      .slice(0, quiet ? MOST_LIVE : MOST_REFRESHED);
    await together(open, ({ row }) => this.load(row.path, 0, Math.min(Math.max(row.entry.children.length, 1), PAGE)));
    this.busy = false;
    setTimeout(() => this.draw(), FRESH);
    if (this.known.has("")) this.flatten();
    else await this.start();
  }

  // Open the path on which the search works. A search that is busy with its memory may not answer in time: then ask again.
  async lit() {
    for (let tries = 0; tries < 3; tries++) {
      if (tries) await new Promise((done) => setTimeout(done, LIVE));
      if (await this.litOnce()) return;
    }
  }

  // As far as it goes; hint() may know it beforehand. Whether it goes anywhere.
  async litOnce() {
    const hint = (this.hint?.() || []).slice(0, DEEPEST);
    const loaded = new Set();
    await together(hint.map((_, k) => hint.slice(0, k)), async (above) => {
      if (await this.load(above)) loaded.add(key(above));
    });
    let path = [];
    for (let depth = 0; depth < DEEPEST; depth++) {
      const entry = this.known.get(key(path));
      if (!entry || !hasChildren(entry)) break;
      if (!loaded.has(key(path)) && !await this.load(path)) break;
      let next = this.bestOf(entry);
      while (!next && entry.more && await this.load(path, entry.children.length))
        next = this.bestOf(entry);
      entry.open = true;
      if (!next) break;
      path = next;
    }
    this.showRow(path);
    return path.length > 0;
  }

  bestOf(entry) {
    return entry.children.map((name) => this.known.get(name)).find((one) => one.node.best)?.path;
  }
}

// Does ``work`` for all items, a few at a time: a search answers between two slices.
async function together(items, work, most = 4) {
  const left = [...items];
  await Promise.all(Array.from({ length: most }, async () => {
    while (left.length) await work(left.shift());
  }));
}

customElements.define("zm-growing-tree", GrowingTree);
