"""Primanita, Khalid and Iida 2020, tables 2 and 3, figures 7 and 8: Othello from 18 to 40 moves."""

from typing import Any

from zermelo import MCPN, PN, PPN
from zermelo.lab import (
    Arm,
    Claim,
    Experiment,
    Figure,
    Judge,
    Positions,
    Size,
    Table,
    all_hold,
    concluded_within,
    concludes_more,
    from_file,
    generated,
    sweep,
)
from zermelo.lab.statistics import Verdict

MOVES = (18, 22, 26, 32, 36, 40)
MADE = (18, 32)  # these sets are not public
RULES = ("loses", "pass")
LATE = tuple(f"{moves} moves, {rule}" for moves in (36, 40) for rule in RULES)
NODES, TIME = Size(50_000, full=8_000_000), Size(None, full=600)
TAKE = Size(20, full=200)
EQUAL = (50_000, 50_000)
THETAS, PRECISIONS = [0.01, 0.001], [1e-05, 0.0001, 0.001, 0.01, 0.1]

# Tables 2 and 3: solved, unsolved and out of 200.
PUBLISHED = {
    ("PPN", 18): (52, 56, 92), ("PN", 18): (12, 1, 187), ("MCPN", 18): (5, 4, 191),
    ("PPN", 22): (60, 57, 83),
    ("PPN", 26): (63, 88, 49), ("PN", 26): (19, 16, 165), ("MCPN", 26): (10, 10, 180),
    ("PPN", 32): (82, 91, 27), ("PN", 32): (39, 39, 122), ("MCPN", 32): (6, 37, 157),
    ("PPN", 36): (97, 94, 8),
    ("PPN", 40): (83, 117, 0),
}


def stage(moves: int, rule: str) -> Positions:
    """The positions after a number of moves, under one rule for a player who cannot move."""
    common: dict[str, Any] = {
        "name": f"{moves} moves, {rule}", "no_move": rule, "take": TAKE,
        "labels": {"moves": moves, "no_move": rule},
    }
    if moves in MADE:
        return generated("othello", moves, 200, seed=2020, **common)
    return from_file(f"othello/random_openings{moves}.txt", "othello", side="0",
                     unfinished=Size(True, full=False), **common)


def published(number: int) -> dict[Any, Any]:
    """A column of tables 2 and 3, for the rule of the authors' program."""
    return {(f"{moves} moves, loses", arm): told[number] for (arm, moves), told in
            PUBLISHED.items()}


def completion(arm: str) -> dict[float, float]:
    """The published per cent of concluded positions by moves."""
    return {moves: 100 * (won + lost) / (won + lost + out)
            for (name, moves), (won, lost, out) in PUBLISHED.items() if name == arm}


def stages(rule: str) -> list[str]:
    """The sets of one rule."""
    return [f"{moves} moves, {rule}" for moves in MOVES]


def in_order(rule: str, nodes: tuple[float, float]) -> Any:
    """Test that PPN concludes more than PN, and PN more than MCPN, over all stages."""
    sets = stages(rule)
    return all_hold(concludes_more("PPN", "PN", sets, nodes),
                   concludes_more("PN", "MCPN", sets, nodes))


def same_conclusion(results: Any) -> tuple[Verdict, str]:
    """Test that no conclusion of PPN, PN or MCPN is false."""
    numbers = {word: sum(results.number(word, arm) or 0 for arm in THREE)
               for word in ("false", "known", "not judged")}
    told = ", ".join(f"{number} {word}" for word, number in numbers.items())
    if numbers["false"]:
        return False, told
    return (True if results.complete and not numbers["not judged"] else None), told


SWEEP = sweep(PPN, {"theta": THETAS, "pr": PRECISIONS}, nodes=NODES, time=TIME, on=LATE)
THREE = ["PPN", "PN", "MCPN"]
STAGES = tuple(f"{moves} moves, {rule}" for moves in MOVES for rule in RULES)

