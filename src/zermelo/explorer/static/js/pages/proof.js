// A certificate: have it checked, and walk through it.

import { Refusal, get, post, send, told } from "../api.js";
import { boardBeside } from "../beside.js";
import { count, h } from "../dom.js";
import { handed } from "../handed.js";
import { RUNNING, follow } from "../following.js";
import { announce } from "../messages.js";
import { after, toQuery } from "../place.js";

export async function show(main, place, context) {
  await Promise.all([context.styles("trees"), context.styles("proof")]);
  const input = h("input", { type: "file", class: "unseen", id: "certificate-file", onchange: () => input.files[0] && take(input.files[0]) });
  const area = h("div", { class: "drop" }, h("p", {}, h("b", {}, "Drop a certificate here"), ", or ",
    h("label", { class: "button", for: "certificate-file" }, "choose a file"), input),
  h("p", { class: "soft" }, "It is checked on this machine, with rules that share nothing with the search that wrote it."),
  h("p", { class: "soft" }, "To have one: ", h("a", { href: place ? `/live${toQuery(place, { session: "new" })}` : "/live?game=connect-four&columns=5&rows=4&session=new" },
    place ? "solve this position" : "solve a small position"), ", then ", h("b", {}, "Write a proof"), "."));
  const badge = h("div", { class: "badge-place" });
  const walk = h("div", {});
  main.append(h("div", { class: "page" }, h("h1", {}, "A proof, checked and walked"), area, badge, walk));
  dropTarget(area, context.signal, take);

  async function take(file) {
    badge.replaceChildren(h("p", { class: "waiting", role: "status" }, `Sending ${file.name || "the certificate"}…`));
    walk.replaceChildren();
    let made = null;
    try {
      made = await send("/certificates", file, context.signal);
    } catch (error) {
      if (error instanceof Refusal) badge.replaceChildren(refused({ error: error.message }, file.name));
      return;
    }
    const certificate = { ...made, file: file.name };
    history.replaceState({ certificate }, "", "/proof" + toQuery(null, { certificate: made.id }));
    await open(certificate);
  }

  async function open(certificate) {
    const bar = h("progress", { "aria-label": "Checked" });
    const words = h("span", { role: "status" }, "Being checked…");
    badge.replaceChildren(h("div", { class: "card checking" }, bar, words));
    const id = certificate.session ?? (await post("/sessions", { kind: "verify", certificate: certificate.id }, context.signal)).id;
    await follow(id, context.signal, (session) => {
      const { done, of, positions } = session.progress || {};
      if (of) [bar.max, bar.value] = [of, done];
      if (of) words.textContent = `${count(done)} of ${count(of)} records, ${count(positions ?? 0)} positions`;
      if (session.result || !RUNNING.has(session.state)) badge.replaceChildren(verdict(session, certificate));
    });
    await walkThrough(walk, certificate, context);
  }

  /** One that the server has, sent or written there. */
  async function known(id) {
    const found = await told(get(`/certificates/${id}`, context.signal));
    if (!found) return;
    history.replaceState({ certificate: found }, "", "/proof" + toQuery(null, { certificate: id }));
    await open(found);
  }

  const given = handed();
  if (given?.file) await take(given.file);
  else if (context.extras.certificate) {
    const kept = history.state?.certificate;
    if (kept?.id === context.extras.certificate) await open(kept);
    else await known(context.extras.certificate);
  } else if (context.extras.session) await fromSession(context.extras.session);

  async function fromSession(id) {
    badge.replaceChildren(h("p", { class: "waiting", role: "status" }, "The certificate is being written…"));
    const made = await told(post(`/sessions/${id}/proof`, {}, context.signal));
    badge.replaceChildren();
    if (made) await known(made.certificate);
  }
  return {};
}

function dropTarget(area, signal, take) {
  const over = (on) => (event) => {
    event.preventDefault();
    area.classList.toggle("over", on);
  };
  for (const [name, handler] of [["dragover", over(true)], ["dragleave", over(false)]]) document.addEventListener(name, handler, { signal });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    area.classList.remove("over");
    if (event.dataTransfer.files[0]) take(event.dataTransfer.files[0]);
  }, { signal });
}

function verdict(session, certificate) {
  const result = session.result;
  if (!result) return refused({ verdict: session.state, error: session.error || "The check was stopped." }, certificate.file);
  if (result.verdict !== "verified") return refused(result, certificate.file);
  announce("The certificate is verified");
  const fact = (name, value) => [h("dt", {}, name), h("dd", {}, value)];
  return h("section", { class: "card verdict-card good", "aria-label": "Verdict" },
    h("p", { class: "verdict" }, h("span", { class: "stamp", "aria-hidden": "true" }, "✓"), h("b", {}, "Verified"), said(result, certificate)),
    h("dl", { class: "facts-list" }, ...fact("positions", result.positions.toLocaleString("en")), ...fact("records", result.records.toLocaleString("en")),
      ...(result.longest ?? null) === null ? [] : fact("longest line", `${result.longest} moves`),
      ...fact("sha256", h("code", { class: "digest" }, result.digest || certificate.digest))));
}

