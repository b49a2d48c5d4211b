// A small search step by step, for a class: select, expand, evaluate, back up.

import { once, post, told } from "../api.js";
import { boardBeside } from "../beside.js";
import { noPlace } from "../noplace.js";
import { count, h, iconButton, icon } from "../dom.js";
import { Drawing, drawTree } from "../drawing.js";
import { save } from "../export.js";
import { searchForm } from "../form.js";
import { meanings } from "../meanings.js";
import { announce } from "../messages.js";
import { key, said } from "../nodes.js";
import { after, toQuery } from "../place.js";
import { Film, PHASES, phasesOf } from "../replaying.js";

const PACE = 1500; // ms for a phase at speed 1
const SPEEDS = [0.25, 0.5, 1, 2, 4, 10];
const MEANS = {
  select: "From the root, the child that is most worth a look, down to a leaf.",
  expand: "The leaf gets its children.",
  evaluate: "Each new node gets its first numbers.",
  "back up": "The numbers on the path are worked out anew, from the leaf to the root.",
};

export async function show(main, place, context) {
  await Promise.all([context.styles("trees"), context.styles("replay")]);
  if (!place) {
    main.append(noPlace("A search, step by step", "/replay"));
    return {};
  }
  const searches = (await once("/searches")).filter((search) => search.replay);
  const holder = h("div", {});
  const form = searchForm(holder, { searches, game: place.game, goals: ["win", "value"], value: { search: context.extras.search || "pn", goal: "win", plain: true }, words: "Make the replay", onSubmit: () => make() });
  const steps = h("input", { type: "number", min: 1, max: 5000, value: 60, inputmode: "numeric" });
  form.element.querySelector(".fields").append(h("label", { class: "field" }, h("span", {}, "Steps, at most"), steps));
  const stage = h("div", { class: "stage" });
  const which = h("summary", {});
  const options = h("details", { class: "card" }, which, holder);
  main.append(h("div", { class: "page replay-page" }, h("div", { class: "replay-head" }, h("h1", {}, "A search, step by step"), options), stage));
  let player = null;

  async function make() {
    form.submitButton.disabled = true;
    stage.replaceChildren(h("p", { class: "waiting", role: "status" }, "One moment: the search is run and written down. The first time with a game, its code is compiled, which takes some seconds."));
    const { limits, threads, ...asked } = form.value();
    const { title } = searches.find(({ id }) => id === asked.search);
    which.replaceChildren(h("b", {}, asked.search), `: ${title} (change it, or its options)`);
    const replay = await told(post("/replay", { place, ...asked, steps: Number(steps.value) || 60 }, context.signal));
    form.submitButton.disabled = false;
    player?.stop();
    stage.replaceChildren();
    if (!replay) {
      options.open = true;
      return;
    }
    history.replaceState(history.state, "", "/replay" + toQuery(place, { search: asked.search }));
    player = play(stage, replay, place);
    context.signal.addEventListener("abort", player.stop);
  }

  await make();
  const key = (words, run) => ({ words, run: () => player && run(player) });
  return { keys: {
    ArrowRight: key("a step forward", (one) => one.step(1)), ArrowLeft: key("a step back", (one) => one.step(-1)),
    Home: key("the beginning", (one) => one.at(0, 3)), End: key("the end", (one) => one.at(Infinity, 3)),
    " ": key("play and pause", (one) => one.toggle()),
  } };
}

