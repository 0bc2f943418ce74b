"""Sessions: where graphs run and variables live."""

from __future__ import annotations

import collections
import contextlib
import itertools
import os
import threading
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np

from evergraph import native, proto
from evergraph.base import dtypes, errors, logging
from evergraph.base.export import export
from evergraph.base.recent import RecentlyUsed
from evergraph.compile.values import Values
from evergraph.graph import scopes
from evergraph.graph.graph import Graph, default_graph
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind
from evergraph.kernel.cells import Cell
from evergraph.kernel.values import copied, is_whole, references
from evergraph.passes.place import Placement, place
from evergraph.passes.prune import needed
from evergraph.passes.state import cell_key, owner
from evergraph.run import servers
from evergraph.run.debug_dumps import Dumper, watched_graphs
from evergraph.run.devices import available_devices, placement_of
from evergraph.run.executor import Executor
from evergraph.run.feeds import expand, fed_value, feedable
from evergraph.run.fetches import Fetches
from evergraph.run.metadata import fill_cost_graph, fill_step_stats, partition_graphs
from evergraph.run.mixed_precision import mixed_precision
from evergraph.run.placement_log import get_log_device_placement
from evergraph.run.plan import Plan
from evergraph.run.servers import Elsewhere, Link
from evergraph.run.shutdown import shutdown
from evergraph.run.store import Store
from evergraph.run.watch import Watch

MOST_PLANNED = 1024  # entries; a combination of fetches and feeds has one, or two
MOST_STEPS = 8  # that other fetch lists may share
Planned: TypeAlias = tuple[Executor | Elsewhere, Fetches, list[Tensor]]


