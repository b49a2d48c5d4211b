"""Primanita, Khalid and Iida 2020, 4.3, 5: what random games add to the product rule, by stage."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from statistics import mean
from typing import Any

import numpy as np

from zermelo import PPN
from zermelo.lab import (
    Arm,
    Claim,
    Experiment,
    Figure,
    Judge,
    Positions,
    Size,
    Table,
    concludes_more,
    from_file,
)
from zermelo.lab.statistics import UNDECIDED, Verdict, above, bootstrapped, share
from zermelo_papers.othello_stages import MADE, MOVES
from zermelo_papers.sets.othello_program import remade

KINDS = ("legal", "program")
EARLY, LATE = MOVES[:3], MOVES[3:]
PROVED = MOVES[-2:]  # stages whose boards are judged
PP, PLAYOUTS = "PP", (1, 10, 60, 240)
NODES, PR = Size(5_000, full=20_000), 1e-05
TAKE = Size(60, full=200)


def ppn(playouts: int) -> str:
    """The name of an arm."""
    return f"PPN, {playouts} playout{'s' * (playouts > 1)}"


def called(moves: int, kind: str) -> str:
    """The name of a set."""
    return f"{moves} moves, {kind}"


def stages(kind: str, moves: tuple[int, ...] = MOVES) -> list[str]:
    """The sets with one kind of random games."""
    return [called(number, kind) for number in moves]


def boards() -> Iterator[Positions]:
    """The authors' boards, and re-made ones of the stages that are not public."""
    for kind in KINDS:
        for moves in MOVES:
            common: dict[str, Any] = {
                "name": called(moves, kind), "no_move": "loses", "playouts": kind, "take": TAKE,
                "labels": {"moves": moves, "random games": kind}}
            one = remade(moves, 200, seed=2020, **common) if moves in MADE else from_file(
                f"othello/random_openings{moves}.txt", "othello", side="0", **common)
            yield replace(one, unfinished=True)


def gain(results: Any, kind: str, moves: tuple[int, ...]) -> list[int]:
    """By board: 1 where PPN with 60 playouts concludes it alone, -1 where PP does, 0 otherwise."""
    found = []
    for name in stages(kind, moves):
        done = [{e.cell.id: bool(e.row and e.row["concluded"]) for e in results.select(arm, name)}
                for arm in (ppn(60), PP)]
        found += [done[0][id] - done[1][id] for id in done[0] if id in done[1]]
    return found


def earlier_more(kind: str, results: Any) -> tuple[Verdict, str]:
    """Random games add more up to 26 moves than from 32 on."""
    early, late = (gain(results, kind, moves) for moves in (EARLY, LATE))
    if not results.finished(PP, ppn(60)) or not early or not late:
        return None, ""
    gains, first = np.array([*early, *late], float), len(early)

    def difference(places: Any) -> float:
        drawn, begins = gains[places], places < first
        return float(100 * (drawn[begins].mean() - drawn[~begins].mean()))

    found = bootstrapped(difference, len(gains))
    assert found is not None
    return above(found, 0), (
        f"beyond PP, PPN concludes {100 * mean(early):+.0f} % of the boards up to 26 moves and "
        f"{100 * mean(late):+.0f} % from 32 moves on; difference {found.text(' points')}")


def falser(results: Any) -> tuple[Verdict, str]:
    """The program's random games make more of PPN's conclusions false than legal ones."""
    rates = []
    for kind in KINDS:
        verdicts = [entry.verdict for name in stages(kind, PROVED)
                    for entry in results.select(ppn(60), name)]
        rates.append(share(verdicts.count("false"),
                           verdicts.count("false") + verdicts.count("true")))
    legal, theirs = rates
    if legal is None or theirs is None or not results.finished(ppn(60)):
        return None, ""
    told = f"legal {legal.text()} of {legal.many}, theirs {theirs.text()} of {theirs.many}"
    if theirs.low > legal.high:
        return True, told
    return (False if theirs.high < legal.low else UNDECIDED), told


SIGNS = "a sign test over the boards that one concludes and the other does not, p < 0.05; " \
        "refuted if it says the opposite"

experiment = Experiment(
    title="What random games add to the product rule, by stage of Othello",
    source="Primanita, Khalid and Iida 2020, abstract, 4.3 and 5: \"The information of the "
    "unexplored nodes becomes highly critical in the earlier stages of the Othello game, while the "
    "information of the explored nodes becomes prominent in later stages\".",
    about="PPN has information from nodes that are explored, by the product rule, and from those "
    "that are not, by random games. PP is the product rule alone: every leaf at 1/2. What do 1, "
    "10, 60 and 240 random games a leaf add, at each stage? By the rule that who cannot move "
    "loses, with legal random games and with those of the authors' program, which are not Othello; "
    "pr = 0.00001 for all, theta 0.01 for PPN.",
    positions=list(boards()),
    arms=[Arm(PP, PPN(theta=0.5, playouts=1, pr=PR), nodes=NODES, labels={"playouts": 0}),
          *(Arm(ppn(n), PPN(theta=0.01, playouts=n, pr=PR), nodes=NODES, labels={"playouts": n},
                on=tuple(stages("legal") if n == PLAYOUTS[-1]
                         else [*stages("legal"), *stages("program")])) for n in PLAYOUTS)],
    tables=[Table("Boards concluded", ["concluded %", "wins", "not wins", "out", "mean nodes"],
                  "set, arm", intervals=True)],
    figures=[Figure(f"concluded-{kind}", "lines", f"Boards concluded, {kind} random games",
                    x="moves", y="concluded %", sets=stages(kind), x_label="moves played",
                    y_label="% of boards concluded",
                    arms=[PP, *(ppn(n) for n in PLAYOUTS if kind == "legal" or n < 240)])
             for kind in KINDS],
    claims=[
        *(Claim(f"after {moves} moves PPN with 60 of the program's random games concludes more "
                "than PP", concludes_more(ppn(60), PP, [called(moves, "program")]), "4.3, 5",
                rule=SIGNS) for moves in MOVES),
        Claim("with 60 legal random games PPN concludes more than PP over all stages",
              concludes_more(ppn(60), PP, stages("legal")), "ours, after 5", rule=SIGNS),
        *(Claim(f"{kind} random games add more up to 26 moves than from 32 on",
                partial(earlier_more, kind), "5" if kind == "program" else "ours, after 5",
                rule="of the share of boards that PPN concludes beyond PP, the interval of the "
                "difference between the stages lies above 0; refuted if below")
          for kind in KINDS),
        *(Claim(f"{many} legal random games conclude more than {few}",
                concludes_more(ppn(many), ppn(few), stages("legal")), "ours", rule=SIGNS)
          for many, few in ((60, 1), (240, 60))),
        Claim("the program's random games lead to more false conclusions than legal ones",
              falser, "ours",
              rule="after 36 and 40 moves, the intervals of the shares are apart; refuted if it is "
              "the other way round"),
    ],
    differs="The paper compares PPN with PN and MCPN, which differ from it in more than their "
    "information; PP differs in nothing but the leaves. A conclusion is no proof, and a search "
    "that concludes more may be wrong more often. The boards after 18 and 32 moves are re-made as "
    "the authors' program makes them. Boards that are over are left out. The published limit is "
    "8,000,000 nodes.",
    judge=Judge(nodes=3_000_000, time=None, memory="1GB", certificate=False,
                on=tuple(called(moves, kind) for kind in KINDS for moves in PROVED)),
    minutes=Size(25, full=12 * 60),
)
