"""Beyond the papers: every search of the project on the same positions of sixteen games."""

import random
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

from zermelo import Position, Zones, search
from zermelo import game as game_by_name
from zermelo.lab import (
    Arm,
    Claim,
    Experiment,
    Figure,
    Judge,
    Positions,
    Size,
    Table,
    data_file,
    from_file,
    generated,
)
from zermelo.lab.contest import (
    AGAINST_CHANCE,
    answers_certified,
    by_set,
    certified_by_set,
    fastest,
    feature_table,
    halves,
    new_games,
    pairwise,
    picks_better,
    relatives,
    single_features,
    stopped_by,
)

SEED = 2026
TAKE = Size(12, full=51)
NODES, TIME = 100_000, 0.5
# By kind, as the panels of the figures show them.
TABLES = ["weak-df-pn", "df-pn", "deep-df-pn", "widening-df-pn", "tca-df-pn", "shared-df-pn",
          "pds-pn"]
TREES = ["pn", "pn2", "deep-pn", "mopns", "pp", "cns"]
GAMES = ["df-ppn", "ppn", "mcpn", "mcts", "uct", "ews", "pn-mcts", "gpn-mcts"]
BOUNDS = ["alpha-beta", "pvs", "rps", "erps", "vcdt"]
KINDS = (TABLES, TREES, GAMES, BOUNDS)
LINES = "5 x 5, four in a row"


def graded(name: str, game: str, plies: tuple[int, int, int], **parameters: Any) -> Positions:
    """After a number of random moves: three numbers in turn, easy, medium and hard."""
    return generated(game, plies, 51, seed=SEED, name=name, take=TAKE, **parameters)


def open_spiel(name: str, game: str, plies: tuple[int, int, int]) -> Positions:
    """A set of positions of a game of OpenSpiel, where that is installed."""
    made = graded(name, f"open-spiel:{game}", plies, key="observation")
    there = find_spec("pyspiel") is not None
    return replace(made, optional=True, make=made.make if there else list)


def zone_wins() -> Iterator[tuple[str, Position]]:
    """Connect6: easy, medium and hard ones in turn, in the order of the file."""
    game = game_by_name("connect6")
    rows = [row.split("\t") for row in
            data_file("connect6/zone-wins.txt").read_text("utf-8").splitlines()
            if row and not row.startswith("#")]
    kinds = [[row for row in rows if row[1] == grade] for grade in ("easy", "medium", "hard")]
    for some in zip(*kinds, strict=False):
        for id, _, _, _, moves in some:
            yield id, game.parse(moves)


def p_games(branching: int, depths: tuple[int, int, int]) -> Any:
    """Random trees of three depths in turn."""
    def make() -> Iterator[tuple[str, Position]]:
        for number in range(51):
            yield str(number), game_by_name("p-game", branching=branching, seed=SEED + number,
                                            depth=depths[number % 3]).start()

    return make


def bars() -> Iterator[tuple[str, Position]]:
    """Chomp: bars of at least 16, 24 and 32 squares in turn, with a ragged edge."""
    game = game_by_name(f"{data_file('chomp/chomp.py')}:Chomp")
    seen: set[Position] = set()
    for number in range(51):
        chance = random.Random(f"{SEED}/{number}")
        position = None
        while position is None or position in seen:
            rows: list[int] = []
            least = (16, 24, 32)[number % 3]
            while not least <= sum(rows) < least + 8:
                rows = sorted((chance.randint(1, 8) for _ in range(chance.randint(3, 8))),
                              reverse=True)
            position = game.parse(f"{','.join(map(str, rows))} first")
        seen.add(position)
        yield str(number), position


