// One stream of events, of whichever sessions are watched now.

const TYPES = ["state", "progress", "move", "step", "result", "reset"];

export class Stream {
  #source = null;
  #watched = "";
  #last = 0;

  /** heard(type, data, number) is called for each event, opened() when the stream begins. */
  constructor(heard, opened) { Object.assign(this, { heard, opened }); }

  get open() { return this.#source?.readyState === EventSource.OPEN; }

  /** From now on the events of these sessions: those that were missed as well. */
  watch(sessions) {
    const wanted = [...new Set(sessions)].sort().join(",");
    if (wanted === this.#watched && (this.#source || !wanted)) return;
    this.#watched = wanted;
    this.#source?.close();
    this.#source = null;
    if (!wanted) return;
    const source = this.#source = new EventSource(`/api/v1/events?sessions=${encodeURIComponent(wanted)}&after=${this.#last}`);
    source.onopen = () => this.opened();
    for (const type of TYPES) {
      source.addEventListener(type, (event) => {
        const number = Number(event.lastEventId) || 0;
        this.#last = Math.max(this.#last, number);
        this.heard(type, JSON.parse(event.data), number);
      });
    }
    source.onerror = () => { // a browser reconnects by itself, unless the server refused
      if (this.#source !== source || source.readyState !== EventSource.CLOSED) return;
      this.#source = null;
      setTimeout(() => this.#source || this.watch(this.#watched.split(",").filter(Boolean)), 2000);
    };
  }
}
