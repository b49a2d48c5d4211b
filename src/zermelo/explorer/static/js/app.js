// The shell: which page is shown, the theme, keys, help.

import { once } from "./api.js";
import { h } from "./dom.js";
import { announce } from "./messages.js";
import { extras, fromQuery, toQuery } from "./place.js";

const PAGES = [
  ["/", "Start", "start"], ["/board", "Board", "board"], ["/live", "Live", "live"], ["/tree", "Tree", "tree"], ["/replay", "Replay", "replay"],
  ["/compare", "Compare", "compare"], ["/proof", "Proof", "proof"], ["/record", "Record", "record"], ["/lab", "Lab", "lab"],
];
const main = document.getElementById("main");
let page = null; // {path, update?, keys?, abort, place}
let turn = 0;

/** Goes to a page: navigate("/board", place, {replace, state, extras}). */
export function navigate(path, place = null, options = {}) {
  const url = path + toQuery(place, options.extras || {});
  history[options.replace ? "replaceState" : "pushState"](options.state || {}, "", url);
  return show();
}

function markLinks(path, place) {
  const nav = document.getElementById("nav");
  nav.replaceChildren(...PAGES.map(([to, words]) => h("a", {
    href: to === "/" ? "/" : to + toQuery(place && !["/lab"].includes(to) ? place : null),
    "aria-current": to === path ? "page" : null,
  }, words)));
  const here = nav.querySelector("[aria-current]");
  if (here && nav.scrollWidth > nav.clientWidth) nav.scrollLeft = here.offsetLeft - nav.clientWidth / 2 + here.offsetWidth / 2;
}

async function show() {
  const path = location.pathname.replace(/(.)\/$/, "$1");
  const place = fromQuery();
  if (page?.path === path && page.update) {
    page.place = place;
    markLinks(path, place);
    page.update(place, history.state || {});
    return;
  }
  const mine = ++turn;
  page?.abort.abort();
  const known = PAGES.find(([to]) => to === path);
  const abort = new AbortController();
  const made = page = { path, place, abort };
  markLinks(path, place);
  document.title = known ? `${known[1]} · Zermelo` : "Zermelo";
  if (path === "/help") return help(true);
  if (!known) {
    main.replaceChildren(h("div", { class: "page narrow" }, h("h1", {}, "There is no such page"),
      h("p", {}, `${path} is not a page of the explorer. `, h("a", { href: "/" }, "To the start"))));
    return;
  }
  try {
    await styles(["start", "board"].includes(known[2]) ? known[2] : "pages");
    if (["board", "live"].includes(known[2])) await styles("values");
    const module = await import(`./pages/${known[2]}.js`);
    if (mine !== turn) return;
    main.replaceChildren();
    main.dataset.page = known[2];
    Object.assign(made, await module.show(main, place, context(made)));
  } catch (error) {
    if (mine !== turn || error.name === "AbortError") return;
    main.replaceChildren(sorry(error));
    announce(error.message);
    if (!("status" in error)) console.error(error);
  }
}

const loaded = new Map();

/** A style sheet that only some pages need: css/NAME.css. */
function styles(name) {
  if (!loaded.has(name)) {
    loaded.set(name, new Promise((done) => document.head.append(h("link", { rel: "stylesheet", href: `/static/css/${name}.css`, onload: done, onerror: done }))));
  }
  return loaded.get(name);
}

function sorry(error) {
  const words = "status" in error ? error.message : `This page could not be shown: ${error.message}.`;
  return h("div", { class: "page narrow" }, h("h1", {}, "This did not work"), h("p", { class: "refusal" }, words),
    h("p", { class: "row" }, h("button", { type: "button", class: "primary", onclick: () => show() }, "Try again"),
      h("a", { class: "button", href: "/" }, "To the start")));
}

/** What a page is given: signal (aborted when the page is left), ways to go elsewhere, the query of its URL. A page gives back
 * {update(place, state)?, keys?: {key: {words, run}}}: with update it is kept while only the query changes. */
function context(made) {
  return {
    signal: made.abort.signal,
    navigate,
    go: (url) => { history.pushState({}, "", url); return show(); },
    query: new URLSearchParams(location.search),
    extras: extras(),
    about: () => once("/about"),
    title: (words) => { document.title = `${words} · Zermelo`; },
    setPlace: (place) => { made.place = place; if (made === page) markLinks(made.path, place); },
    styles,
  };
}

addEventListener("popstate", show);

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const url = new URL(link.href, location.href);
  if (url.origin !== location.origin || link.target || link.hasAttribute("download")) return;
  if (url.hash && url.pathname === location.pathname || /^\/(api|static)\//.test(url.pathname)) return;
  event.preventDefault();
  if (url.href !== location.href) history.pushState({}, "", url.href);
  show().then(() => { if (event.detail === 0) main.focus(); });
  scrollTo(0, 0);
});

const typing = (element) => element.closest?.("input, textarea, select, [contenteditable], dialog[open]");

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
  if (event.key === "?") {
    event.preventDefault();
    return help();
  }
  if (event.key === "t") return nextTheme();
  // a button of a dialog that was just closed may still have the focus, until the next frame
  if (event.key === " " && event.target.closest?.("button, a, summary") && !event.target.closest("dialog:not([open])")) return;
  const key = page?.keys?.[event.key];
  if (!key) return;
  event.preventDefault();
  key.run(event);
});

/** The overlay; on its own at /help. */
async function help(whole = false) {
  const { showHelp } = await import("./help.js");
  if (whole) main.replaceChildren();
  showHelp(page?.keys || {}, whole && (() => navigate("/", null, { replace: true })));
}

document.getElementById("help").addEventListener("click", () => help());
document.getElementById("help-dialog").addEventListener("click", (event) => {
  if (event.target === event.currentTarget) event.currentTarget.close();
});

function nextTheme() {
  const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  try { localStorage.setItem("zermelo-theme", theme); } catch { /* a private window */ }
}

document.getElementById("theme").addEventListener("click", nextTheme);
show();
