"""Attention mechanisms, which weight the steps of a memory for each decoder step."""
from __future__ import annotations

import math as numbers
from collections.abc import Callable
from typing import Any

import numpy as np

from evergraph.base import dtypes, nest
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array, checks, math
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.indexing import one_hot, sequence_mask, where
from evergraph.frontend.matmul import matmul
from evergraph.frontend.nn import activations
from evergraph.frontend.reduce import argmax, reduce_sum
from evergraph.frontend.variables.initializers import constant_initializer, ones_initializer, zeros_initializer
from evergraph.frontend.variables.scope import get_variable, variable_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.layers.dense import Dense
from evergraph.layers.layer import Layer
from evergraph.layers.rnn_cell import zeros_for
from evergraph.ops.arrays import basic, reshape
from evergraph.ops.math import elementwise


@export("contrib.seq2seq.AttentionMechanism")
class AttentionMechanism:
    """The base of attention mechanisms, which are called with a query and a state.

    `mechanism(query, state)` returns (alignments: the weight of each step of the memory, the next state).
    """

    @property
    def alignments_size(self) -> Any:
        """The number of steps of the memory."""
        raise NotImplementedError

    @property
    def state_size(self) -> Any:
        """The sizes of the state."""
        raise NotImplementedError


def known_size(tensor: Any, axis: int) -> Any:
    """The size of a tensor along an axis: an int if static, else a tensor."""
    known = tensor.shape.as_list()[axis] if tensor.shape.ndims is not None else None
    return array.shape(tensor)[axis] if known is None else known


class Memory(AttentionMechanism):
    """The base of mechanisms: a memory, its keys, and alignments computed from scores.

    Args:
        query_layer: a layer applied to queries, or None.
        memory: a tensor of shape [batch, time, size].
        probability_fn: a function (scores, previous state) -> alignments.
        memory_sequence_length: the length of each sequence of the memory; by default all steps.
        memory_layer: a layer that computes the keys from the memory; None if the memory is the keys.
        check_inner_dims_defined: False to allow a memory with unknown inner sizes.
        score_mask_value: the score of steps beyond the length; by default -inf.
        custom_key_value_fn: a function (keys, values) -> (keys, values), applied last.
        name: a name scope.

    Raises:
        TypeError: a layer or function is not one.
        ValueError: the sizes of the memory are unknown.
    """

    def __init__(self, query_layer: Any, memory: Any, probability_fn: Callable[..., Any],
                 memory_sequence_length: Any = None, memory_layer: Any = None, check_inner_dims_defined: bool = True,
                 score_mask_value: Any = None, custom_key_value_fn: Callable[..., Any] | None = None,
                 name: str | None = None) -> None:
        for what, layer in (("query_layer", query_layer), ("memory_layer", memory_layer)):
            if layer is not None and not isinstance(layer, Layer):
                raise TypeError(f"{what} takes a layer, not {layer!r}")
        if not callable(probability_fn):
            raise TypeError(f"probability_fn takes a function, not {probability_fn!r}")
        self._query_layer, self._memory_layer = query_layer, memory_layer
        self.dtype = None if memory_layer is None else memory_layer.dtype
        self._score_mask_value, self._raw_probability_fn = score_mask_value, probability_fn
        with name_scope(name, "BaseAttentionMechanismInit", nest.flatten(memory)):
            self._lengths = None
            if memory_sequence_length is not None:
                self._lengths = convert_to_tensor(memory_sequence_length, name="memory_sequence_length")
            self._values = _masked_memory(memory, self._lengths, check_inner_dims_defined)
            if self._lengths is not None:
                self._lengths = _positive(self._lengths)
            self._keys = self._values if memory_layer is None else memory_layer(self._values)
            if custom_key_value_fn is not None:
                self._keys, self._values = custom_key_value_fn(self._keys, self._values)
            self._batch_size = known_size(self._keys, 0)
            self._alignments_size = known_size(self._keys, 1)

    memory_layer = property(lambda self: self._memory_layer, doc="The layer that made the keys.")
    query_layer = property(lambda self: self._query_layer, doc="The layer that queries go through.")
    values = property(lambda self: self._values, doc="The memory, zero beyond the lengths of the sequences.")
    keys = property(lambda self: self._keys, doc="What queries are compared with.")
    batch_size = property(lambda self: self._batch_size, doc="How many sequences there are.")
    alignments_size = property(lambda self: self._alignments_size, doc="How many steps the memory has.")
    state_size = property(lambda self: self._alignments_size, doc="The state is the weights.")

    def initial_alignments(self, batch_size: Any, dtype: Any) -> Tensor:
        """The initial alignments: zeros."""
        return zeros_for(self._alignments_size, batch_size, dtype)

    def initial_state(self, batch_size: Any, dtype: Any) -> Any:
        """The initial state: the initial alignments."""
        return self.initial_alignments(batch_size, dtype)

    def _probability_fn(self, score: Tensor, state: Any) -> Tensor:
        """The alignments for scores."""
        return self._raw_probability_fn(self._masked(score), state)

    def _masked(self, score: Tensor) -> Tensor:
        if self._lengths is None:
            return score
        value = -np.inf if self._score_mask_value is None else self._score_mask_value
        mask = sequence_mask(self._lengths, maxlen=array.shape(score)[1])
        return where(mask, score, math.cast(value, score.dtype) * array.ones_like(score))


