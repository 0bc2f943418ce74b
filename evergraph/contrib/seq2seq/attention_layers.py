"""Attention mechanisms that are Keras layers: one takes its memory when it is made, or when it is called with it."""
from __future__ import annotations

import functools
import math as numbers
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.contrib.seq2seq.attention import AttentionMechanism, hardmax, known_size, luong_score, zeros_beyond
from evergraph.contrib.seq2seq.monotonic import monotonic_weights
from evergraph.frontend import array, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.indexing import one_hot, sequence_mask, where
from evergraph.frontend.nn import activations
from evergraph.frontend.reduce import reduce_sum
from evergraph.frontend.variables.initializers import constant_initializer
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.keras import initializers, layers_by_name
from evergraph.keras.core import Dense
from evergraph.keras.layer import Layer
from evergraph.layers.rnn_cell import zeros_for
from evergraph.ops.math import elementwise

_PROBABILITIES = {"softmax": activations.softmax, "hardmax": hardmax}


class AttentionLayer(AttentionMechanism, Layer):
    """The base of mechanisms: the memory, its keys, and alignments computed from scores.

    `mechanism([query, state])` returns (alignments, next state), and `mechanism(memory, setup_memory=True)` takes a
    memory. A mask of the memory, such as Keras makes for padded sequences, leaves steps out, as lengths do.

    Args:
        memory: a tensor of shape [batch, time, size]; None to take one later.
        memory_sequence_length: the length of each sequence of the memory; by default all steps.
        query_layer: a layer applied to queries, or None.
        memory_layer: a layer that computes the keys from the memory; None if the memory is the keys.
        **kwargs: keywords of a layer.
    """

    def __init__(self, memory: Any, memory_sequence_length: Any, query_layer: Any, memory_layer: Any,
                 **kwargs: Any) -> None:
        Layer.__init__(self, **kwargs)
        self.query_layer, self.memory_layer = _restored(query_layer), _restored(memory_layer)
        self.values = self.keys = self.batch_size = self._alignments_size = self._steps = None
        if memory is not None:
            self(memory, memory_sequence_length=memory_sequence_length, setup_memory=True)

    alignments_size = property(lambda self: self._alignments_size, doc="How many steps the memory has.")
    state_size = property(lambda self: self._alignments_size, doc="The state is the weights.")

    def build(self, input_shape: Any) -> None:
        """Makes the variables of the memory, and then, when there is one, those of queries."""
        if self.values is None:
            self._build_inside(self.memory_layer, input_shape)
        else:
            self._build_scores(input_shape[0])
        super().build(input_shape)

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> tuple[Any, Any]:
        """Calls the layer; queries are joined by the memory, so that models know that they depend on it."""
        if self.values is not None and not kwargs.get("setup_memory") and len(inputs) == 2:
            inputs = [*inputs, self.values, self.keys]
        return super().__call__(inputs, *args, **kwargs)

    def call(self, inputs: Any, mask: Any = None, setup_memory: bool = False,
             memory_sequence_length: Any = None) -> tuple[Any, Any]:
        """Takes a memory, and returns it and its keys; or returns (alignments, next state) for a query and a state.

        Raises:
            ValueError: there is no memory yet.
        """
        if setup_memory:
            return self._take(inputs, mask, memory_sequence_length)
        if self.values is None:
            raise ValueError(f"{self.name} has no memory: call it first with a memory and setup_memory=True")
        query, state, *_ = inputs
        score = self._score(query)
        if self._steps is not None:
            score = where(self._steps, score, array.zeros_like(score) - np.inf)
        alignments = self._alignments(score, state)
        return alignments, alignments

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """None: alignments have a weight for every step of the memory."""
        return None

    def _take(self, memory: Any, mask: Any, lengths: Any) -> tuple[Tensor, Tensor]:
        memory = convert_to_tensor(memory, name="memory")
        self._steps = None if mask is None else math.cast(mask, dtypes.bool)
        if lengths is not None:
            self._steps = sequence_mask(convert_to_tensor(lengths), maxlen=array.shape(memory)[1])
        self.values = memory if self._steps is None else zeros_beyond(memory, self._steps)
        self.keys = self.values if self.memory_layer is None else self.memory_layer(self.values)
        self.batch_size, self._alignments_size = known_size(self.keys, 0), known_size(self.keys, 1)
        self.built = False  # what queries need is made with the first of them
        return self.values, self.keys

    def _build_scores(self, query_shape: Any) -> None:
        """Makes the variables that scores need."""
        self._build_inside(self.query_layer, query_shape)

    def _build_inside(self, layer: Any, input_shape: Any) -> None:
        """Makes the variables of one of its layers, of its own dtype unless that layer has one."""
        if layer is None or layer.built:
            return
        layer._dtype = layer._dtype or self._dtype or dtypes.float32.name
        with name_scope(layer.name):
            layer.build(TensorShape(input_shape))
        layer.built = True

    def _score(self, query: Tensor) -> Tensor:
        raise NotImplementedError

    def _alignments(self, score: Tensor, state: Any) -> Tensor:
        raise NotImplementedError

    def initial_alignments(self, batch_size: Any, dtype: Any) -> Tensor:
        """The initial alignments: zeros."""
        return zeros_for(self.alignments_size, batch_size, dtype)

    def initial_state(self, batch_size: Any, dtype: Any) -> Any:
        """The initial state: the initial alignments."""
        return self.initial_alignments(batch_size, dtype)

    def get_config(self) -> dict[str, Any]:
        """What `from_config` makes the same mechanism from, without a memory."""
        described = {name: None if layer is None else layers_by_name.serialize(layer)
                     for name, layer in (("query_layer", self.query_layer), ("memory_layer", self.memory_layer))}
        return {**super().get_config(), **described, "memory": None}