class BaseSession:
    """Runs operations of one graph and keeps its variables.

    Args:
        target: the `target` of a tf.train.Server, whose variables the session then shares; "" for none.
        graph: the graph to run; the default graph when not given.
        config: a tf.ConfigProto.
        tier: "numpy" or "xla" forces how device code runs; by default the policy decides.
    """

    def __init__(
        self, target: str = "", graph: Graph | None = None, config: Any = None, *, tier: str | None = None
    ) -> None:
        if graph is not None and not isinstance(graph, Graph):
            raise TypeError(f"graph must be a tf.Graph, not {type(graph)}")
        if target and not isinstance(target, (str, bytes)):
            raise TypeError(f"target must be a string, but got {target!r}")
        if config is not None and not isinstance(config, proto.config_pb2.ConfigProto):
            raise TypeError(f"config must be a tf.ConfigProto, not {type(config)}")
        if tier not in (None, "numpy", "xla"):
            raise ValueError(f"tier must be None, 'numpy' or 'xla', not {tier!r}")
        self._target = target.decode() if isinstance(target, bytes) else target
        self._graph = graph or default_graph()
        if config is None and self._target:
            config = servers.default_config(self._target)
        self._config, self._tier = config, tier
        self._closed = False
        self._run_numbers = itertools.count(1)  # of runs with options, or metadata
        self._watched_steps: dict[Any, int] = {}  # runs that dump tensors, by fetches and feeds
        self._timeout = config.operation_timeout_in_ms / 1000 if config is not None else 0
        self._connection: Link | None = servers.linked(self._target, config) if self._target else None
        self._store: Values = self._connection or Store(self._timeout or None, _returns_early())  # type: ignore[assignment]
        self._planned: RecentlyUsed[Planned] = RecentlyUsed(MOST_PLANNED)
        self._planned_epoch = self._graph._epoch
        self._steps: collections.deque[Executor] = collections.deque(maxlen=MOST_STEPS)  # that update variables
        self._planning = threading.RLock()
        self._placement: Placement = self._connection.placement if self._connection else placement_of(config)
        self._mixed = mixed_precision(config, self._placement.best)
        self._placed: set[Operation] = set()  # whose places were told to those who have to know

    @property
    def graph(self) -> Graph:
        """The graph that this session runs."""
        return self._graph

    @property
    def graph_def(self) -> Any:
        """The graph as a GraphDef, with shapes where the configuration says `infer_shapes`."""
        with_shapes = self._config is not None and self._config.graph_options.infer_shapes
        return self._graph.as_graph_def(add_shapes=with_shapes)

    @property
    def sess_str(self) -> str:
        """The target that the session was given."""
        return self._target

    def list_devices(self) -> list[Any]:
        """The devices of this session."""
        return available_devices((self._connection or self._placement).devices())

    def close(self) -> None:
        """Frees everything that the session holds. It cannot run anything afterwards.

        Raises:
            tf.errors.OpError: the last step has failed, and had returned before that was known.
        """
        was_closed, self._closed = self._closed, True
        try:
            if not was_closed:
                self._store.early.settle()
        finally:
            self._planned.clear()
            self._steps.clear()
            self._store.forget()

    def as_default(self) -> Any:
        """A with-block in which this is the default session; it does not close the session."""
        return scopes.sessions.pushed(self)

    @shutdown.watch
    def run(
        self, fetches: Any, feed_dict: dict[Any, Any] | None = None, options: Any = None, run_metadata: Any = None
    ) -> Any:
        """Runs what `fetches` need and gives back their values in the same structure.

        Args:
            fetches: a tensor, operation, name, sparse tensor, or lists, tuples, dicts and named tuples of these.
            feed_dict: values for tensors, by tensor or name.
            options: a tf.RunOptions. `timeout_in_ms` limits the time: what then still waits, such as for a queue, and
                what has not begun, ends with DeadlineExceededError. A `trace_level` fills `run_metadata` with the times
                of nodes, `output_partition_graphs` with the nodes that ran. Threads and allocations have no options
                here.
            run_metadata: a tf.RunMetadata to fill.

        Returns:
            NumPy arrays (scalars for shape ()), bytes for strings, None for operations.

        Raises:
            RuntimeError: the session is closed.
            ValueError, TypeError: a fetch or feed makes no sense.
            tf.errors.OpError: an operation failed; variables keep the values they had.
        """
        if self._closed:
            raise RuntimeError("Attempted to use a closed Session.")
        if self._connection is not None:
            options = self._served(options)
        if options is not None and not isinstance(options, proto.config_pb2.RunOptions):
            raise TypeError(f"options must be a tf.RunOptions, but got {type(options)}")
        if run_metadata is not None and not isinstance(run_metadata, proto.config_pb2.RunMetadata):
            raise TypeError(f"run_metadata must be a tf.RunMetadata, but got {type(run_metadata)}")
        if not self._graph._nodes:
            raise RuntimeError("The Session graph is empty. There is nothing to run")
        pairs = expand(feed_dict) if feed_dict else ()
        return self._run(self._find(fetches, pairs), [value for _, value in pairs], options, run_metadata)

    def run_shown(self, fetches: Any, feed_dict: dict[Any, Any] | None, shown: Callable[..., None]) -> Any:
        """Runs node by node on NumPy, and calls `shown` with each node and its outputs; otherwise as `run` does."""
        pairs = expand(feed_dict) if feed_dict else ()
        executor, structure, feeds = self._find(fetches, pairs)
        if not isinstance(executor, Executor):
            raise errors.UnimplementedError(None, None, "to look at each node of a step that other processes share")
        values = [fed_value(tensor, value) for tensor, (_, value) in zip(feeds, pairs, strict=True)]
        return structure.build(_handed_over(executor.run(self._store, values, Watch(shown=shown))))

    def _run(self, planned: Planned, given: Sequence[Any], options: Any = None, run_metadata: Any = None) -> Any:
        """Runs what was planned with a value for each feed."""
        executor, structure, feeds = planned
        values = [fed_value(tensor, value) for tensor, value in zip(feeds, given)] if given else ()
        if options is None and run_metadata is None:
            results = executor.run(self._store, values)
        elif not isinstance(executor, Executor):
            results = executor.run_with(self._store, values, options, run_metadata)
        else:
            results = self._watched(executor, values, options, run_metadata)
        return structure.build(_handed_over(results) if structure.has_values else results)

    def _served(self, options: Any) -> Any:
        """The options of a step on a server, whose time the session's config limits, too.

        Raises:
            AbortedError: the server was reset.
        """
        if self._connection is not None and self._connection.is_aborted:
            raise errors.AbortedError(None, None, f"the server {self._target} was reset: make another session")
        if not self._timeout or options is not None and options.timeout_in_ms:
            return options
        limited = proto.config_pb2.RunOptions()
        if options is not None:
            limited.CopyFrom(options)
        limited.timeout_in_ms = round(1000 * self._timeout)
        return limited

    def _watched(self, executor: Executor, values: Sequence[Any], options: Any, run_metadata: Any) -> Sequence[Any]:
        """Runs within the time that the options allow, and fills the metadata with what they ask for."""
        options, number = options or proto.config_pb2.RunOptions(), next(self._run_numbers)
        if run_metadata is not None:
            run_metadata.Clear()
        timeout = options.timeout_in_ms / 1000
        wants_costs = self._config is not None and self._config.graph_options.build_cost_model > 0
        is_tracing = run_metadata is not None and bool(
            options.trace_level or options.output_partition_graphs or wants_costs)  # fmt: skip
        traces_kernels = options.trace_level >= options.HARDWARE_TRACE
        dumper = None
        if watches := options.debug_options.debug_tensor_watch_opts:  # each node runs alone, on NumPy
            asked = (tuple(executor.plan.fetches), tuple(executor.plan.feeds))
            self._watched_steps[asked] = count = self._watched_steps.get(asked, -1) + 1
            dumper = Dumper(watches, options.debug_options.global_step, number, count)
            executor = executor.alone
        watch = Watch(time.monotonic() + timeout if timeout > 0 else None, is_tracing, traces_kernels, dumper)
        with contextlib.nullcontext() if dumper is None else dumper.over(executor.plan, values):
            results = executor.run(self._store, values, watch)
        if is_tracing and options.trace_level:
            fill_step_stats(run_metadata.step_stats, watch.stages)
        if is_tracing and options.output_partition_graphs:
            run_metadata.partition_graphs.extend(
                partition_graphs(watch.stages, executor.plan.feeds) if dumper is None
                else watched_graphs(executor.plan).values())
        if is_tracing and wants_costs:
            fill_cost_graph(run_metadata.cost_graph, watch.stages)
        return results

    def _find(self, fetches: Any, pairs: Any) -> Planned:
        """The executor of these fetches and feeds: planned once, then kept until it is among the least recently used.

        It is kept by the form of the fetches, which is quick to find, and by the elements that they consist of.
        """
        key = _cache_key(fetches, pairs, self._graph._epoch)
        found = self._planned.get(key) if key is not None else None
        return found or self._plan(fetches, pairs, key)

    def _plan(self, fetches: Any, pairs: Any, key: Any) -> Planned:
        structure = Fetches(self._graph, fetches)
        feeds = [feedable(self._graph, key_) for key_, _ in pairs]
        with self._planning:  # two threads that want the same get one executor
            self._drop_stale()
            elements = (tuple(structure.elements), tuple(feeds), self._graph._epoch)
            known = self._planned.get(elements)
            executor = known[0] if known else self._placed_executor(structure.elements, feeds)
            found = (executor, structure, feeds)
            self._planned.put(elements, found)
            if key is not None:
                self._planned.put(key, found)
            return found

    def _drop_stale(self) -> None:
        """Lets go of the plans of nodes that have changed since: no run can find them."""
        epoch = self._graph._epoch
        if epoch != self._planned_epoch:
            self._planned.discard(lambda key: key[-1] != epoch)  # type: ignore[index]
            self._planned_epoch = epoch
            self._steps.clear()

    def _placed_executor(
        self, elements: Sequence[Tensor | Operation], feeds: Sequence[Tensor]
    ) -> Executor | Elsewhere:
        executor = self._executor(elements, feeds, reversed(self._steps))
        step = executor.plan.step
        if isinstance(executor, Executor) and step is not None \
                and all(step is not other.plan.step for other in self._steps):
            self._steps.append(executor)
        self._tell_places(executor.plan)
        return executor

    def _executor(self, elements: Sequence[Tensor | Operation], feeds: Sequence[Tensor],
                  others: Iterable[Executor] = (), done: Collection[str] = ()) -> Executor | Elsewhere:
        if self._connection is not None:
            return self._connection.executor(elements, feeds, self._tier, others, self._mixed, done)
        return Executor(elements, feeds, self._tier, others, self._mixed, done, self._placement)

    def _tell_places(self, plan: Plan) -> None:
        """Tells the log, and the server's store, where nodes are that the session has not run yet."""
        is_logged = get_log_device_placement() or self._config is not None and self._config.log_device_placement
        if not is_logged and self._connection is None:
            return
        places = {node: home for node, home in plan.homes.items() if node not in self._placed}
        if self._connection is not None:
            self._connection.learn(places)
        self._placed.update(places)
        if is_logged:
            for node, home in places.items():
                logging.info(f"{node.name}: ({node.type}): {home.name}")

    def _are_set(self, tests: Sequence[Tensor]) -> list[bool] | None:
        """What nodes say that look whether a variable has a value, without a run; None if only a run can tell.

        Raises:
            RuntimeError: the session is closed.
            tf.errors.OpError: the last step has failed, or a node asks for a device that there is not.
        """
        if self._closed:
            raise RuntimeError("Attempted to use a closed Session.")
        storages = [owner(test.op._inputs[0]).op for test in tests]
        if self._connection is not None or any(node.opdef.kind is not Kind.VARIABLE for node in storages):
            return None
        place([test.op for test in tests], self._placement)
        self._store.early.settle()
        return [form is not None for form in self._store.forms(list(map(cell_key, storages)))]

    def make_callable(self, fetches: Any, feed_list: Any = None, accept_options: bool = False) -> Callable[..., Any]:
        """A function that runs `fetches`, taking values for `feed_list` in order.

        With `accept_options` it also takes `options` and `run_metadata`.
        """
        if feed_list is not None and not isinstance(feed_list, (list, tuple)):
            raise TypeError("`feed_list` must be a list or tuple.")
        feeds = list(feed_list or ())
        tensors = [feedable(self._graph, feed) for feed in feeds]
        Fetches(self._graph, fetches)
        planned: Planned | None = None
        epoch = -1

        @shutdown.watch
        def call(*values: Any, **keywords: Any) -> Any:
            nonlocal planned, epoch
            if keywords and not accept_options:
                raise TypeError(
                    f"this callable takes no keywords, got {sorted(keywords)}: it was made without accept_options=True"
                )
            if len(values) != len(feeds):
                raise TypeError(f"this callable takes {len(feeds)} values, one per feed, but got {len(values)}")
            if keywords or self._closed or self._connection is not None:
                return self.run(fetches, dict(zip(feeds, values)), **keywords)
            if planned is None or epoch != self._graph._epoch:
                epoch, planned = self._graph._epoch, self._plan(fetches, [(tensor, None) for tensor in tensors], None)
            return self._run(planned, values)

        return call

    def _make_callable_from_options(self, callable_options: Any) -> Callable[..., Any]:
        """A function of the values of its feeds, made from a tf.CallableOptions message.

        What connections feed is computed first.

        Raises:
            UnimplementedError: the message asks for more than feeds, fetches, targets, connections and run options.
        """
        known = ("feed", "fetch", "target", "tensor_connection", "run_options")
        unknown = [held.name for held, _ in callable_options.ListFields() if held.name not in known]
        if unknown:
            raise errors.UnimplementedError(None, None, f"{', '.join(unknown)} in tf.CallableOptions")
        feeds, connections = list(callable_options.feed), list(callable_options.tensor_connection)
        sources = self.make_callable([each.from_tensor for each in connections], feeds)
        fetched = list(callable_options.fetch), list(callable_options.target)
        run = self.make_callable(fetched, [*feeds, *(each.to_tensor for each in connections)], accept_options=True)
        options = {"options": callable_options.run_options} if callable_options.HasField("run_options") else {}

        def call(*values: Any, **keywords: Any) -> Any:
            connected = sources(*values) if connections else []
            return run(*values, *connected, **options, **keywords)[0]

        return call

    def partial_run_setup(self, fetches: Any, feeds: Any = None) -> PartialRun:
        """Sets up a run whose feeds arrive in several steps; the handle goes to `partial_run`.

        Raises:
            InvalidArgumentError: there is nothing to fetch.
        """
        structure = Fetches(self._graph, fetches)
        if not structure.elements:
            raise errors.InvalidArgumentError(None, None, "a partial run has to specify at least one target")
        handle = PartialRun(structure.elements, [feedable(self._graph, f) for f in feeds or ()])
        if self._connection is not None:
            handle.at_server = self._connection.partial(handle.all_fetches, list(handle.all_feeds))
        return handle

    def partial_run(self, handle: PartialRun, fetches: Any, feed_dict: dict[Any, Any] | None = None) -> Any:
        """Runs a part of what was set up, with the feeds given so far; nothing is computed twice.

        Operations that were set up run as soon as all that they need is fed.

        Raises:
            InvalidArgumentError: a fetch or feed was not set up, or came before; or `handle` is of no setup.
        """
        if not isinstance(handle, PartialRun):
            raise errors.InvalidArgumentError(None, None, f"partial_run_setup gave no such handle: {handle!r}")
        structure = Fetches(self._graph, fetches)
        pairs = [(feedable(self._graph, key), value) for key, value in expand(feed_dict or {})]
        given = {tensor: fed_value(tensor, value) for tensor, value in pairs}
        for tensor, value in given.items():
            handle.feed(tensor, value)
        handle.fetch(structure.elements)
        if handle.at_server is not None:
            return structure.build(list(map(_to_user, handle.at_server.run(structure.elements, given.items()))))
        missing = [e for e in (*structure.elements, *handle.operations()) if e not in handle.known]
        if missing:
            needed = handle.with_intermediates(missing)
            feeds = [f for f in handle.known if isinstance(f, Tensor)]
            executor = self._executor(needed, feeds, done=handle.done)
            self._tell_places(executor.plan)
            results = executor.run(self._store, [handle.known[f] for f in feeds])
            handle.done |= {node.name for node in executor.plan.nodes}
            handle.known.update((e, v) for e, v in zip(needed, results))
        return structure.build([_to_user(handle.known[e]) for e in structure.elements])


