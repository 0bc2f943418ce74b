"""tf.contrib.learn.ModeKeys: what a model function is called for."""

from evergraph.base.export import export


@export("contrib.learn.ModeKeys")
class ModeKeys:
    """The names of the three modes."""

    TRAIN = "train"
    EVAL = "eval"
    INFER = "infer"
