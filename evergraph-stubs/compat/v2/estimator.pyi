# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.estimator."""

from evergraph.estimator import Estimator as _Estimator
from typing import Any

class Estimator(_Estimator):
    """The flavour of TensorFlow 2: exports by `export_saved_model` alone."""
    @property
    def export_savedmodel(self) -> Any:
        """Not there."""
