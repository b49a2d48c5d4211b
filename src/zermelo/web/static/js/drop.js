// What is dropped or pasted anywhere on a page.

/** Takes what is dropped or pasted anywhere on the page, until it is left. */
export function takeAnything(context, place = () => null) {
  const options = { signal: context.signal };
  const over = (on) => document.body.classList.toggle("dropping", on);
  const open = async (data) => { // files are only there while the event lasts
    const [file, text] = [data.files[0], data.getData("text")];
    const { openFile, openText } = await import("./paste.js");
    return file ? openFile(file, context, place()) : openText(text, context, place());
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
