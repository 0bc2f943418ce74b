"""tf.random.experimental.Generator: random numbers whose state is a variable."""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base import dtypes, errors
from evergraph.base.export import export
from evergraph.frontend import array
from evergraph.frontend.blocks import init_scope
from evergraph.frontend.variables.variable import ResourceVariable
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.math import generators as ops

_NAMES = {"philox": ops.PHILOX}
_WORDS = 3  # of the state: the counter's two, and the key


def _algorithm(alg: Any) -> int:
    """The number of an algorithm.

    Raises:
        ValueError: it is unknown.
    """
    found = _NAMES.get(alg) if isinstance(alg, str) else ops.PHILOX if alg is None else int(alg)
    if found != ops.PHILOX:
        raise ValueError(f"the algorithm of a generator is 'philox' or {ops.PHILOX}, got {alg!r}")
    return found


@export("random.experimental.create_rng_state")
def create_rng_state(seed: Any, algorithm: Any) -> Any:
    """The state that a seed stands for: an int, or up to three of them, the last for the key.

    Args:
        seed: a number, or a vector.
        algorithm: "philox" or 1.
    """
    _algorithm(algorithm)
    if isinstance(seed, int):
        words = [(seed >> (64 * i)) & (2**64 - 1) for i in range(_WORDS)]
        return array.constant(np.array(words, np.uint64).astype(np.int64))
    values = np.asarray(seed, np.int64).reshape(-1)
    if len(values) > _WORDS:
        raise ValueError(f"a seed has at most {_WORDS} numbers, got {len(values)}")
    return array.constant(np.concatenate([np.zeros(_WORDS - len(values), np.int64), values]))


