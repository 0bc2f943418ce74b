"""tf.CriticalSection: what runs inside it has its resources to itself."""

from __future__ import annotations

import collections
import threading

from evergraph.base import dtypes, nest
from evergraph.base.export import export
from evergraph.frontend.blocks import colocate_with, control_dependencies, init_scope, name_scope
from evergraph.frontend.control_flow import group, tuple_
from evergraph.frontend.tensor_array import TensorArray
from evergraph.graph.convert import to_tensor
from evergraph.graph.function import FuncGraph
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Operation
from evergraph.ops.arrays import basic
from evergraph.ops.state import mutex as ops

CRITICAL_SECTIONS = "critical_sections"
CRITICAL_SECTION_EXECUTIONS = "critical_section_executions"

_Execution = collections.namedtuple("_Execution", ["op", "handle", "resources", "exclusive_resource_access"])


@export("CriticalSection")
class CriticalSection:
    """Runs functions one at a time, even when several threads run steps of a session.

    >>> v = tf.get_variable("v", initializer=0.0, use_resource=True)
    >>> section = tf.CriticalSection()
    >>> doubled = section.execute(lambda: v.assign(v * 2.0))

    Args:
        name: a name for the mutex.
        shared_name: sections of the same shared name in a session are one; the name by default.
        critical_section_def: must not be given: sections have no message form.
        import_scope: goes with `critical_section_def`.

    Raises:
        ValueError: both a name and a definition are given.
        NotImplementedError: a definition is given.
    """

    def __init__(self, name=None, shared_name=None, critical_section_def=None, import_scope=None):
        if critical_section_def and name is not None:
            raise ValueError("critical_section_def and shared_name are mutually exclusive.")
        if critical_section_def:
            raise NotImplementedError("A CriticalSection cannot be made from a message.")
        with name_scope(name, "CriticalSection", []) as scope, init_scope():
            container = default_graph()._container
            own = "" if default_graph().is_eager else scope  # there a mutex without a name is a new one
            self._handle = ops.mutex_v2(shared_name=shared_name or own, container=container, name=scope)
        default_graph().add_to_collections(CRITICAL_SECTIONS, self)
        self._running: int | None = None  # the thread that runs a function in it now, with eager execution

    @property
    def name(self):
        """The name of its operation."""
        return self._handle.source.name

    def execute(self, fn, exclusive_resource_access=True, name=None):
        """What `fn()` returns, run while nothing else runs in this section.

        Args:
            fn: takes no arguments and returns tensors or operations, in any structure.
            exclusive_resource_access: whether other sections may not use the resources that `fn` uses.
            name: a name prefix for the operations.

        Raises:
            ValueError: `fn` uses this section itself, or resources that another section has to itself.
        """
        graph = default_graph()
        if graph.is_eager:
            return self._executed_now(fn)
        with name_scope(name, "critical_section_execute", []):
            lock = ops.mutex_lock(self._handle)
            before = len(graph._nodes)
            with control_dependencies([lock]):
                result = fn()
            made = graph._nodes[before:]
            _let_arguments_come_first(lock.op, made)
            resources = {_outermost(t) for node in made for t in node.inputs if t.dtype is dtypes.resource}
            self._check_access(resources, exclusive_resource_access)
            outputs = self._ended(lock, result)
            graph.add_to_collections(CRITICAL_SECTION_EXECUTIONS, _Execution(
                lock.op, self._handle, list(resources), exclusive_resource_access))
            return outputs

    def _executed_now(self, fn):
        """The results of a function, run while no other thread runs one in this section."""
        if self._running == threading.get_ident():
            raise ValueError("fn attempts to directly access the CriticalSection in which it would be running")
        lock = ops.mutex_lock(self._handle)
        self._running = threading.get_ident()
        try:
            return nest.map_structure(lambda each: each if each is None else _same(each), fn())
        finally:
            self._running = None
            ops.consume_mutex_lock(lock)

    def _ended(self, lock, result):
        """The results, available once the lock is given back, all of them together."""
        with control_dependencies([_same(each) for each in nest.flatten(result)]):
            with colocate_with(self._handle):
                released = ops.consume_mutex_lock(lock)
            result = nest.pack_sequence_as(result, _together(nest.flatten(result)))
        with control_dependencies([released]):
            return nest.map_structure(_same, result)

    def _is_own(self, handle):
        """Whether a resource is this section's mutex."""
        name = self._handle.source.attrs["shared_name"]
        return handle is self._handle or name != "" and handle.source.opdef is ops.mutex_v2 and \
            handle.source.attrs["shared_name"] == name

    def _check_access(self, resources, exclusive):
        if any(self._is_own(resource) for resource in resources):
            raise ValueError("fn must not directly access the CriticalSection that would run it: it would wait for "
                             "itself")
        for other in default_graph().get_collection(CRITICAL_SECTION_EXECUTIONS):
            shared = resources.intersection(other.resources)
            if shared and not self._is_own(other.handle) and (exclusive or other.exclusive_resource_access):
                raise ValueError(
                    f"{self._handle} or {other.handle} (in '{other.op.name}') requested exclusive resource access, and "
                    f"both use {list(shared)}; exclusive_resource_access=False lets them share")


def _let_arguments_come_first(lock, made):
    """Has the lock wait for what the nodes made inside need from outside: nothing of it is locked out then."""
    inside = {lock, *made}
    needed = dict.fromkeys(source for node in made for source in (*(t.op for t in node.inputs), *node.control_inputs))
    known = {*lock.control_inputs, *(t.op for t in lock.inputs)}
    lock._add_control_inputs([source for source in needed if source not in inside and source not in known])


def _outermost(tensor):
    """The tensor that an argument of a function stands for."""
    graph = tensor.graph
    while isinstance(graph, FuncGraph):
        outer = next((o for o, inner in graph.captures.items() if inner is tensor), None)
        if outer is None:
            break
        tensor, graph = outer, outer.graph
    return tensor


def _same(value):
    """A value under a new name, so that it waits for what stands around."""
    if isinstance(value, TensorArray):
        return value.identity()
    return group(value) if isinstance(value, Operation) else basic.identity(to_tensor(value))


def _together(values):
    """The values, each available only when all are; arrays of tensors stay as they are."""
    plain = [None if isinstance(v, TensorArray) else v for v in values]
    if all(v is None for v in plain):
        return values
    return [v if gated is None else gated for v, gated in zip(values, tuple_(plain))]
