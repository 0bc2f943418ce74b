# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.timeseries."""

import sys
if sys.platform == "":
    del (
        keys, matrices, tables,
    )

class TrainEvalFeatures:
    """The features of training and evaluation."""
    TIMES: str
    VALUES: str
