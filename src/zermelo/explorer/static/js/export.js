// Pictures on the page as files.

import { download, h, SVG } from "./dom.js";

/** An svg element as a file's text, with what the page's style sheets gave it written into it. */
export function svgText(svg, scale = 1) {
  const copy = svg.cloneNode(true);
  const box = svg.viewBox.baseVal;
  copy.setAttribute("xmlns", SVG);
  copy.setAttribute("width", box.width * scale);
  copy.setAttribute("height", box.height * scale);
  const from = [svg, ...svg.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((element, i) => {
    if (!element.getAttribute("class")) return;
    const style = getComputedStyle(from[i]);
    for (const name of ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-weight", "font-family", "text-anchor", "dominant-baseline"]) {
      element.setAttribute(name, style.getPropertyValue(name));
    }
  });
  for (const element of copy.querySelectorAll("[tabindex], [role], [data-move]")) {
    for (const name of ["tabindex", "role", "aria-label", "class"]) element.removeAttribute(name);
  }
  return new XMLSerializer().serializeToString(copy);
}

/** Saves an svg element as NAME.svg or NAME.png. */
export async function save(svg, name, kind = "svg") {
  if (kind === "svg") return download(`${name}.svg`, svgText(svg), "image/svg+xml");
  const box = svg.viewBox.baseVal;
  const scale = Math.min(4, Math.max(1, 1600 / Math.max(box.width, box.height)), 16000 / Math.max(box.width, box.height));
  const picture = new Image();
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(svg, scale))}`;
  await picture.decode();
  const canvas = h("canvas", { width: Math.round(box.width * scale), height: Math.round(box.height * scale) });
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  return download(`${name}.png`, blob);
}