/** The stage: the drawing, the board, the sentence and the buttons. */
function play(stage, replay, place) {
  const film = new Film(replay);
  const last = film.frames.length - 1;
  const drawing = new Drawing("The tree of the search");
  const sheet = h("div", { class: "sheet", tabindex: 0, role: "region", "aria-label": "The tree" }, drawing.svg);
  const panel = boardBeside({ label: "The selected position" });
  const sentence = h("p", { class: "sentence", role: "status" });
  const facts = h("p", { class: "facts" });
  const chips = PHASES.map((word) => h("li", { title: MEANS[word] }, word));
  const slider = h("input", { type: "range", min: 0, max: last, value: 0, "aria-label": "Step", oninput: () => { stop(); at(Number(slider.value), 3); } });
  const button = h("button", { type: "button", class: "primary play", onclick: () => toggle() });
  const speed = h("select", { "aria-label": "Speed" }, ...SPEEDS.map((one) => h("option", { value: one, selected: one === 1 }, `${one} ×`)));
  const each = h("input", { type: "checkbox", checked: true });
  const whole = h("input", { type: "checkbox", onchange: () => paint() });
  let frame = 0;
  let phase = 3;
  let timer = 0;
  const boards = new Map();

  function step(way) {
    if (!each.checked) return at(frame + way, 3);
    const next = phasesOf(film.frames[frame]).indexOf(phase) + way;
    const here = phasesOf(film.frames[frame])[next];
    if (here !== undefined) return at(frame, here);
    if (way < 0) return frame > 0 && at(frame - 1, 3);
    return frame < last && at(frame + 1, phasesOf(film.frames[frame + 1])[0]);
  }

  function at(k, n) {
    frame = Math.max(0, Math.min(last, k));
    phase = phasesOf(film.frames[frame]).includes(n) ? n : 3;
    paint();
  }

  function toggle() {
    if (timer) return stop();
    if (frame === last && phase === 3) at(0, 3);
    tick();
    paint();
  }

  function tick() {
    timer = setTimeout(() => {
      step(1);
      if (frame === last && phase === 3) stop();
      else tick();
    }, PACE / Number(speed.value) * (each.checked ? 1 : 1.6));
  }

  function stop() {
    clearTimeout(timer);
    timer = 0;
    paint();
  }

  function paint() {
    const now = film.frames[frame];
    drawing.update(film.picture(frame, phase, whole.checked));
    fit(sheet, drawing, now);
    slider.value = frame;
    slider.setAttribute("aria-valuetext", `step ${frame} of ${last}`);
    chips.forEach((chip, k) => {
      chip.classList.toggle("on", now.step > 0 && k === phase);
      if (now.step > 0 && k === phase) chip.setAttribute("aria-current", "step");
      else chip.removeAttribute("aria-current");
    });
    sentence.textContent = now.words;
    const then = phase === 3 ? now : film.frames[frame - 1]; // before the numbers are backed up
    facts.replaceChildren(h("span", {}, h("b", {}, `Step ${frame}`), ` of ${last}`), h("span", {}, `${count(then.nodes)} node${then.nodes === 1 ? "" : "s"}`), h("span", {}, said(then.root) && `root: ${said(then.root)}`),
      h("span", {}, frame < last ? "" : ended(replay)));
    button.replaceChildren(icon(timer ? "pause" : "play"), timer ? "Pause" : "Play");
    button.setAttribute("aria-pressed", String(Boolean(timer)));
    board(now.expanded || now.path);
  }

  function board(path) {
    const name = key(path);
    if (boards.shown === name) return;
    boards.shown = name;
    panel.go(after(place, ...path), place.moves.length);
  }

  stage.append(
    h("div", { class: "transport" },
      iconButton("first", "To the beginning", () => { stop(); at(0, 3); }, "Home"), iconButton("previous", "A step back", () => { stop(); step(-1); }, "←"),
      button, iconButton("next", "A step forward", () => { stop(); step(1); }, "→"), iconButton("last", "To the end", () => { stop(); at(last, 3); }, "End"),
      slider, h("label", { class: "tick" }, speed), h("label", { class: "tick" }, each, " phase by phase"), h("label", { class: "tick" }, whole, " whole tree"),
      h("button", { type: "button", class: "small", onclick: () => save(drawing.svg, `replay-${frame}`, "svg") }, "SVG"),
      h("button", { type: "button", class: "small", onclick: () => save(drawing.svg, `replay-${frame}`, "png") }, "PNG")),
    h("div", { class: "row spread" }, h("ol", { class: "phases", "aria-label": "Phases of a step" }, ...chips), facts), sentence,
    h("div", { class: "replay-stage" }, h("div", {}, sheet, legend(replay), h("p", { class: "soft small" }, meanings(Object.keys(film.frames[last].root)))), panel.element));
  at(0, 3);
  announce(`A replay of ${last} steps`);
  return { step, at, toggle, stop };
}

function legend(replay) {
  const sign = (kind, mark) => {
    const drawing = drawTree([{ path: [], kind, bare: true, numbers: {}, [mark]: true }], "");
    drawing.setAttribute("viewBox", "16 10 32 32");
    return drawing;
  };
  return h("p", { class: "tree-legend" }, h("span", {}, sign("or"), `OR: ${replay.attacker} moves`), h("span", {}, sign("and"), "AND: the other side moves"),
    h("span", {}, sign("or", "selected"), "selected"), h("span", {}, sign("or", "fresh"), "new"), h("span", {}, `W, L: proved, ${replay.attacker} wins or does not`), "+ 5: children that are not drawn");
}

const ENDS = { steps: "as many steps as were asked for", size: "the replay would be too large", memory: "the memory is used up", candidates: "all candidates are tried" };

const ended = (replay) => (replay.done ? `The search is done: ${replay.value}${replay.proved ? ", proved" : ", concluded"}.` : `The replay ends here: ${ENDS[replay.reason] || replay.reason}.`);

/** As large as fits, so that small trees are large on a projector; the selected leaf is kept in sight, with its new children. */
function fit(sheet, drawing, frame) {
  const [width, height] = drawing.size;
  const scale = Math.max(0.8, Math.min(1.5, (sheet.clientWidth - 8) / width, (sheet.clientHeight - 8) / height));
  drawing.svg.style.width = `${width * scale}px`;
  drawing.svg.style.height = `${height * scale}px`;
  const [x, y] = drawing.places.get(key(frame.path)) || [0, 0];
  const ends = frame.created.map(({ path }) => key(path)).filter((name) => drawing.places.has(name))
    .map((name) => drawing.places.get(name)[0] + drawing.after.get(name) + 40);
  const end = Math.max(x + 0.4 * sheet.clientWidth / scale, ...ends) * scale - sheet.clientWidth; // its new children too
  sheet.scrollTo({ left: Math.min(end, x * scale - 60), top: y * scale - sheet.clientHeight / 2, behavior: "smooth" });
}