def _restored(layer: Any) -> Any:
    """A layer, given as such or as `get_config` describes it."""
    return layers_by_name.deserialize(layer) if isinstance(layer, dict) else layer


def _dense(units: int, name: str, dtype: Any) -> Any:
    return Dense(units, name=name, use_bias=False, dtype=dtype)


class _Luong(AttentionLayer):
    """The base of mechanisms with dot-product scores."""

    def __init__(self, units: int, memory: Any, memory_sequence_length: Any, scale: bool, dtype: Any, name: str,
                 **kwargs: Any) -> None:
        self.units, self.scale, self.attention_g = units, scale, None
        kwargs.setdefault("memory_layer", _dense(units, "memory_layer", dtype))
        super().__init__(memory, memory_sequence_length, kwargs.pop("query_layer", None), kwargs.pop("memory_layer"),
                         dtype=dtype, name=name, **kwargs)

    def _build_scores(self, query_shape: Any) -> None:
        super()._build_scores(query_shape)
        if self.scale and self.attention_g is None:
            self.attention_g = self.add_weight("attention_g", initializer="ones", shape=())

    def _score(self, query: Tensor) -> Tensor:
        return luong_score(query, self.keys, self.attention_g)

    def get_config(self) -> dict[str, Any]:
        """What `from_config` makes the same mechanism from, without a memory."""
        return {**super().get_config(), "units": self.units, "scale": self.scale}


