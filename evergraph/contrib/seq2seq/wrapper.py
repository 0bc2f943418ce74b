"""tf.contrib.seq2seq.AttentionWrapper: a cell with attention to a memory."""
from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

from evergraph.base import dtypes, nest
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.contrib.seq2seq.attention import AttentionMechanism, known_size
from evergraph.frontend import array, checks, math
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.matmul import matmul
from evergraph.frontend.tensor_array import TensorArray
from evergraph.graph.node import Tensor
from evergraph.layers.dense import Dense
from evergraph.layers.layer import Layer
from evergraph.layers.rnn import first_state
from evergraph.layers.rnn_cell import RNNCell, zeros_for
from evergraph.layers.rnn_wrappers import require_cell
from evergraph.ops.arrays import basic, reshape

_FIELDS = ("cell_state", "attention", "time", "alignments", "alignment_history", "attention_state")


@export("contrib.seq2seq.AttentionWrapperState")
class AttentionWrapperState(collections.namedtuple("AttentionWrapperState", _FIELDS)):
    """The state of an `tf.contrib.seq2seq.AttentionWrapper`; with several mechanisms the last three are tuples.

    Attributes:
        cell_state: the state of the wrapped cell.
        attention: the attention of the last step.
        time: the number of the step.
        alignments: the alignments of the last step.
        alignment_history: a TensorArray of the alignments of all steps, or () if they are not kept.
        attention_state: the state of the mechanism.
    """

    __slots__ = ()

    def clone(self, **kwargs: Any) -> AttentionWrapperState:
        """The state with some fields replaced by values of the same shapes.

        >>> state = cell.zero_state(batch_size, tf.float32).clone(cell_state=encoder_state)

        Raises:
            ValueError: a shape or a structure differs.
        """
        return nest.map_structure(_of_same_shape, self, super()._replace(**kwargs))


def _of_same_shape(old: Any, new: Any) -> Any:
    if not isinstance(old, Tensor) or not isinstance(new, Tensor):
        return new
    if old.shape.is_fully_defined() and not new.shape.is_fully_defined():
        return math.ensure_shape(new, old.shape)
    new.shape.assert_is_compatible_with(old.shape)
    return new


def _attended(mechanism: Any, cell_output: Any, attention_state: Any, attention_layer: Any) -> tuple[Any, Any, Any]:
    """(attention, alignments, the mechanism's next state)."""
    if isinstance(mechanism, Layer):
        alignments, next_state = mechanism([cell_output, attention_state])
    else:
        alignments, next_state = mechanism(cell_output, state=attention_state)
    context = reshape.squeeze(matmul(array.expand_dims(alignments, 1), mechanism.values), [1])
    if attention_layer is None:
        return context, alignments, next_state
    return attention_layer(array.concat([cell_output, context], 1)), alignments, next_state


