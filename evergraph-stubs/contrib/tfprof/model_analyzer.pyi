# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.tfprof.model_analyzer."""

from evergraph import Graph
from typing import Any

FLOAT_OPS_OPTIONS: dict[str, Any]
PRINT_ALL_TIMING_MEMORY: dict[str, Any]
from evergraph.contrib.tfprof import ProfileContext as ProfileContext
from evergraph.profiler import Profiler as Profiler
TRAINABLE_VARS_PARAMS_STAT_OPTIONS: dict[str, Any]
from evergraph.profiler import advise as advise

def print_model_analysis(
    graph: Graph, run_meta: Any = None, op_log: Any = None, tfprof_cmd: str = 'scope',
    tfprof_options: Any = ...,
) -> Any:
    """The name that `tf.profiler.profile` had before; see there."""

from evergraph.profiler import profile as profile
