// Holds one event stream for all tabs: of the sessions that any of them watches.

import { Stream } from "./stream.js";

const SILENT = 150000; // ms after which a tab that says nothing is gone (timers of hidden tabs run once a minute)
const tabs = new Map(); // port -> {watch: Set, fresh: Set, seen}
const stream = new Stream(
  (type, data, id) => { for (const [port, tab] of tabs) if (tab.watch.has(String(data.session))) port.postMessage({ type, data, id }); },
  () => tabs.forEach(begun));

const follow = () => stream.watch([...tabs.values()].flatMap((tab) => [...tab.watch]));

/** Tells a tab from when on it hears of the sessions that it began to watch: what happened before is to be asked for. */
function begun(tab, port) {
  if (tab.fresh.size) port.postMessage({ open: [...tab.fresh] });
  tab.fresh.clear();
}

onconnect = ({ ports: [port] }) => {
  port.onmessage = ({ data }) => { // {watch: [session, ...]}, now and then also where nothing has changed
    const tab = tabs.get(port) || { watch: new Set(), fresh: new Set() };
    tab.seen = Date.now();
    tabs.set(port, tab);
    const wanted = new Set(data.watch);
    tab.fresh = new Set([...wanted].filter((session) => tab.fresh.has(session) || !tab.watch.has(session)));
    tab.watch = wanted;
    follow();
    if (stream.open) begun(tab, port);
  };
  port.start();
};

setInterval(() => {
  for (const [port, tab] of tabs) if (Date.now() - tab.seen > SILENT) tabs.delete(port);
  follow();
}, 30000);
