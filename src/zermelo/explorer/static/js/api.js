// Questions to the server. A refusal is one sentence, thrown as Refusal.

import { announce, toast } from "./messages.js";

const BASE = "/api/v1";

export class Refusal extends Error {
  constructor(sentence, status) {
    super(sentence);
    this.status = status;
  }
}

async function call(method, path, options = {}) {
  let answer;
  try {
    answer = await fetch(BASE + path, { method, ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal("The server does not answer. Is `zermelo explore` still running?", 0);
  }
  const text = await answer.text();
  let data = null;
  try { data = text ? JSON.parse(text) : null; } catch { data = null; }
  if (!answer.ok) throw new Refusal(data?.error || `The server refused this (${answer.status}).`, answer.status);
  return data;
}

export const get = (path, signal) => call("GET", path, { signal });

export const post = (path, body = {}, signal) => call("POST", path, {
  signal, body: JSON.stringify(body), headers: { "Content-Type": "application/json" } });

/** Sends a file: only certificates are taken so. */
export const send = (path, file, signal) => call("POST", path, {
  signal, body: file, headers: { "Content-Type": "application/octet-stream" } });

export const remove = (path) => call("DELETE", path);

/** Awaits a question; a refusal becomes a message on the page, and the answer null. */
export async function told(question) {
  try {
    return await question;
  } catch (error) {
    if (error.name === "AbortError") return null;
    if (!(error instanceof Refusal)) throw error;
    toast(error.message, "refusal");
    announce(error.message);
    return null;
  }
}

const kept = new Map();

/** What doesn't change while the server runs (games, searches, famous, about): asked once. */
export function once(path) {
  if (!kept.has(path)) {
    kept.set(path, get(path).catch((error) => {
      kept.delete(path);
      throw error;
    }));
  }
  return kept.get(path);
}

/** Wraps a question so that only the answer to the last one counts; earlier ones give null. */
export function latest(question) {
  let last = 0;
  return async (...given) => {
    const mine = ++last;
    const answer = await question(...given);
    return mine === last ? answer : null;
  };
}
