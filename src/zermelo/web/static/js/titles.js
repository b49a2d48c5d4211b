// The names of games as they are written on pages.

const TITLES = { "k-in-a-row": "k in a row", "p-game": "P-game", "connect-four": "Connect Four", "lines-of-action": "Lines of Action" };

export const gameTitle = (name) => TITLES[name] || (name.includes(":") ? name.split(":").at(-1) : name.replaceAll("-", " ").replace(/^./, (letter) => letter.toUpperCase()));