@export("contrib.seq2seq.AttentionWrapper")
class AttentionWrapper(RNNCell):
    """A cell that attends to a memory in every step.

    The cell gets the inputs and the previous attention; its output is the query, which determines the alignments and so
    the context, the weighted sum of the memory. The attention layer, if any, maps context and cell output to the
    attention, which is the output.

    Args:
        cell: the cell.
        attention_mechanism: a `tf.contrib.seq2seq.AttentionMechanism`, or a list of them.
        attention_layer_size: the size of the attention layer; by default none. A list for several mechanisms.
        alignment_history: whether to keep the alignments of all steps in the state.
        cell_input_fn: a function (inputs, attention) -> inputs of the cell; by default their concatenation.
        output_attention: False to output the cell's output.
        initial_cell_state: the initial state; by default zeros. See also `AttentionWrapperState.clone`.
        name: the name of the cell.
        attention_layer: a layer, or a list of them, instead of `attention_layer_size`.
        attention_fn: a function (mechanism, cell output, attention state, attention layer) -> (attention, alignments,
            next attention state) instead of the computation above.
        dtype: the dtype of the cell.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: the numbers of layers and mechanisms differ, or layers are given in both ways.
    """

    def __init__(self, cell: Any, attention_mechanism: Any, attention_layer_size: Any = None,
                 alignment_history: bool = False, cell_input_fn: Callable[..., Any] | None = None,
                 output_attention: bool = True, initial_cell_state: Any = None, name: str | None = None,
                 attention_layer: Any = None, attention_fn: Callable[..., Any] | None = None,
                 dtype: Any = None) -> None:
        super().__init__(name=name, dtype=dtype)
        require_cell("cell", cell)
        self._is_multi = isinstance(attention_mechanism, (list, tuple))
        self._attention_mechanisms = tuple(attention_mechanism) if self._is_multi else (attention_mechanism,)
        for mechanism in self._attention_mechanisms:
            if not isinstance(mechanism, AttentionMechanism):
                raise TypeError(f"attention_mechanism takes an AttentionMechanism or a list of them, not {mechanism!r}")
        if cell_input_fn is not None and not callable(cell_input_fn):
            raise TypeError(f"cell_input_fn takes a function, not {cell_input_fn!r}")
        self._cell, self._cell_input_fn = cell, cell_input_fn or (lambda x, seen: array.concat([x, seen], -1))
        self._attention_fn = attention_fn or _attended
        self._output_attention, self._alignment_history = output_attention, alignment_history
        self._choose_layers(attention_layer_size, attention_layer)
        with name_scope(name, "AttentionWrapperInit"):
            self._initial_cell_state = None
            if initial_cell_state is not None:
                batch = known_size(nest.flatten(initial_cell_state)[-1], 0)
                self._initial_cell_state = self._checked(initial_cell_state, batch, "check_initial_cell_state")

    def _choose_layers(self, sizes: Any, layers: Any) -> None:
        """Creates the attention layers, and computes the size of the attention."""
        if sizes is not None and layers is not None:
            raise ValueError("attention_layer_size and attention_layer exclude each other")
        mechanisms = self._attention_mechanisms
        contexts = [mechanism.values.shape.as_list()[-1] for mechanism in mechanisms]
        if sizes is not None:
            sizes = self._one_each("attention_layer_size", sizes)
            self._attention_layers = tuple(Dense(size, name="attention_layer", use_bias=False, dtype=mechanism.dtype)
                                           for size, mechanism in zip(sizes, mechanisms))
            self._attention_layer_size = sum(sizes)
        elif layers is not None:
            self._attention_layers = self._one_each("attention_layer", layers)
            shapes = [layer.compute_output_shape([None, self._cell.output_size + size])
                      for layer, size in zip(self._attention_layers, contexts)]
            self._attention_layer_size = sum(TensorShape(shape).as_list()[-1] for shape in shapes)
        else:
            self._attention_layers = None
            self._attention_layer_size = sum(contexts)

    def _one_each(self, what: str, given: Any) -> tuple[Any, ...]:
        items = tuple(given) if isinstance(given, (list, tuple)) else (given,)
        if len(items) != len(self._attention_mechanisms):
            raise ValueError(f"{what} has {len(items)} items for {len(self._attention_mechanisms)} mechanisms")
        return items

    def _checked(self, values: Any, batch_size: Any, name: str) -> Any:
        """The values, with a check that their batch size is the memories'."""
        told = (f"AttentionWrapper {self.name}: the batch is not as large as that of the memory. With a "
                "BeamSearchDecoder both have to be tiled: tf.contrib.seq2seq.tile_batch with multiplier=beam_width.")
        tests = [checks.assert_equal(batch_size, mechanism.batch_size, message=told)
                 for mechanism in self._attention_mechanisms]
        with control_dependencies([test for test in tests if test is not None]):
            return nest.map_structure(lambda value: basic.identity(value, name=name), values)

    def _item_or_tuple(self, items: Any) -> Any:
        found = tuple(items)
        return found if self._is_multi else found[0]

    @property
    def output_size(self) -> Any:
        """The size of the attention, or of the cell's output."""
        return self._attention_layer_size if self._output_attention else self._cell.output_size

    @property
    def state_size(self) -> AttentionWrapperState:
        """The sizes of the state."""
        mechanisms = self._attention_mechanisms
        return AttentionWrapperState(
            cell_state=self._cell.state_size, attention=self._attention_layer_size, time=TensorShape([]),
            alignments=self._item_or_tuple(m.alignments_size for m in mechanisms),
            alignment_history=self._item_or_tuple(m.alignments_size if self._alignment_history else ()
                                                  for m in mechanisms),
            attention_state=self._item_or_tuple(m.state_size for m in mechanisms))

    def zero_state(self, batch_size: Any, dtype: Any) -> AttentionWrapperState:
        """The initial state: zeros, except for a given cell state and the mechanisms' initial states."""
        with name_scope(f"{type(self).__name__}ZeroState", values=[batch_size]):
            cell_state = self._initial_cell_state
            if cell_state is None:
                cell_state = first_state(self._cell, batch_size, dtype)
            mechanisms = self._attention_mechanisms
            alignments = [m.initial_alignments(batch_size, dtype) for m in mechanisms]
            return AttentionWrapperState(
                cell_state=self._checked(cell_state, batch_size, "checked_cell_state"),
                attention=zeros_for(self._attention_layer_size, batch_size, dtype),
                time=array.zeros([], dtype=dtypes.int32), alignments=self._item_or_tuple(alignments),
                alignment_history=self._item_or_tuple(self._history(dtype, a) for a in alignments),
                attention_state=self._item_or_tuple(m.initial_state(batch_size, dtype) for m in mechanisms))

    def _history(self, dtype: Any, alignments: Tensor) -> Any:
        if not self._alignment_history:
            return ()
        return TensorArray(dtype, size=0, dynamic_size=True, element_shape=alignments.shape)

    def call(self, inputs: Any, state: Any) -> tuple[Any, AttentionWrapperState]:
        """The output and the new state.

        Raises:
            TypeError: the state is not an AttentionWrapperState.
        """
        if not isinstance(state, AttentionWrapperState):
            raise TypeError(f"the state must be an AttentionWrapperState, got {type(state)}")
        output, cell_state = self._cell(self._cell_input_fn(inputs, state.attention), state.cell_state)
        if output.shape.ndims and output.shape.as_list()[0] is not None:
            # Unknown sizes are checked at run time by the products of alignments and memory.
            output = self._checked(output, output.shape.as_list()[0], "checked_cell_output")
        several = (lambda item: item) if self._is_multi else (lambda item: (item,))
        attentions, alignments, states, histories = [], [], [], []
        layers = self._attention_layers or (None,) * len(self._attention_mechanisms)
        for mechanism, layer, before, history in zip(self._attention_mechanisms, layers,
                                                     several(state.attention_state), several(state.alignment_history)):
            attention, weights, after = self._attention_fn(mechanism, output, before, layer)
            attentions.append(attention)
            alignments.append(weights)
            states.append(after)
            histories.append(history.write(state.time, weights) if self._alignment_history else ())
        attention = array.concat(attentions, 1)
        next_state = AttentionWrapperState(
            cell_state=cell_state, attention=attention, time=state.time + 1,
            alignments=self._item_or_tuple(alignments), alignment_history=self._item_or_tuple(histories),
            attention_state=self._item_or_tuple(states))
        return attention if self._output_attention else output, next_state
