// A place is a game, its parameters, an origin and the moves since; it is the query of the URL.

/** Words in a URL that are no parameters of a game. */
const RESERVED = new Set(["game", "position", "moves", "session", "sessions", "certificate", "search", "searches", "path",
  "record", "token", "name", "job", "view", "goal"]);

const typed = (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : text === "true" ? true : text === "false" ? false : text);
const decoded = (text) => { try { return decodeURIComponent(text); } catch { return text; } };
const escaped = (move) => move.replaceAll("%", "%25").replaceAll(",", "%2C");

/** The place in a URL's query, or null. */
export function fromQuery(search = location.search) {
  const query = new URLSearchParams(search);
  const game = query.get("game");
  if (!game) return null;
  const parameters = {};
  for (const [name, value] of query) if (!RESERVED.has(name)) parameters[name] = typed(value);
  const moves = (query.get("moves") || "").split(",").filter(Boolean).map(decoded);
  return { game, parameters, position: query.get("position") || "start", moves };
}

/** The other words of a query, such as session. */
export function extras(search = location.search) {
  return Object.fromEntries([...new URLSearchParams(search)].filter(([name]) => RESERVED.has(name)
    && !["game", "position", "moves"].includes(name)));
}

/** "?game=..." for a place, with other words such as {session: 3}. */
export function toQuery(place, more = {}) {
  const query = new URLSearchParams();
  if (place) {
    query.set("game", place.game);
    for (const [name, value] of Object.entries(place.parameters || {})) query.set(name, value);
    if (place.position && place.position !== "start") query.set("position", place.position);
    if (place.moves?.length) query.set("moves", place.moves.map(escaped).join(","));
  }
  for (const [name, value] of Object.entries(more)) if (value !== null && value !== undefined) query.set(name, value);
  const text = query.toString().replaceAll("%2C", ",");
  return text ? `?${text}` : "";
}

/** The place after some more moves. */
export const after = (place, ...moves) => ({ ...place, moves: [...(place.moves || []), ...moves] });

/** The place after the first `n` of its moves. */
export const at = (place, n) => ({ ...place, moves: place.moves.slice(0, n) });

/** The same text for the same place. */
export const key = (place) => JSON.stringify([place.game, Object.entries(place.parameters || {}).sort(), place.position || "start", place.moves || []]);

/** Whether two places have the same origin. */
export const sameOrigin = (a, b) => key({ ...a, moves: [] }) === key({ ...b, moves: [] });
