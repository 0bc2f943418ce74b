# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.learn."""

from evergraph.contrib.learn import datasets as datasets, preprocessing as preprocessing

import sys
if sys.platform == "":
    del (
        mnist, mode_keys, vocabulary,
    )

class ModeKeys:
    """The names of the three modes."""
    TRAIN: str
    EVAL: str
    INFER: str

class TaskType:
    """The names of the jobs of a cluster."""
    MASTER: str
    PS: str
    WORKER: str
    CHIEF: str
    EVALUATOR: str
