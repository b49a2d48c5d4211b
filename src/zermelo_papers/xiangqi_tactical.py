"""Song 2019, 4.3.2: RSCN and Vl of both sides in tactical positions of Xiangqi."""

from collections.abc import Iterator

from zermelo import BadOption, Position
from zermelo import game as game_by_name
from zermelo.lab import (
    Arm,
    Claim,
    Experiment,
    Figure,
    Positions,
    Size,
    Table,
    Watch,
    data_file,
    from_file,
)
from zermelo.lab.watching import apart, at_depths

TACTICAL, COMPOSED = "tactical", "compositions"
FILE = "xiangqi/continuous_check_mates.txt"
WON = (-1021.3, -53.7)
DEPTHS = (5, 6, 7)


def called(T: int, depth: int, quiescence: bool = False) -> str:
    """The name of an arm."""
    return f"T = {T}, depth {depth}{', quiescence' if quiescence else ''}"


FARS = {depth: called(600, depth) for depth in DEPTHS}
CALM = {depth: called(600, depth, quiescence=True) for depth in DEPTHS}
FAR, NEAR = FARS[6], called(200, 6)
ENGINES = {"": FARS, ", with quiescence": CALM}  # what claims say of the engine, and its arms


def compositions() -> Iterator[tuple[str, Position]]:
    """Classical compositions at the end of their shortest mate by checks; none without the
    file."""
    try:
        lines = data_file(FILE).read_text("utf-8").splitlines()
    except BadOption:
        return
    game = game_by_name("xiangqi")
    for line in lines:
        if not line.startswith("#"):
            id, text, _, moves = line.split("\t")[:4]
            yield id, game.parse(text).play(*moves.split())


def watching(T: int, depth: int = 6, quiescence: bool = False, on: tuple[str, ...] = ()) -> Arm:
    """Every game goes on for seven moves, which are eight positions, or as far as its line; with
    --full, as published, to its end."""
    how = [Watch(T=T, depth=depth, longest=longest, whole=True, quiescence=quiescence)
           for longest in (7, 200)]
    return Arm(called(T, depth, quiescence), Size(*how),  # type: ignore[arg-type]
               memory="200MB", trace=1, on=on)


AGREE = "at each depth of 5, 6 and 7 that was run, two at least; undecided where they disagree"


SETS = [
    from_file("xiangqi/tactical.txt", "xiangqi", name=TACTICAL, take=200),
    Positions(COMPOSED, compositions, take=109, optional=True,
              note=f"{FILE}: classical, along their shortest mate by checks, if the file is there"),
]
BOTH = [(TACTICAL, "first"), (TACTICAL, "second")]
COMPOSED_BOTH = [(COMPOSED, "first"), (COMPOSED, "second")]

experiment = Experiment(
    title="RSCN and Vl of both sides in tactical positions of Xiangqi",
    source="Song 2019, section 4.3.2, figures 4-2 to 4-5.",
    about="Red, the first player, is to move and has a forced win. Is Red's RSCN always less than "
    "Black's, and does Vl tell them apart as well? Published: 96 composed positions, played on by "
    "the engine itself to the end. Ours: positions from games of our own with a proved win, played "
    "on for seven moves, and classical compositions along their mating lines.",
    positions=SETS,
    arms=[*(watching(600, depth) for depth in DEPTHS), watching(200),
          *(watching(600, depth, quiescence=True, on=(COMPOSED,) if depth == 7 else ())
            for depth in DEPTHS)],
    tables=[
        Table("RSCN of Red", ["least rscn_first", "median rscn_first", "most rscn_first",
                              "mean curves", "mean iterations"], "set, arm",
              published={"least rscn_first": {(TACTICAL, FAR): WON[0]},
                         "most rscn_first": {(TACTICAL, FAR): WON[1]}},
              note="Black's RSCN is minus Red's, by its definition. *Iterations*: positions of a "
              "game; *curves*: those whose SCN could be read."),
        Table("Vl of both sides", ["least vl_first", "median vl_first", "most vl_first",
                                   "least vl_second", "median vl_second", "most vl_second"],
              "set, arm", arms=(FAR, CALM[6])),
    ],
    figures=[
        *(Figure(f"rscn-{group}", "histogram", f"RSCN, {group}, T = 600", arms=(FAR,),
                 ys={"Red": f"rscn_first of {group}", "Black": f"rscn_second of {group}"},
                 x_label="RSCN") for group in (TACTICAL, COMPOSED)),
        *(Figure(f"vl-{group}", "histogram", f"Vl, {group}", arms=(FAR,),
                 ys={"Red": f"vl_first of {group}", "Black": f"vl_second of {group}"},
                 x_label="Vl, points") for group in (TACTICAL, COMPOSED)),
        *(Figure(f"{name}-depth-{group}", "trace",
                 f"{called} over depth, {group}: the first position of either side",
                 ys={"Red": f"{name}_first", "Black": f"{name}_second"},
                 arms=(FAR,), sets=(group,), y_label=f"{called}{more}",
                 x_label="depth; lines end where a mate makes them infinite")
          for name, called, more in (("value", "Value", ", points"), ("scn", "SCN", ""))
          for group in (TACTICAL, COMPOSED)),
    ],
    claims=[
        claim for engine, arms in ENGINES.items() for claim in (
            Claim("compositions: Red's RSCN is below Black's, with a clear boundary (T = 600"
                  f"{engine})", at_depths(lambda arm: apart(arm, "rscn", COMPOSED_BOTH), arms),
                  "figure 4-4", rule=f"no position lies in the other's range, {AGREE}"),
            Claim("positions from games: Red's RSCN is below Black's, with a clear boundary (T = "
                  f"600{engine})", at_depths(lambda arm: apart(arm, "rscn", BOTH), arms), "ours",
                  rule=f"the same, {AGREE}"),
            Claim(f"compositions: Vl has no such boundary{engine}",
                  at_depths(lambda arm: apart(arm, "vl", COMPOSED_BOTH, yes=False), arms),
                  "figure 4-5", rule=f"some position lies in the other's range, {AGREE}"),
            Claim(f"positions from games: Vl has no such boundary{engine}",
                  at_depths(lambda arm: apart(arm, "vl", BOTH, yes=False), arms), "ours",
                  rule=f"the same, {AGREE}"),
        )
    ],
    differs="The thesis changed the open-source engine Xiangqi Wizard (Light version); its "
    "positions, its changes and its depth are not published, nor whether a quiescence search and a "
    "null move stayed in. Our engine is another; it has no null move, and is shown without and "
    "with a quiescence search, which tries captures, and all moves in check, beyond the depth: a "
    "leaf is worth what they leave, and counts one as before; at depth 7 on compositions only, for "
    "the sake of time. The thesis's positions are "
    "composed puzzles: the compositions are their like, positions from games are ours. "
    "Its games go on to their end; ours for seven moves, which are eight positions, and with "
    "--full to the end: whether that makes a difference was not measured. In positions from games, "
    "unlike in compositions, the side that wins is mostly ahead already, so that an evaluation has "
    "an easier task.",
    judge=None,
    minutes=Size(20, full=4 * 60),
)
