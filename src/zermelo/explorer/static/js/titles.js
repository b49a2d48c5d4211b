// The names of games, moves and values as they are written on pages.

const TITLES = { "tic-tac-toe": "Tic-tac-toe", "k-in-a-row": "k in a row", "p-game": "P-game", "connect-four": "Connect Four", "lines-of-action": "Lines of Action" };

export const gameTitle = (name) => TITLES[name] || (name.includes(":") ? name.split(":").at(-1) : name.replaceAll("-", " ").replace(/^./, (letter) => letter.toUpperCase()));

/** How a move is said: "column 4", "branch 2", "d4". */
export const moveWords = (board, move) => ({ "connect-four": "column ", "p-game": "branch " }[board?.place?.game] || "") + move;

export const LETTERS = { win: "W", draw: "D", loss: "L", "not-win": "N", unknown: "?" };
