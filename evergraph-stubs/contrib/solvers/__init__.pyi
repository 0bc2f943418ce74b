# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.solvers."""

from evergraph.contrib.solvers import (
    lanczos as lanczos, least_squares as least_squares, linear_equations as linear_equations, util as util,
)
