"""Primanita, Khalid and Iida 2020, tables 2 and 3: 200 boards of each stage, by their rule."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from zermelo import MCPN, PN, PPN
from zermelo.lab import (
    Arm,
    Claim,
    Experiment,
    Figure,
    Positions,
    Table,
    Test,
    concluded_within,
    concludes_more,
    from_file,
    generated,
)
from zermelo.lab.statistics import UNDECIDED, Verdict, above, agrees, all_of, share
from zermelo_papers.connect_four_precision import concluded
from zermelo_papers.othello_stages import MADE, MOVES, PUBLISHED, completion

BOARDS = 200
SECOND = "26 moves, second file"
CAPS = (100, 1_000, 10_000)
LIMIT = 8_000_000
THREE = ["PPN", "PN", "MCPN"]


def named(moves: int) -> str:
    """The set of a stage."""
    return f"{moves} moves"


STAGES = [named(moves) for moves in MOVES]


def stage(moves: int) -> Positions:
    """The first 200 boards of a stage, finished ones among them where the file has them."""
    common: dict[str, Any] = {"name": named(moves), "no_move": "loses", "take": BOARDS,
                              "labels": {"moves": moves}}
    if moves in MADE:
        return generated("othello", moves, BOARDS, seed=2020, **common)
    return from_file(f"othello/random_openings{moves}.txt", "othello", side="0", **common)


def finished(entries: Sequence[Any]) -> int:
    """A column: how many boards are over before the first move: the root is all there is."""
    return sum(entry.row["nodes"] <= 1 for entry in entries)


def unfinished_concluded(entries: Sequence[Any]) -> str:
    """A column: the share that was concluded of the boards that are not over."""
    rest = [entry.row for entry in entries if entry.row["nodes"] > 1]
    found = share(sum(bool(row["concluded"]) for row in rest), len(rest))
    return "-" if found is None else f"{found.value:.1f} ({found.low:.1f} to {found.high:.1f})"


def published(number: int) -> dict[Any, Any]:
    """A column of tables 2 and 3."""
    return {(named(moves), arm): told[number] for (arm, moves), told in PUBLISHED.items()}


def counted(moves: int, results: Any) -> tuple[Verdict, str]:
    """PN has the published numbers of wins and of others on a file of the authors."""
    found = [results.number(word, "PN", named(moves)) for word in ("wins", "not wins", "out")]
    if None in found or not results.finished("PN"):
        return None, ""
    told = PUBLISHED["PN", moves]
    shares = [(share(int(own or 0), sum(map(int, found))), share(count, sum(told)))
              for own, count in zip(found[:2], told[:2], strict=True)]
    verdict = all_of([agrees(own, count) for own, count in shares if own and count])
    return verdict, "wins, not wins and out {}, {} and {}; published {}, {} and {}".format(
        *found, *told)


def about_as_many(moves: int, results: Any) -> tuple[Verdict, str]:
    """PN concludes the published share: it lies in the interval of ours; refuted where both
    intervals are apart, unless the boards are our own, which are of another kind."""
    won, lost, out = PUBLISHED["PN", moves]
    told = share(won + lost, won + lost + out)
    own = concluded(results, "PN", named(moves))
    if own is None or told is None or not results.finished("PN"):
        return None, ""
    verdict = agrees(own, told)
    verdict = UNDECIDED if verdict is False and moves in MADE else verdict
    return verdict, f"{own.text()}; published {told.text()}"


def at_least(tests: Sequence[Test], results: Any) -> tuple[Verdict, str]:
    """All of these, about a search that was given less than the paper gave it: it may be shown to
    be ahead with less, and never to be behind."""
    found = [one(results) for one in tests]
    verdict = all_of([UNDECIDED if one is False else one for one, _ in found])
    return verdict, "; ".join(told for _, told in found if told)


def behind(first: str, second: str, results: Any) -> tuple[Verdict, str]:
    """The first concludes fewer than the second, of which the first has less than was published: it
    may be shown to be ahead, which refutes it, and never to be behind."""
    verdict, told = concludes_more(first, second, STAGES)(results)
    return (False if verdict is True else None if verdict is None else UNDECIDED), told


def half_after_18(results: Any) -> tuple[Verdict, str]:
    """PPN concludes at least half of the boards after 18 moves."""
    found = concluded(results, "PPN", named(18))
    if found is None or not results.finished("PPN"):
        return None, ""
    verdict = above(found, 50)
    return (UNDECIDED if verdict is False else verdict), found.text()


def rises(arm: str, before: int, after: int, results: Any) -> tuple[Verdict, str]:
    """The share that is concluded rises between two stages, beyond both intervals."""
    found = [concluded(results, arm, named(moves)) for moves in (before, after)]
    if found[0] is None or found[1] is None or not results.finished(arm):
        return None, ""
    up = found[1].low > found[0].high
    told = ", ".join(f"{arm} {moves} moves {one.text()}" for moves, one in
                     zip((before, after), found, strict=True) if one is not None)
    return (True if up else False if found[1].high < found[0].low else UNDECIDED), told


def same_conclusion(results: Any) -> tuple[Verdict, str]:
    """Test that no conclusion of one of the three is refuted by a proof of another."""
    numbers = {word: sum(results.number(word, arm) or 0 for arm in THREE)
               for word in ("false", "known", "not judged")}
    told = ", ".join(f"{number} {word}" for word, number in numbers.items())
    if numbers["false"]:
        return False, told
    return (None if not results.finished() else UNDECIDED if numbers["not judged"] else True), told


LESS = "PPN has 10,000 nodes here and 8,000,000 in the paper, and what it concludes within fewer " \
       "it concludes within more"

experiment = Experiment(
    title="PN, PPN and MCPN on 200 boards of each stage of Othello",
    source="Primanita, Khalid and Iida 2020, tables 2 and 3, figures 7 and 8.",
    about="As many boards as in the paper, by the rule of the authors' program, that who cannot "
    "move loses, and with the boards that are over before the first move, which the authors count "
    "as solved; they stand apart too. PN has the published 8,000,000 nodes. PPN and MCPN, whose "
    "playouts cost a hundred times as much, have 10,000, with counts within fewer: 8,000,000 "
    "would take weeks. theta 0.01, 60 playouts, pr 0.00001 for PPN.",
    positions=[*(stage(moves) for moves in MOVES),
               from_file("othello/random_openings26n.txt", "othello", side="0", name=SECOND,
                         no_move="loses", take=BOARDS)],
    arms=[Arm("PPN", PPN(theta=0.01, pr=1e-05), nodes=CAPS[-1], on=tuple(STAGES)),
          Arm("PN", PN(), nodes=LIMIT, memory="1.2GB"),
          Arm("MCPN", MCPN(theta=0.01), nodes=CAPS[-1], on=tuple(STAGES))],
    tables=[Table(
        "By stage", ["wins", "not wins", "out", "concluded %", ("finished boards", finished),
                     ("concluded of the others, %", unfinished_concluded),
                     *((f"within {cap:,} nodes", concluded_within(cap)) for cap in CAPS)],
        "set, arm", intervals=True,
        published={"wins": published(0), "not wins": published(1), "out": published(2)},
        note="Published: of 200 boards (36 moves: the print sums to 199), 8,000,000 nodes or 600 s "
        "for all three. *Finished boards*: over before the first move; they count as concluded. "
        "*Within*: these included.")],
    figures=[Figure("completion", "lines", "Boards concluded, who cannot move loses", x="moves",
                    y="concluded %", arms=THREE, sets=STAGES, x_label="moves played",
                    y_label="% of 200 boards concluded",
                    published={arm: completion(arm) for arm in THREE})],
    claims=[
        Claim("PN concludes 19 wins and 16 others of 200 boards after 26 moves",
              partial(counted, 26), "table 2",
              rule="the published share of each lies in the interval of ours; refuted if their "
              "intervals are apart. Not a count that could be equal: which 200 of the 513 lines of "
              "their file the authors took is not said"),
        *(Claim(f"PN concludes about {percent:g} % after {moves} moves",
                partial(about_as_many, moves), "table 2",
                rule="the published share lies in the interval of ours; " + (
                    "boards of our own, which are of another kind, can't refute it"
                    if moves in MADE else "refuted if its own interval and ours are apart"))
          for moves, percent in ((18, 6.5), (26, 17.5), (32, 39))),
        Claim("PPN concludes more than PN at every stage",
              partial(at_least, [concludes_more("PPN", "PN", [name]) for name in STAGES]),
              "tables 2, 3, figure 7",
              rule=f"a sign test at each stage, p < 0.05 in all; {LESS}, so that it can't be "
              "refuted here"),
        Claim("PPN concludes more than PN over all stages",
              partial(at_least, [concludes_more("PPN", "PN", STAGES)]), "tables 2, 3, figure 7",
              rule=f"a sign test, p < 0.05; {LESS}, so that it can't be refuted here"),
        Claim("MCPN concludes fewer than PN", partial(behind, "MCPN", "PN"), "table 2, figure 7",
              rule="a sign test over all stages; refuted if MCPN is ahead with p < 0.05; with more "
              "nodes MCPN may conclude more, so that it can't be shown here"),
        *(Claim(f"within 10,000 nodes each {first} concludes more than {second}",
                concludes_more(first, second, STAGES, (CAPS[-1], CAPS[-1])), "ours",
                rule="a sign test over all stages, p < 0.05; refuted if it says the opposite")
          for first, second in (("PPN", "PN"), ("PN", "MCPN"))),
        Claim("PPN concludes half of the boards after 18 moves", half_after_18, "4.3",
              rule=f"the interval of the share lies above 50 %; {LESS}, so that it can't be "
              "refuted here"),
        Claim("PN's share rises from 26 to 32 moves", partial(rises, "PN", 26, 32), "figures 7, 8",
              rule="the intervals of both shares are apart; refuted if it falls beyond them"),
        Claim("PPN's share rises from 22 to 26 moves, within 10,000 nodes",
              partial(rises, "PPN", 22, 26), "ours, after figures 7, 8",
              rule="the intervals of both shares are apart; refuted if it falls beyond them"),
        Claim("all searches come to the same conclusions", same_conclusion, "4.3",
              rule="one conclusion that a proof of another search refutes, refutes it"),
    ],
    differs="The sets of 18 and 32 moves are not public: ours are random games from a seed, in "
    "which no board is over. The others are the authors' files, whose boards have more discs than "
    "moves. Which 200 lines of a file they took is not said: here the first ones; of 26 moves "
    "there are two files. A *conclusion* of PPN is no proof; it is judged here by the proofs of "
    "the other two alone, which are of the easier boards.",
    judge=None,
    minutes=30,
)
