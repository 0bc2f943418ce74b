"""Streams of seeds."""

from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.distributions.distribution import salted


@export("contrib.distributions.SeedStream")
class SeedStream:
    """Seeds that differ from each other and from those of streams with another seed or salt.

    >>> stream = tf.contrib.distributions.SeedStream(42, salt="my model")
    >>> x, y = tf.random_normal([2], seed=stream()), tf.random_normal([2], seed=stream())

    Args:
        seed: an integer, None for seeds that are None, or a stream, whose seed is taken.
        salt: a text that no other part of the program uses.
    """

    def __init__(self, seed: Any, salt: str) -> None:
        self._seed = seed.original_seed if isinstance(seed, SeedStream) else seed
        self._salt, self._counter = salt, 0

    original_seed = property(lambda self: self._seed, doc="The seed of the stream.")
    salt = property(lambda self: self._salt, doc="The salt of the stream.")

    def __call__(self) -> int | None:
        """The next seed, or None if the stream has none."""
        self._counter += 1
        return None if self._seed is None else salted(f"{self._seed}|{self._counter}|", self._salt)
