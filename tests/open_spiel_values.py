"""Values of OpenSpiel's games by OpenSpiel's own means, and positions near the end of a game."""

import random
from collections import deque

import pyspiel


class TooLarge(Exception):
    """More positions than are to be looked at."""


def value(state, most=20_000, deepest=300):
    """1, 0 or -1 for the first player, by trying everything, with OpenSpiel's rules alone."""
    left = [most]

    def search(state, depth):
        if state.is_terminal():
            return outcome(state)
        left[0] -= len(state.legal_actions())
        if left[0] < 0 or depth > deepest:
            raise TooLarge
        mine, best = (1, max) if state.current_player() == 0 else (-1, min)
        children = [state.child(action) for action in state.legal_actions()]
        if any(child.is_terminal() and outcome(child) == mine for child in children):
            return mine
        found = -mine
        for child in children:
            found = best(found, search(child, depth + 1))
            if found == mine:
                break
        return found

    return search(state, 0)


def outcome(state):
    gained = state.returns()[0]
    return (gained > 0) - (gained < 0)


def last_states(game, chance, count=8):
    """The states before the end of a random game."""
    state, states = game.new_initial_state(), deque(maxlen=count)
    while not state.is_terminal():
        states.append(state.clone())
        state.apply_action(chance.choice(state.legal_actions()))
    return states


def near_end(game, seed, most=4_000, deepest=6):
    """A state as far from the end of a random game as trying everything reaches, and its value."""
    chance, known = random.Random(seed), None
    while known is None:
        for state in reversed(last_states(game, chance)):
            try:
                known = (state, value(state, most, deepest))
            except TooLarge:
                break
    return known


def loadable(why_not):
    """The names of the games of the package that can be solved."""
    kinds = pyspiel.GameType
    return [kind.short_name for kind in pyspiel.registered_games()
            if kind.default_loadable and kind.dynamics == kinds.Dynamics.SEQUENTIAL
            and kind.chance_mode == kinds.ChanceMode.DETERMINISTIC  # loading takes longer
            and kind.information == kinds.Information.PERFECT_INFORMATION
            and not why_not(pyspiel.load_game(kind.short_name))]