experiment = Experiment(
    title="PPN, PN and MCPN on Othello from 18 to 40 moves",
    source="Primanita, Khalid and Iida 2020, tables 2 and 3, figures 7 and 8.",
    about="How many positions does each search conclude at each stage of the game, and **how many "
    "of PPN's conclusions are false**? Published limits: 8,000,000 nodes or 600 s; 60 playouts, "
    "theta 0.01, pr 0.00001 for PPN; 200 positions per stage. The authors' program knows no pass: "
    "a player who cannot move loses. Every stage is shown under that rule (*loses*), beside which "
    "the published numbers stand, and under the rules of Othello (*pass*).",
    positions=[stage(moves, rule) for moves in MOVES for rule in RULES],
    arms=[
        Arm("PPN", PPN(theta=0.01, pr=1e-05), nodes=NODES, time=TIME, on=STAGES),
        Arm("PN", PN(), nodes=8_000_000, memory="1.2GB", on=STAGES),
        Arm("MCPN", MCPN(theta=0.01), nodes=NODES, time=TIME, on=STAGES),
        *SWEEP,
    ],
    tables=[
        Table("By stage", ["wins", "not wins", "out", "concluded %",
                           ("within 50,000 nodes", concluded_within(50_000)), "false %"],
              "set, arm", arms=THREE, intervals=True,
              published={"wins": published(0), "not wins": published(1), "out": published(2)},
              note="Published: of 200 positions (36 moves: the print sums to 199), finished boards "
              "among them, which count as solved."),
        Table("PPN by theta and pr, where positions can be proved",
              ["false %", "wins", "not wins", "out", "mean nodes"], "set, arm",
              arms=[arm.name for arm in SWEEP], intervals=True),
        Table("The same over all of these sets", ["false %", "out", "mean nodes"], "arm",
              arms=[arm.name for arm in SWEEP], intervals=True),
    ],
    figures=[
        *(Figure(f"completion-{rule}", "lines", f"Positions concluded, no move: {rule}", x="moves",
                 y="concluded %", arms=THREE, sets=[f"{moves} moves, {rule}" for moves in MOVES],
                 x_label="moves played", y_label="% of positions concluded",
                 published={arm: completion(arm) for arm in THREE} if rule == "loses" else {})
          for rule in RULES),
        Figure("proved", "lines", "Positions proved, no move: pass", x="moves", y="proved %",
               arms=THREE, sets=[f"{moves} moves, pass" for moves in MOVES],
               x_label="moves played", y_label="% of positions proved"),
        *(Figure(f"false-{rule}", "lines", f"False conclusions of PPN, no move: {rule}", x="pr",
                 y="false %", series="theta, set", arms=[arm.name for arm in SWEEP],
                 sets=[name for name in LATE if name.endswith(rule)], x_label="precision pr",
                 y_label="false, % of judged conclusions", log_x=True) for rule in RULES),
    ],
    claims=[
        *(Claim(f"PPN concludes most, then PN, then MCPN, within 50,000 nodes each ({rule})",
                in_order(rule, EQUAL), "ours, after figure 7",
                rule="two sign tests over the positions of all stages, p < 0.05; refuted if one "
                "says the opposite") for rule in RULES),
        Claim("all searches come to the same conclusions", same_conclusion, "4.3",
              rule="one false conclusion, against a proof, refutes it"),
    ],
    differs="The sets of 18 and 32 moves are not public: ours are random games from a seed. The "
    "others are the authors' files, whose boards have more discs than moves; at the default size "
    "finished boards are left out, with --full they count as in the paper.\n\n"
    "A *conclusion* of PPN at pr = 0.00001 is no proof. After 18 moves some 42 squares are empty, "
    "which no solver settles in minutes: what PPN concludes there stands under *not judged* (sets "
    "of fewer than 36 moves are not even tried), and the column *proved* tells how little of it is "
    "known. Where positions can be proved, *false* says how many conclusions were wrong.\n\n"
    "A conclusion may take a single expansion: with 13 moves whose playouts win three games of "
    "five, 1 - p is 0.4 to the power of 13, below 0.00001 at once. The product takes the moves for "
    "independent chances, which they need not be.\n\n"
    "PN stops at 8,000,000 nodes at every size, PPN and MCPN at the default size at 50,000, so "
    "that the order of the three is judged within 50,000 for all, and with PN at the published "
    "limit by *othello-boards*; at 200,000, MCPN alone, whose playouts stay long where its tree "
    "stays shallow, would take more than half an hour.\n\n"
    "The two rules are two games: under *loses* a player without a move has lost at once, whatever "
    "the discs.",
    judge=Judge(nodes=Size(3_000_000, full=500_000_000), time=None,
                memory=Size("1GB", full="4GB"), on=LATE),
    minutes=Size(28, full=14 * 24 * 60),
)
