# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.gan.estimator."""

from enum import IntEnum
from evergraph.estimator import Estimator
from typing import Any, Self

class GANEstimator(Estimator):
    """A GAN whose input function gives (the generator's inputs, real data); it predicts generated data."""
    def __init__(
        self, model_dir: Any = None, generator_fn: Any = None, discriminator_fn: Any = None,
        generator_loss_fn: Any = None, discriminator_loss_fn: Any = None, generator_optimizer: Any = None,
        discriminator_optimizer: Any = None, get_hooks_fn: Any = None, get_eval_metric_ops_fn: Any = None,
        add_summaries: Any = None, use_loss_summaries: bool = True, config: Any = None,
    ) -> None: ...

class StarGANEstimator(Estimator):
    """A StarGAN whose input function gives (data, their domains one-hot)."""
    def __init__(
        self, model_dir: Any = None, generator_fn: Any = None, discriminator_fn: Any = None,
        loss_fn: Any = None, generator_optimizer: Any = None, discriminator_optimizer: Any = None,
        get_hooks_fn: Any = None, get_eval_metric_ops_fn: Any = None, add_summaries: Any = None,
        config: Any = None,
    ) -> None: ...

class SummaryType(IntEnum):
    """What summaries a GANEstimator adds."""
    NONE = 0
    VARIABLES = 1
    IMAGES = 2
    IMAGE_COMPARISON = 3
    def __new__(
        cls, value: Any, names: Any = None, *, module: Any = None, qualname: Any = None, type: Any = None,
        start: Any = 1, boundary: Any = None,
    ) -> Self: ...
