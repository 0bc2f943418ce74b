"""Options of datasets: `tf.data.Options` and its parts."""

from __future__ import annotations

from typing import Any

from evergraph.base.export import export


class _Option:
    """A property of options that holds a value of one type, None until it is set."""

    def __init__(self, kind: type, doc: str, make: Any = None) -> None:
        self._kind, self.__doc__, self._make = kind, doc, make

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, options: Any, owner: type | None = None) -> Any:
        if options is None:
            return self
        if self._name not in options._values and self._make is not None:
            options._values[self._name] = self._make()
        return options._values.get(self._name)

    def __set__(self, options: Any, value: Any) -> None:
        if value is not None and not isinstance(value, self._kind):
            raise TypeError(f"Property \"{self._name}\" must be of type {self._kind}, got: {value!r} "
                            f"(type: {type(value)})")
        options._values[self._name] = value


class OptionsBase:
    """Named values. What is not set is None."""

    def __init__(self) -> None:
        object.__setattr__(self, "_values", {})

    def __setattr__(self, name: str, value: Any) -> None:
        if not hasattr(type(self), name):
            raise AttributeError(f"Cannot set the property {name} on {type(self).__name__}.")
        object.__setattr__(self, name, value)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(getattr(self, n) == getattr(other, n) for n in _names(self))

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None


def _names(options: Any) -> list[str]:
    return [name for cls in type(options).__mro__ for name, value in vars(cls).items() if isinstance(value, _Option)]


def merged(*options: Any) -> Any:
    """New options with the values of all of these.

    Raises:
        TypeError: they are of different kinds.
        ValueError: two have different values for one option.
    """
    first = options[0]
    result = type(first)()
    for each in options:
        if type(each) is not type(first):
            raise TypeError(f"Incompatible option type: {type(first)} vs {type(each)}")
        for name in _names(each):
            setattr(result, name, _one(name, getattr(result, name), getattr(each, name)))
    return result


def _one(name: str, mine: Any, theirs: Any) -> Any:
    if mine is None or theirs is None:
        return theirs if mine is None else mine
    if isinstance(mine, OptionsBase):
        return merged(mine, theirs)
    if mine != theirs:
        raise ValueError(f"Cannot merge incompatible values: the option {name} is {mine!r} and {theirs!r}")
    return mine


@export("data.experimental.ThreadingOptions")
class ThreadingOptions(OptionsBase):
    """Threads of a dataset. They have no meaning here: kernels on the host use the threads of NumPy."""

    max_intra_op_parallelism = _Option(int, "The most threads that one op uses.")
    private_threadpool_size = _Option(int, "The number of threads of the dataset's own.")


@export("data.experimental.MapVectorizationOptions")
class MapVectorizationOptions(OptionsBase):
    """When functions are applied to batches in place of elements."""

    enabled = _Option(bool, "Whether functions may be applied to batches: yes, unless it is False.")
    use_choose_fastest = _Option(bool, "Whether to measure which is faster. It has no meaning here.")


@export("data.experimental.OptimizationOptions")
class OptimizationOptions(OptionsBase):
    """How datasets are rewritten before they run, which changes no element.

    Three options act: `apply_default_optimizations`, `map_vectorization` and `noop_elimination`. The others have no
    meaning here.
    """

    apply_default_optimizations = _Option(
        bool, "Whether to apply the rewrites that are on by default; if not, only those that are asked for.")
    autotune = _Option(bool, "Whether to tune degrees of parallelism.")
    autotune_algorithm = _Option(int, "How to tune them.")
    autotune_buffers = _Option(bool, "Whether to tune the sizes of buffers.")
    autotune_cpu_budget = _Option(int, "How many processors to tune for.")
    filter_fusion = _Option(bool, "Whether to join filters.")
    filter_with_random_uniform_fusion = _Option(bool, "Whether to join random filters.")
    hoist_random_uniform = _Option(bool, "Whether to draw random numbers before a map.")
    map_and_batch_fusion = _Option(bool, "Whether to join a map and a batch.")
    map_and_filter_fusion = _Option(bool, "Whether to join a map and a filter.")
    map_fusion = _Option(bool, "Whether to join maps.")
    map_parallelization = _Option(bool, "Whether to run maps in parallel.")
    map_vectorization = _Option(MapVectorizationOptions, "When functions are applied to batches.",
                                MapVectorizationOptions)
    noop_elimination = _Option(bool, "Whether to leave out what does nothing.")
    parallel_batch = _Option(bool, "Whether to copy the rows of a batch in parallel.")
    shuffle_and_repeat_fusion = _Option(bool, "Whether to join a shuffle and a repeat.")


@export("data.experimental.DistributeOptions")
class DistributeOptions(OptionsBase):
    """How a dataset is divided among workers. They have no meaning in one process."""

    auto_shard = _Option(bool, "Whether each worker gets a part of the dataset.")
    num_devices = _Option(int, "Among how many devices a batch is divided.")


@export("data.experimental.StatsOptions")
class StatsOptions(OptionsBase):
    """Where the measurements of a dataset go: those of `latency_stats` and `bytes_produced_stats` in it."""

    aggregator = _Option(object, "A `tf.data.experimental.StatsAggregator`.")
    prefix = _Option(str, "What the names of the measurements begin with.")
    counter_prefix = _Option(str, "What the names of counters begin with. It has no meaning here: there are none.")
    latency_all_edges = _Option(bool, "Whether to measure each transformation. It has no meaning here.")


@export("data.Options")
class Options(OptionsBase):
    """Options of a dataset, for `with_options`.

    >>> options = tf.data.Options()
    >>> options.experimental_deterministic = True
    """

    experimental_deterministic = _Option(
        bool, "Whether elements come in a fixed order: yes, unless it is False. Then a parallel map may hand out first "
        "what it computes first; other transformations keep their order.")
    experimental_distribute = _Option(DistributeOptions, "How the dataset is divided.", DistributeOptions)
    experimental_optimization = _Option(OptimizationOptions, "How the dataset is rewritten.", OptimizationOptions)
    experimental_slack = _Option(bool, "Whether the last prefetch waits at first. It has no meaning here.")
    experimental_stats = _Option(StatsOptions, "What is measured.", StatsOptions)
    experimental_threading = _Option(ThreadingOptions, "Threads of the dataset.", ThreadingOptions)
    experimental_stateful_whitelist = _Option(list, "Ops that may have state. It has no meaning here.")

    def merge(self, options: Options) -> Options:
        """New options with the values of both.

        Raises:
            ValueError: both set an option, to different values.
        """
        return merged(self, options)


def rewrites(options: Options, default: frozenset[str]) -> frozenset[str]:
    """The names of the rewrites that options choose, where `default` are those that run if they say nothing."""
    chosen = options.experimental_optimization
    names = frozenset() if chosen.apply_default_optimizations is False else default
    said = {"map_vectorization": chosen.map_vectorization.enabled, "noop_elimination": chosen.noop_elimination}
    if options.experimental_deterministic is False:
        names |= {"make_sloppy"}
    wanted, unwanted = ({name for name, value in said.items() if value is word} for word in (True, False))
    return (names | wanted) - unwanted
