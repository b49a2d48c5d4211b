"""Song 2019, 4.3.4: RSCN of handicap openings of Xiangqi, Red giving the handicap."""

from functools import partial
from typing import Any

from zermelo.lab import Arm, Claim, Experiment, Figure, Table, Watch, texts
from zermelo.lab.statistics import UNDECIDED, Verdict
from zermelo.lab.watching import readings

BLACK = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/"
# What is left of Red's last three rows, and whose middle pawn is protected.
OPENINGS = {
    "none": ("1C5C1/9/RNBAKABNR", "none"),
    "one knight": ("1C5C1/9/R1BAKABNR", "red"),
    "two knights": ("1C5C1/9/R1BAKAB1R", "red"),
    "one cannon": ("7C1/9/RNBAKABNR", "none"),
    "two cannons": ("9/9/RNBAKABNR", "none"),
    "one rook": ("1C5C1/9/1NBAKABNR", "none"),
    "two rooks": ("1C5C1/9/1NBAKABN1", "none"),
}
FAR, NEAR = "T = 600", "T = 200"
DEPTHS = (5, 6, 7)
ENGINES = ("", ", with quiescence")  # what claims and arms say of the engine
RULE = "seven openings, each searched once: so at depths 5, 6 and 7, or at none; undecided where " \
       "they disagree"
OF_RANGES = f"{RULE}. Never refuted: the ranges are those of another evaluation"
NORMAL, LOW = (-36.2, 36.2), (53.7, 1021.3)


def numbers(results: Any, arm: str) -> dict[str, float] | None:
    """RSCN of Red by opening; None while some are missing."""
    found = {name: readings(results, arm, name, "rscn_first") for name in OPENINGS}
    if not results.finished(arm) or not all(found.values()):
        return None
    return {name: several[0] for name, several in found.items()}


def called(threshold: str, depth: int, engine: str = "") -> str:
    """The name of an arm."""
    return f"{threshold}, depth {depth}{engine}"


def about(threshold: str, engine: str, holds: Any, results: Any,
          ranges: bool = False) -> tuple[Verdict, str]:
    """A claim about all openings at one threshold; undecided where the depths disagree, and where
    it is about ``ranges``, which are of another evaluation, and is not so."""
    verdicts, told = [], []
    for depth in DEPTHS:
        found = numbers(results, called(threshold, depth, engine))
        if found is None:
            return None, ""
        verdicts.append(bool(holds(found)))
        told.append(f"depth {depth}, {'so' if verdicts[-1] else 'not so'}: " + ", ".join(
            f"{name} {number:.1f}" for name, number in found.items()))
    open_still = len(set(verdicts)) > 1 or (ranges and not verdicts[0])
    return (UNDECIDED if open_still else verdicts[0]), "; ".join(told)


def inside(number: float, bounds: tuple[float, float]) -> bool:
    """Return True if it lies in a range."""
    return bounds[0] <= number <= bounds[1]


def only_two_rooks(found: dict[str, float]) -> bool:
    """Two rooks are in the low range, and nothing else is."""
    return [name for name, number in found.items() if inside(number, LOW)] == ["two rooks"]


experiment = Experiment(
    title="RSCN of handicap openings of Xiangqi",
    source="Song 2019, section 4.3.4, figures 4-9 and 4-10.",
    about="Red moves first and gives a handicap; two moves a side are watched. Does RSCN at T = "
    "200 and 600 say how much the handicap matters? Where a knight is given, Red's middle pawn may "
    "not be taken before it has moved.",
    positions=[texts("xiangqi", [f"{BLACK}{rows} w"], name=name, take=1,
                     protected=protected)
               for name, (rows, protected) in OPENINGS.items()],
    arms=[Arm(called(f"T = {T}", depth, engine),
              Watch(T=T, depth=depth, longest=3, quiescence=bool(engine)), memory="200MB", trace=1)
          for engine in ENGINES for depth in DEPTHS for T in (200, 600)],
    tables=[Table("RSCN, Vl and mobility of Red, the player who gives the handicap",
                  ["mean rscn_first", "mean vl_first", "mean static_first", "mean pcn_first",
                   "mean moves_first"], "set, arm",
                  note="The published numbers are in figures only. Published ranges: normal "
                  "possibility -36.2 to 36.2, low 53.7 to 1021.3. PCN: where Black's value is T "
                  "already, its odds are infinite and count as 300 digits.")],
    figures=[Figure(f"openings-{T}", "sets",
                    f"RSCN of Red by handicap, T = {T}; grey: the normal range",
                    y="mean rscn_first", y_label="RSCN", published={"normal": NORMAL},
                    arms=[called(f"T = {T}", depth, engine) for engine in ENGINES
                          for depth in DEPTHS]) for T in (200, 600)],
    claims=[claim for engine in ENGINES for claim in (
        Claim(f"at T = 200 only the opening without both rooks is in the low range{engine}",
              partial(about, NEAR, engine, only_two_rooks, ranges=True), "figure 4-9",
              rule=OF_RANGES),
        Claim(f"at T = 200 all others are in the normal range{engine}",
              partial(about, NEAR, engine, lambda found: all(
                  inside(number, NORMAL) for name, number in found.items() if name != "two rooks"),
                  ranges=True), "figure 4-9", rule=OF_RANGES),
        Claim(f"at T = 200 RSCN without a handicap is below 0{engine}",
              partial(about, NEAR, engine, lambda found: found["none"] < 0), "figure 4-9",
              rule=RULE),
        Claim(f"at T = 200 RSCN with a knight or two given is below 0{engine}",
              partial(about, NEAR, engine,
                      lambda found: found["one knight"] < 0 and found["two knights"] < 0),
              "figure 4-9", rule=RULE),
        Claim(f"at T = 600 all are in the normal range{engine}",
              partial(about, FAR, engine,
                      lambda found: all(inside(number, NORMAL) for number in found.values()),
                      ranges=True), "figure 4-10", rule=OF_RANGES),
    )],
    differs="The thesis changed the open-source engine Xiangqi Wizard (Light version); ours is "
    "another, and its changes, its order of moves and its depth are not published. Which of two "
    "equal pieces is given is not said: ours is the one on Red's left.",
    judge=None,
    minutes=5,
)
