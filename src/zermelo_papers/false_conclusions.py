"""Ours: how often PPN's precision concludes falsely, by game, pr, theta and playouts."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from zermelo import PPN
from zermelo.lab import (
    Arm,
    Claim,
    Experiment,
    Figure,
    Judge,
    Made,
    Positions,
    Size,
    Table,
    calibration,
    each,
    generated,
    root_values,
    sweep,
)
from zermelo.lab.statistics import LEAST, UNDECIDED, Interval, Verdict, above, below, share

PRECISIONS = [1e-05, 0.0001, 0.001, 0.01, 0.1]
SOME = [1e-05, 0.001, 0.1]  # for what varies beside pr
RISKS = (5, 10, 20)  # per cent of the conclusions
NODES = 10_000
STAGES = (36, 40, 44, 48)
RULES = ("pass", "loses")
FOUR, HEX, NARROW, WIDE = "Connect Four", "Hex 5 x 5", "P-games 2 x 20", "P-games 8 x 8"
OTHELLO = {rule: f"Othello, {rule}" for rule in RULES}
GAMES = (FOUR, *OTHELLO.values(), HEX, NARROW, WIDE)
LOOKS = (200, 2_000)  # nodes after which p is held against the truth


def sourced(game: str, place: str) -> str:
    """Source of a claim: the paper for its own games, else our extension."""
    paper = f"Primanita et al. 2020, {place}"
    return paper if game in (FOUR, *OTHELLO.values()) else f"ours, after {paper}"


def arm(pr: float, theta: float = 0.01, playouts: int = 60) -> str:
    """The name of an arm."""
    return f"ppn theta={theta:g} playouts={playouts} pr={pr:g}"


def stages(rule: str) -> Iterator[Positions]:
    """Othello by number of moves; few of the earliest, which take long to prove."""
    for moves in STAGES:
        yield generated("othello", moves, 400, seed=19, name=f"{OTHELLO[rule]}, {moves} moves",
                        no_move=rule, take=Size(20 if moves == 36 else 60, full=400),
                        labels={"game": OTHELLO[rule], "moves": moves})


def judged(results: Any, name: str | None, game: str | None = None,
           open_only: bool = False) -> tuple[int, int]:
    """Count the false conclusions of an arm, or of all, and those that were judged; ``open_only``:
    only those that were no proofs."""
    verdicts = [entry.verdict for entry in results.select(name)
                if (game is None or results.labels(entry).get("game") == game)
                and not (open_only and entry.row is not None and entry.row["proved"])]
    return verdicts.count("false"), verdicts.count("false") + verdicts.count("true")


def rate(results: Any, name: str, game: str | None = None,
         open_only: bool = False) -> Interval | None:
    """The share of false conclusions of an arm, on all sets of a game or on all."""
    return share(*judged(results, name, game, open_only))


def rates(results: Any) -> Made:
    """The table of rates: a row for each game and pr."""
    rows = []
    for game in GAMES:
        for pr in PRECISIONS:
            cells = []
            for open_only in (False, True):
                false, known = judged(results, arm(pr), game, open_only)
                found = share(false, known)
                cells += ["-", "-"] if found is None else [f"{false} of {known}", found.text("")]
            if cells[0] != "-":
                rows.append([game, f"{pr:g}", *cells])
    return Made("False conclusions by game and pr (theta = 0.01, 60 playouts)",
                ["game", "pr", "false, of all conclusions", "% (95 %)",
                 "false, of those that are no proofs", "% (95 %) "], rows,
                "Within 10,000 nodes. A search may come to a proof before its p comes to the "
                "precision, and a proof is never false: the last two columns leave proofs out.")


def how_many(results: Any) -> Made:
    """Number of conclusions judged in all, whatever the setting."""
    rows = []
    for game in GAMES:
        false, known = judged(results, None, game)
        wrong, unproved = judged(results, None, game, open_only=True)
        if known:
            rows.append([game, f"{known:,}", f"{false:,}", f"{unproved:,}", f"{wrong:,}"])
    return Made("Judged conclusions, all settings together",
                ["game", "judged", "false", "judged that are no proofs", "false "], rows,
                "The same positions under several settings: no sample of so many positions.")


def for_users(results: Any) -> Made:
    """The largest pr for each risk whose interval lies below it."""
    rows = []
    for game in GAMES:
        found = {pr: rate(results, arm(pr), game, open_only=True) for pr in PRECISIONS}
        if all(one is None for one in found.values()):
            continue
        cells = []
        for risk in RISKS:
            safe = [pr for pr, one in found.items()
                    if one is not None and one.many >= LEAST and one.high < risk]
            cells.append(f"{max(safe):g}" if safe else "none shown to be")
        rows.append([game, *cells])
    return Made("Which pr for which risk", ["game", *(f"at most {risk} %" for risk in RISKS)],
                rows, "The largest pr tried at which the interval of 95 % of false conclusions, of "
                "those that are no proofs, lies below the risk; 20 of them at least. *None shown "
                "to be*: prove it instead, or judge more conclusions.")


def grows_with_pr(game: str, results: Any) -> tuple[Verdict, str]:
    """A larger pr concludes falsely more often: 0.1 against 0.001."""
    small, large = (rate(results, arm(pr), game) for pr in (0.001, 0.1))
    if small is None or large is None or not results.complete:
        return None, ""
    told = f"pr = 0.001: {small.text()}, 0.1: {large.text()}"
    if large.low > small.high:
        return True, told
    return (False if large.high < small.low else UNDECIDED), told


def harmless(game: str, results: Any) -> tuple[Verdict, str]:
    """At pr = 0.001, at most theta, less than one conclusion in a hundred is false."""
    found = rate(results, arm(0.001), game)
    if found is None or not results.complete:
        return None, ""
    return below(found, 1), found.text()


def over_confident(game: str, results: Any) -> tuple[Verdict, str]:
    """Test that errors exceed one in a hundred where p after 2,000 nodes promises at most that."""
    sure = [min(p, 1 - p) <= 0.01 and (p > 0.5) != won
            for p, won in root_values(results, f"p after {LOOKS[1]:,} nodes", game)
            if min(p, 1 - p) <= 0.01]
    found = share(sum(sure), len(sure))
    if found is None or not results.complete:
        return None, ""
    return above(found, 1), f"{sum(sure)} of {len(sure)}: {found.text()}"


COMMON: dict[str, Any] = {"nodes": NODES, "memory": "200MB"}
MAIN = sweep(PPN, {"theta": [0.01], "playouts": [60], "pr": PRECISIONS}, **COMMON)
VARIED = [*sweep(PPN, {"theta": [0.01], "playouts": [10, 240], "pr": SOME}, **COMMON),
          *sweep(PPN, {"theta": [0.001], "playouts": [60], "pr": SOME}, **COMMON)]

experiment = Experiment(
    title="How often PPN's precision concludes falsely",
    source="Ours; the rule is that of Primanita, Khalid and Iida 2020, section 3.2.",
    about="PPN with a precision pr stops when p of the root is within pr of 0 or 1. That is no "
    "proof: p takes the moves for independent chances. How often is it false, and is p as sure as "
    "it says? Random positions of four games, all of them proved.",
    positions=[
        generated("connect-four", 12, 400, seed=19, name=FOUR, take=400,
                  labels={"game": FOUR}),
        *(one for rule in RULES for one in stages(rule)),
        generated("hex", 6, 400, seed=19, name=HEX, size=5, take=400,
                  labels={"game": HEX}),
        each("p-game", "seed", range(3000, 3200), name=NARROW, branching=2, depth=20,
             take=200, labels={"game": NARROW}),
        each("p-game", "seed", range(4000, 4200), name=WIDE, branching=8, depth=8,
             take=200, labels={"game": WIDE}),
    ],
    arms=[*MAIN, *VARIED,
          *(Arm(f"p after {nodes:,} nodes", PPN(), nodes=nodes, memory="200MB")
            for nodes in LOOKS)],
    tables=[
        rates, for_users, how_many,
        Table("By stage of Othello, theta and playouts", ["false %", "mean nodes"], "set, arm",
              arms=[one.name for one in (*MAIN, *VARIED)], intervals=True),
        Table("All games", ["false %", "mean nodes"], "arm",
              arms=[one.name for one in (*MAIN, *VARIED)], intervals=True),
        *(calibration(f"p after {nodes:,} nodes", GAMES) for nodes in LOOKS),
    ],
    figures=[
        Figure("false", "lines", "False conclusions by precision", x="pr", y="false %",
               series="game", arms=[one.name for one in MAIN], log_x=True,
               x_label="precision pr", y_label="false, % of judged conclusions"),
        Figure("stages", "lines", "Othello: false conclusions by stage, pr = 0.001", x="moves",
               y="false %", series="game", arms=[arm(0.001)], x_label="moves played",
               sets=[f"{name}, {moves} moves" for name in OTHELLO.values() for moves in STAGES],
               y_label="false, % of judged conclusions"),
        Figure("playouts", "lines", "False conclusions by the number of playouts", x="playouts",
               y="false %", series="pr", log_x=True, x_label="playouts per leaf",
               arms=[arm(pr, playouts=playouts) for pr in SOME for playouts in (10, 60, 240)],
               y_label="false, % of judged conclusions"),
        Figure("calibration", "calibration", "p of the root after 2,000 nodes, and the truth",
               arms=[f"p after {LOOKS[1]:,} nodes"], series="game", x_label="p of the root",
               y_label="won, % of positions"),
    ],
    claims=[
        *(Claim(f"{game}: pr = 0.001 is harmless (less than 1 % false)", partial(harmless, game),
                sourced(game, "discussion: \"without affecting its accuracy result\""),
                rule="the interval of the share lies below 1 %; refuted if above")
          for game in GAMES),
        *(Claim(f"{game}: a larger pr concludes falsely more often", partial(grows_with_pr, game),
                sourced(game, "4.2"),
                rule="the intervals at pr = 0.1 and 0.001 are apart, that of 0.1 above; refuted if "
                "below") for game in GAMES),
        *(Claim(f"{game}: p is surer than it should be", partial(over_confident, game), "ours",
                rule="of the positions whose p is within 0.01 of 0 or 1, more than 1 % are "
                "otherwise, by the interval; refuted if fewer") for game in GAMES),
    ],
    differs="Nothing to differ from: the papers do not ask. Positions are random, not from play; a "
    "search stops at 10,000 nodes, so that conclusions which take longer are left out. At the "
    "default size proofs are those of the searches and of weak df-pn with the game's knowledge, "
    "without certificates; with --full each has one that was checked.",
    judge=Judge(nodes=50_000_000, time=None, memory="1GB", all=True,
                certificate=Size(False, full=True)),  # type: ignore[arg-type]
    minutes=Size(25, full=6 * 60),
)
