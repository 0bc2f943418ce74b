# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras.constraints."""

from evergraph.keras.constraints import (
    MaxNorm as _MaxNorm, MinMaxNorm as _MinMaxNorm, NonNeg as _NonNeg,
    RadialConstraint as _RadialConstraint, UnitNorm as _UnitNorm,
)

from evergraph.keras.constraints import Constraint as Constraint
from evergraph.keras.constraints import MaxNorm as MaxNorm
from evergraph.keras.constraints import MinMaxNorm as MinMaxNorm
from evergraph.keras.constraints import NonNeg as NonNeg
from evergraph.keras.constraints import RadialConstraint as RadialConstraint
from evergraph.keras.constraints import UnitNorm as UnitNorm
from evergraph.keras.constraints import deserialize as deserialize
from evergraph.keras.constraints import get as get
max_norm = _MaxNorm
min_max_norm = _MinMaxNorm
non_neg = _NonNeg
radial_constraint = _RadialConstraint
from evergraph.keras.constraints import serialize as serialize
unit_norm = _UnitNorm