const said = (result, certificate) => {
  const claims = (result.claims || certificate.claims || []).map((one) => (typeof one === "string" ? one : one.claim || one.text));
  const words = claims.length === 2 && claims.every((one) => one.endsWith("does not win")) ? `a draw (${claims.join(", ")})` : claims.join(", ");
  return ` ${[certificate.game, certificate.position?.replace(/:$/, ""), words].filter(Boolean).join(": ")}`;
};

function refused(result, name) {
  const why = result.error || result.reason || "it does not prove what it claims";
  announce(`Not verified: ${why}`);
  return h("section", { class: "card verdict-card bad", "aria-label": "Verdict", role: "alert" },
    h("p", { class: "verdict" }, h("span", { class: "stamp", "aria-hidden": "true" }, "✗"), h("b", {}, "Not verified"), name ? ` ${name}` : ""),
    h("p", {}, `${why[0].toUpperCase()}${why.slice(1)}${why.endsWith(".") ? "" : "."}`));
}

async function walkThrough(main, certificate, context) {
  let claim = 1;
  const ask = (path, offset, count) => post(`/certificates/${certificate.id}/node`, { path, offset, count, claim }, context.signal);
  const which = h("select", { onchange: () => {
    claim = Number(which.value);
    view.fetch = (...asked) => ask(...asked);
    go([]);
  } }, ...certificate.claims.map((words, k) => h("option", { value: k + 1 }, words)));
  await import("../tree.js");
  const view = h("zm-tree", { label: "Tree of the proof" });
  view.name = "proof";
  const answer = h("p", { class: "prover-says", role: "status" });
  const reply = h("button", { type: "button", class: "primary" }, "Play the prover's move");
  const back = h("button", { type: "button" }, "Back");
  const first = await told(ask([]));
  if (!first) return;
  const origin = first.board?.place || certificate.place || { game: certificate.game, parameters: certificate.parameters, position: certificate.position, moves: [] };
  let path = [];
  let next = null;
  const panel = boardBeside({
    label: "Position of the proof",
    onMove: (move) => view.reveal([...path, move]),
    onStep: (n) => view.reveal(panel.place.moves.slice(origin.moves.length, n)),
  });
  reply.onclick = () => next && view.reveal([...path, next]);
  back.onclick = () => path.length && view.reveal(path.slice(0, -1));
  const go = async (where) => {
    path = where;
    const [branch] = await Promise.all([told(ask(path)), panel.go(after(origin, ...path), origin.moves.length)]);
    if (!branch || path !== where) return;
    for (const cell of panel.board.querySelectorAll("[data-move]")) {
      if (branch.children.some(({ move, considered }) => considered === false && move === cell.dataset.move)) cell.classList.add("outside");
    }
    next = branch.answer?.move ?? (typeof branch.answer === "string" ? branch.answer : null);
    reply.disabled = next === null;
    back.disabled = !path.length;
    answer.replaceChildren(...words(branch, next));
  };
  view.addEventListener("zm-go", (event) => go(event.detail.path));
  view.fetch = ask;
  main.replaceChildren(h("div", { class: "two tree-page" }, panel.element, h("section", { class: "card", "aria-label": "The proof" },
    h("label", { class: "field", hidden: certificate.claims.length < 2 }, h("span", {}, "What is proved"), which),
    h("div", { class: "row prover" }, answer, reply, back), view)));
  await go([]);
}

const SOURCES = { record: "from the certificate", search: "found by a small search, as the checker does", threats: "a win by threats" };

function words(branch, next) {
  const { claim, prover } = branch;
  if (next !== null) return [`${claim}: ${prover} plays `, h("b", {}, next), branch.answer.source ? ` (${SOURCES[branch.answer.source] || branch.answer.source})` : "", "."];
  if (branch.node.kind === "end") return [`The game is over: ${branch.board?.status || branch.node.outcome}.`];
  if (!branch.children.length) return ["The proof ends here."];
  const outside = branch.children.filter(({ considered }) => considered === false).length;
  const zone = outside ? `; on the ${outside} grey ones it does not depend` : "";
  return [`${claim}: the proof answers each of the ${branch.children.length + (branch.more || 0)} moves${zone}. Choose one on the board or in the tree.`];
}
