# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.random.experimental."""

from evergraph import Tensor
from evergraph.contrib.eager import Variable
from typing import Any

class Generator:
    """A source of random numbers whose state is a variable, so that checkpoints save it and functions go on
    with it."""
    @classmethod
    def from_state(cls, state: Any, alg: Any) -> Generator:
        """A generator with this state."""
    @classmethod
    def from_seed(cls, seed: Any, alg: Any = None) -> Generator:
        """A generator with the state that a seed stands for."""
    @classmethod
    def from_non_deterministic_state(cls, alg: Any = None) -> Generator:
        """A generator that gives other numbers in every run."""
    @classmethod
    def from_key_counter(cls, key: Any, counter: Any, alg: Any) -> Generator:
        """A generator with this key, and a counter of one or two numbers."""
    @property
    def state(self) -> Variable:
        """The variable that holds the state."""
    @property
    def algorithm(self) -> int:
        """The number of the algorithm."""
    @property
    def key(self) -> Tensor:
        """The key, which splits change."""
    def reset(self, state: Any) -> None:
        """Begins anew with a state."""
    def reset_from_seed(self, seed: Any) -> None:
        """Begins anew with a seed."""
    def reset_from_key_counter(self, key: Any, counter: Any) -> None:
        """Begins anew with a key, and a counter of one or two numbers."""
    def skip(self, delta: Any) -> None:
        """Leaves out as many numbers as `delta` calls for one number would take."""
    def normal(
        self, shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = ..., name: str | None = None,
    ) -> Tensor:
        """Normal random numbers."""
    def truncated_normal(
        self, shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = ..., name: str | None = None,
    ) -> Tensor:
        """Normal random numbers, those more than two deviations from the mean drawn again."""
    def uniform(
        self, shape: Any, minval: Any = 0, maxval: Any = None, dtype: Any = ..., name: str | None = None,
    ) -> Tensor:
        """Uniform random numbers in [minval, maxval); maxval is 1 for floats if it is not given."""
    def uniform_full_int(self, shape: Any, dtype: Any = ..., name: str | None = None) -> Tensor:
        """Uniform integers of all values that the dtype has."""
    def binomial(
        self, shape: Any, counts: Any, probs: Any, dtype: Any = ..., name: str | None = None,
    ) -> Any:
        """Not supported: numbers of successes."""
    def make_seeds(self, count: int = 1) -> Tensor:
        """Seeds for `count` stateless ops: a matrix with a column each."""
    def split(self, count: int = 1) -> list[Generator]:
        """`count` generators with keys of their own."""
    def __init__(self, copy_from: Any = None, state: Any = None, alg: Any = None) -> None: ...

def create_rng_state(seed: Any, algorithm: Any) -> Tensor:
    """The state that a seed stands for: an int, or up to three of them, the last for the key."""

def get_global_generator() -> Generator:
    """The generator that all of a program may share; the first call makes one that differs from run to
    run."""

def set_global_generator(generator: Generator) -> None:
    """Replaces the generator of the program."""