_NOT_SET_UP = "was not specified in partial_run_setup"


class PartialRun:
    """The progress of a partial run: what may be fetched and fed, what is known already, and which nodes have run."""

    def __init__(self, fetches: list[Any], feeds: list[Tensor]) -> None:
        self.open_fetches, self.open_feeds = set(fetches), set(feeds)
        self.all_fetches, self.all_feeds = list(fetches), frozenset(feeds)
        self.known: dict[Any, Any] = {}
        self.done: frozenset[str] = frozenset()
        self.at_server: Any = None  # what runs its parts, if a server in another process does

    def feed(self, tensor: Tensor, value: Any) -> None:
        if tensor not in self.open_feeds:
            wrong = "has already been fed" if tensor in self.all_feeds else _NOT_SET_UP
            raise errors.InvalidArgumentError(None, None, f"The feed {tensor.name} {wrong}.")
        self.open_feeds.remove(tensor)
        self.known[tensor] = value

    def fetch(self, elements: list[Any]) -> None:
        for element in elements:
            if element not in self.open_fetches:
                wrong = "has already been fetched" if element in self.all_fetches else _NOT_SET_UP
                raise errors.InvalidArgumentError(None, None, f"The fetch {element.name} {wrong}.")
            self.open_fetches.remove(element)

    def operations(self) -> list[Operation]:
        """The operations that were set up and can run by now: they run without being asked for."""
        cut = [*self.open_feeds, *(k for k in self.known if isinstance(k, Tensor))]
        found = [e for e in self.all_fetches if isinstance(e, Operation) and e in self.open_fetches
                 and not any(t in self.open_feeds for node in needed([e], cut) for t in node._inputs)]
        self.open_fetches.difference_update(found)
        return found

    def with_intermediates(self, wanted: list[Any]) -> list[Any]:
        """`wanted`, and what later parts will use of the same computation, so that it runs once."""
        now = needed(wanted, [k for k in self.known if isinstance(k, Tensor)])
        later = needed(self.open_fetches, [k for k in self.known if isinstance(k, Tensor)])
        shared = [
            t
            for n in now
            if n.opdef.kind is not Kind.CONSTANT
            for t in n.outputs
            if not t._dtype.is_ref and t._dtype is not dtypes.resource
            and any(c in later and c not in now for c in t._consumers)
        ]
        return list(dict.fromkeys([*wanted, *shared]))


