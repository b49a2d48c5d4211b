"""Programs that others have written drive the Xiangqi engine: xboard, uci2wb and python-chess.

Where they are missing, the tests are skipped and say so; with ``ZERMELO_CLIENT_TESTS=required``
that is a failure.
"""

import os
import re
import shutil
import subprocess
import sys

import chess
import chess.engine
import pytest

import zermelo

PATHS = f"{os.environ.get('PATH', '')}{os.pathsep}/usr/games"
NEEDED = ("xboard", "uci2wb", "Xvfb")


@pytest.fixture
def display(tmp_path):
    """A screen that nobody sees."""
    missing = [name for name in NEEDED if not shutil.which(name, path=PATHS)]
    if missing:
        reason = f"{' and '.join(missing)} can't be found on this machine"
        if os.environ.get("ZERMELO_CLIENT_TESTS") == "required":
            pytest.fail(f"tests with other programs are required, but {reason}")
        pytest.skip(f"no tests with other programs: {reason}")
    reader, writer = os.pipe()
    process = subprocess.Popen(
        [shutil.which("Xvfb", path=PATHS), "-displayfd", str(writer), "-screen", "0",
         "640x480x24", "-nolisten", "tcp"], pass_fds=[writer], stderr=subprocess.DEVNULL)
    os.close(writer)
    with open(reader) as answer:
        number = answer.readline().strip()
    assert number
    yield f":{number}"
    process.terminate()
    process.wait(30)


def script(folder, protocol):
    """The engine as a file that can be run: uci2wb takes no arguments for it."""
    path = folder / protocol
    path.write_text(f"#!/bin/sh\nexec {sys.executable} -m zermelo engine --protocol {protocol}\n")
    path.chmod(0o755)
    return path


def test_xboard_plays_a_game(display, tmp_path):
    """UCCI with the red pieces, UCI with the black ones, both behind uci2wb."""
    record, log = tmp_path / "game.pgn", tmp_path / "log.txt"
    uci2wb = shutil.which("uci2wb", path=PATHS)
    done = subprocess.run([
        shutil.which("xboard", path=PATHS), "-variant", "xiangqi", "-fcp",
        f"{uci2wb} -x {script(tmp_path, 'ucci')}", "-scp", f"{uci2wb} -c {script(tmp_path, 'uci')}",
        "-mode", "twoMachines", "-matchGames", "1", "-searchDepth", "1", "-tc", "20", "-xexit",
        "-saveGameFile", str(record), "-noGUI", "-soundProgram", "true", "-popupExitMessage",
        "false", "-popupMoveErrors", "false", "-adjudicateDrawMoves", "40", "-testClaims", "true",
        "-debugMode", "true", "-nameOfDebugFile", str(log)],
        env={**os.environ, "DISPLAY": display, "HOME": str(tmp_path), "PATH": PATHS},
        capture_output=True, text=True, timeout=400)
    said, played = log.read_text(errors="replace"), record.read_text()
    assert done.returncode == 0, done.stderr
    assert f'[White "Zermelo {zermelo.__version__}' in played
    assert re.search(r'\[Result "(1-0|0-1|1/2-1/2)"\]', played), played
    for trouble in ("llegal move", "tellusererror", "died", "info string error", "forfeit"):
        assert trouble not in said + played
    moves = re.findall(r"<(first|second)\s*: move ([a-i]\d[a-i]\d)", said)
    assert {side for side, _ in moves} == {"first", "second"}
    position = zermelo.game("xiangqi").start()
    for _, move in moves:
        position = position.play(move)  # all of them legal, with ranks 0 to 9
    assert len(moves) >= 10


def test_python_chess_shakes_hands():
    """It knows no Xiangqi, so that this is how far it goes."""
    command = [sys.executable, "-m", "zermelo", "engine", "--protocol", "uci"]
    with chess.engine.SimpleEngine.popen_uci(command, timeout=60) as engine:
        assert engine.id["name"] == f"Zermelo {zermelo.__version__}"
        assert engine.options["Hash"].type == "spin"
        assert engine.options["UCI_Variant"].var == ["xiangqi"]
        engine.configure({"Hash": 64, "Repetition": "draw"})
        engine.ping()
        with pytest.raises(chess.engine.EngineError, match="UCI_Variant"):
            engine.play(chess.Board(), chess.engine.Limit(nodes=10))
