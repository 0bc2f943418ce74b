"""Slopes at the edges: programs of `slopes` with infinities, NaN, zeros and huge numbers among what they are fed."""

from tests.random_graphs.maker import Dice
from tests.random_programs import slopes

EDGES = ["np.inf", "-np.inf", "np.nan", "-0.0", "0.0", "1e30"]


def generate(seed):
    """The statements of a program; the same for the same seed, always."""
    dice, statements = Dice(seed), slopes.generate(seed)
    place = next(at for at, each in enumerate(statements) if "feeds = {" in each)
    edges = [f"feeds[{dice.pick('mn')}].flat[{dice.below(6)}] = {dice.pick(EDGES)}" for _ in range(dice.between(1, 2))]
    return [*statements[:place + 1], *edges, *statements[place + 1:]]
