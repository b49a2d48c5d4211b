// A session of the server, followed: its state, numbers, values and answer, as they come.

import { get, post } from "./api.js";
import { watch } from "./events.js";
import { key } from "./place.js";

const SAMPLES = 400;

/** What searches have proved: key of a place -> result. */
export const solved = new Map();

export const RUNNING = new Set(["waiting", "compiling", "running"]);

export const start = (order) => post("/sessions", order);
export const stop = (id) => post(`/sessions/${id}/stop`);
export const goOn = (id, limits) => post(`/sessions/${id}/continue`, { limits });

/**
 * Follows a session: changed(now, type) with now = {id, state, stopped, error, command, place, progress, samples, values (Map by move), result}.
 * Gives back {now, close}.
 */
export function follow(id, changed) {
  const now = { id, state: "waiting", progress: null, samples: [], values: new Map(), result: null, error: null };
  let seen = 0; // the number of the last event that is in what we know
  const apply = (type, data, event) => {
    if (type === "reset") return void whole();
    if (event <= seen) return;
    seen = event;
    if (type === "state") Object.assign(now, { state: data.state, error: data.error ?? null, stopped: data.stopped ?? null, again: data.again });
    if (type === "progress" && !(now.progress && data.seconds < now.progress.seconds)) {
      now.progress = data;
      sample(now, data);
    }
    if (type === "move") now.values.set(data.move, data);
    if (type === "result") takeResult(now, data.result);
    changed(now, type);
  };
  let open = true;
  const unwatch = watch([id], apply, () => whole()); // what happened before the stream was open is in the whole
  const take = (whole) => {
    if (!open) return;
    for (const name of ["kind", "place", "search", "goal", "command", "limits", "options"]) now[name] = whole[name] ?? now[name];
    if (whole.event >= seen) { // else events that came meanwhile know more
      seen = whole.event;
      now.progress = whole.progress ?? now.progress;
      if ((whole.samples?.length || 0) > now.samples.length) now.samples = whole.samples;
      for (const value of whole.values || []) now.values.set(value.move, value);
      if (whole.result) takeResult(now, whole.result);
      Object.assign(now, { state: whole.state, error: whole.error ?? null, stopped: whole.stopped ?? now.stopped, again: whole.again ?? now.again });
    }
    changed(now, "whole");
  };
  const whole = () => get(`/sessions/${id}`).then(take).catch((error) => {
    if (!open) return;
    Object.assign(now, { state: "failed", error: error.message, gone: error.status === 404 });
    changed(now, "state");
  });
  whole();
  return { now, close: () => { open = false; unwatch(); } };
}

function takeResult(now, result) {
  now.result = result;
  if (now.kind === "solve" && result?.proved) solved.set(key(now.place), result);
  if (Array.isArray(result?.moves)) for (const value of result.moves) now.values.set(value.move, { ...now.values.get(value.move), ...value });
}

function sample(now, { seconds, nodes, root }) {
  const last = now.samples.at(-1);
  if (last && last.seconds === seconds) now.samples.pop();
  now.samples.push({ seconds, nodes, root });
  if (now.samples.length > SAMPLES) now.samples = now.samples.filter((_, i) => i % 2 === 0 || i === now.samples.length - 1);
}
