"""Song 2019, 4.3.3: RSCN, Vl and more in won, drawn and lost positions of Xiangqi."""

from zermelo.lab import Claim, Experiment, Figure, Size, Table, from_file
from zermelo.lab.watching import (
    apart,
    at_depths,
    separates_better,
    separation,
    within,
)
from zermelo_papers.xiangqi_tactical import (
    AGREE,
    CALM,
    COMPOSED,
    DEPTHS,
    ENGINES,
    FAR,
    NEAR,
    SETS,
    TACTICAL,
    WON,
    watching,
)

DRAWN, LEVEL = "drawn", "level"
DRAW = (-36.2, 36.2)
PUBLISHED = (TACTICAL, COMPOSED, DRAWN)  # the kinds of the thesis; level ones are ours
THREE = [(TACTICAL, "first"), (DRAWN, "first"), (TACTICAL, "second")]
COMPOSED_THREE = [(COMPOSED, "first"), (DRAWN, "first"), (COMPOSED, "second")]
ABOUT_AREAS = (
    "*Area*: how often the better position has the better number, 1 always, 0.5 as often as not. "
    "*Overlap*: the share of positions in the range where both kinds lie. *Error of three*: two "
    "thresholds between won, drawn and lost are chosen on every second position; the mean share "
    "of each kind that they take for another on the rest. *Moves within 2*: the area over pairs "
    "of positions whose difference in moves is about the same, so that mobility can't tell them "
    "apart. All numbers are from the same searches and, in a table, about the same positions: left "
    "out are those that lack one, mostly RSCN; where Black is mated soon, its SCN is infinite at "
    "most depths, and there is no line to fit.")