@export("random.experimental.Generator")
class Generator:
    """A source of random numbers whose state is a variable, so that checkpoints save it and functions go on with it.

    >>> tf.enable_eager_execution()
    >>> generator = tf.random.experimental.Generator.from_seed(7)
    >>> generator.uniform([2], 0, 10, tf.int32).shape
    TensorShape([Dimension(2)])

    Args:
        copy_from: another generator, to begin where it is.
        state: the state to begin with: the two halves of a counter, and a key.
        alg: the algorithm of `state`: "philox" or 1.

    Raises:
        ValueError: neither or both of `copy_from` and `state` are given, or the algorithm is unknown.
    """

    def __init__(self, copy_from: Any = None, state: Any = None, alg: Any = None) -> None:
        if (copy_from is None) == (state is None):
            raise ValueError("a generator begins with a state, or where another one is: give one of the two")
        if copy_from is not None:
            state, alg = copy_from.state.read_value(), copy_from.algorithm
        self._alg = _algorithm(alg)
        with init_scope():
            first = convert_to_tensor(state, dtypes.int64)
            self._state = ResourceVariable(first, trainable=False, name="StateVar", dtype=dtypes.int64)

    @classmethod
    def from_state(cls, state: Any, alg: Any) -> Generator:
        """A generator with this state."""
        return cls(state=state, alg=alg)

    @classmethod
    def from_seed(cls, seed: Any, alg: Any = None) -> Generator:
        """A generator with the state that a seed stands for."""
        return cls(state=create_rng_state(seed, _algorithm(alg)), alg=alg)

    @classmethod
    def from_non_deterministic_state(cls, alg: Any = None) -> Generator:
        """A generator that gives other numbers in every run."""
        return cls(state=ops.non_deterministic_ints(array.constant([_WORDS], dtypes.int64), dtypes.int64), alg=alg)

    @classmethod
    def from_key_counter(cls, key: Any, counter: Any, alg: Any) -> Generator:
        """A generator with this key, and a counter of one or two numbers."""
        return cls(state=_key_and_counter(key, counter), alg=alg)

    # ---- the state

    @property
    def state(self) -> ResourceVariable:
        """The variable that holds the state."""
        return self._state

    @property
    def algorithm(self) -> int:
        """The number of the algorithm."""
        return self._alg

    @property
    def key(self) -> Tensor:
        """The key, which splits change."""
        return self._state.read_value()[_WORDS - 1]

    def reset(self, state: Any) -> None:
        """Begins anew with a state."""
        self._state.assign(state)

    def reset_from_seed(self, seed: Any) -> None:
        """Begins anew with a seed."""
        self._state.assign(create_rng_state(seed, self._alg))

    def reset_from_key_counter(self, key: Any, counter: Any) -> None:
        """Begins anew with a key, and a counter of one or two numbers."""
        self._state.assign(_key_and_counter(key, counter))

    def skip(self, delta: Any) -> None:
        """Leaves out as many numbers as `delta` calls for one number would take."""
        ops.rng_skip(self._state.handle, self._alg, convert_to_tensor(delta, dtypes.int64) * 256)

    # ---- numbers

    def normal(self, shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = dtypes.float32,
               name: str | None = None) -> Tensor:
        """Normal random numbers."""
        drawn = self._drawn(ops.stateful_standard_normal, shape, dtype, name)
        return drawn * convert_to_tensor(stddev, dtype) + convert_to_tensor(mean, dtype)

    def truncated_normal(self, shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = dtypes.float32,
                         name: str | None = None) -> Tensor:
        """Normal random numbers, those more than two deviations from the mean drawn again."""
        drawn = self._drawn(ops.stateful_truncated_normal, shape, dtype, name)
        return drawn * convert_to_tensor(stddev, dtype) + convert_to_tensor(mean, dtype)

    def uniform(self, shape: Any, minval: Any = 0, maxval: Any = None, dtype: Any = dtypes.float32,
                name: str | None = None) -> Tensor:
        """Uniform random numbers in [minval, maxval); maxval is 1 for floats if it is not given.

        Raises:
            ValueError: integers have no `maxval`.
        """
        dtype = dtypes.as_dtype(dtype)
        if not dtype.is_integer:
            low = convert_to_tensor(minval, dtype)
            return self._drawn(ops.stateful_uniform, shape, dtype, name) * (
                convert_to_tensor(1 if maxval is None else maxval, dtype) - low) + low
        if maxval is None:
            raise ValueError(f"uniform random integers need maxval, got minval {minval!r} alone")
        return ops.stateful_uniform_int(
            self._state.handle, self._alg, _dims(shape), convert_to_tensor(minval, dtype),
            convert_to_tensor(maxval, dtype), name=name)

    def uniform_full_int(self, shape: Any, dtype: Any = dtypes.uint64, name: str | None = None) -> Tensor:
        """Uniform integers of all values that the dtype has."""
        return self._drawn(ops.stateful_uniform_full_int, shape, dtype, name)

    def binomial(self, shape: Any, counts: Any, probs: Any, dtype: Any = dtypes.int32, name: str | None = None) -> Any:
        """Not supported: numbers of successes.

        Raises:
            UnimplementedError: always.
        """
        raise errors.UnimplementedError(
            None, None, f"Generator.binomial of shape {shape}, counts {counts}, probs {probs}, dtype {dtype}: {name}")

    def make_seeds(self, count: int = 1) -> Tensor:
        """Seeds for `count` stateless ops: a matrix with a column each."""
        keys = self.uniform_full_int([count], dtypes.int64)
        return array.stack([keys, array.zeros_like(keys)])

    def split(self, count: int = 1) -> list[Generator]:
        """`count` generators with keys of their own."""
        keys = array.unstack(self.uniform_full_int([count], dtypes.int64), count)
        return [Generator(state=_key_and_counter(key, [0, 0]), alg=self._alg) for key in keys]

    def _drawn(self, op: Any, shape: Any, dtype: Any, name: str | None) -> Tensor:
        return op(self._state.handle, self._alg, _dims(shape), dtype=dtypes.as_dtype(dtype), name=name)


def _dims(shape: Any) -> Tensor:
    return shape if isinstance(shape, Tensor) else convert_to_tensor(shape, dtypes.int64)


def _key_and_counter(key: Any, counter: Any) -> Tensor:
    counter = convert_to_tensor(counter, dtypes.int64)
    if counter.shape.ndims == 0:
        counter = array.stack([counter, array.zeros_like(counter)])
    return array.concat([counter, array.reshape(convert_to_tensor(key, dtypes.int64), [1])], 0)


class _Global:
    """The generator of the program."""

    generator: Generator | None = None


@export("random.experimental.get_global_generator")
def get_global_generator() -> Generator:
    """The generator that all of a program may share; the first call makes one that differs from run to run."""
    if _Global.generator is None:
        _Global.generator = Generator.from_non_deterministic_state()
    return _Global.generator


@export("random.experimental.set_global_generator")
def set_global_generator(generator: Generator) -> None:
    """Replaces the generator of the program."""
    _Global.generator = generator
