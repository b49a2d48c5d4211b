// Small helpers: elements, icons, numbers in words, the clipboard, files.

export const SVG = "http://www.w3.org/2000/svg";

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in { value: 1, checked: 1, disabled: 1, open: 1, selected: 1, hidden: 1 }) element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An HTML element: h("button", {class: "primary", onclick: run}, "Start"). */
export const h = (tag, attributes, ...children) => filled(document.createElement(tag), attributes, children);

/** The same for SVG. */
export const s = (tag, attributes, ...children) => filled(document.createElementNS(SVG, tag), attributes, children);

const ICONS = {
  first: "M6 5v14M19 5l-9 7 9 7z", previous: "M16 5l-9 7 9 7z", next: "M8 5l9 7-9 7z", last: "M18 5v14M5 5l9 7-9 7z",
  flip: "M7 4v14m0 0l-3-3m3 3l3-3M17 20V6m0 0l-3 3m3-3l3 3", edit: "M4 20l1-5L16 4l4 4L9 19z", copy: "M9 9h10v11H9zM6 15H5V4h10v2",
  eye: "M2 12s4-6 10-6 10 6 10 6-4 6-10 6S2 12 2 12zm10 2.6a2.6 2.6 0 100-5.2 2.6 2.6 0 000 5.2z", play: "M7 4l13 8-13 8z", pause: "M8 5v14M16 5v14",
  stop: "M6 6h12v12H6z", more: "M12 5v14M5 12h14", down: "M12 4v11m0 0l-4-4m4 4l4-4M5 20h14", check: "M4 12l5 6L20 6",
  tree: "M12 4v5m0 0H6v5m6-5h6v5M12 3a1 1 0 100 2 1 1 0 000-2zM6 15a2 2 0 100 4 2 2 0 000-4zm12 0a2 2 0 100 4 2 2 0 000-4z",
  close: "M6 6l12 12M18 6L6 18", light: "M9 18h6m-5 3h4M12 3a6 6 0 00-4 10c1 1 1 2 1 2h6s0-1 1-2a6 6 0 00-4-10z",
};

/** A picture of 1em that screen readers pass over. */
export const icon = (name) => s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: ICONS[name] }));

/** A button with an icon; `words` is its name for screen readers and its tip. */
export const iconButton = (name, words, run, key) => h("button", {
  type: "button", class: "icon-button", "aria-label": words, title: key ? `${words} (${key})` : words, onclick: run }, icon(name));

/** What stands on keys whose names are long. */
export const KEY_WORDS = { " ": "space", ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" };

/** 12345678 -> "12.3 M"; below 10,000 as it is. */
export function count(number) {
  if (number === null || number === undefined) return "";
  if (number === "inf" || number === Infinity) return "∞";
  if (typeof number !== "number") return String(number);
  if (Math.abs(number) < 10000) {
    if (Math.abs(number) >= 1000) number = Math.round(number);
    return Number.isInteger(number) ? number.toLocaleString("en") : Number(number.toPrecision(3)).toString();
  }
  for (const [unit, size] of [["G", 1e9], ["M", 1e6], ["k", 1e3]]) {
    if (Math.abs(number) >= size) return `${Number((number / size).toPrecision(3))} ${unit}`;
  }
  return String(number);
}

/** Bytes as MB or GB. */
export const bytes = (number) => (number >= 1e9 ? `${(number / 1e9).toFixed(2)} GB`
  : number >= 1e6 ? `${(number / 1e6).toFixed(number < 1e7 ? 1 : 0)} MB` : `${Math.ceil(number / 1e3)} kB`);

/** Seconds as people say them. */
export function seconds(number) {
  if (number < 1) return `${Math.round(number * 1000)} ms`;
  if (number < 100) return `${number.toFixed(1)} s`;
  return `${Math.floor(number / 60)} min ${String(Math.round(number % 60)).padStart(2, "0")} s`;
}

/** Puts a text on the clipboard; also where the page has no right to the modern way. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const box = h("textarea", { class: "unseen", "aria-hidden": "true" });
    box.value = text;
    (document.querySelector("dialog[open]") || document.body).append(box);
    box.select();
    document.execCommand("copy");
    box.remove();
  }
}

/** Hands a file to the user. */
export function download(name, content, type = "text/plain") {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
