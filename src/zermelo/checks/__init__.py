"""The parts of ``zermelo check-game``: each looks for one sort of mistake in a game."""
