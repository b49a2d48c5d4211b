"""Walks through certificates that are broken: refused with a reason and a place."""

import pytest
from certificates import FOUR, Chase, taken_apart, write

import zermelo
from zermelo.errors import BadOption
from zermelo.proof import CertificateWriter, Claim
from zermelo.proof.export import grow, to_json
from zermelo.proof.header import Refused
from zermelo.proof.show import ProofWalk


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """O wins a game of Connect Four; the first player wins a chase."""
    directory = tmp_path_factory.mktemp("show")
    position = zermelo.game("connect-four", **FOUR).parse(".........OX..XOX O")
    return {"four": write(directory / "four.proof", position, [Claim(1)]),
            "chase": write(directory / "chase.proof", Chase().start(), [Claim(0)])}


def changed(made, tmp_path, change):
    parts = taken_apart(made.path.read_bytes())
    change(parts)
    path = tmp_path / "changed.proof"
    path.write_bytes(parts.joined())
    return path


def all_of(path, **options):
    return grow(ProofWalk(path, **options).root, 200, 3_000)


def test_a_missing_record(made, tmp_path):
    def drop(parts):
        del parts.records[0][40]

    with pytest.raises(Refused, match=r"O wins: after .*, there is no record for the position"):
        all_of(changed(made["four"], tmp_path, drop))

    def drop_all(parts):
        parts.records[0].clear()

    with pytest.raises(Refused, match="at the root, there is no record"):
        all_of(changed(made["four"], tmp_path, drop_all))


def with_moves(move):
    def change(parts):
        parts.records[0] = [row[:-8] + move.to_bytes(4, "little") + row[-4:]
                            for row in parts.records[0]]

    return change


def test_moves_that_are_not_legal_or_lead_nowhere(made, tmp_path):
    with pytest.raises(Refused, match="at the root, the move of the record is not legal"):
        all_of(changed(made["chase"], tmp_path, with_moves(7)), game=Chase)
    with pytest.raises(Refused, match="after 0 0, the position has come up before"):
        all_of(changed(made["chase"], tmp_path, with_moves(0)), game=Chase)


def test_a_win_without_ranks(made, tmp_path):
    def change(parts):
        parts.header["claims"][0]["ranked"] = False
        parts.records[0] = [row[:-4] for row in parts.records[0]]

    with pytest.raises(Refused, match="needs ranks"):
        all_of(changed(made["chase"], tmp_path, change), game=Chase)


@pytest.mark.parametrize(("text", "claim", "message"), [
    ("1213141", Claim(1), "with a win for X"), ("OXOXOXOXXOXOXOXO X", Claim(0), "in a draw")])
def test_an_end_that_was_not_claimed(text, claim, message, tmp_path):
    over = zermelo.game("connect-four", **FOUR).parse(text)
    assert over.outcome in ("first", "draw")
    with CertificateWriter(tmp_path / "a.proof", over, [claim]):
        pass
    with pytest.raises(Refused, match=f"at the root, the game ends {message}"):
        ProofWalk(tmp_path / "a.proof")


def test_a_search_that_finds_nothing(made, tmp_path):
    four = made["four"]
    write(tmp_path / "a.proof", four.position, four.claims, search=10, searches=lambda state: True)
    with pytest.raises(Refused, match="a search of up to 10 positions finds no move"):
        all_of(tmp_path / "a.proof")


def test_a_state_that_is_no_image(made):
    walk = ProofWalk(made["four"].path)
    with pytest.raises(Refused, match="has no image there"):
        walk._image(walk.root, (0, 0, 1), 0)


class Speechless(Chase):
    def move_name(self, position, move):
        raise KeyError("no words")


def test_a_game_that_can_t_name_its_moves(made):
    with pytest.raises(Refused, match=r"chase can't show the position \(KeyError: 'no words'\)"):
        to_json(grow(ProofWalk(made["chase"].path, game=Speechless).root, 2, 10))


@pytest.mark.parametrize(("plies", "most"), [(-1, 10), (201, 10), (1, 0), (1, 1_000_001)])
def test_limits_out_of_range(plies, most, made):
    with pytest.raises(BadOption, match="out of range"):
        grow(ProofWalk(made["four"].path).root, plies, most)


@pytest.mark.parametrize("claim", [0, 2, -1])
def test_claims_out_of_range(claim, made):
    with pytest.raises(BadOption, match="the certificate has 1, counted from 1"):
        ProofWalk(made["four"].path, claim)
