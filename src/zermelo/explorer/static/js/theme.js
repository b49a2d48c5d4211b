// Runs before the first paint, so that a chosen theme doesn't flash. theme.js is no module for that reason.
(() => {
  const wanted = () => {
    try { return localStorage.getItem("zermelo-theme"); } catch { return null; }
  };
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => { document.documentElement.dataset.theme = wanted() || (dark.matches ? "dark" : "light"); };
  dark.addEventListener("change", apply);
  addEventListener("storage", apply);
  apply();
})();
