// What the numbers of a node mean, in few words; "a win" is one for the player who is asked about.

const WORDS = {
  pn: "what it takes at least to prove a win, in leaves", dn: "the same to prove that there is none", deep: "smaller where the leaf to look at is deeper",
  p: "the chance of a win", q: "1 − p", visits: "how often it was tried", rate: "the share of random games that were won", result: "the mean result of random games, −1 to 1",
  their_pn: "the other player's pn", estimate: "in points", up: "leaves that must change to raise it", down: "to lower it", win: "to prove a win", loss: "to prove that there is none",
  wr: "the chance of a win", ew_win: "the work to expect for a proof of a win", ew_loss: "for a proof that there is none",
  G_win: "what it takes to prove a win", S_draw: "at most a draw", G_draw: "at least a draw", S_loss: "a loss",
};

/** The names of numbers with their meanings: "pn: ...; dn: ...". */
export const meanings = (names) => names.filter((name) => WORDS[name]).map((name) => `${name}: ${WORDS[name]}`).join("; ");
