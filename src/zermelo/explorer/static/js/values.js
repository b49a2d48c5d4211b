// What values look like and how they are said: letters, shapes, colours, words.

import { wear } from "./board.js";
import { count, s } from "./dom.js";
import { LETTERS } from "./titles.js";

const RANK = { win: 4, draw: 3, unknown: 2, "not-win": 1, loss: 0 };

/** Whether all that was asked about a move is known. */
export const isSettled = (value) => value.settled ?? value.value !== "unknown";

/** Larger is better for the player who moves: a quick win, a draw, the unknown, a slow loss. */
export function orderOf(value) {
  const rank = RANK[value.value] ?? 2;
  if (typeof value.score === "number") return 1e6 * (rank === 2 ? 2 : 3) + value.score;
  const length = Math.min(value.length ?? value.line?.length ?? 5e5, 5e5);
  if (value.value === "unknown") return 1e6 * rank + 1e5 * (value.near ?? tint(value.numbers) ?? 0.5);
  return 1e6 * rank + (value.value === "win" ? 5e5 - length : value.value === "loss" ? length : 0);
}

/** The best of some values for the player who moves; undefined where there is none. */
export function best(values) {
  const known = values.filter(Boolean);
  return known.length ? known.reduce((a, b) => (orderOf(b) > orderOf(a) ? b : a)) : undefined;
}

/** How near the numbers are to a win, from 0 to 1, or null where they say nothing. */
export function tint(numbers) {
  if (!numbers) return null;
  const number = (value) => (value === "inf" ? Infinity : value);
  const [pn, dn] = [number(numbers.pn), number(numbers.dn)];
  if (typeof pn === "number" && typeof dn === "number") return pn === dn ? 0.5 : 0.5 + 0.5 * Math.tanh(Math.log10(Math.max(dn, 1e-9) / Math.max(pn, 1e-9)) / 3);
  for (const name of ["p", "ppn", "win_rate", "rate", "value"]) {
    if (typeof numbers[name] === "number" && numbers[name] >= 0 && numbers[name] <= 1) return numbers[name];
  }
  return null;
}

/** The numbers of a move that is not settled, in few letters. */
function shortNumbers(numbers) {
  if (!numbers) return "";
  if ("pn" in numbers && "dn" in numbers) return `${tight(numbers.pn)}:${tight(numbers.dn)}`;
  const first = Object.entries(numbers).find(([, value]) => typeof value === "number" || value === "inf");
  return first ? tight(first[1]) : "";
}

function tight(value) {
  if (typeof value !== "number" || value < 1000) return value > 0 && value < 1 ? value.toFixed(2).slice(1) : count(value);
  const [size, unit] = value < 1e6 ? [1e3, "k"] : value < 1e9 ? [1e6, "M"] : [1e9, "G"];
  return (value / size).toFixed(value < 10 * size ? 1 : 0) + unit;
}

/** "win in 7", "score +4", "not known, pn 3, dn 12". */
export function labelOf(value) {
  if (typeof value.score === "number") return `${value.value === "unknown" ? "score" : value.value}, ${signed(value.score)}`;
  if (value.value === "unknown") {
    const numbers = Object.entries(value.numbers || {}).map(([name, number]) => `${name} ${count(number)}`).slice(0, 3).join(", ");
    return `not known${numbers ? `, ${numbers}` : ""}`;
  }
  const words = value.value === "not-win" ? "no win" : value.value;
  const length = value.length && value.value !== "draw" ? ` in ${value.length}` : "";
  return `${words}${length}${value.proved ? "" : ", concluded, not proved"}`;
}

export const signed = (number) => (number > 0 ? `+${number}` : number < 0 ? `−${-number}` : "0");

/** What stands on a badge, beside its shape: a letter and a length, or a score. */
export function badgeText(value) {
  if (typeof value.score === "number") return signed(value.score);
  if (value.value === "unknown") return shortNumbers(value.numbers);
  return LETTERS[value.value] + (value.length && value.value !== "draw" ? value.length : "");
}

const SHAPES = {
  win: (r) => s("circle", { r }),
  draw: (r) => s("rect", { x: -r * 0.82, y: -r * 0.82, width: r * 1.64, height: r * 1.64, rx: r * 0.12, transform: "rotate(45)" }),
  loss: (r) => s("rect", { x: -r * 0.9, y: -r * 0.9, width: r * 1.8, height: r * 1.8, rx: r * 0.12 }),
  "not-win": (r) => s("path", { d: `M0 ${-r}L${r} ${r * 0.8}H${-r}z` }),
};

/** The badge of a value at [x, y] on a board whose squares are `size` apart. */
function badge(value, [x, y], size, { best: isBest = false, small = false, crowd = 0 } = {}) {
  const r = size * (small ? 0.24 : value.value === "loss" ? 0.33 : 0.36);
  const words = badgeText(value);
  const [cx, cy] = small ? [x + size * 0.3, y - size * 0.3] : [x, y];
  const group = s("g", { class: `zm-badge ${value.value}${value.proved || value.value === "unknown" ? "" : " concluded"}`, transform: `translate(${cx} ${cy})` });
  const near = value.near ?? tint(value.numbers);
  if (value.value === "unknown") {
    const shown = !small && words && crowd <= 140;
    if (near === null && !shown) return group;
    const font = Math.min(0.28, 0.94 / (0.62 * Math.max(words.length, 5) + 0.7)) * size; // neighbours do not touch, and most are alike
    const [width, height] = shown ? [words.length * font * 0.62 + font * 0.7, font * 1.7] : [r * 1.3, r * 1.3];
    const pill = (name, opacity) => s("rect", { class: name, x: -width / 2, y: -height / 2, width, height, rx: height / 2, "fill-opacity": opacity });
    group.append(pill("zm-pill", 0.9));
    if (near !== null) group.append(pill(near >= 0.5 ? "zm-good" : "zm-bad", Math.min(0.7, 1.2 * Math.abs(near - 0.5)).toFixed(2)));
    if (shown) group.append(s("text", { class: "zm-numbers", "font-size": font.toFixed(1) }, words));
    return group;
  }
  if (isBest) {
    const ring = SHAPES[value.value](r * 1.22);
    ring.setAttribute("class", "zm-ring");
    group.append(ring);
  }
  const room = words.length < 2 ? 1.15 : words.length < 3 ? 0.9 : words.length < 4 ? 0.7 : 0.56;
  const shape = SHAPES[value.value](r);
  shape.setAttribute("class", "zm-shape");
  group.append(shape, s("text", { class: "zm-letter", "font-size": (r * room).toFixed(1) }, words));
  return group;
}

wear({ badge, best, labelOf, orderOf });
