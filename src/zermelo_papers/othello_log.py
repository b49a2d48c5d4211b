"""The log of the authors' PN program on Othello, line by line: nodes, iterations and answers."""

from collections.abc import Iterator
from typing import Any

from zermelo import PN, Position
from zermelo.lab import Arm, Claim, Experiment, Positions, Table, data_file, from_file
from zermelo.lab.statistics import Verdict

LOG, BOARDS = "othello/authors_pn_log_40.txt", "othello/random_openings40.txt"
ANSWERS = {"solved": "win", "unsolved": "not-win"}
Entry = tuple[str, int, int]  # answer, iterations, nodes with the root


def logged() -> dict[int, Entry]:
    """The entries with an answer and a move, by line of the file of boards.

    Line 204 is in the log twice, one entry after the other; from there on entries belong to the
    line before.
    """
    found: dict[int, Entry] = {}
    last, twice = None, 0
    for text in data_file(LOG).read_text("utf-8").splitlines():
        if not text.startswith("#"):
            line, answer, iterations, nodes = text.split()
            entry = ANSWERS.get(answer, answer), int(iterations), int(nodes) + 1
            if int(nodes):
                twice += entry == last
                last = entry
                if answer in ANSWERS:
                    found[int(line) - twice] = entry
    return found


def boards() -> Iterator[tuple[str, Position]]:
    """The boards of these entries."""
    return iter(from_file(BOARDS, "othello", side="0", ids=logged(), no_move="loses").make())


def agrees(results: Any) -> tuple[Verdict, str]:
    """PN has the answers, iterations and nodes of the authors' program wherever the player to move
    can move."""
    rows = {int(e.cell.id): e.row for e in results.select() if e.row is not None}
    if not rows or not results.finished():
        return None, ""
    theirs = logged()
    differ = [line for line, row in rows.items()
              if (row["value"], row["iterations"], row["nodes"]) != theirs[line]]
    stuck = [line for line in differ if rows[line]["nodes"] == 1]
    told = f"equal on {len(rows) - len(differ)} of {len(rows)} lines"
    if stuck:
        told += f"; dark can't move on line {', '.join(map(str, stuck))}, where the program passes"
    return differ == stuck, told


experiment = Experiment(
    title="PN on the boards of the authors' log",
    source="The log of the program of Primanita, Khalid and Iida 2020: PN on boards after 40 "
    "moves, 8,000,000 nodes.",
    about="Does PN take as many nodes and iterations as the authors' program, and come to the same "
    "answers, on every line of their log that has an answer and a move? By their rule, that who "
    "cannot move loses.",
    positions=Positions("lines of the log", boards,
                        note=f"{BOARDS} and {LOG}, published at github.com/90sradiosong/"
                        "ProbabilityPNS (Primanita, Khalid and Iida 2020)"),
    arms=[Arm("PN", PN(), nodes=8_000_000, memory="1.2GB")],
    tables=[Table("Lines of the log", ["wins", "not wins", "mean nodes", "most nodes"])],
    claims=[Claim("PN on the lines of the authors' log: answers, iterations and nodes", agrees,
                  "the authors' program",
                  rule="deterministic counts: equal on all lines but those where the player to "
                  "move cannot, or refuted")],
    differs="Where dark, to move, cannot, the program passes at the root and nowhere else; here "
    "dark has lost, as anywhere. The log counts nodes without the root, and has line 204 twice, "
    "after which its entries are one line ahead. Entries that ended at the limit, and boards that "
    "are over, are left out.",
    judge=None,
    minutes=2,
)