@export("Session")
class Session(BaseSession):
    """A session to use in a with-block, where it is the default session and its graph the default graph.

    >>> a = tf.constant(5.0)
    >>> with tf.Session() as session:
    ...     session.run(a * 6.0)
    30.0

    Args:
        target: "" for a session of this process, or "grpc://host:port" for one of a server.
        graph: the graph to run; by default the default graph.
        config: a `tf.ConfigProto`.
        tier: "numpy" or "xla" for stages that always run there; by default a rule chooses.
    """

    def __init__(
        self, target: str = "", graph: Graph | None = None, config: Any = None, *, tier: str | None = None
    ) -> None:
        super().__init__(target, graph, config, tier=tier)
        self._entered: list[contextlib.ExitStack] = []

    def __enter__(self) -> Session:
        if self._entered:
            raise RuntimeError("a Session is not re-entrant in `with`; use `with session.as_default()` inside")
        stack = contextlib.ExitStack()
        stack.enter_context(self._graph.as_default())
        stack.enter_context(self.as_default())
        self._entered.append(stack)
        return self

    def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
        self._entered.pop().__exit__(kind, value, trace)
        try:
            self.close()
        except errors.OpError:
            if kind is None:  # otherwise the block has an error of its own
                raise

    @staticmethod
    def reset(target: str, containers: Any = None, config: Any = None) -> None:
        """Clears the resource containers of a server, all by default, and ends its sessions with AbortedError.

        A session without a server owns its variables, so that there is nothing for a target of "" to clear.

        Args:
            target: the server's.
            containers: names; "localhost" is the one that tf.container has not named.
            config: a tf.ConfigProto, whose `operation_timeout_in_ms` is the time to wait for the server.

        Raises:
            DeadlineExceededError: the server does not answer in that time.
        """
        if target:
            servers.reset_target(target, containers or (), config)


