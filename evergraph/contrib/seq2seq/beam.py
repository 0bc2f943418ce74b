"""tf.contrib.seq2seq.BeamSearchDecoder: decoding by beam search."""
from __future__ import annotations

import collections
from typing import Any

import numpy as np

from evergraph.base import dtypes, logging, nest
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.contrib.seq2seq.basic import require_layer, size_behind
from evergraph.contrib.seq2seq.beam_step import beams_after, coverage_of
from evergraph.contrib.seq2seq.decoder import Decoder
from evergraph.contrib.seq2seq.helpers import embedding_function, start_and_end
from evergraph.frontend import array, checks, math
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.indexing import gather_nd, one_hot, sequence_mask, where
from evergraph.frontend.reduce import reduce_all, reduce_max
from evergraph.frontend.tensor_array import TensorArray
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.graph.shaping import static_value
from evergraph.layers.rnn_wrappers import require_cell
from evergraph.ops.arrays import basic, pad, reshape
from evergraph.ops.math import elementwise
from evergraph.ops.nn import beams

gather_tree = export("contrib.seq2seq.gather_tree")(beams.gather_tree)


@export("contrib.seq2seq.BeamSearchDecoderState")
class BeamSearchDecoderState(collections.namedtuple(
        "BeamSearchDecoderState", ("cell_state", "log_probs", "finished", "lengths", "accumulated_attention_probs"))):
    """The state of a beam search; all fields have the axes batch and beam.

    Attributes:
        cell_state: the state of the cell.
        log_probs: the log probability of each beam.
        finished: whether the beam is finished.
        lengths: the number of tokens of the beam, including the end token.
        accumulated_attention_probs: the attention to each step of the memory so far, () without a coverage penalty.
    """

    __slots__ = ()


@export("contrib.seq2seq.BeamSearchDecoderOutput")
class BeamSearchDecoderOutput(collections.namedtuple("BeamSearchDecoderOutput",
                                                     ("scores", "predicted_ids", "parent_ids"))):
    """The output of a step: `scores` of the beams, their last tokens `predicted_ids`, and `parent_ids`."""

    __slots__ = ()


@export("contrib.seq2seq.FinalBeamSearchDecoderOutput")
class FinalBeamSearchDecoderOutput(collections.namedtuple("FinalBeamDecoderOutput",
                                                          ("predicted_ids", "beam_search_decoder_output"))):
    """The output of a beam search: `predicted_ids`, best beam first, and `beam_search_decoder_output` of all steps."""

    __slots__ = ()


# ---- batches and beams

@export("contrib.seq2seq.tile_batch")
def tile_batch(t, multiplier, name=None):
    """Repeats each sequence of a batch, one copy per beam.

    >>> tf.Session().run(tf.contrib.seq2seq.tile_batch(tf.constant([1, 2]), multiplier=3))
    array([1, 1, 1, 2, 2, 2], dtype=int32)

    Args:
        t: a tensor whose first axis is the batch, or a structure of them.
        multiplier: the number of copies.
        name: a name scope.

    Raises:
        ValueError: a tensor's rank is unknown, or it is a scalar.
    """
    with name_scope(name, "tile_batch", [*nest.flatten(t), multiplier]):
        return nest.map_structure(lambda tensor: _tiled(tensor, multiplier), t)


def _tiled(t: Any, multiplier: Any) -> Tensor:
    t = convert_to_tensor(t, name="t")
    if not t.shape.ndims:
        raise ValueError(f"only tensors that have a batch, and whose rank is known, can be tiled, not {t}")
    sizes = array.shape(t)
    copies = [1, multiplier] + [1] * (t.shape.ndims - 1)
    tiled = reshape.reshape(pad.tile(array.expand_dims(t, 1), copies),
                            array.concat([[sizes[0] * multiplier], sizes[1:]], 0))
    batch, *inner = t.shape.as_list()
    tiled.set_shape([None if batch is None else _known_product(multiplier, batch), *inner])
    return tiled


def _known_product(count: Any, other: int) -> int | None:
    """`count * other`, if `count` is known."""
    known = static_value(convert_to_tensor(count))
    return None if known is None else int(known) * other


