// The start page: paste anything, famous positions, the games.

import { once } from "../api.js";
import { h } from "../dom.js";
import { takeAnything } from "../drop.js";
import { handed } from "../handed.js";
import { openFile, openText, pasteBox, picture } from "../paste.js";
import { toQuery } from "../place.js";
import { gameTitle } from "../titles.js";

export async function show(main, place, context) {
  context.title("See who wins, and why");
  const famous = h("ul", { class: "tiles famous" });
  const games = h("ul", { class: "tiles games" });
  main.append(h("div", { class: "page start" },
    h("section", { class: "hero", "aria-labelledby": "hero" },
      h("div", {}, h("h1", { id: "hero" }, "See who wins, and why."),
        h("p", { class: "lead" }, "Put up a position. Every move shows what it is worth, proved down to the last reply; and you can watch the search, walk its proof, and play against it."),
        pasteBox(context))),
    h("section", { "aria-labelledby": "games" }, h("h2", { id: "games" }, "Games"), games),
    h("section", { "aria-labelledby": "famous" }, h("h2", { id: "famous" }, "Positions worth a look"), famous)));
  takeAnything(context);
  const given = handed();
  if (given?.file) openFile(given.file, context, given.place);
  else if (given?.text) openText(given.text, context, given.place);
  const waiting = () => Array.from({ length: 6 }, () => h("li", {}, h("span", { class: "tile ghost" }, h("span", { class: "picture" }))));
  games.append(...waiting());
  famous.append(...waiting());
  fill(games, once("/games"), gameTile, context);
  fill(famous, once("/famous"), famousTile, context);
  return {};
}

async function fill(list, question, tile, context) {
  try {
    const found = await question;
    if (!context.signal.aborted) list.replaceChildren(...found.map(tile));
  } catch (error) {
    if (!context.signal.aborted) list.replaceChildren(h("li", { class: "refusal" }, error.message));
  }
}

function gameTile(game) {
  const place = game.start || { game: game.name, parameters: {}, position: "start", moves: [] };
  return h("li", {}, h("a", { class: "tile", href: `/board${toQuery(place)}` },
    picture(game.picture, ""), h("b", {}, game.own ? `${gameTitle(game.name)} (yours)` : gameTitle(game.name)), h("span", { class: "soft small" }, game.words)));
}

function famousTile(each) {
  const extras = { search: each.search, goal: each.goal, session: each.page === "live" ? "new" : null };
  return h("li", {}, h("a", { class: "tile", href: `/${each.page}${toQuery(each.place, extras)}` },
    picture(each.picture, ""), h("b", {}, each.title), h("span", { class: "soft small" }, each.words)));
}
