# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.lite."""

from evergraph.compat.v2.lite import experimental as experimental

from evergraph.lite import Interpreter as Interpreter
from evergraph.lite import OpsSet as OpsSet
from evergraph.lite import Optimize as Optimize
from evergraph.lite import RepresentativeDataset as RepresentativeDataset
from evergraph.lite import TargetSpec as TargetSpec
