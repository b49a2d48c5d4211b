"""The family tree: every search has its place, in the drawing and on the page."""

import re
from pathlib import Path

from tools.family_tree import MEMBERS, PICTURE, ids_of, picture
from zermelo.search import HOMES

PAGE = Path(__file__).parents[2] / "docs" / "searches" / "family-tree.md"
NOT_HERE = {"PN*", "PDS", "1 + epsilon"}


def uncoloured(text):
    """A box is filled once its search is here; the drawing may be a little older."""
    return re.sub(r'<rect class="\w+"', "<rect", text)


def test_every_search_has_a_place():
    assert {id for member in MEMBERS for id in ids_of(member)} == set(HOMES)
    page = PAGE.read_text()
    assert not [id for id in HOMES if f"`{id}`" not in page]


def test_the_drawing_is_up_to_date():
    """``python -m tools.family_tree --write`` writes it."""
    assert uncoloured(PICTURE.read_text()) == uncoloured(picture())


def test_whoever_descends_comes_later_and_to_the_right():
    by_name = {member.name: member for member in MEMBERS}
    assert len({(member.column, member.row) for member in MEMBERS}) == len(MEMBERS)
    for member in MEMBERS:
        for parent in member.parents:
            assert by_name[parent].column < member.column
    assert set(by_name) >= NOT_HERE
    assert not any(ids_of(by_name[name]) for name in NOT_HERE)