experiment = Experiment(
    title="RSCN and Vl in won, drawn and lost positions of Xiangqi",
    source="Song 2019, section 4.3.3, figures 4-6 to 4-8.",
    about="Does RSCN tell won, drawn and lost positions apart, and better than the value does? As "
    "published: drawn positions are those without rooks, knights, cannons and pawns. Beyond that: "
    "SCN, evaluation, PCN and plain mobility at the same search effort, with thresholds chosen on "
    "one half and tested on the other, and won positions against *level* ones, from the middle of "
    "games that were drawn: there the pieces are of the same kind, and the numbers of moves too.",
    positions=[
        *SETS,
        from_file("xiangqi/drawn.txt", "xiangqi", name=DRAWN, take=Size(96, full=192)),
        from_file("xiangqi/level.txt", "xiangqi", name=LEVEL, take=96),
    ],
    arms=[*(watching(600, depth, on=PUBLISHED if depth == 7 else ()) for depth in DEPTHS),
          watching(200, on=PUBLISHED),
          *(watching(600, depth, quiescence=True,
                     on=(COMPOSED, DRAWN) if depth == 7 else PUBLISHED) for depth in DEPTHS)],
    tables=[
        Table("RSCN of Red", ["least rscn_first", "median rscn_first", "most rscn_first",
                              "mean moves_first"], "set, arm",
              published={"least rscn_first": {(TACTICAL, FAR): WON[0], (DRAWN, FAR): DRAW[0]},
                         "most rscn_first": {(TACTICAL, FAR): WON[1], (DRAWN, FAR): DRAW[1]}},
              note="Black's RSCN is minus Red's, by its definition."),
        separation("Won and drawn, T = 600", FAR, TACTICAL, DRAWN, ABOUT_AREAS),
        separation("Won and drawn, T = 200", NEAR, TACTICAL, DRAWN),
        separation("Classical compositions and drawn, T = 600", FAR, COMPOSED, DRAWN),
        separation("Classical compositions and drawn, T = 200", NEAR, COMPOSED, DRAWN),
        separation("Won and drawn, T = 600, with quiescence", CALM[6], TACTICAL, DRAWN),
        separation("Classical compositions and drawn, T = 600, with quiescence", CALM[6], COMPOSED,
                   DRAWN),
        separation("Won and level, T = 600", FAR, TACTICAL, LEVEL,
                   "*Drawn* stands for level: the game was drawn, the position may not be."),
        separation("Classical compositions and level, T = 600", FAR, COMPOSED, LEVEL),
    ],
    figures=[
        *(Figure(f"{name}-{group}", "histogram", f"{called}, {group} and drawn",
                 arms=(FAR,), x_label="RSCN, T = 600" if name == "rscn" else "Vl, points", ys={
                     "won": f"{name}_first of {group}", "drawn": f"{name}_first of {DRAWN}",
                     "lost": f"{name}_second of {group}"})
          for name, called in (("rscn", "RSCN"), ("vl", "Vl"))
          for group in (TACTICAL, COMPOSED)),
        Figure("rscn-level", "histogram", "RSCN, tactical and level, T = 600", arms=(FAR,),
               x_label="RSCN", ys={"won": f"rscn_first of {TACTICAL}",
                                   "level": f"rscn_first of {LEVEL}",
                                   "lost": f"rscn_second of {TACTICAL}"}),
    ],
    claims=[
        *(Claim(f"{name}: {'RSCN has clear boundaries' if number == 'rscn' else 'Vl has none'} "
                f"between won, drawn and lost (T = 600{engine})",
                at_depths(lambda arm, number=number, three=three:  # type: ignore[misc]
                       apart(arm, number, three, yes=number == "rscn"), arms), source,
                rule=f"{'no' if number == 'rscn' else 'some'} position lies in another kind's "
                f"range, {AGREE}")
          for engine, arms in ENGINES.items()
          for number, source in (("rscn", "figure 4-6"), ("vl", "figure 4-7"))
          for name, three in (("compositions", COMPOSED_THREE), ("positions from games", THREE))),
        *(Claim(f"RSCN of {words} lies in {low} to {high}{engine}",
                at_depths(lambda arm, group=group, low=low, high=high:  # type: ignore[misc]
                       within(arm, group, low, high), arms), "section 4.3.3",
                rule=f"all of them do, {AGREE}; never refuted: the range is that of another "
                "evaluation")
          for engine, arms in ENGINES.items() for words, group, (low, high) in (
              ("won compositions", COMPOSED, WON), ("positions won in games", TACTICAL, WON),
              ("drawn positions", DRAWN, DRAW))),
        *(Claim(f"{words} tells won from {second} better than {other} ({name}{engine})",
                separates_better(arm, first, second, number, against), source,
                rule="the interval of the difference of the areas, by a paired bootstrap, lies "
                "above 0; refuted if below")
          for engine, arm in (("", FAR), (", with quiescence", CALM[6]))
          for words, number, other, against, first, name, second, source in (
              ("RSCN", "rscn", "Vl", "vl", COMPOSED, "compositions", DRAWN, "section 4.3.3"),
              ("RSCN", "rscn", "Vl", "vl", TACTICAL, "games", DRAWN, "ours"),
              ("RSCN", "rscn", "counting moves", "moves", TACTICAL, "games", DRAWN, "ours"),
              ("RSCN", "rscn", "Vl", "vl", TACTICAL, "games", LEVEL, "ours"),
              ("PCN", "pcn", "RSCN", "rscn", TACTICAL, "games", LEVEL, "ours"),
              ("PCN", "pcn", "RSCN", "rscn", COMPOSED, "compositions", LEVEL, "ours"),
              ("PCN", "pcn", "Vl", "vl", TACTICAL, "games", LEVEL, "ours"))
          if not engine or second == DRAWN),
    ],
    differs="The thesis changed the open-source engine Xiangqi Wizard (Light version); its "
    "positions, its changes and its depth are not published, nor whether a quiescence search and a "
    "null move stayed in. Our engine is another; it has no null move, and is shown without and "
    "with a quiescence search (for the sake of time the level positions without it and at depths 5 "
    "and 6, those from games with it at depths 5 and 6). "
    "The thesis's drawn positions and its won ones differ in more than their value: one kind has "
    "no attackers at all. The comparison with level positions, and the one among pairs with about "
    "the same mobility, are ours. In positions from games the side that wins is mostly ahead "
    "already, in compositions mostly behind: that is why Vl does so well on the one and so badly "
    "on the other. Where a search sees a mate, SCN (of the side that is mated) and value are "
    "infinite and left out of the fit, as published; the log odds of PCN, which is ours, count as "
    "300 digits there and stay in, which helps PCN most where mates are near. Each number is "
    "averaged over the positions of a game that have it, which need not be the same ones.",
    judge=None,
    minutes=Size(25, full=4 * 60),
)