@export("InteractiveSession")
class InteractiveSession(BaseSession):
    """A session that makes itself the default when it is made: for a shell, where with-blocks are in the way.

    Args:
        target: "" for a session of this process, or "grpc://host:port" for one of a server.
        graph: the graph to run; by default the default graph.
        config: a `tf.ConfigProto`.
    """

    def __init__(self, target: str = "", graph: Graph | None = None, config: Any = None) -> None:
        super().__init__(target, graph, config)
        self._stack = contextlib.ExitStack()
        if graph is not None:
            self._stack.enter_context(scopes.graphs.pushed(graph, enforce_nesting=False))
        self._stack.enter_context(scopes.sessions.pushed(self, enforce_nesting=False))

    def close(self) -> None:
        try:
            super().close()
        finally:
            self._stack.close()


@export("get_default_session")
def get_default_session() -> Any:
    """The session of the innermost with-block, or None."""
    return scopes.default_session()


def _returns_early() -> bool | None:
    """Whether steps may return while the device computes, if the environment says so: 1 for yes, 0 for no."""
    return {"1": True, "0": False}.get(os.environ.get("EVERGRAPH_RETURN_EARLY", ""))


_ELEMENTS = frozenset((Tensor, Operation, str))  # what fetches consist of in the end
_KEYS = frozenset((Tensor, str))  # of feeds, mostly


