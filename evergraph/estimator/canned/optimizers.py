"""The optimizers of canned models: by name, as a function without arguments, or as they are."""
from __future__ import annotations

from typing import Any

from evergraph.keras import optimizers as keras_optimizers
from evergraph.keras.optimizer import Optimizer as KerasOptimizer
from evergraph.train.adagrad import AdagradOptimizer
from evergraph.train.adam import AdamOptimizer
from evergraph.train.ftrl import FtrlOptimizer
from evergraph.train.gradient_descent import GradientDescentOptimizer
from evergraph.train.optimizer import Optimizer
from evergraph.train.rmsprop import RMSPropOptimizer

_BY_NAME = {
    "Adagrad": AdagradOptimizer,
    "Adam": AdamOptimizer,
    "Ftrl": FtrlOptimizer,
    "RMSProp": RMSPropOptimizer,
    "SGD": GradientDescentOptimizer,
}
_KERAS_BY_NAME = {
    "Adagrad": keras_optimizers.Adagrad,
    "Adam": keras_optimizers.Adam,
    "Ftrl": keras_optimizers.Ftrl,
    "RMSProp": keras_optimizers.RMSprop,
    "SGD": keras_optimizers.SGD,
}


def _named(optimizer: str, known: dict[str, Any], learning_rate: Any) -> Any:
    if optimizer not in known:
        raise ValueError(f"Unsupported optimizer name: {optimizer}. It must be one of {tuple(sorted(known))}")
    return known[optimizer]() if learning_rate is None else known[optimizer](learning_rate=learning_rate)


def get_optimizer_instance(opt: Any, learning_rate: Any = None) -> Optimizer:
    """An optimizer of tf.train.

    Args:
        opt: its name, a function without arguments that returns it, or itself.
        learning_rate: the learning rate of one that is given by name.

    Raises:
        ValueError: there is no such name, or it is something else.
    """
    if isinstance(opt, str):
        if learning_rate is None:
            raise ValueError(f"{opt!r} names an optimizer, which takes a learning_rate; got None")
        return _named(opt, _BY_NAME, learning_rate)
    made = opt() if callable(opt) else opt
    if not isinstance(made, Optimizer):
        raise ValueError(f"optimizer must be a tf.train.Optimizer, its name or a function that makes one; got {made}")
    return made


def get_keras_optimizer(opt: Any, learning_rate: Any = None) -> KerasOptimizer:
    """An optimizer of tf.keras, see `get_optimizer_instance`; by name it may keep its own learning rate."""
    if isinstance(opt, str):
        return _named(opt, _KERAS_BY_NAME, learning_rate)
    made = opt() if callable(opt) else opt
    if not isinstance(made, KerasOptimizer):
        raise ValueError("optimizer must be a tf.keras.optimizers.Optimizer, its name or a function that makes "
                         f"one; got {made}")
    return made
