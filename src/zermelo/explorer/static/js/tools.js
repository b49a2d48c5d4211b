// Under the answer: notations to copy, files to save, players, the goal of the values, a box to paste into.

import { copyText, download, h, icon } from "./dom.js";
import { toast } from "./messages.js";
import { once } from "./api.js";

/** Draws the tools of a page into an element; gives back what updates them after a move. */
export function drawTools(element, page) {
  const notation = h("select", { "aria-label": "Notation" });
  const text = h("code", { tabindex: 0 });
  const copy = async (what, words) => { await copyText(what); toast(`${words} copied.`); };
  const name = () => `${page.place.game.replace(/\W+/g, "-")}-${page.place.moves.length}`;
  const save = (kind) => (page.element.svg ? import("./export.js").then(({ save: write }) => write(page.element.svg, name(), kind)) : toast("This game draws no picture."));
  const button = (pictured, words, run) => h("button", { type: "button", onclick: run }, icon(pictured), words);
  const goal = h("select", { "aria-label": "What the values say", onchange: () => { page.worth.goal = goal.value; page.worth.go(page.board, true); } },
    [["shortest", "how long"], ["value", "who wins"], ["score", "score"]].map(([value, words]) => h("option", { value }, words)));
  goal.value = page.worth.goal;
  const players = page.board.players.map((player, i) => {
    const select = h("select", { onchange: () => page.setPlayer(i, select.value === "machine") }, h("option", { value: "you" }, "you"), h("option", { value: "machine" }, "Zermelo"));
    select.value = page.players[i] ? "machine" : "you";
    return h("label", { class: "field" }, h("span", {}, `${player} is`), select);
  });
  const parameters = h("div", {});
  const fill = () => {
    const chosen = notation.value;
    const all = page.board.notations?.length ? page.board.notations : [{ name: "position", text: page.board.text }];
    notation.replaceChildren(...all.map((each) => h("option", { value: each.name }, each.name)), h("option", { value: "link" }, "link"));
    if ([...notation.options].some((option) => option.value === chosen)) notation.value = chosen;
    text.textContent = notation.value === "link" ? location.href : all.find((each) => each.name === notation.value)?.text ?? "";
  };
  notation.addEventListener("change", fill);
  element.replaceChildren(
    h("div", { class: "fields" }, players, h("label", { class: "field" }, h("span", {}, "Values say"), goal)),
    h("h2", {}, "Position"),
    h("div", { class: "row notation" }, notation, h("div", { class: "copy-box" }, text,
      h("button", { type: "button", class: "icon-button", "aria-label": "Copy the position", title: "Copy the position", onclick: () => copy(text.textContent, "Position") }, icon("copy")))),
    h("div", { class: "row saves" }, button("down", "SVG", () => save("svg")), button("down", "PNG", () => save("png")),
      button("copy", "Line", () => copy(page.lineBox.hidden ? page.place.moves.join(" ") : JSON.parse(page.lineBox.dataset.line)[1].join(" "), "Line")),
      button("down", "JSON", () => download(`${name()}.json`, JSON.stringify({ ...page.place, text: page.board.text, to_move: page.board.to_move, moves_values: page.values() }, null, 2), "application/json"))),
    parameters, h("a", { href: "/" }, "Paste or open another"));
  drawParameters(parameters, page);
  fill();
  return fill;
}

/** The sizes of a game, to change: leads to its start. */
async function drawParameters(element, page) {
  const games = await once("/games").catch(() => []);
  const game = games.find((each) => each.name === page.place.game);
  if (!game?.parameters?.length) return;
  const inputs = game.parameters.map((parameter) => {
    const given = page.place.parameters[parameter.name] ?? parameter.default;
    const input = parameter.choices?.length ? h("select", {}, parameter.choices.map((choice) => h("option", { value: choice }, String(choice))))
      : h("input", { inputmode: typeof parameter.default === "number" ? "numeric" : null, autocomplete: "off" });
    input.value = given ?? "";
    input.name = parameter.name;
    return h("label", { class: "field", title: parameter.help }, h("span", {}, parameter.name), input);
  });
  const form = h("form", { onsubmit: (event) => {
    event.preventDefault();
    const parameters = {};
    for (const { name, default: usual } of game.parameters) {
      const value = form.elements[name].value.trim();
      if (value !== "" && value !== String(usual)) parameters[name] = /^-?\d+$/.test(value) ? Number(value) : value;
    }
    page.context.navigate("/board", { game: game.name, parameters, position: "start", moves: [] });
  } }, h("div", { class: "fields" }, inputs), h("button", { type: "submit" }, "New board"));
  element.replaceChildren(h("details", {}, h("summary", {}, "Size and rules"), form));
}
