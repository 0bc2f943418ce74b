# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.estimator.experimental."""

from evergraph.estimator import Estimator
from typing import Any

from evergraph.estimator.experimental import InMemoryEvaluatorHook as InMemoryEvaluatorHook

class RNNClassifier(Estimator):
    """A classifier by a recurrent neural network of tf.keras layers, of sequences of any length."""
    def __init__(
        self, sequence_feature_columns: Any, context_feature_columns: Any = None, units: Any = None,
        cell_type: Any = ..., rnn_cell_fn: Any = None, return_sequences: bool = False, model_dir: Any = None,
        n_classes: int = 2, weight_column: Any = None, label_vocabulary: Any = None, optimizer: Any = 'Adagrad',
        loss_reduction: str = 'sum_over_batch_size', sequence_mask: str = 'sequence_mask', config: Any = None,
    ) -> None: ...

class RNNEstimator(Estimator):
    """A recurrent neural network of tf.keras layers under any head."""
    def __init__(
        self, head: Any, sequence_feature_columns: Any, context_feature_columns: Any = None, units: Any = None,
        cell_type: Any = ..., rnn_cell_fn: Any = None, return_sequences: bool = False, model_dir: Any = None,
        optimizer: Any = 'Adagrad', config: Any = None,
    ) -> None: ...

from evergraph.estimator.experimental import (
    build_raw_supervised_input_receiver_fn as build_raw_supervised_input_receiver_fn,
)

from evergraph.estimator.experimental import call_logit_fn as call_logit_fn
from evergraph.estimator.experimental import make_early_stopping_hook as make_early_stopping_hook
from evergraph.estimator.experimental import make_stop_at_checkpoint_step_hook as make_stop_at_checkpoint_step_hook
from evergraph.estimator.experimental import stop_if_higher_hook as stop_if_higher_hook
from evergraph.estimator.experimental import stop_if_lower_hook as stop_if_lower_hook
from evergraph.estimator.experimental import stop_if_no_decrease_hook as stop_if_no_decrease_hook
from evergraph.estimator.experimental import stop_if_no_increase_hook as stop_if_no_increase_hook