class _Scored(Memory):
    """The base of mechanisms that score each step of the memory with the query."""

    _scope: str

    def _score(self, query: Tensor) -> Tensor:
        raise NotImplementedError

    def __call__(self, query: Any, state: Any) -> tuple[Tensor, Tensor]:
        """(alignments, the same as the next state)."""
        with variable_scope(None, self._scope, [query]):
            alignments = self._probability_fn(self._score(query), state)
        return alignments, alignments


def _masked_memory(memory: Any, lengths: Tensor | None, check_inner_sizes: bool) -> Any:
    """The memory, or each tensor of a structure, with zeros beyond the lengths."""
    memory = nest.map_structure(lambda m: convert_to_tensor(m, name="memory"), memory)
    if check_inner_sizes:
        for tensor in nest.flatten(memory):
            if tensor.shape.ndims is None or not tensor.shape[2:].is_fully_defined():
                raise ValueError(f"the inner sizes of the memory {tensor.name} have to be known, but its shape is "
                                 f"{tensor.shape}")
    if lengths is None:
        return memory

    def one(tensor: Tensor) -> Tensor:
        if lengths.shape.ndims == 1 and tensor.shape.ndims is not None:
            TensorShape(lengths.shape).assert_is_compatible_with(tensor.shape[:1])
        return zeros_beyond(tensor, sequence_mask(lengths, maxlen=array.shape(tensor)[1]))
    return nest.map_structure(one, memory)


def zeros_beyond(tensor: Tensor, mask: Tensor) -> Tensor:
    """A tensor [batch, time, ...] with zeros at the steps that a mask [batch, time] leaves out."""
    inner = array.rank(tensor) - 2
    mask = reshape.reshape(mask, array.concat([array.shape(mask), array.ones([inner], dtypes.int32)], 0))
    return tensor * math.cast(mask, tensor.dtype)


def _positive(lengths: Tensor) -> Tensor:
    """The lengths, with a check that they are positive."""
    told = "every number in memory_sequence_length must be greater than zero"
    with control_dependencies([checks.assert_positive(lengths, message=told)]):
        return basic.identity(lengths)


def _layer(num_units: int, name: str, dtype: Any) -> Dense:
    return Dense(num_units, name=name, use_bias=False, dtype=dtype)


# ---- Luong's attention

def luong_score(query: Tensor, keys: Tensor, scale: Any) -> Tensor:
    """The dot product of a query with each key, times a scale.

    Raises:
        ValueError: their sizes differ.
    """
    sizes = [t.shape.as_list()[-1] if t.shape.ndims is not None else None for t in (query, keys)]
    if sizes[0] != sizes[1]:
        raise ValueError(f"a query of {sizes[0]} numbers does not fit keys of {sizes[1]}: num_units of the attention "
                         "has to be the output size of the cell")
    score = reshape.squeeze(matmul(array.expand_dims(query, 1), keys, transpose_b=True), [1])
    return score if scale is None else scale * score


class Luong(_Scored):
    """The base of mechanisms with dot-product scores."""

    _scope = "luong_attention"

    def __init__(self, num_units: int, memory: Any, scale: bool, dtype: Any, **options: Any) -> None:
        super().__init__(query_layer=None, memory=memory,
                         memory_layer=_layer(num_units, "memory_layer", dtype or dtypes.float32), **options)
        self._num_units, self._scale = num_units, scale

    def _score(self, query: Tensor) -> Tensor:
        scale = None
        if self._scale:
            scale = get_variable("attention_g", dtype=query.dtype, initializer=ones_initializer(), shape=())
        return luong_score(query, self._keys, scale)