def gather_tree_from_array(t: Any, parent_ids: Any, sequence_length: Any) -> Tensor:
    """The rows of a tensor, reordered to follow the final beams.

    Args:
        t: a tensor of shape [time, batch, beam, ...] or [time, batch * beam, ...]; the result has the same shape.
        parent_ids: the parent beams: [time, batch, beam].
        sequence_length: the lengths of the final beams: [batch, beam].
    """
    t, parent_ids = convert_to_tensor(t), convert_to_tensor(parent_ids)
    sizes = array.shape(t)
    rows = reshape.reshape(t, array.concat([array.shape(parent_ids), [-1]], 0))
    ordered = reshape.reshape(_in_order_of_tree(rows, parent_ids, sequence_length), sizes)
    ordered.set_shape(t.shape)
    return ordered


def _in_order_of_tree(t: Tensor, parent_ids: Tensor, sequence_length: Any) -> Tensor:
    """The rows of a tensor [time, batch, beam, ...], reordered to follow the final beams."""
    steps, width = array.shape(parent_ids)[0], parent_ids.shape.as_list()[2]
    width = array.shape(parent_ids)[2] if width is None else width
    batch = array.shape(parent_ids)[1]
    own = array.zeros_like(parent_ids) + math.range(width)
    longest = math.cast(reduce_max(sequence_length, axis=1), dtypes.int32)
    found = gather_tree(own, parent_ids, longest, width + 1)
    inside = array.transpose(sequence_mask(sequence_length, maxlen=steps), [2, 0, 1])
    found = where(inside, found, own)
    times = array.zeros_like(found) + reshape.reshape(math.range(steps), [-1, 1, 1])
    sequences = array.zeros_like(found) + reshape.reshape(math.range(batch), [1, -1, 1])
    return gather_nd(t, array.stack([times, sequences, found], -1))


def check_batch_beam(t: Any, batch_size: Any, beam_width: Any) -> Any:
    """Checks at run time that a tensor is [time, batch * beam, ...] or [time, batch, beam, ...]; None if it surely is.

    Raises:
        InvalidArgumentError: in the step, if it is not.
    """
    told = "a TensorArray in the cell state has elements without a row for each beam of each sequence"
    if t.shape.ndims is not None and t.shape.ndims < 3:
        return checks.assert_equal(array.shape(t)[-1], batch_size * beam_width, message=told)
    sizes = array.shape(t)
    merged = elementwise.equal(sizes[1], batch_size * beam_width)
    apart = elementwise.logical_and(elementwise.equal(sizes[1], batch_size), elementwise.equal(sizes[2], beam_width))
    return checks.Assert(elementwise.logical_or(merged, apart), [told, sizes])


def beam_search_step(time: Any, logits: Any, next_cell_state: Any, beam_state: Any, batch_size: Any, beam_width: Any,
                     end_token: Any, length_penalty_weight: Any, coverage_penalty_weight: Any) -> tuple[Any, Any]:
    """The output and the state of a search after a step.

    Args:
        logits: the tokens' logits: a tensor of shape [batch, beam, vocabulary].
        next_cell_state: the state of the cell after the step, with the axes batch and beam.
        beam_state: the state of the search before the step.
        end_token: the end token.
        length_penalty_weight, coverage_penalty_weight: see `tf.contrib.seq2seq.BeamSearchDecoder`.
        time, batch_size, beam_width: have no meaning here: the other arguments tell them.
    """
    found, after = beams_after(logits, next_cell_state, beam_state, end_token, length_penalty_weight,
                               coverage_penalty_weight)
    return BeamSearchDecoderOutput(*found), BeamSearchDecoderState(*after)


# ---- the decoder

