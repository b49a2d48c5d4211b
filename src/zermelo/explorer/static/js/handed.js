// What one page gives to the next.

let waiting = null;

/** Something for the page that is shown next. */
export const hand = (given) => { waiting = given; };

/** What was handed to the page that is shown now, once. */
export function handed() {
  const given = waiting;
  waiting = null;
  return given;
}