def _cache_key(fetches: Any, pairs: Any, epoch: int) -> Any:
    """A key for the common forms of fetches; None for structures that have to be flattened in every run."""
    try:
        form = fetches if type(fetches) in _ELEMENTS else _form(fetches)
    except RecursionError:  # Fetches tells whether these are too deep
        form = None
    if form is None:
        return None
    if not pairs:
        return form, epoch
    keys = tuple([key for key, _ in pairs])
    return (form, keys, epoch) if _KEYS.issuperset(map(type, keys)) else None


def _form(fetches: Any) -> Any:
    """A hashable value, equal for fetches of the same structure and elements; None for another kind of fetches."""
    if native.steps is not None:
        return native.steps.form(fetches, _ELEMENTS)
    kind = type(fetches)
    if kind in _ELEMENTS:
        return fetches
    if hasattr(kind, "_as_graph_element"):  # a variable
        return kind, fetches._as_graph_element()
    if kind is not dict and kind is not list and not isinstance(fetches, tuple):
        return None
    parts = list(map(_form, fetches.values() if kind is dict else fetches))
    if any(part is None for part in parts):
        return None
    return (kind, tuple(fetches), *parts) if kind is dict else (kind, *parts)


def _handed_over(results: Sequence[Any]) -> list[Any]:
    """The results of a run as programs get them: arrays that nothing else refers to, such as batches, and copies."""
    return [None if value is None
            else value if count == _ALONE and type(value) is np.ndarray and value.ndim and is_whole(value)
            else _to_user(value) for count, value in zip(references(results), results, strict=True)]


_HANDLE = np.dtype([("resource", np.ubyte)])  # as in TensorFlow
_ALONE = references([np.empty(1)])[0]  # of a value that only a list refers to


def _to_user(value: Any) -> Any:
    """A value as programs get it: an array of their own, or a scalar; for a handle, bytes that tell which one it is."""
    if value is None:
        return None
    if isinstance(value, Cell):
        return np.frombuffer(value.key.encode(), _HANDLE)
    array = np.asarray(value)
    return copied(array) if array.ndim else array[()]
