# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.learn.learn_runner."""

from collections.abc import Callable
from evergraph.contrib.learn import Experiment
from typing import Any

def run(
    experiment_fn: Callable[..., Experiment], output_dir: str | None = None, schedule: str | None = None,
    run_config: Any = None, hparams: Any = None,
) -> Any:
    """Makes an Experiment and calls one of its methods."""

def tune(experiment_fn: Callable[..., Experiment], tuner: Any) -> None:
    """Runs Experiments that a tuner asks for."""
