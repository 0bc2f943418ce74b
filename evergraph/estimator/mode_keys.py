"""tf.estimator.ModeKeys: what a model function is called for."""
from __future__ import annotations

from evergraph.base.export import export


@export("estimator.ModeKeys")
class ModeKeys:
    """The names of the three modes that a model function is called in."""

    TRAIN = "train"
    EVAL = "eval"
    PREDICT = "infer"