class _Bahdanau(AttentionLayer):
    """The base of mechanisms with scores v * tanh(key + query)."""

    def __init__(self, units: int, memory: Any, memory_sequence_length: Any, normalize: bool, kernel_initializer: Any,
                 dtype: Any, name: str, **kwargs: Any) -> None:
        self.units, self.normalize = units, normalize
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.attention_v = self.attention_g = self.attention_b = None
        kwargs.setdefault("query_layer", _dense(units, "query_layer", dtype))
        kwargs.setdefault("memory_layer", _dense(units, "memory_layer", dtype))
        super().__init__(memory, memory_sequence_length, kwargs.pop("query_layer"), kwargs.pop("memory_layer"),
                         dtype=dtype, name=name, **kwargs)

    def _build_scores(self, query_shape: Any) -> None:
        super()._build_scores(query_shape)
        if self.attention_v is not None:
            return
        self.attention_v = self.add_weight("attention_v", [self.units], initializer=self.kernel_initializer)
        if self.normalize:
            start = constant_initializer(numbers.sqrt(1.0 / self.units))
            self.attention_g = self.add_weight("attention_g", initializer=start, shape=())
            self.attention_b = self.add_weight("attention_b", [self.units], initializer="zeros")

    def _score(self, query: Tensor) -> Tensor:
        query = query if self.query_layer is None else self.query_layer(query)
        sums, weights = self.keys + array.expand_dims(query, 1), self.attention_v
        if self.normalize:
            sums = sums + self.attention_b
            weights = self.attention_g * weights * elementwise.rsqrt(reduce_sum(elementwise.square(weights)))
        return reduce_sum(weights * elementwise.tanh(sums), [2])

    def get_config(self) -> dict[str, Any]:
        """What `from_config` makes the same mechanism from, without a memory."""
        return {**super().get_config(), "units": self.units, "normalize": self.normalize,
                "kernel_initializer": initializers.serialize(self.kernel_initializer)}


class _Plain:
    """A mechanism whose alignments follow from the scores alone, by softmax or another function."""

    def _choose(self, probability_fn: Any) -> None:
        """Keeps the function, given by a name or itself.

        Raises:
            ValueError: the name is unknown.
        """
        if isinstance(probability_fn, str) and probability_fn not in _PROBABILITIES:
            raise ValueError(f"probability_fn is a function or one of {sorted(_PROBABILITIES)}, not {probability_fn!r}")
        self.probability_fn = probability_fn

    def _alignments(self, score: Tensor, state: Any) -> Tensor:
        function = self.probability_fn
        return (_PROBABILITIES[function] if isinstance(function, str) else function)(score)

    def get_config(self) -> dict[str, Any]:
        """What `from_config` makes the same mechanism from, without a memory."""
        return {**super().get_config(), "probability_fn": self.probability_fn}


class _Monotonic:
    """A mechanism that moves forward alone (Raffel et al., 2017), with a bias of the scores."""

    attention_score_bias: Any = None

    def _choose(self, sigmoid_noise: float, sigmoid_noise_seed: int | None, score_bias_init: float, mode: str) -> None:
        self._steering = {"sigmoid_noise": sigmoid_noise, "sigmoid_noise_seed": sigmoid_noise_seed,
                         "score_bias_init": score_bias_init, "mode": mode}
        self._weights = functools.partial(monotonic_weights, noise=sigmoid_noise, mode=mode, seed=sigmoid_noise_seed)

    def _build_scores(self, query_shape: Any) -> None:
        super()._build_scores(query_shape)
        if self.attention_score_bias is None:
            start = constant_initializer(self._steering["score_bias_init"])
            self.attention_score_bias = self.add_weight("attention_score_bias", shape=(), initializer=start)

    def _score(self, query: Tensor) -> Tensor:
        return super()._score(query) + self.attention_score_bias

    def _alignments(self, score: Tensor, state: Any) -> Tensor:
        return self._weights(score, state)

    def initial_alignments(self, batch_size: Any, dtype: Any) -> Tensor:
        """The initial alignments: all weight at the first step of the memory."""
        return one_hot(array.zeros([batch_size], dtype=dtypes.int32), self.alignments_size, dtype=dtype)

    def get_config(self) -> dict[str, Any]:
        """What `from_config` makes the same mechanism from, without a memory."""
        return {**super().get_config(), **self._steering}


