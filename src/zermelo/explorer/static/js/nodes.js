// Nodes of trees, as the tree, the drawing and the replay name and number them.

import { count } from "./dom.js";

/** The name of a path. */
export const key = (path) => path.join(" ");

/** A number of a node in few letters. */
export const value = (one) => (typeof one === "number" && !Number.isInteger(one) ? String(Number(one.toPrecision(3))) : count(one));

/** The numbers of a node that can be written down: [[name, number]]. */
export const shown = (numbers) => Object.entries(numbers || {}).filter(([, one]) => one !== null && typeof one !== "object");

/** All numbers in one line. */
export const said = (numbers) => shown(numbers).map(([name, one]) => `${name} ${value(one)}`).join(" · ");
