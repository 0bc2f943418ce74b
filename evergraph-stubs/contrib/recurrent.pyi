# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.recurrent."""

from collections.abc import Callable
from typing import Any

def Recurrent(
    theta: Any, state0: Any, inputs: Any, cell_fn: Callable[..., Any],
    cell_grad: Callable[..., Any] | None = None, extras: Any = None, max_input_length: Any = None,
    use_tpu: bool = False, aligned_end: bool = False,
) -> tuple[Any, Any]:
    """Runs `state, extras = cell_fn(theta, state, inputs[t])` over all times."""

def bidirectional_functional_rnn(
    cell_fw: Any, cell_bw: Any, inputs: Any, initial_state_fw: Any = None, initial_state_bw: Any = None,
    dtype: Any = None, sequence_length: Any = None, time_major: bool = False, use_tpu: bool = False,
    fast_reverse: bool = False, scope: Any = None,
) -> tuple[Any, Any]:
    """Two cells over the same inputs, one from their end: `tf.nn.bidirectional_dynamic_rnn`."""

def functional_rnn(
    cell: Any, inputs: Any, sequence_length: Any = None, initial_state: Any = None, dtype: Any = None,
    time_major: bool = False, scope: Any = None, use_tpu: bool = False, reverse: bool = False,
) -> tuple[Any, Any]:
    """The outputs and the last state of a cell: `tf.nn.dynamic_rnn`, whose loops are functional here as
    well."""
