"""Monotonic attention, which moves over its memory in one direction (Raffel et al., 2017)."""
from __future__ import annotations

import functools
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.contrib.seq2seq.attention import Bahdanau, Luong
from evergraph.frontend import array, math, random
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.clip import clip_by_value
from evergraph.frontend.functional import scan
from evergraph.frontend.indexing import one_hot
from evergraph.frontend.reduce import cumprod, cumsum
from evergraph.frontend.variables.scope import get_variable
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.math import elementwise


@export("contrib.seq2seq.safe_cumprod")
def safe_cumprod(x, *args, **kwargs):
    """The cumulative product of numbers in [0, 1], computed as a sum of logarithms so that gradients stay finite.

    Args:
        x: numbers between 0 and 1.
        *args, **kwargs: see `tf.cumsum`.
    """
    with name_scope(None, "SafeCumprod", [x]):
        x = convert_to_tensor(x, name="x")
        tiny = np.finfo(x.dtype.as_numpy_dtype).tiny
        return elementwise.exp(cumsum(elementwise.log(clip_by_value(x, tiny, 1)), *args, **kwargs))


@export("contrib.seq2seq.monotonic_attention")
def monotonic_attention(p_choose_i, previous_attention, mode):
    """The monotonic attention distribution (Raffel et al., 2017), given that of the previous step.

    Args:
        p_choose_i: the probability of stopping at each step: a tensor of shape [batch, time].
        previous_attention: the previous attention distribution; initially 1 at the first step.
        mode: "recursive" for an exact loop over time, "parallel" for a faster closed form with less precision, "hard"
            for probabilities that are all 0 or 1.

    Raises:
        ValueError: the mode is unknown.
    """
    stops = convert_to_tensor(p_choose_i, name="p_choose_i")
    before = convert_to_tensor(previous_attention, name="previous_attention")
    if mode == "recursive":
        return _recursive(stops, before)
    if mode == "parallel":
        passes = safe_cumprod(1 - stops, axis=1, exclusive=True)
        return stops * passes * cumsum(before / clip_by_value(passes, 1e-10, 1.0), axis=1)
    if mode == "hard":
        stops = stops * cumsum(before, axis=1)  # nothing stops before the previous position
        return stops * cumprod(1 - stops, axis=1, exclusive=True)
    raise ValueError(f"there is no mode {mode!r}; there are 'recursive', 'parallel' and 'hard'")


def _recursive(stops: Tensor, before: Tensor) -> Tensor:
    """A loop over time: the mass at a step is the mass that passed the previous step, plus its previous mass."""
    passed = array.concat([array.ones_like(stops[:, :1]), 1 - stops[:, :-1]], 1)
    steps = [array.transpose(passed), array.transpose(before)]
    arrived = scan(lambda last, now: now[0] * last + now[1], steps, array.zeros_like(stops[:, 0]))
    return stops * array.transpose(arrived)


def monotonic_weights(score: Tensor, previous: Tensor, noise: float, mode: str, seed: int | None) -> Tensor:
    """The alignments for scores, given the previous alignments."""
    if noise > 0:
        score = score + noise * random.random_normal(array.shape(score), dtype=score.dtype, seed=seed)
    stops = math.cast(elementwise.greater(score, 0), score.dtype) if mode == "hard" else elementwise.sigmoid(score)
    return monotonic_attention(stops, previous, mode)


class _Monotonic:
    """The base of both mechanisms: initial alignments at the first step, and a bias of the scores."""

    _score_bias_init: float

    def initial_alignments(self, batch_size: Any, dtype: Any) -> Tensor:
        """The initial alignments: all weight at the first step of the memory."""
        return one_hot(array.zeros([batch_size], dtype=dtypes.int32), self._alignments_size, dtype=dtype)

    def _score(self, query: Tensor) -> Tensor:
        score = super()._score(query)
        return score + get_variable("attention_score_bias", dtype=query.dtype, initializer=self._score_bias_init)


@export("contrib.seq2seq.BahdanauMonotonicAttention")
class BahdanauMonotonicAttention(_Monotonic, Bahdanau):
    """Monotonic attention (Raffel et al., 2017) with the scores of `tf.contrib.seq2seq.BahdanauAttention`.

    Args:
        num_units, memory, memory_sequence_length, normalize, score_mask_value, dtype, name: see there.
        sigmoid_noise: the standard deviation of noise added to the scores, which drives the probabilities to 0 and 1 in
            training.
        sigmoid_noise_seed: see `tf.set_random_seed`.
        score_bias_init: the initial bias of the scores; negative for a long memory.
        mode: see `tf.contrib.seq2seq.monotonic_attention`.
    """

    _scope = "bahdanau_monotonic_attention"

    def __init__(self, num_units: int, memory: Any, memory_sequence_length: Any = None, normalize: bool = False,
                 score_mask_value: Any = None, sigmoid_noise: float = 0.0, sigmoid_noise_seed: int | None = None,
                 score_bias_init: float = 0.0, mode: str = "parallel", dtype: Any = None,
                 name: str = "BahdanauMonotonicAttention") -> None:
        weights = functools.partial(monotonic_weights, noise=sigmoid_noise, mode=mode, seed=sigmoid_noise_seed)
        super().__init__(num_units, memory, normalize, dtype, probability_fn=weights, name=name,
                         memory_sequence_length=memory_sequence_length, score_mask_value=score_mask_value)
        self._name, self._score_bias_init = name, score_bias_init


@export("contrib.seq2seq.LuongMonotonicAttention")
class LuongMonotonicAttention(_Monotonic, Luong):
    """Monotonic attention (Raffel et al., 2017) with the scores of `tf.contrib.seq2seq.LuongAttention`.

    Args:
        num_units, memory, memory_sequence_length, scale, score_mask_value, dtype, name: see there.
        sigmoid_noise, sigmoid_noise_seed, score_bias_init, mode: see
            `tf.contrib.seq2seq.BahdanauMonotonicAttention`.
    """

    _scope = "luong_monotonic_attention"

    def __init__(self, num_units: int, memory: Any, memory_sequence_length: Any = None, scale: bool = False,
                 score_mask_value: Any = None, sigmoid_noise: float = 0.0, sigmoid_noise_seed: int | None = None,
                 score_bias_init: float = 0.0, mode: str = "parallel", dtype: Any = None,
                 name: str = "LuongMonotonicAttention") -> None:
        weights = functools.partial(monotonic_weights, noise=sigmoid_noise, mode=mode, seed=sigmoid_noise_seed)
        super().__init__(num_units, memory, scale, dtype, probability_fn=weights, name=name,
                         memory_sequence_length=memory_sequence_length, score_mask_value=score_mask_value)
        self._name, self._score_bias_init = name, score_bias_init
