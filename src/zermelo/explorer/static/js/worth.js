// The values of all moves of a position: a session that starts by itself with a modest budget, and goes on when asked.

import { remove } from "./api.js";
import { key } from "./place.js";
import { follow, goOn, RUNNING, start, stop } from "./session.js";
import { moveWords } from "./titles.js";
import { best, isSettled, labelOf, orderOf, signed, tint } from "./values.js";

const FIRST = 3; // seconds of the first look
const LONGER = 5; // times as long, each time
const QUICK = 1.5; // seconds: where the values took no longer, the lengths of wins are looked for as well
const KEPT = 3; // sessions whose processes are kept, for going back and forth

export class Worth {
  constructor(changed, goal) {
    Object.assign(this, { changed, goal }); // goal shortest: the values first, then how long each win or loss takes; or value, score
    this.known = new Map(); // key of a place and a goal -> {id, follower, limits, now, error}
    this.current = null;
  }

  get values() {
    const lengths = this.current?.deeper?.now.values;
    return [...(this.current?.now.values.values() || [])].map((value) => {
      const more = lengths?.get(value.move);
      return more && isSettled(more) && more.value === value.value ? more : { ...value, near: nearOf(value, this.mover) };
    });
  }
  get state() { return this.current?.error ? "failed" : this.current?.now.state ?? null; }
  get running() { return RUNNING.has(this.state); }
  /** Whether all values are known, and the lengths of some are not, since their time was up. */
  get unmeasured() { return this.current?.deeper?.now.state === "stopped" && this.values.some((value) => ["win", "loss"].includes(value.value) && !value.length); }

  /** Shows what is known of a place, and looks if nothing is (`look`: after a moment, so that walking through moves starts nothing). */
  go(board, look) {
    this.mover = board.to_move;
    clearTimeout(this.timer);
    const name = key(board.place) + this.goal;
    if (this.current && this.current.name !== name) this.halt(this.current);
    this.current = this.known.get(name) || null;
    if (!this.current && look && !board.outcome) this.timer = setTimeout(() => this.begin(board, name), 150);
    this.changed();
  }

  async begin(board, name = key(board.place) + this.goal) {
    const record = { name, limits: { time: FIRST }, now: { values: new Map(), state: "waiting" } };
    this.known.set(name, record);
    this.current = record;
    this.changed();
    try {
      const goal = this.goal === "score" ? "score" : "value";
      const { id } = await start({ kind: "values", place: board.place, goal, limits: record.limits });
      record.id = id;
      record.follower = follow(id, (now) => {
        record.now = now;
        if (record !== this.current) return;
        if (now.state === "done" && this.goal === "shortest" && !record.deeper && (now.result?.seconds ?? QUICK) < QUICK) this.measure(record, board);
        this.changed();
      });
      record.now = record.follower.now;
      if (record !== this.current) this.halt(record);
    } catch (error) {
      record.error = error.message;
      this.known.delete(name);
    }
    this.changed();
    this.tidy();
  }

  /** How long each win or loss takes. */
  async measure(record, board) {
    record.deeper = { now: { values: new Map() } };
    try {
      const { id } = await start({ kind: "values", place: board.place, goal: "shortest", limits: record.limits });
      record.deeper = { id, follower: follow(id, (now) => { if (record === this.current) this.changed(); record.deeper.now = now; }), now: record.deeper.now };
      if (record !== this.current) this.halt(record);
    } catch { /* this search or game can't say; the values stay */ }
  }

  /** Goes on, for longer than before. */
  async longer(board) {
    const record = this.current;
    if (!record || record.error || record.now.state === "failed") return this.begin(board);
    record.limits = { ...record.limits, time: record.limits.time * LONGER };
    try {
      await goOn(this.unmeasured ? record.deeper.id : record.id, record.limits);
    } catch (error) { // its process is gone: begin anew, with the larger budget
      const fresh = record.limits;
      record.follower?.close();
      await this.begin(board);
      if (this.current?.id) this.current.limits = fresh;
    }
    return this.changed();
  }

  /** Stops the search of a position; what it found stays. */
  async halt(record = this.current) {
    for (const each of [record, record?.deeper]) if (each?.id && RUNNING.has(each.now.state)) await stop(each.id).catch(() => {});
  }

  tidy() {
    const idle = [...this.known.values()].filter((record) => record !== this.current && record.id && !record.gone);
    for (const record of idle.slice(0, Math.max(0, idle.length - KEPT))) {
      this.end(record);
    }
  }

  close() {
    clearTimeout(this.timer);
    for (const record of this.known.values()) this.end(record);
  }

  /** Ends the processes of a record; what it found stays. */
  end(record) {
    for (const each of [record, record.deeper]) {
      each?.follower?.close();
      if (each?.id && !each.gone) remove(`/sessions/${each.id}`).catch(() => {});
      if (each) each.gone = true;
    }
  }
}

/** How near a move's numbers are to a win of the player who makes it: they may be about the other one. */
function nearOf({ numbers, question }, mover) {
  const near = tint(numbers);
  return near === null || !question || question.includes(`does ${mover} `) ? near : 1 - near;
}

/** What is known of a position from its moves: {value, move, words, sure, line}. */
export function answerOf(board, values) {
  if (board.outcome) return { value: null, sure: true, words: board.status ? `${board.status}.`.replace("..", ".") : "The game is over." };
  const mover = board.to_move;
  const legal = board.moves.length;
  const found = best(values.filter((value) => !["unknown", "not-win"].includes(value.value) || isSettled(value) && value.value === "not-win"));
  const settled = values.filter(isSettled).length;
  if (!found || settled < legal && ["loss", "not-win"].includes(found.value)) return { value: "unknown", sure: false, words: values.length ? "Not known yet." : "" };
  const how = moveWords(board, found.move);
  const much = typeof found.score === "number" ? ` with ${signed(found.score)}` : found.length ? ` in ${found.length}` : "";
  const line = found.line?.[0] === found.move ? found.line : [found.move, ...(found.line || [])];
  const answer = { value: found.value, move: found.move, sure: found.proved !== false, line };
  const only = settled < legal && (found.value !== "win" || typeof found.score === "number"); // a better one may be among the others
  const words = only ? `${mover} has at least a ${labelOf(found).split(",")[0]}: ${how}` : { win: `${mover} wins${much}: ${how}`, draw: `A draw: ${how}`,
    loss: `${mover} loses${much}, whatever it plays`, "not-win": `${mover} does not win` }[found.value];
  return { ...answer, words, ...(only && { value: "unknown" }) };
}

/** What the result of a search says about the moves of its position. */
export function valuesOf(board, result) {
  if (result?.value === "loss") return board.moves.map(({ move }) => ({ move, value: "loss", proved: true }));
  return result?.move ? [{ move: result.move, value: result.value, proved: true, line: result.line }] : [];
}

/** The moves in the order in which a player would want them. */
export const sorted = (values) => [...values].sort((a, b) => orderOf(b) - orderOf(a));
