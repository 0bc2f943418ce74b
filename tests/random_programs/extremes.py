"""Slopes at the edges: programs of `slopes` with infinities, NaN, zeros and huge numbers among what they are fed.

TensorFlow's segment_max forgets a NaN that a number follows (docs/edge_values.md), so programs with that op get none.
"""

from tests.random_graphs.maker import Dice
from tests.random_programs import slopes

EDGES = ["np.inf", "-np.inf", "np.nan", "-0.0", "0.0", "1e30"]


def generate(seed):
    """The statements of a program; the same for the same seed, always."""
    dice, statements = Dice(seed), slopes.generate(seed)
    place = next(at for at, each in enumerate(statements) if "feeds = {" in each)
    known = [each for each in EDGES if each != "np.nan" or not any("segment_max" in line for line in statements)]
    edges = [f"feeds[{dice.pick('mn')}].flat[{dice.below(6)}] = {dice.pick(known)}" for _ in range(dice.between(1, 2))]
    return [*statements[:place + 1], *edges, *statements[place + 1:]]
