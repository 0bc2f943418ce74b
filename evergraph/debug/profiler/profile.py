"""tf.profiler.profile, Profiler, advise and write_op_log; tf.contrib.tfprof."""

from __future__ import annotations

import os
from typing import Any

from evergraph import proto
from evergraph.base import errors, whole_files
from evergraph.base.export import export
from evergraph.debug.profiler import outputs, views
from evergraph.debug.profiler.advice import ALL_ADVICE, advised
from evergraph.debug.profiler.gather import add_step, merged_log, update
from evergraph.debug.profiler.options import ProfileOptionBuilder
from evergraph.graph.graph import Graph, default_graph

_DEFAULT = ProfileOptionBuilder.trainable_variables_parameter()
_VIEWS = ("scope", "graph", "op", "code")


@export("profiler.profile", "contrib.tfprof.model_analyzer.profile")
def profile(graph: Graph | None = None, run_meta: Any = None, op_log: Any = None, cmd: str = "scope",
            options: Any = _DEFAULT) -> Any:
    """Says what the nodes of a graph cost: parameters and floating point operations, and with a step's metadata times.

    >>> v = tf.get_variable("layer/v", [3, 4])
    >>> options = tf.profiler.ProfileOptionBuilder.trainable_variables_parameter()
    >>> tf.profiler.profile(options={**options, "output": "none"}).total_parameters
    12

    Args:
        graph: the graph; by default the default one.
        run_meta: the RunMetadata of a step that ran with RunOptions.FULL_TRACE, for times and memory.
        op_log: an OpLogProto with types and floating point operations of nodes.
        cmd: "scope" for the tree of name scopes, "graph" for nodes and their inputs, "op" for the types of nodes,
            "code" for the lines of the program.
        options: what is shown; see `tf.profiler.ProfileOptionBuilder`.

    Returns:
        A GraphNodeProto for "scope" and "graph", a MultiGraphNodeProto for "op" and "code".

    Raises:
        NotFoundError: there is no such `cmd`.
        InvalidArgumentError: the options name a column, an order or an output that there is not.
    """
    return _profiled(_gathered(graph, op_log, run_meta), cmd, options)


def _gathered(graph: Graph | None, op_log: Any, run_meta: Any) -> Any:
    gathering = proto.tfprof_log_pb2.ProfileProto()
    graph = graph or default_graph()
    update(gathering, graph, merged_log(graph, op_log, run_meta))
    if run_meta is not None:
        add_step(gathering, 0, run_meta)
    return gathering


def _profiled(gathering: Any, cmd: str, options: Any) -> Any:
    options = {**_DEFAULT, **options}
    if cmd not in _VIEWS:
        raise errors.NotFoundError(None, None, f"tf.profiler has no view {cmd!r}; there are {', '.join(_VIEWS)}")
    if not views.is_order(options["order_by"]):
        raise errors.InvalidArgumentError(None, None, f"tf.profiler: order_by={options['order_by']!r}")
    if options["step"] >= 0 and options["step"] not in gathering.steps:
        raise errors.NotFoundError(None, None, f"tf.profiler has no step {options['step']}, it has "
                                   f"{sorted(gathering.steps)}")
    root = views.viewed(gathering, cmd, options)
    outputs.write(root, gathering, cmd, options)
    if cmd in ("scope", "graph"):
        return views.node_message(root, gathering)
    return views.many_message(root, gathering, cmd == "op", options["step"])


@export("contrib.tfprof.model_analyzer.print_model_analysis")
def print_model_analysis(graph: Graph, run_meta: Any = None, op_log: Any = None, tfprof_cmd: str = "scope",
                         tfprof_options: Any = _DEFAULT) -> Any:
    """The name that `tf.profiler.profile` had before; see there. Its options may name a file as "dump_to_file"."""
    options = dict(tfprof_options)
    file = options.pop("dump_to_file", "")
    if file:
        options["output"] = f"file:outfile={file}"
    return profile(graph, run_meta, op_log, tfprof_cmd, options)


@export("profiler.advise", "contrib.tfprof.model_analyzer.advise")
def advise(graph: Graph | None = None, run_meta: Any = None, options: Any = ALL_ADVICE) -> Any:
    """Says what takes most of the time of a step, prints it, and warns of what makes accelerators slow.

    Args:
        graph: the graph; by default the default one.
        run_meta: the RunMetadata of a step that ran with RunOptions.FULL_TRACE.
        options: a dict whose keys are the checkers to run: AcceleratorUtilizationChecker, OperationChecker,
            ExpensiveOperationChecker and JobChecker, which has nothing to report. All of them for None.

    Returns:
        An AdviceProto.

    Raises:
        InvalidArgumentError: there is no such checker.
    """
    return advised(_gathered(graph, None, run_meta), ALL_ADVICE if options is None else options)


@export("profiler.write_op_log", "contrib.tfprof.tfprof_logger.write_op_log")
def write_op_log(graph: Graph, log_dir: str, op_log: Any = None, run_meta: Any = None, add_trace: bool = True) -> None:
    """Writes an OpLogProto with the floating point operations and the marks of variables to `log_dir`/tfprof_log.

    Args:
        graph: the graph.
        log_dir: the directory.
        op_log: entries to add to.
        run_meta: the RunMetadata of a step. Tensors whose static shapes are not known get those that they had then.
        add_trace: whether each entry has the lines of the program that made the node.
    """
    log = merged_log(graph, op_log, run_meta, add_trace)
    whole_files.write_string_to_file(os.path.join(log_dir, "tfprof_log"), log.SerializeToString())


@export("profiler.Profiler", "contrib.tfprof.model_analyzer.Profiler")
class Profiler:
    """Profiles of several steps of one graph.

    Args:
        graph: the graph; by default the default one.
        op_log: an OpLogProto with types and floating point operations of nodes.
    """

    def __init__(self, graph: Graph | None = None, op_log: Any = None) -> None:
        self._graph, self._op_log = graph or default_graph(), op_log
        self._gathering = _gathered(self._graph, op_log, None)

    def add_step(self, step: int, run_meta: Any) -> None:
        """Adds the RunMetadata of a step; several for one step add up."""
        update(self._gathering, self._graph, merged_log(self._graph, self._op_log, run_meta))
        add_step(self._gathering, step, run_meta)

    def profile_operations(self, options: Any) -> Any:
        """The costs of the types of nodes, as a MultiGraphNodeProto."""
        return _profiled(self._gathering, "op", options)

    def profile_python(self, options: Any) -> Any:
        """The costs of the lines of the program that made the nodes, as a MultiGraphNodeProto."""
        return _profiled(self._gathering, "code", options)

    def profile_name_scope(self, options: Any) -> Any:
        """The costs of the tree of name scopes, as a GraphNodeProto."""
        return _profiled(self._gathering, "scope", options)

    def profile_graph(self, options: Any) -> Any:
        """The costs of nodes with their inputs below them, as a GraphNodeProto."""
        return _profiled(self._gathering, "graph", options)

    def advise(self, options: Any) -> Any:
        """What takes most of the time of the steps; see `tf.profiler.advise`."""
        return advised(self._gathering, ALL_ADVICE if options is None else options)

    @property
    def coverage(self) -> float:
        """The part of the graph's nodes that ran in the steps."""
        nodes = self._gathering.nodes.values()
        return sum(bool(node.execs) for node in nodes) / max(len(nodes), 1)

    def serialize_to_string(self) -> bytes:
        """All of it, as a serialized ProfileProto."""
        return self._gathering.SerializeToString()
