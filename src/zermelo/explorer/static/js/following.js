// Sessions of the server, followed while they run.

import { get } from "./api.js";
import { watch } from "./events.js";

const QUIET = 3000; // ms without an event, then a running session is asked for as a whole

/** Follows a session until the page is left: show(session, type) is called with its whole state, anew after each event. */
export async function follow(id, signal, show) {
  const session = await get(`/sessions/${id}`, signal);
  let heard = Date.now();
  const leave = watch([id], (type, data) => {
    heard = Date.now();
    if (type === "state") Object.assign(session, { state: data.state, error: data.error ?? null, stopped: data.stopped ?? null });
    if (type === "progress" && !(data.seconds < session.progress?.seconds)) { // what comes a second time is older
      session.progress = data;
      if (data.nodes !== undefined) (session.samples ||= []).push(data);
    }
    if (type === "step") (session.steps ||= []).push(data);
    if (type === "result") session.result = data.result;
    show(session, type, data);
  });
  const timer = setInterval(async () => {
    if (!RUNNING.has(session.state) || Date.now() - heard < QUIET || document.hidden) return;
    heard = Date.now();
    const now = await get(`/sessions/${id}`, signal).catch(() => null);
    if (now) show(Object.assign(session, now), "state", now);
  }, 1000);
  const end = () => {
    clearInterval(timer);
    leave();
  };
  signal.addEventListener("abort", end);
  show(session, "state", session);
  return { session, leave: end };
}

export const RUNNING = new Set(["waiting", "compiling", "running"]);

/** How a session is called in lists. */
export function sessionWords(session) {
  const moves = session.place?.moves?.length ? ` after ${session.place.moves.slice(-6).join(" ")}` : "";
  return `${session.id}: ${session.search || session.kind} on ${session.place?.game || "?"}${moves}, ${session.state}`;
}
