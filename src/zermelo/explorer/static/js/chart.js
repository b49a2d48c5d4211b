// Charts: lines over time or over moves, drawn as SVG.

import { count, h, s } from "./dom.js";

const LEFT = 42;
const BOTTOM = 24;

/** Round numbers from low to high, about `n` of them. */
function ticks(low, high, n = 4) {
  if (!(high > low)) return [low];
  const rough = (high - low) / n;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough * 0.999);
  const found = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step / 1e6; at += step) found.push(Number(at.toPrecision(12)));
  return found;
}

const powers = (low, high) => {
  const found = [];
  const step = Math.max(1, Math.ceil((Math.log10(high) - Math.log10(low)) / 4));
  for (let at = Math.floor(Math.log10(low)); at <= Math.ceil(Math.log10(high)); at += step) found.push(10 ** at);
  return found;
};

/**
 * Draws lines into an element: {series: [{name, points: [[x, y]], dots?, step?}], log, x: "seconds", y: "nodes", onPick(x), picked, slider (attributes of one that keys move),
 * low, high (of y), height, marks: [{x, kind, words}], format}. Points whose y is null or "inf" break a line. Gives back {update(options)}.
 */
export function lineChart(element, options) {
  const holder = h("div", { class: "chart" });
  element.replaceChildren(holder);
  let now = options;
  let model = null;
  const update = (more = {}) => {
    now = { ...now, ...more };
    model = drawn(holder, now);
  };
  const point = (event) => {
    const box = model.svg.getBoundingClientRect();
    return ((event.clientX - box.left) / box.width) * model.width;
  };
  holder.addEventListener("pointermove", (event) => model?.hover(point(event)));
  holder.addEventListener("pointerleave", () => model?.hover(null));
  holder.addEventListener("click", (event) => model && now.onPick?.(model.nearest(point(event))));
  update();
  return { update };
}

function drawn(holder, options) {
  const height = options.height || 180;
  const width = holder.clientWidth || 400; // letters have the same size everywhere
  const log = options.log;
  const finite = (y) => typeof y === "number" && Number.isFinite(y) && (!log || y > 0);
  const points = options.series.flatMap((each) => each.points);
  const ys = points.map(([, y]) => y).filter(finite);
  const xs = [...new Set(points.map(([x]) => x))].sort((a, b) => a - b);
  if (!xs.length) {
    holder.replaceChildren(h("p", { class: "soft empty" }, options.empty || "Nothing to draw yet."));
    return null;
  }
  const [left, right] = [xs[0], xs.at(-1) > xs[0] ? xs.at(-1) : xs[0] + 1];
  let [low, high] = [options.low ?? Math.min(...(ys.length ? ys : [0]), log ? Infinity : 0), options.high ?? Math.max(...(ys.length ? ys : [1]))];
  if (!(high > low)) high = log ? low * 10 : low + 1;
  const marks = log ? powers(low, high) : ticks(low, high);
  if (!log && options.high === undefined && marks.length > 1 && marks.at(-1) < high) marks.push(2 * marks.at(-1) - marks.at(-2));
  if (options.high === undefined) [low, high] = [Math.min(low, marks[0]), Math.max(high, marks.at(-1))];
  const scale = log ? Math.log10 : (y) => y;
  const X = (x) => LEFT + ((x - left) / (right - left)) * (width - LEFT - 12);
  const Y = (y) => 10 + (1 - (scale(y) - scale(low)) / (scale(high) - scale(low))) * (height - 10 - BOTTOM);
  const format = options.format || count;
  const svg = s("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", ...options.slider, "aria-label": `${options.y || "Numbers"} over ${options.x || "time"}: ${options.series.map((each) => each.name).join(", ")}` });
  for (const y of marks) {
    svg.append(s("line", { class: "grid", x1: LEFT, x2: width - 12, y1: Y(y), y2: Y(y) }),
      s("text", { class: "tick", x: LEFT - 6, y: Y(y), "text-anchor": "end", "dominant-baseline": "central" }, format(y)));
  }
  for (const x of ticks(left, right, 5)) svg.append(s("text", { class: "tick", x: X(x), y: height - 10, "text-anchor": "middle" }, count(x)));
  if (options.x) svg.append(s("text", { class: "tick axis", x: width - 12, y: height - BOTTOM - 5, "text-anchor": "end" }, options.x));
  options.series.forEach((each, i) => {
    let path = "";
    let pen = false;
    for (const [x, y] of each.points) {
      if (finite(y)) path += each.step && pen ? `H${X(x).toFixed(1)}V${Y(y).toFixed(1)}` : `${pen ? "L" : "M"}${X(x).toFixed(1)} ${Y(y).toFixed(1)}`;
      pen = finite(y);
    }
    svg.append(s("path", { class: `curve c${(i % 6) + 1}`, d: path }));
    if (each.dots || each.points.length === 1) {
      for (const [x, y] of each.points) if (finite(y)) svg.append(s("circle", { class: `dot c${(i % 6) + 1}`, cx: X(x), cy: Y(y), r: 3 }));
    }
  });
  for (const mark of options.marks || []) {
    svg.append(s("g", { class: `mark ${mark.kind || ""}` }, s("line", { x1: X(mark.x), x2: X(mark.x), y1: 10, y2: height - BOTTOM }), s("title", {}, mark.words || "")));
  }
  if (options.picked !== undefined && options.picked !== null) {
    svg.append(s("line", { class: "picked", x1: X(options.picked), x2: X(options.picked), y1: 6, y2: height - BOTTOM }));
  }
  const cursor = s("line", { class: "cursor", y1: 6, y2: height - BOTTOM, visibility: "hidden" });
  svg.append(cursor);
  const legend = h("ul", { class: "chart-legend" }, options.series.map((each, i) => h("li", {},
    s("svg", { viewBox: "0 0 22 8", class: "swatch", "aria-hidden": "true" }, s("path", { class: `curve c${(i % 6) + 1}`, d: "M1 4H21" })),
    h("span", {}, each.name), h("b", { class: "at" }))));
  holder.replaceChildren(svg, legend);
  const nearest = (px) => xs.reduce((best, x) => (Math.abs(X(x) - px) < Math.abs(X(best) - px) ? x : best));
  const read = (x) => options.series.forEach((each, i) => {
    const known = each.points.filter(([at]) => at <= x).at(-1);
    legend.children[i].querySelector(".at").textContent = known ? format(known[1]) : "";
  });
  read(options.picked ?? xs.at(-1));
  const hover = (px) => {
    cursor.setAttribute("visibility", px === null ? "hidden" : "visible");
    if (px === null) return read(options.picked ?? xs.at(-1));
    const x = nearest(px);
    cursor.setAttribute("x1", X(x));
    cursor.setAttribute("x2", X(x));
    return read(x);
  };
  return { svg, width, nearest, hover };
}
