"""``zermelo lab estimate``: how likely moves of each category are played."""

from __future__ import annotations

import json as json_text
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.cli import show
from zermelo.cli.options import NUMBER, GameName, Json, NoSeed, Parameters, Quiet
from zermelo.cli.out_files import check_file, write_file
from zermelo.cli.read import read_game, read_whole
from zermelo.errors import counted, file_name, shown

if TYPE_CHECKING:
    from zermelo.lab.estimate import Estimate

SHOWN = 10
STEP = 100  # games between two words about progress

Files = Annotated[list[str], typer.Argument(
    metavar="FILES", help="Game records: SGF collections, or one line of moves per game.")]
Out = Annotated[str | None, typer.Option(
    "--out", metavar="FILE", help="Write the probabilities to this file, for games to load.")]
Skip = Annotated[str, typer.Option(
    "--skip", metavar=NUMBER, help="Leave out this many moves at the beginning of each game, such "
    "as random openings.")]
Prior = Annotated[str, typer.Option(
    "--prior", metavar=NUMBER, help="Add this many positions to each category, with moves of it "
    "played as often as those of an average category.")]

Note = Annotated[str, typer.Option(
    "--note", metavar="TEXT", help="Where the games come from; kept in the file.")]


def estimate(
    game: GameName, files: Files, out: Out = None, skip: Skip = "0", prior: Prior = "10",
    note: Note = "", g: Parameters = None, seed: NoSeed = "0", json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Estimate from game records how likely moves of each category are to be played."""
    from zermelo.lab.estimate import estimate as count

    rules = read_game(game, g)
    check_file(out)

    def tell(name: str, games: int) -> None:
        if not quiet and not json and games % STEP == 0:
            print(f"{name}: {counted(games, 'game')}", file=sys.stderr, flush=True)

    read_whole("--seed", seed)  # checked, as everywhere
    found = count(rules, files, skip=read_whole("--skip", skip), note=note, tell=tell,
                  prior=read_whole("--prior", prior))
    refused = [{"game": name, "why": why} for name, why in found.refused]
    try:
        print(show.as_json({**found.to_dict(), "refused": refused}) if json else
              estimate_text(found), flush=True)
    finally:
        if out is not None:
            text = json_text.dumps(found.to_dict(), indent=1, ensure_ascii=False)
            write_file(out, f"{text}\n")
    if out is not None and not json:
        print(f"wrote {file_name(out)}")


def estimate_text(found: Estimate) -> str:
    """What was counted, and the categories at both ends."""
    rows = [[row["name"], f"{row['played']:,}", f"{row['available']:,}",
             f"{row['probability']:.4f}"]
            for row in sorted(found.to_dict()["categories"],
                              key=lambda row: -row["probability"]) if row["available"]]
    some = rows if len(rows) <= 2 * SHOWN else [
        *rows[:SHOWN], ["...", "...", "...", "..."], *rows[-SHOWN:]]
    lines = [f"{counted(found.games, 'game')}, {counted(found.positions, 'position')}; "
             f"{len(rows)} of {len(found.played)} categories came up", "",
             show.table(["category", "played", "available", "probability"], some)]
    if found.refused:
        lines += ["", f"refused {counted(len(found.refused), 'game')}:"]
        lines += [f"{shown(name)}: {why}" for name, why in found.refused]
    return "\n".join(lines)
