"""Positions that are too large for brute force: searches must agree, and a certificate of what
they say is written and checked by rules that share nothing with them."""

import random
from collections import Counter
from collections.abc import Callable

import zermelo
from benchmarks.soak.case import Difference, place
from benchmarks.soak.drawn import walked
from benchmarks.soak.games import game_of, scattered, xiangqi_text
from benchmarks.soak.retrograde import TooLarge

SEARCHES = ("weak-df-pn", "df-pn", "pn", "alpha-beta", "pvs")
NODES = 20_000
FEW_NODES = 3_000  # of an answer whose certificate is worth its time
TRIES = 500


def ending(name: str, squares: int, left: tuple[int, int],
           **parameters: object) -> Callable[[random.Random], zermelo.Position]:
    """Positions after random moves, with about so many of the ``squares`` left."""

    def draw(rng: random.Random) -> zermelo.Position:
        game = game_of(name, **parameters)
        return walked(game.start(), rng, squares - rng.randint(*left))

    return draw


def pieces(rng: random.Random) -> zermelo.Position:
    """Kings and two or three pieces."""
    text = xiangqi_text(rng, "".join(rng.choices("RNCPrncpabAB", k=rng.randint(2, 3))))
    try:
        return game_of("xiangqi").parse(text)
    except zermelo.BadPosition:
        raise TooLarge from None


def lines_of_action(rng: random.Random) -> zermelo.Position:
    """Few pieces on 5x5: too many positions to be worked out in plain Python for a few answers."""
    return game_of("lines-of-action", size=5).parse(scattered(rng, 5, 3))


SHAPES: dict[str, Callable[[random.Random], zermelo.Position]] = {
    "connect-four 7x6, beyond": ending("connect-four", 42, (8, 14)),
    "othello 6x6, beyond": ending("othello", 32, (5, 9), size=6),
    "hex 5x5, beyond": ending("hex", 25, (8, 13), size=5),
    "xiangqi, beyond": pieces,
    "lines of action 5x5, beyond": lines_of_action,
}


def drawn(shape: str, rng: random.Random) -> zermelo.Position:
    """A position in which the game goes on."""
    for _ in range(TRIES):
        try:
            position = SHAPES[shape](rng)
        except TooLarge:
            continue
        if position.outcome is None:
            return position
    raise AssertionError(f"{shape}: every game is over")


def run(shape: str, rng: random.Random, plain: bool) -> Counter[str]:
    """Several searches on one position, and a certificate of one answer."""
    position, counts = drawn(shape, rng), Counter(positions=1)
    said: dict[str, str] = {}
    sessions = []
    for id in SEARCHES:
        session = zermelo.start(position, id, seed=rng.getrandbits(32), plain=plain)
        result = session.run(zermelo.Limits(nodes=NODES, memory=4 << 20))
        counts.update(pairs=1, proved=result.proved)
        if result.proved and result.value != "not-win":
            said[id] = str(result.value)
            if result.nodes <= FEW_NODES:
                sessions.append(session)
    if len(set(said.values())) > 1:
        raise Difference(f"{shape}, {position!r}: the searches say {said}")
    if sessions:
        path = place() / "beyond.proof"
        zermelo.write_proof(rng.choice(sessions), path, check=False, memory=64 << 20)
        report = zermelo.verify(path)
        if not report.verified:
            raise Difference(f"{shape}, {position!r}: {said}, but the certificate is refused: "
                             f"{report.reason}")
        counts.update(certificates=1)
    return counts
