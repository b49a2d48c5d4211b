// Holds one event stream for all tabs: the union of the sessions that they watch.

const TYPES = ["state", "progress", "move", "step", "result", "reset"];
const SILENT = 150000; // ms after which a tab that says nothing is gone (timers of hidden tabs run once a minute)
const tabs = new Map(); // port -> {watch: Set, fresh: Set, seen}
let source = null;
let watched = "";
let lastId = 0;

function open() {
  const union = new Set();
  for (const tab of tabs.values()) for (const session of tab.watch) union.add(session);
  const wanted = [...union].sort().join(",");
  if (wanted === watched && (source || !wanted)) return;
  watched = wanted;
  source?.close();
  source = null;
  if (!wanted) return;
  source = new EventSource(`/api/v1/events?sessions=${encodeURIComponent(wanted)}&after=${lastId}`);
  source.onopen = () => { for (const [port, tab] of tabs) begun(port, tab); };
  for (const type of TYPES) {
    source.addEventListener(type, (event) => {
      const id = Number(event.lastEventId) || 0;
      lastId = Math.max(lastId, id);
      const data = JSON.parse(event.data);
      for (const [port, tab] of tabs) if (tab.watch.has(String(data.session))) port.postMessage({ type, data, id });
    });
  }
  source.onerror = () => {
    // a browser reconnects by itself, unless the server refused: then try again with what is left to watch
    if (source?.readyState === EventSource.CLOSED) {
      source = null;
      setTimeout(open, 2000);
    }
  };
}

/** Tells a tab from when on it hears of the sessions that it began to watch: what happened before is to be asked for. */
function begun(port, tab) {
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
    open();
    if (source?.readyState === EventSource.OPEN) begun(port, tab);
  };
  port.start();
};

setInterval(() => {
  for (const [port, tab] of tabs) if (Date.now() - tab.seen > SILENT) tabs.delete(port);
  open();
}, 30000);
