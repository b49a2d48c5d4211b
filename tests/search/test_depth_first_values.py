"""The depth-first searches against exhaustive search: values, moves and lines.

What is compiled is one search for one game, with or without what the game knows; within a row only
data vary. ``make test-full`` adds rows.
"""

import pytest
from cases import cases, check_case

import zermelo
from zermelo import DFPN, DFPPN, PDSPN, TCADFPN, DeepDFPN, SharedDFPN, WeakDFPN, WideningDFPN
from zermelo.search.depth_first.run import DepthFirst

pytestmark = pytest.mark.slow

DF_PN = [DFPN(epsilon=0), DFPN(), DFPN(epsilon=3)]
DEEP = [DeepDFPN(), DeepDFPN(20, 15), DeepDFPN(0, 5), DeepDFPN(3, 4, epsilon=0.25)]
FLAT = [DeepDFPN(0, 1), DeepDFPN(1, 9)]
DEFAULT = [WeakDFPN(), WeakDFPN(epsilon=1, k=1)]
DEEPER = [WeakDFPN(quick=2), WeakDFPN(quick=2, epsilon=1, k=2)]  # less is left to quick searches
PPN = [DFPPN(playouts=5), DFPPN(playouts=3, theta=0.2, epsilon=0.3)]
OTHERS = [WeakDFPN(backup="max+unsolved-1", leaf="unit", quick=0, fold=0)]
LARGEST = [WeakDFPN(backup="max", leaf="playouts", quick=6, fold=8, playouts=3)]
SUM = [WeakDFPN(backup="sum", quick=0, fold=8)]
UNFOLDED = [WeakDFPN(backup="max", leaf="unit", quick=6, fold=0)]
WIDENING = [WideningDFPN(), WideningDFPN(base=0, factor=0.5), WideningDFPN(3, 0.0, epsilon=0)]
IN_ORDER = [WideningDFPN(best="order")]
PDS = [PDSPN(), PDSPN(a=20, b=10, N=300), PDSPN(a=5, b=5, epsilon=0.25)]
TCA = [TCADFPN(), TCADFPN(epsilon=0)]
SHARED = [SharedDFPN(), SharedDFPN(slack=0, epsilon=0), SharedDFPN(slack=1000)]

# searches, plain, set
QUICK = [
    (DF_PN, True, "connect-four 5x4 line 3"), (DF_PN, True, "connect(4,3,3,2,1)"),
    (DF_PN, True, "othello 4x4"), (DF_PN, True, "p-game"),
    (DEEPER, False, "connect-four 4x4"), (DEFAULT, False, "connect-four 5x4 line 3"),
    (DEFAULT, False, "othello 4x4"), (DEFAULT, False, "hex 3x3"), (DEFAULT, False, "tic-tac-toe"),
    (DEFAULT, False, "connect(4,3,3,2,1)"),
    (DEEP, True, "connect(4,3,3,2,1)"), (FLAT, True, "connect-four 5x4 line 3"),
    (PPN, True, "p-game"), (PPN, True, "connect(4,3,3,2,1)"),
    (OTHERS, True, "connect(4,3,3,2,1)"), (LARGEST, False, "hex 3x3"), (SUM, False, "othello 4x4"),
    (UNFOLDED, False, "connect-four 5x4 line 3"),
    (WIDENING, True, "connect(4,3,3,2,1)"), (TCA, True, "connect(4,3,3,2,1)"),
    (SHARED, True, "connect(4,3,3,2,1)"), (PDS, True, "connect(4,3,3,2,1)"),
]
# Long: the same searches on the other games.
LONGER = [
    (WIDENING, False, "hex 3x3"), (WIDENING, True, "p-game"), (WIDENING, True, "othello 4x4"),
    (WIDENING, False, "connect-four 5x4 line 3"), (IN_ORDER, True, "hex 3x3"),
    *((searches, plain, name) for searches in (TCA, SHARED, PDS)
      for plain, name in ((False, "hex 3x3"), (True, "p-game"), (True, "othello 4x4"),
                          (False, "connect-four 5x4 line 3"))),
]
FULL = [
    (DF_PN, True, "connect-four 4x4"), (DF_PN, True, "hex 3x3"), (DF_PN, True, "tic-tac-toe"),
    (DF_PN, True, "hex 4x4"), (DEEP, False, "connect-four 4x4"), (DEEP, True, "othello 4x4 loses"),
    (DEFAULT, False, "othello 4x4 loses"), (DEFAULT, False, "hex 4x4"),
    (DEFAULT, True, "othello 4x4"), (DEFAULT, False, "p-game"), (DEEPER, False, "othello 4x4"),
    (PPN, False, "connect-four 4x4"), (PPN, False, "othello 4x4"),
    (OTHERS, False, "tic-tac-toe"), (LARGEST, False, "connect-four 4x4"), (SUM, False, "hex 4x4"),
]


def row(searches, plain, name):
    label = f"{searches[0].id}-{searches[0].options}-{'plain' if plain else 'knowing'}-{name}"
    marks = pytest.mark.full if (searches, plain, name) in FULL else ()
    return pytest.param(searches, plain, name, id=label, marks=marks)


ROWS = [row(*each) for each in QUICK + LONGER + FULL]


def check(searches, plain, positions):
    """Each position meets one of the searches."""
    for offset, search in enumerate(searches):
        for case in positions[offset :: len(searches)]:
            check_case(case, search, plain=plain)


@pytest.mark.quick_cases(
    "weak-df-pn-{}-knowing-connect-four 5x4 line 3", "weak-df-pn-{}-knowing-othello 4x4",
    "*-{}-plain-connect(4,3,3,2,1)", "df-ppn-{'playouts': 5}-plain-connect(4,3,3,2,1)",
    "weak-df-pn-{'backup': 'max+unsolved-1', *}-plain-connect(4,3,3,2,1)")
@pytest.mark.parametrize(("searches", "plain", "name"), ROWS)
def test_agrees_with_brute_force(searches, plain, name):
    check(searches, plain, cases(name)[::3])


@pytest.mark.long
@pytest.mark.parametrize(("searches", "plain", "name"), ROWS)
def test_agrees_on_the_other_positions(searches, plain, name):
    check(searches, plain, cases(name)[1::3])
    check(searches, plain, cases(name)[2::3])


@pytest.mark.long
def test_every_search_backup_and_leaf_is_there():
    tried = [search for searches, _, _ in QUICK for search in searches]
    assert {search.id for search in tried} == {
        id for id, kind in zermelo.SEARCHES.items() if issubclass(kind, DepthFirst)}
    weak = [search for search in tried if search.id == "weak-df-pn"]
    assert len({search.backup for search in weak}) == 4
    assert len({search.leaf for search in weak}) == 3
    assert sum(len(cases(name)) for _, _, name in QUICK) > 5_000