@export("contrib.seq2seq.LuongAttentionV2")
class LuongAttentionV2(_Plain, _Luong):
    """Luong attention (Luong et al., 2015) as a layer: scores are products of queries and keys.

    Args:
        units: the size of keys and queries.
        memory: the memory: a tensor of shape [batch, time, size]; None to take one later.
        memory_sequence_length: the length of each sequence of the memory; by default all steps.
        scale: whether to scale the scores by a variable.
        probability_fn: "softmax", "hardmax", or a function from scores to alignments.
        dtype: the dtype of the layers.
        name: the name of the layer.
        **kwargs: `memory_layer`, a layer in place of the one that makes keys; and keywords of a layer.
    """

    def __init__(self, units: int, memory: Any, memory_sequence_length: Any = None, scale: bool = False,
                 probability_fn: Any = "softmax", dtype: Any = None, name: str = "LuongAttention",
                 **kwargs: Any) -> None:
        self._choose(probability_fn)
        super().__init__(units, memory, memory_sequence_length, scale, dtype, name, **kwargs)


@export("contrib.seq2seq.BahdanauAttentionV2")
class BahdanauAttentionV2(_Plain, _Bahdanau):
    """Bahdanau attention (Bahdanau et al., 2014) as a layer: scores are v * tanh(key + query).

    Args:
        units, memory, memory_sequence_length, probability_fn, dtype, name: see `tf.contrib.seq2seq.LuongAttentionV2`.
        normalize: whether to use weight normalization (Salimans and Kingma, 2016).
        kernel_initializer: the initializer of v.
        **kwargs: `query_layer` and `memory_layer`, layers in place of its own; and keywords of a layer.
    """

    def __init__(self, units: int, memory: Any, memory_sequence_length: Any = None, normalize: bool = False,
                 probability_fn: Any = "softmax", kernel_initializer: Any = "glorot_uniform", dtype: Any = None,
                 name: str = "BahdanauAttention", **kwargs: Any) -> None:
        self._choose(probability_fn)
        super().__init__(units, memory, memory_sequence_length, normalize, kernel_initializer, dtype, name, **kwargs)


@export("contrib.seq2seq.LuongMonotonicAttentionV2")
class LuongMonotonicAttentionV2(_Monotonic, _Luong):
    """Monotonic attention (Raffel et al., 2017) with the scores of `tf.contrib.seq2seq.LuongAttentionV2`.

    Args:
        units, memory, memory_sequence_length, scale, dtype, name, **kwargs: see there.
        sigmoid_noise, sigmoid_noise_seed, score_bias_init, mode: see
            `tf.contrib.seq2seq.BahdanauMonotonicAttention`.
    """

    def __init__(self, units: int, memory: Any, memory_sequence_length: Any = None, scale: bool = False,
                 sigmoid_noise: float = 0.0, sigmoid_noise_seed: int | None = None, score_bias_init: float = 0.0,
                 mode: str = "parallel", dtype: Any = None, name: str = "LuongMonotonicAttention",
                 **kwargs: Any) -> None:
        self._choose(sigmoid_noise, sigmoid_noise_seed, score_bias_init, mode)
        super().__init__(units, memory, memory_sequence_length, scale, dtype, name, **kwargs)


@export("contrib.seq2seq.BahdanauMonotonicAttentionV2")
class BahdanauMonotonicAttentionV2(_Monotonic, _Bahdanau):
    """Monotonic attention (Raffel et al., 2017) with the scores of `tf.contrib.seq2seq.BahdanauAttentionV2`.

    Args:
        units, memory, memory_sequence_length, normalize, kernel_initializer, dtype, name, **kwargs: see there.
        sigmoid_noise, sigmoid_noise_seed, score_bias_init, mode: see
            `tf.contrib.seq2seq.BahdanauMonotonicAttention`.
    """

    def __init__(self, units: int, memory: Any, memory_sequence_length: Any = None, normalize: bool = False,
                 sigmoid_noise: float = 0.0, sigmoid_noise_seed: int | None = None, score_bias_init: float = 0.0,
                 mode: str = "parallel", kernel_initializer: Any = "glorot_uniform", dtype: Any = None,
                 name: str = "BahdanauMonotonicAttention", **kwargs: Any) -> None:
        self._choose(sigmoid_noise, sigmoid_noise_seed, score_bias_init, mode)
        super().__init__(units, memory, memory_sequence_length, normalize, kernel_initializer, dtype, name, **kwargs)