SETS = [
    graded("Connect Four 7 x 6", "connect-four", (26, 21, 16)),
    graded("Connect Four 5 x 5", "connect-four", (12, 9, 6), columns=5, rows=5),
    graded("Othello 8 x 8", "othello", (52, 50, 48)),
    graded("Othello 6 x 6", "othello", (24, 21, 18), size=6),
    graded("Hex 4 x 4", "hex", (6, 4, 2), size=4),
    graded("Hex 5 x 5", "hex", (12, 9, 7), size=5),
    graded(LINES, "k-in-a-row", (12, 9, 7), columns=5, rows=5, line=4),
    Positions("Connect6, by zones", zone_wins, take=TAKE, candidates=Zones(),
              note="connect6/zone-wins.txt, easy, medium and hard in turn"),
    graded("Lines of Action 5 x 5", "lines-of-action", (16, 12, 8), size=5),
    from_file("lines-of-action/tactics.txt", "lines-of-action", name="Lines of Action, tactics",
              ids=range(0, 561, 11), take=TAKE),
    from_file("xiangqi/tactical.txt", "xiangqi", name="Xiangqi, mates", ids=range(0, 102, 2),
              take=TAKE),
    Positions("P-games, wide", p_games(10, (4, 5, 6)), take=TAKE,
              note=f"ten moves, depth 4, 5 and 6 in turn, seeds from {SEED}"),
    Positions("P-games, narrow", p_games(2, (12, 16, 20)), take=TAKE,
              note=f"two moves, depth 12, 16 and 20 in turn, seeds from {SEED}"),
    Positions("Chomp", bars, take=TAKE, note=f"ragged bars, seed {SEED}"),
    open_spiel("Breakthrough 5 x 4", "breakthrough(rows=5,columns=4)", (8, 5, 2)),
    open_spiel("Clobber 4 x 5", "clobber(rows=4,columns=5)", (6, 5, 4)),
]

experiment = Experiment(
    title="Every search on the same positions",
    source="Ours: no paper compares the family on the same positions with checked answers.",
    about="Every search with its default options and by the rules alone, asked whether the side to "
    "move wins, on sixteen games and settings. Positions are drawn by a rule that was fixed "
    "beforehand: three grades in turn, by the number of random moves where there is no set of its "
    "own. Each search has 100,000 nodes, as it counts them, and half a second of the processor. "
    "For each position that some search answers, a certificate is written by weak-df-pn with the "
    "game's knowledge, and checked; all answers are judged by that.",
    positions=SETS,
    arms=[Arm(id, search(id), nodes=NODES, time=TIME, wall=120, memory="256MB",
              on=(LINES,) if id == "vcdt" else ()) for kind in KINDS for id in kind],
    tables=[
        Table("All sets", ["proved %", "out", "failed", "par2 nodes", "par2 search_seconds"],
              intervals=True,
              note="*PAR-2*: twice the limit where nothing was concluded. Nodes are what each "
              "search counts; time is the processor's, of the search alone."),
        stopped_by, by_set, certified_by_set, pairwise, fastest, relatives, feature_table,
        single_features, halves, new_games,
    ],
    figures=[
        Figure("profile-time", "profile", "Concluded within so many times the best search's time",
               x="search_seconds", panels=KINDS),
        Figure("profile-nodes", "profile", "Concluded within so many times the fewest nodes",
               x="nodes", panels=KINDS),
        Figure("time", "cactus", "Concluded within a time of {positions}", x="search_seconds",
               x_label="processor time (s) at most", panels=KINDS),
        Figure("nodes", "cactus", "Concluded within a number of nodes of {positions}", x="nodes",
               panels=KINDS),
        Figure("pairs", "pairs", "On how many positions the row is ahead of the column, by time",
               x="search_seconds", x_label="strong colours: sign test, p < 0.05 over all pairs",
               y_label="search"),
    ],
    claims=[
        Claim("no answer is false, and every answer is judged by a certificate",
              answers_certified, "ours",
              rule="every position that some search concludes has a checked certificate, and all "
              "conclusions agree with it; refuted by one that does not, undecided where the judge "
              "had no certificate within its limits"),
        Claim("a rule of at most three conditions on features, learned on one half of the "
              "positions, beats each game's default search on the other half", picks_better,
              "ours", rule=AGAINST_CHANCE),
    ],
    differs="Nothing to differ from. Asked for a win alone, mopns is pn. vcdt, which follows "
    "threats, runs on four in a row only; on Connect6 all searches go by relevance zones, and "
    "those that can't be kept to candidates are left out. PN2 has its published sizes, made for "
    "far larger limits, so that its second level does much of the work.",
    judge=Judge(nodes=20_000_000, time=20, wall=300, memory="512MB", proved=True),
    minutes=Size(20, full=90),
)
