"""Song 2019, section 2.1.2: conspiracy number search beside alpha-beta, at equal nodes."""

from collections.abc import Sequence
from functools import lru_cache, partial
from itertools import product
from typing import Any

from zermelo import CNS, PN, PVS, AlphaBeta, Search
from zermelo import game as game_by_name
from zermelo.lab import Arm, Claim, Experiment, Judge, Size, Table, generated
from zermelo.lab.statistics import UNDECIDED, Verdict, sign_test

FOUR, OTHELLO = "Connect Four, 16 moves", "Othello, 46 moves"
NODES = (300, 1_000, 3_000, 10_000)
GROUPS = (FOUR, OTHELLO)
# A claim is asked of each group after each number of nodes: Bonferroni's correction for that many.
CHANCE = 0.05 / (len(GROUPS) * len(NODES))
RULE = (f"sign tests on both groups after each number of nodes, p < {CHANCE:.5f} in one at least, "
        "and none says the opposite")
STEP = 5  # iterations from one look at the chosen move to the next
STABLE = "CNS until 3 conspirators"
SEARCHES: dict[str, Search] = {
    "CNS": CNS(), "CNS nearest": CNS(aim="near"), "CNS leftmost": CNS(tie="left"),
    "CNS 4 bins": CNS(bins=4), STABLE: CNS(conspirators=3), "alpha-beta": AlphaBeta(),
    "PVS": PVS(), "PN": PN(),
}


@lru_cache(10_000)
def moves_to_tell_apart(game: str, parameters: tuple[tuple[str, Any], ...], text: str) -> int:
    """Number of moves; 0 where one of them ends the game."""
    position = game_by_name(game, **dict(parameters)).parse(text)
    codes = position.codes()
    ends = any(position.play_code(code).outcome is not None for code in codes)
    return 0 if ends else len(codes)


def decided(entry: Any) -> bool:
    """Return True if the position is won by some moves, not by all, and by none at once."""
    if entry.row is None or entry.known != "win" or entry.good_moves is None:
        return False
    job = entry.cell.job
    moves = moves_to_tell_apart(job.game, tuple(job.parameters.items()), job.position)
    return len(entry.good_moves) < moves


def chosen_at(entry: Any, nodes: int) -> str | None:
    """The move that would be played after at most ``nodes`` nodes; a solved position keeps its."""
    row = entry.row
    if row["concluded"] and row["nodes"] <= nodes:
        return str(row["move"])
    moves = [sample["move"] for sample in row["trace"] if sample["nodes"] <= nodes]
    return moves[-1] if moves else None


def right_at(nodes: int, entries: Sequence[Any]) -> float | None:
    """A column: in how many per cent of the decided positions that move wins."""
    some = [entry for entry in entries if decided(entry)]
    right = sum(chosen_at(entry, nodes) in entry.good_moves for entry in some)
    return 100.0 * right / len(some) if some else None


def count_decided(entries: Sequence[Any]) -> int:
    """A column: how many positions the shares are of."""
    return sum(map(decided, entries))


def settled_down(entries: Sequence[Any]) -> int:
    """A column: how often every other value needed three conspirators before the limit."""
    return sum(entry.row is not None and entry.row["stopped"] == "precision" for entry in entries)


def only_right(results: Any, group: str, nodes: int, names: Sequence[str]) -> list[int]:
    """Count the decided positions on which one of two searches alone chooses a winning move."""
    right = [{entry.cell.id for entry in results.select(name, group) if decided(entry)
              and chosen_at(entry, nodes) in entry.good_moves} for name in names]
    return [len(right[0] - right[1]), len(right[1] - right[0])]


def more_often(search: str, other: str, results: Any) -> tuple[Verdict, str]:
    """Test that ``search`` is right more often; undecided where no sign test shows a difference,
    or differences in both directions."""
    if not results.finished(search, other):
        return None, ""
    told, clear = [], []
    for group, nodes in product(GROUPS, NODES):
        alone, others = only_right(results, group, nodes, (search, other))
        chance = sign_test(alone, others)
        told.append(f"{group}, {nodes:,} nodes: {alone} to {others} (p = {chance:.2g})")
        if chance < CHANCE:
            clear.append(alone > others)
    verdict: Verdict = UNDECIDED if not clear or len(set(clear)) > 1 else clear[0]
    return verdict, f"right alone, {search} to {other}: " + "; ".join(told)


def sometimes_does_not_converge(results: Any) -> tuple[Verdict, str]:
    """Within the limit some positions are neither solved nor need three conspirators to change."""
    entries = results.select(STABLE)
    if not results.finished(STABLE) or not entries:
        return None, ""
    still = sum(entry.row["stopped"] == "nodes" for entry in entries)
    return still > 0, (f"{still} of {len(entries)} positions neither solved nor stable after "
                       f"{NODES[-1]:,} nodes, {settled_down(entries)} stable")


experiment = Experiment(
    title="Conspiracy number search and alpha-beta: the better move at equal nodes",
    source="Song 2019, section 2.1.2, which has no experiment of its own: a comparison of ours.",
    about="After a number of nodes, how often would each search play a winning move? Only "
    "positions count that some moves win and others do not, and where no move ends the game "
    "(*decided*); what wins is proved. Connect Four after 16 random moves, Othello after 46.",
    positions=[
        generated("connect-four", 16, 1000, seed=2019, name=FOUR, take=Size(480, full=1000)),
        generated("othello", 46, 1000, seed=2019, name=OTHELLO, take=Size(270, full=1000)),
    ],
    arms=[Arm(name, search, nodes=NODES[-1], trace=STEP, memory="200MB")
          for name, search in SEARCHES.items()],
    tables=[Table(
        "A winning move, per cent of the decided positions",
        [("decided", count_decided),
         *((f"% right after {nodes:,} nodes", partial(right_at, nodes)) for nodes in NODES),
         ("stable", settled_down), "sum cpu_seconds"], "set, arm",
        note=f"Looked at every {STEP} iterations. *Stable*: the search stopped since every other "
        "value needed three conspirators. A node of CNS and PN is a child that was created, and "
        "for CNS evaluated; of alpha-beta and PVS, a position that was looked at.")],
    claims=[
        Claim("CNS finds a winning move more often than alpha-beta",
              partial(more_often, "CNS", "alpha-beta"), "a question of ours", rule=RULE),
        Claim("CNS finds a winning move more often than PN", partial(more_often, "CNS", "PN"),
              "a question of ours", rule=RULE),
        Claim("CNS sometimes does not converge within 10,000 nodes", sometimes_does_not_converge,
              "2.1.2",
              rule="one position that is neither solved nor stable at the limit suffices"),
    ],
    differs="The thesis gives the rules and no experiment. How ties are broken, the bins and which "
    "of equally small conspiracies is looked into are ours: the arms *nearest*, *leftmost* and "
    "*4 bins* vary them. Few of the positions are decided, so that only large differences show: "
    "a claim about two searches has a verdict only where the sign test says that one of them is "
    f"right more often, and always the same one, at 5 % over all {len(GROUPS) * len(NODES)} "
    f"comparisons of the claim (p below {CHANCE:.5f} in one).",
    judge=Judge(nodes=20_000_000, time=60, moves=True, all=True, certificate=False),
    minutes=Size(8, full=30),
)
