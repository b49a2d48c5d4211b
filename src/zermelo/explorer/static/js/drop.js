// What is dropped or pasted anywhere on a page.

import { hand } from "./handed.js";

/** Takes what is dropped or pasted anywhere on the page, until it is left: the start page opens it, the game of `place` is asked first. */
export function takeAnything(context, place = () => null) {
  const options = { signal: context.signal };
  const over = (on) => document.body.classList.toggle("dropping", on);
  const open = (data) => { // files are only there while the event lasts
    hand({ file: data.files[0], text: data.getData("text"), place: place() });
    context.navigate("/");
  };
  document.addEventListener("dragover", (event) => { event.preventDefault(); over(true); }, options);
  document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) over(false); }, options);
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    over(false);
    open(event.dataTransfer);
  }, options);
  document.addEventListener("paste", (event) => { if (!event.target.closest?.("input, textarea")) open(event.clipboardData); }, options);
  context.signal.addEventListener("abort", () => over(false));
}