@export("contrib.seq2seq.BeamSearchDecoder")
class BeamSearchDecoder(Decoder):
    """A beam search decoder: in each step it extends the `beam_width` best prefixes of every sequence.

    The memory of an attention mechanism, its lengths and the initial state must be tiled first:

    >>> memory = tf.contrib.seq2seq.tile_batch(encoder_outputs, multiplier=beam_width)
    >>> state = tf.contrib.seq2seq.tile_batch(encoder_state, multiplier=beam_width)

    Args:
        cell: the cell.
        embedding: a function of token ids, or the `params` of `tf.nn.embedding_lookup`.
        start_tokens: the start token of each sequence: an int32 vector.
        end_token: the end token: an int32 scalar.
        initial_state: the initial state, tiled.
        beam_width: the number of beams.
        output_layer: a layer from the cell's outputs to logits; None if they are logits.
        length_penalty_weight: the weight of the length penalty, which favours longer sequences; 0 for none.
        coverage_penalty_weight: the weight of the coverage penalty, for attending to the whole memory; 0 for none.
        reorder_tensor_arrays: whether to return TensorArrays in the cell's state, such as alignment histories, as
            tensors in the order of the final beams.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a rank is wrong.
    """

    def __init__(self, cell: Any, embedding: Any, start_tokens: Any, end_token: Any, initial_state: Any,
                 beam_width: int, output_layer: Any = None, length_penalty_weight: Any = 0.0,
                 coverage_penalty_weight: Any = 0.0, reorder_tensor_arrays: bool = True) -> None:
        require_cell("cell", cell)
        require_layer(output_layer)
        self._cell, self._output_layer, self._beam_width = cell, output_layer, beam_width
        self._length_penalty_weight, self._coverage_penalty_weight = length_penalty_weight, coverage_penalty_weight
        self._reorder_tensor_arrays = reorder_tensor_arrays
        self._embedding_fn = embedding_function(embedding)
        start, self._end_token = start_and_end(start_tokens, end_token)
        self._batch_size = array.size(start)
        self._start_tokens = pad.tile(array.expand_dims(start, 1), [1, beam_width])
        self._start_inputs = self._embedding_fn(self._start_tokens)
        self._initial_cell_state = nest.map_structure(self._split_if_batch, initial_state)
        self._finished = self._first_beam(False, True, dtypes.bool)

    batch_size = property(lambda self: self._batch_size, doc="How many sequences there are.")
    tracks_own_finished = property(lambda self: True, doc="A beam may continue another one that is not finished.")

    @property
    def output_size(self) -> BeamSearchDecoderOutput:
        """The sizes of a step's outputs."""
        return BeamSearchDecoderOutput(*[TensorShape([self._beam_width])] * 3)

    @property
    def output_dtype(self) -> BeamSearchDecoderOutput:
        """The dtypes of a step's outputs."""
        kind = nest.flatten(self._initial_cell_state)[0].dtype
        scores = nest.map_structure(lambda _: kind, size_behind(self._cell, self._output_layer))
        return BeamSearchDecoderOutput(scores, dtypes.int32, dtypes.int32)

    def _first_beam(self, first: Any, others: Any, dtype: Any) -> Tensor:
        """One value for the first beam of each sequence, another for the others: initially all beams are equal."""
        zeros = array.zeros([self._batch_size], dtype=dtypes.int32)
        return one_hot(zeros, depth=self._beam_width, on_value=first, off_value=others, dtype=dtype)

    def initialize(self, name: str | None = None) -> tuple[Any, Any, BeamSearchDecoderState]:
        """(which beams are finished initially, the first inputs, the initial state)."""
        kind = nest.flatten(self._initial_cell_state)[0].dtype
        attended = coverage_of(self._initial_cell_state, self._coverage_penalty_weight)
        state = BeamSearchDecoderState(
            cell_state=self._initial_cell_state,
            log_probs=self._first_beam(kind.as_numpy_dtype(0), kind.as_numpy_dtype(-np.inf), kind),
            finished=self._finished, lengths=array.zeros([self._batch_size, self._beam_width], dtype=dtypes.int64),
            accumulated_attention_probs=() if attended is None else attended)
        return self._finished, self._start_inputs, state

    def step(self, time: Any, inputs: Any, state: Any, name: str | None = None) -> tuple[Any, Any, Any, Any]:
        """(outputs, next state, next inputs, which beams are finished now)."""
        with name_scope(name, "BeamSearchDecoderStep", [time, *nest.flatten(inputs)]):
            merged = nest.map_structure(self._merged, inputs)
            cell_state = nest.map_structure(self._merge_if_batch, state.cell_state)
            output, cell_state = self._cell(merged, cell_state)
            output = nest.map_structure(self._split, output)
            cell_state = nest.map_structure(self._split_if_batch, cell_state)
            if self._output_layer is not None:
                output = self._output_layer(output)
            outputs, next_state = beam_search_step(
                time, output, cell_state, state, self._batch_size, self._beam_width, self._end_token,
                self._length_penalty_weight, self._coverage_penalty_weight)
            finished, embedded = next_state.finished, self._embedding_fn(outputs.predicted_ids)
            next_inputs = nest.map_structure(lambda start, now: where(reduce_all(finished), start, now),
                                             self._start_inputs, embedded)
        return outputs, next_state, next_inputs, finished

    def finalize(self, outputs: Any, final_state: Any, sequence_lengths: Any) -> tuple[Any, Any]:
        """The tokens of every final beam, with the outputs of all steps."""
        longest = math.cast(reduce_max(final_state.lengths, axis=1), dtypes.int32)
        symbols = gather_tree(outputs.predicted_ids, outputs.parent_ids, longest, self._end_token)
        if self._reorder_tensor_arrays:
            ordered = nest.map_structure(lambda t: self._in_order(t, outputs.parent_ids, final_state.lengths),
                                         final_state.cell_state)
            final_state = final_state._replace(cell_state=ordered)
        return FinalBeamSearchDecoderOutput(predicted_ids=symbols, beam_search_decoder_output=outputs), final_state

    def _in_order(self, t: Any, parent_ids: Any, lengths: Any) -> Any:
        """A TensorArray as a tensor [time, batch, beam, ...], if its elements have these axes."""
        if not isinstance(t, TensorArray):
            return t
        if t.element_shape.ndims is None or t.element_shape.ndims < 1:
            logging.warning("%s is not put in the order of the beams: the batch of its elements is not known",
                            t.handle.name)
            return t
        batch, known = t.element_shape.as_list()[0], _known_product(self._batch_size, self._beam_width)
        if batch is not None and known is not None and batch != known:
            logging.warning("%s is not put in the order of the beams: its elements have %d rows, not %d",
                            t.handle.name, batch, known)
            return t
        rows = t.stack()
        fits = check_batch_beam(rows, self._batch_size, self._beam_width)
        with control_dependencies([] if fits is None else [fits]):
            rows = basic.identity(rows)
        sizes = array.shape(rows)
        shape = array.concat([sizes[:1], [self._batch_size, self._beam_width], sizes[2:]], 0)
        return _in_order_of_tree(reshape.reshape(rows, shape), parent_ids, lengths)

    # ---- reshaping between [batch * beam, ...], the cell's form, and [batch, beam, ...]

    def _merged(self, t: Any) -> Tensor:
        t = convert_to_tensor(t, name="t")
        known = t.shape.as_list()[2:]
        result = reshape.reshape(t, array.concat([[self._batch_size * self._beam_width], array.shape(t)[2:]], 0))
        result.set_shape([_known_product(self._batch_size, self._beam_width), *known])
        return result

    def _split(self, t: Any) -> Tensor:
        t = convert_to_tensor(t, name="t")
        rows, known = t.shape.as_list()[0], _known_product(self._batch_size, self._beam_width)
        if rows is not None and known is not None and rows != known:
            raise ValueError(f"a tensor of the state has {rows} rows where batch_size * beam_width is {known}: it has "
                             f"to be tiled with tf.contrib.seq2seq.tile_batch, multiplier={self._beam_width}: {t}")
        shape = array.concat([[self._batch_size, self._beam_width], array.shape(t)[1:]], 0)
        result = reshape.reshape(t, shape)
        result.set_shape([_known_product(self._batch_size, 1), self._beam_width, *t.shape.as_list()[1:]])
        return result

    def _merge_if_batch(self, t: Any) -> Any:
        return t if isinstance(t, TensorArray) or _rank(t) == 0 else self._merged(t)

    def _split_if_batch(self, t: Any) -> Any:
        return t if isinstance(t, TensorArray) or _rank(t) == 0 else self._split(t)


def _rank(t: Any) -> int:
    if t.shape.ndims is None:
        raise ValueError(f"the rank of {t}, a part of the state, has to be known")
    return t.shape.ndims
