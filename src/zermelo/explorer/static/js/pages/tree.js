// The tree of a search: running, finished, or what is left of it in a table.

import { Refusal, get, post, told } from "../api.js";
import { boardBeside } from "../beside.js";
import { noPlace } from "../noplace.js";
import { h } from "../dom.js";
import { RUNNING, follow, sessionWords } from "../following.js";
import { after, key, toQuery } from "../place.js";

export async function show(main, place, context) {
  await context.styles("trees");
  const { session, path } = context.extras;
  const sessions = (await get("/sessions", context.signal)).filter((one) => one.kind === "solve");
  const chosen = session || sessions.filter((one) => !place || key(one.place) === key(place)).at(-1)?.id;
  if (!place && !chosen) {
    main.append(noPlace("The tree of a search", "/tree"));
    return {};
  }
  return chosen ? tree(main, chosen, sessions, context, path) : start(main, place, sessions, context);
}

/** Where no search of a position is to be seen: to the page that starts one. */
async function start(main, place, sessions, context) {
  const search = (words, extras) => h("a", { class: `button ${extras.session ? "primary" : ""}`, href: `/live${toQuery(place, extras)}` }, words);
  const panel = boardBeside({ onMove: (move) => context.navigate("/tree", after(place, move)) });
  main.append(h("div", { class: "page" }, h("h1", {}, "The tree of a search"),
    h("div", { class: "two" }, panel.element, h("section", { class: "card", "aria-label": "Search" },
      h("p", {}, "No search of this position has a tree to look into yet. Start one; its tree can be opened while it grows."),
      h("p", { class: "row" }, search("Search with pn", { search: "pn", session: "new" }), search("Choose a search…", {})), others(sessions, null, context)))));
  await panel.go(place);
  return {};
}

/** The searches to choose from; `origin()` is the place of a new one. */
function others(sessions, id, context, origin = null) {
  if (!sessions.length) return null;
  const choice = h("select", { onchange: () => {
    const one = sessions.find((each) => String(each.id) === choice.value);
    if (one) context.navigate("/tree", one.place, { extras: { session: one.id } });
    else if (origin) context.navigate("/live", origin());
  } }, h("option", { value: "" }, id === null ? "choose one" : "a new search of this position…"),
  ...sessions.map((one) => h("option", { value: one.id, selected: String(one.id) === String(id) }, sessionWords(one))));
  return h("label", { class: "field" }, h("span", {}, "Searches of this server"), choice);
}

async function tree(main, id, sessions, context, path) {
  await import("../growing.js");
  const view = h("zm-growing-tree", { label: "Tree of the search" });
  view.name = `tree-${id}`;
  const state = h("span", { class: "state" });
  const stop = h("button", { type: "button", class: "small", onclick: () => told(post(`/sessions/${id}/stop`)) }, "Stop");
  const more = h("button", { type: "button", class: "small", onclick: () => told(post(`/sessions/${id}/continue`, {})) }, "Go on");
  let origin = null;
  const panel = boardBeside({
    onMove: (move) => view.reveal([...view.path, move]),
    onStep: (n) => view.reveal(panel.place.moves.slice(origin.moves.length, n)),
  });
  view.addEventListener("zm-go", (event) => panel.go(after(origin, ...event.detail.path), origin.moves.length));
  main.append(h("div", { class: "page" },
    h("div", { class: "row spread" }, h("h1", {}, "The tree of a search"), h("div", { class: "row" }, state, stop, more)),
    h("div", { class: "two tree-page" }, panel.element,
      h("section", { class: "card", "aria-label": "Tree" }, others(sessions, id, context, () => origin), view))));
  let was = null;
  const { session } = await follow(id, context.signal, (one, type) => {
    const running = RUNNING.has(one.state);
    state.textContent = `${one.search || ""}: ${one.state}${one.error ? `. ${one.error}` : ""}`;
    stop.hidden = !running;
    more.hidden = one.state !== "stopped";
    if (was !== one.state && type === "state") view.live = running;
    if (was && RUNNING.has(was) && !running) view.refresh();
    const option = [...main.querySelectorAll("option")].find((each) => each.value === String(id));
    if (option) option.textContent = sessionWords(one);
    was = one.state;
  });
  origin = session.place;
  view.hint = () => (session.progress?.path || []).map((one) => one.move);
  context.setPlace(origin);
  view.fetch = async (path, offset, count) => {
    try {
      return await post(`/sessions/${id}/tree`, { path, offset, count }, context.signal);
    } catch (error) {
      if (error instanceof Refusal && error.status === 409 && !path.length) setTimeout(() => view.isConnected && view.start(), 700);
      throw error;
    }
  };
  await panel.go(origin, origin.moves.length);
  if (path) view.addEventListener("zm-ready", () => view.reveal(path.split(",")), { once: true });
  return { keys: { p: { words: "open the most-proving path", run: () => view.lit() }, r: { words: "refresh", run: () => view.refresh() } } };
}
