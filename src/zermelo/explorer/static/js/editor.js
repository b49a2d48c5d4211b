// Editing a position: choose a mark, click squares; who moves; clear.

import { post, told } from "./api.js";
import { h, s } from "./dom.js";

export class Editor {
  constructor(page, box) {
    Object.assign(this, { page, box, mark: page.board.marks[1] ?? page.board.marks[0] });
    page.element.editing = (svg) => this.areas(svg);
    page.buttons.edit.setAttribute("aria-pressed", true);
    this.draw();
  }

  draw() {
    const { board } = this.page;
    const words = (mark) => (mark === board.marks[0] ? "empty" : mark);
    this.box.replaceChildren(h("div", { class: "card editor" },
      h("div", { class: "row", role: "radiogroup", "aria-label": "What a click puts" }, board.marks.map((mark) => h("label", { class: "mark-choice" },
        h("input", { type: "radio", name: "mark", checked: mark === this.mark, onchange: () => { this.mark = mark; } }), words(mark)))),
      h("div", { class: "row" }, board.players.map((player, i) => h("button", { type: "button", "aria-pressed": String(board.mover === i),
        onclick: () => this.change({ to_move: player }) }, `${player} to move`)),
      h("button", { type: "button", onclick: () => this.change({ clear: true }) }, "Clear"),
      h("button", { type: "button", class: "primary", onclick: () => this.close() }, "Done"))));
  }

  /** What is clicked: every square, whatever stands on it. */
  areas(svg) {
    for (const element of svg.querySelectorAll("[data-move], [data-square]")) {
      element.removeAttribute("data-move");
      element.removeAttribute("data-square");
    }
    const { squares, cell } = this.page.board;
    svg.append(...squares.map(({ square, x, y }) => s("rect", { "data-square": square, class: "zm-area", x: x - cell / 2, y: y - cell / 2, width: cell, height: cell })));
  }

  put(square) { return this.change({ square, mark: this.mark }); }

  async change(what) {
    const { page } = this;
    const board = await told(post("/edit", { place: page.place, ...what }));
    if (!board) return;
    page.boards.clear();
    const editor = page.editor;
    page.editor = null; // a new origin would close it
    await page.context.navigate("/board", board.place);
    await page.go(board.place);
    page.editor = editor;
    this.draw();
  }

  close() {
    this.page.element.editing = null;
    this.page.buttons.edit.setAttribute("aria-pressed", false);
    this.page.editor = null;
    this.box.replaceChildren();
  }
}