@export("contrib.seq2seq.LuongAttention")
class LuongAttention(Luong):
    """Luong attention (Luong et al., 2015): scores are products of queries and keys.

    Args:
        num_units: the size of keys and queries.
        memory: the memory: a tensor of shape [batch, time, size], such as an encoder's outputs.
        memory_sequence_length: the length of each sequence of the memory; by default all steps.
        scale: whether to scale the scores by a variable.
        probability_fn: a function from scores to alignments; by default softmax.
        score_mask_value: the score of steps beyond the lengths; by default -inf.
        dtype: the dtype of the memory layer; by default float32.
        custom_key_value_fn: a function (keys, values) -> (keys, values), applied last.
        name: a name scope.
    """

    def __init__(self, num_units: int, memory: Any, memory_sequence_length: Any = None, scale: bool = False,
                 probability_fn: Any = None, score_mask_value: Any = None, dtype: Any = None,
                 custom_key_value_fn: Any = None, name: str = "LuongAttention") -> None:
        super().__init__(num_units, memory, scale, dtype, probability_fn=_of_score(probability_fn),
                         memory_sequence_length=memory_sequence_length, score_mask_value=score_mask_value,
                         custom_key_value_fn=custom_key_value_fn, name=name)
        self._name = name


def _of_score(probability_fn: Any) -> Any:
    """A function of scores and a state that ignores the state."""
    function = activations.softmax if probability_fn is None else probability_fn
    return (lambda score, _: function(score)) if callable(function) else function


# ---- Bahdanau's attention

class Bahdanau(_Scored):
    """The base of mechanisms with scores v * tanh(key + query)."""

    _scope = "bahdanau_attention"

    def __init__(self, num_units: int, memory: Any, normalize: bool, dtype: Any, **options: Any) -> None:
        kind = dtype or dtypes.float32
        super().__init__(query_layer=_layer(num_units, "query_layer", kind), memory=memory,
                         memory_layer=_layer(num_units, "memory_layer", kind), **options)
        self._num_units, self._normalize = num_units, normalize

    def _score(self, query: Tensor) -> Tensor:
        units, kind = self._num_units, query.dtype
        sums = self._keys + array.expand_dims(self._query_layer(query), 1)
        weights = get_variable("attention_v", [units], dtype=kind)
        if self._normalize:
            start = constant_initializer(numbers.sqrt(1.0 / units), dtype=kind)
            length = get_variable("attention_g", dtype=kind, initializer=start, shape=())
            sums = sums + get_variable("attention_b", [units], dtype=kind, initializer=zeros_initializer())
            weights = length * weights * elementwise.rsqrt(reduce_sum(elementwise.square(weights)))
        return reduce_sum(weights * elementwise.tanh(sums), [2])


@export("contrib.seq2seq.BahdanauAttention")
class BahdanauAttention(Bahdanau):
    """Bahdanau attention (Bahdanau et al., 2014): scores are v * tanh(key + query).

    Args:
        num_units: the size of the network's hidden layer.
        memory: the memory: a tensor of shape [batch, time, size], such as an encoder's outputs.
        memory_sequence_length: the length of each sequence of the memory; by default all steps.
        normalize: whether to use weight normalization (Salimans and Kingma, 2016).
        probability_fn: a function from scores to alignments; by default softmax.
        score_mask_value: the score of steps beyond the lengths; by default -inf.
        dtype: the dtype of the layers; by default float32.
        custom_key_value_fn: a function (keys, values) -> (keys, values), applied last.
        name: a name scope.
    """

    def __init__(self, num_units: int, memory: Any, memory_sequence_length: Any = None, normalize: bool = False,
                 probability_fn: Any = None, score_mask_value: Any = None, dtype: Any = None,
                 custom_key_value_fn: Any = None, name: str = "BahdanauAttention") -> None:
        super().__init__(num_units, memory, normalize, dtype, probability_fn=_of_score(probability_fn),
                         memory_sequence_length=memory_sequence_length, score_mask_value=score_mask_value,
                         custom_key_value_fn=custom_key_value_fn, name=name)
        self._name = name


@export("contrib.seq2seq.hardmax")
def hardmax(logits, name=None):
    """A one-hot argmax along the last axis: 1 at the maximum, 0 elsewhere.

    >>> tf.Session().run(tf.contrib.seq2seq.hardmax([[1.0, 3.0, 2.0]]))
    array([[0., 1., 0.]], dtype=float32)
    """
    with name_scope(name, "Hardmax", [logits]):
        logits = convert_to_tensor(logits, name="logits")
        return one_hot(argmax(logits, -1), known_size(logits, -1), dtype=logits.dtype)
