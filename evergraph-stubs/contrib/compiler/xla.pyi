# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.compiler.xla."""

from typing import Any

from evergraph.xla.experimental import compile as compile

def estimator_model_fn(target_model_fn: Any = None) -> Any:
    """A decorator of the model function of an Estimator, which TensorFlow then compiles: here it is
    compiled anyway."""
