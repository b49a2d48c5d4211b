// Events of sessions. One stream for the whole browser, held by a SharedWorker: browsers allow six connections per host.

import { Stream } from "./stream.js";

const mine = new Map(); // session -> set of handlers
const opened = new Map(); // session -> set of functions that want to know when its stream is open
let port = null;
let own = null; // a stream of our own, where there are no shared workers

function deliver(type, data, id) {
  for (const handler of [...(mine.get(String(data.session)) || [])]) handler(type, data, id);
}

function streaming(sessions) {
  for (const name of sessions) for (const run of [...(opened.get(name) || [])]) run();
}

function alone() {
  port = null;
  own = new Stream(deliver, () => streaming(mine.keys()));
  tell();
}

function connect() {
  if (port || own) return;
  try {
    const worker = new SharedWorker("/static/js/events-worker.js", { name: "zermelo-events", type: "module" });
    port = worker.port;
    port.onmessage = ({ data }) => (data.open ? streaming(data.open) : deliver(data.type, data.data, data.id));
    port.start();
    worker.onerror = alone;
    setInterval(() => port && tell(), 20000); // the worker forgets tabs that say nothing
    addEventListener("pagehide", () => port?.postMessage({ watch: [] }));
    addEventListener("pageshow", tell);
  } catch {
    alone();
  }
}

function tell() {
  if (port) port.postMessage({ watch: [...mine.keys()] });
  else own?.watch(mine.keys());
}

function add(all, name, one) {
  if (!all.has(name)) all.set(name, new Set());
  all.get(name).add(one);
}

function drop(all, name, one) {
  all.get(name)?.delete(one);
  if (all.get(name)?.size === 0) all.delete(name);
}

/** Calls handler(type, data, number of the event) for each event of these sessions, until the function that comes back is called;
 * `open()` is called when their stream begins, and again whenever it had to begin anew: what was asked before may be out of date. */
export function watch(ids, handler, open = null) {
  const names = [ids].flat().map(String);
  connect();
  for (const name of names) {
    add(mine, name, handler);
    if (open) add(opened, name, open);
  }
  tell();
  return () => {
    for (const name of names) {
      drop(mine, name, handler);
      drop(opened, name, open);
    }
    tell();
  };
}
