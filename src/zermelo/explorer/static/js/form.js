// Choosing a search: which, its options, the goal, limits, seed, plain; and the command line that does the same.

import { h, icon } from "./dom.js";

const GOALS = { value: "who wins", win: "only whether the player to move wins", score: "the final score", shortest: "the length of a shortest win" };
const LIMITS = [["nodes", "Nodes", "no limit", "such as 35M"], ["time", "Time", "no limit", "such as 90 or 2m"], ["memory", "Memory", "half of free", "such as 512MB"]];
let forms = 0;

const labelled = (words, input, tip) => h("label", { class: "field", title: tip }, h("span", {}, words), input);

/**
 * The form: searchForm(element, {searches, game, value, onSubmit, words}); `value` is what it begins with: {search, goal, plain, limits}.
 * Gives back {value, element, submitButton}: value() is {search, options, goal, seed, plain, candidates, threads, limits}, with what differs from the default.
 */
export function searchForm(element, { searches, game, value = {}, onSubmit = null, onChange = null, words = "Start", goals = Object.keys(GOALS) }) {
  const name = `form${++forms}`;
  const search = h("select", { name: "search" });
  const goal = h("select", { name: "goal" });
  const options = h("div", { class: "fields" });
  const about = h("p", { class: "soft about" });
  const limits = Object.fromEntries(LIMITS.map(([id, , none]) => [id, h("input", { name: id, placeholder: none, autocomplete: "off", spellcheck: "false", size: 8 })]));
  const seed = h("input", { name: "seed", inputmode: "numeric", placeholder: "0", size: 6 });
  const threads = h("input", { name: "threads", inputmode: "numeric", placeholder: "1", size: 4 });
  const plain = h("input", { type: "checkbox", name: "plain" });
  const candidates = h("input", { type: "checkbox", name: "candidates" });
  const button = h("button", { type: "submit", class: "primary" }, icon("play"), words);
  const more = h("details", {}, h("summary", {}, "Options, seed, knowledge"), options,
    h("div", { class: "fields" }, labelled("Seed", seed, "of everything random"), labelled("Threads", threads, "only depth-first searches can use more than 1")),
    h("label", { class: "tick" }, plain, "plain: only the rules, no knowledge of the game"),
    h("label", { class: "tick" }, candidates, "candidates: the attacker tries only moves such as checks or threats"));
  const form = h("form", { class: "search-form", id: name, novalidate: true },
    h("div", { class: "fields wide" }, labelled("Search", search), labelled("Goal", goal)), about,
    h("div", { class: "fields" }, LIMITS.map(([id, title, , tip]) => labelled(title, limits[id], tip))), more,
    onSubmit && h("div", { class: "row" }, button));

  const own = searches.find((each) => each.default_for?.includes(game)) || searches.find((each) => each.id === "weak-df-pn") || searches[0];
  const chosen = () => searches.find((each) => each.id === search.value) || own;

  function refill() {
    const found = chosen();
    const was = goal.value || value.goal || "value";
    const can = goals.filter((each) => !found?.goals || found.goals.includes(each));
    goal.replaceChildren(...can.map((each) => h("option", { value: each }, `${each}: ${GOALS[each]}`)));
    goal.value = can.includes(was) ? was : can[0];
    about.textContent = found ? [found.title, found.paper].filter(Boolean).join(". ") : "";
    options.replaceChildren(...(found?.options || []).map((option) => labelled(option.name, inputOf(option), option.help)));
    threads.disabled = found?.threaded === false;
  }

  function inputOf(option) {
    const usual = option.default === null || option.default === undefined ? "none" : String(option.default);
    if (option.choices?.length) {
      const select = h("select", { name: `option-${option.name}`, "data-option": option.name },
        option.choices.map((choice) => h("option", { value: choice }, String(choice))));
      select.value = usual;
      select.dataset.usual = usual;
      return select;
    }
    return h("input", { name: `option-${option.name}`, "data-option": option.name, "data-usual": usual, placeholder: usual, size: 8,
      autocomplete: "off" });
  }

  /** What is chosen, only where it differs from the default. */
  function read() {
    const found = { search: search.value, goal: goal.value };
    const changed = {};
    for (const input of options.querySelectorAll("[data-option]")) {
      const text = input.value.trim();
      if (text && text !== input.dataset.usual) changed[input.dataset.option] = numeric(text);
    }
    if (Object.keys(changed).length) found.options = changed;
    const bounds = Object.fromEntries(LIMITS.map(([id]) => [id, limits[id].value.trim()]).filter(([, text]) => text));
    if (Object.keys(bounds).length) found.limits = bounds;
    if (seed.value.trim()) found.seed = numeric(seed.value.trim());
    if (threads.value.trim() && !threads.disabled) found.threads = numeric(threads.value.trim());
    if (plain.checked) found.plain = true;
    if (candidates.checked) found.candidates = true;
    return found;
  }

  for (const [id, input] of Object.entries(limits)) input.value = value.limits?.[id] ?? "";
  plain.checked = Boolean(value.plain);
  search.append(...searches.map((each) => h("option", { value: each.id }, each === own ? `${each.id} (default)` : each.id)));
  search.value = searches.some((each) => each.id === value.search) ? value.search : own.id;
  refill();
  search.addEventListener("change", refill);
  form.addEventListener("input", () => onChange?.(read()));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    onSubmit?.(read());
  });
  element.replaceChildren(form);
  return { value: read, element: form, submitButton: button };
}

const numeric = (text) => (/^-?\d+(\.\d+)?(e-?\d+)?$/i.test(text) && text.length < 16 ? Number(text) : text === "true" ? true : text === "false" ? false : text);

const quoted = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${String(text).replaceAll("'", "'\\''")}'`);

/** The command line that does the same as a form: commandOf("solve", board or place, form.value()). */
export function commandOf(verb, place, value, text = place.text) {
  const words = ["zermelo", verb, quoted(place.game)];
  const position = text || (place.moves?.length ? [place.position === "start" ? "" : place.position, ...place.moves].join(" ").trim() : place.position);
  if (position && position !== "start") words.push(quoted(position));
  for (const [name, given] of Object.entries(place.parameters || {})) words.push("-g", quoted(`${name}=${given}`));
  if (value.search) words.push("-s", value.search);
  for (const [name, given] of Object.entries(value.options || {})) words.push("-p", quoted(`${name}=${given}`));
  if (value.goal && value.goal !== "value") words.push("--goal", value.goal);
  for (const [name, given] of Object.entries(value.limits || {})) words.push(`--${name}`, quoted(String(given)));
  if (value.seed) words.push("--seed", value.seed);
  if (value.threads > 1) words.push("--threads", value.threads);
  if (value.plain) words.push("--plain");
  if (value.candidates) words.push("--candidates");
  return words.join(" ");
}
