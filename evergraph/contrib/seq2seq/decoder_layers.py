"""Decoders that are Keras layers: called with the inputs of a batch, they run until every sequence is finished."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.contrib.seq2seq.basic import BasicDecoder
from evergraph.contrib.seq2seq.beam import BeamSearchDecoder
from evergraph.contrib.seq2seq.decoder import Decoder, dynamic_decode
from evergraph.contrib.seq2seq.helpers import Helper
from evergraph.contrib.seq2seq.samplers import Sampler
from evergraph.keras.layer import Layer


@export("contrib.seq2seq.BaseDecoder")
class BaseDecoder(Decoder, Layer):
    """The base of decoders that are layers: `decoder(inputs, initial_state=state)` decodes a batch.

    A subclass defines what `tf.contrib.seq2seq.Decoder` lists, with an `initialize(inputs, initial_state=None,
    **keywords)` that gets what the layer was called with.

    Args:
        output_time_major, impute_finished, maximum_iterations, parallel_iterations, swap_memory: see
            `tf.contrib.seq2seq.dynamic_decode`.
        **kwargs: keywords of a layer, such as `name` and `dtype`.
    """

    def __init__(self, output_time_major: bool = False, impute_finished: bool = False, maximum_iterations: Any = None,
                 parallel_iterations: int = 32, swap_memory: bool = False, **kwargs: Any) -> None:
        Layer.__init__(self, **kwargs)
        self.output_time_major, self.impute_finished = output_time_major, impute_finished
        self.maximum_iterations = maximum_iterations
        self.parallel_iterations, self.swap_memory = parallel_iterations, swap_memory

    def call(self, inputs: Any, initial_state: Any = None, **kwargs: Any) -> tuple[Any, Any, Any]:
        """(the outputs of all steps, the final state, the length of each sequence)."""
        kwargs.pop("training", None)  # what Keras adds to every call; steps do not differ in training
        return dynamic_decode(
            self, output_time_major=self.output_time_major, impute_finished=self.impute_finished,
            maximum_iterations=self.maximum_iterations, parallel_iterations=self.parallel_iterations,
            swap_memory=self.swap_memory, inputs=inputs, initial_state=initial_state, **kwargs)


class _Delegating(BaseDecoder):
    """The base of layers that make a decoder for each batch: a subclass makes it in `initialize`."""

    _decoder: Any = None

    def _asked(self) -> Any:
        """The decoder of the batch.

        Raises:
            ValueError: there is none before `initialize`.
        """
        if self._decoder is None:
            raise ValueError(f"what is asked of {type(self).__name__} is known only after initialize")
        return self._decoder

    batch_size = property(lambda self: self._asked().batch_size, doc="How many sequences there are.")
    output_size = property(lambda self: self._asked().output_size, doc="The sizes of a step's outputs.")
    output_dtype = property(lambda self: self._asked().output_dtype, doc="The dtypes of a step's outputs.")
    tracks_own_finished = property(lambda self: self._asked().tracks_own_finished,
                                   doc="Whether finished sequences may resume.")
    _steps = property(lambda self: self._asked()._steps)

    def step(self, time: Any, inputs: Any, state: Any, name: str | None = None) -> tuple[Any, Any, Any, Any]:
        """(outputs, next state, next inputs, which sequences are finished now)."""
        return self._asked().step(time, inputs, state, name)

    def finalize(self, outputs: Any, final_state: Any, sequence_lengths: Any) -> tuple[Any, Any]:
        """Post-processes (outputs, final state)."""
        return self._asked().finalize(outputs, final_state, sequence_lengths)


class _Begun(Helper):
    """A sampler that has begun with a batch, as a helper."""

    def __init__(self, sampler: Any, start: tuple[Any, Any]) -> None:
        self._sampler, self._start, self._steps = sampler, start, sampler._steps

    batch_size = property(lambda self: self._sampler.batch_size)
    sample_ids_shape = property(lambda self: self._sampler.sample_ids_shape)
    sample_ids_dtype = property(lambda self: self._sampler.sample_ids_dtype)

    def initialize(self, name: str | None = None) -> tuple[Any, Any]:
        return self._start

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        return self._sampler.sample(time=time, outputs=outputs, state=state)

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None) -> Any:
        return self._sampler.next_inputs(time=time, outputs=outputs, state=state, sample_ids=sample_ids)


@export("contrib.seq2seq.BasicDecoderV2")
class BasicDecoderV2(_Delegating):
    """A layer that calls a cell with inputs from a sampler.

    >>> decoder = tf.contrib.seq2seq.BasicDecoderV2(cell, tf.contrib.seq2seq.TrainingSampler())
    >>> outputs, state, lengths = decoder(inputs, initial_state=state, sequence_length=lengths)

    Args:
        cell: the cell.
        sampler: a `tf.contrib.seq2seq.Sampler`.
        output_layer: a layer for the cell's outputs, applied before sampling; None for none.
        **kwargs: see `tf.contrib.seq2seq.BaseDecoder`.

    Raises:
        TypeError: the sampler is none.
    """

    def __init__(self, cell: Any, sampler: Any, output_layer: Any = None, **kwargs: Any) -> None:
        if not isinstance(sampler, Sampler):
            raise TypeError(f"a BasicDecoderV2 needs a tf.contrib.seq2seq.Sampler, not {sampler!r}")
        super().__init__(**kwargs)
        self.cell, self.sampler, self.output_layer = cell, sampler, output_layer

    def initialize(self, inputs: Any, initial_state: Any = None, **kwargs: Any) -> tuple[Any, Any, Any]:
        """Begins with a batch; keywords go to the sampler.

        Returns:
            (which sequences are finished initially, the first inputs, the initial state).
        """
        helper = _Begun(self.sampler, self.sampler.initialize(inputs, **kwargs))
        self._decoder = BasicDecoder(self.cell, helper, initial_state, self.output_layer)
        return self._decoder.initialize()


@export("contrib.seq2seq.BeamSearchDecoderV2")
class BeamSearchDecoderV2(_Delegating):
    """A layer that searches with beams: see `tf.contrib.seq2seq.BeamSearchDecoder`.

    Args:
        cell: the cell.
        beam_width: the number of beams.
        embedding_fn: a function of token ids; by default a lookup in the `embedding` that the layer is called with.
        output_layer, length_penalty_weight, coverage_penalty_weight, reorder_tensor_arrays: see there.
        **kwargs: see `tf.contrib.seq2seq.BaseDecoder`.
    """

    def __init__(self, cell: Any, beam_width: int, embedding_fn: Any = None, output_layer: Any = None,
                 length_penalty_weight: Any = 0.0, coverage_penalty_weight: Any = 0.0,
                 reorder_tensor_arrays: bool = True, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.cell, self.beam_width, self.embedding_fn, self.output_layer = cell, beam_width, embedding_fn, output_layer
        self._search = {"length_penalty_weight": length_penalty_weight, "reorder_tensor_arrays": reorder_tensor_arrays,
                        "coverage_penalty_weight": coverage_penalty_weight}

    def call(self, embedding: Any, start_tokens: Any, end_token: Any, initial_state: Any,
             **kwargs: Any) -> tuple[Any, Any, Any]:
        """(the outputs of the search, the final state, the length of each sequence)."""
        return super().call(embedding, initial_state, start_tokens=start_tokens, end_token=end_token, **kwargs)

    def initialize(self, inputs: Any, start_tokens: Any = None, end_token: Any = None,
                   initial_state: Any = None) -> tuple[Any, Any, Any]:
        """Begins with a batch.

        Args:
            inputs: the rows of tokens; unused if the layer has an `embedding_fn`.
            start_tokens: the start token of each sequence: an int32 vector.
            end_token: the end token: an int32 scalar.
            initial_state: the initial state, tiled.

        Returns:
            (which beams are finished initially, the first inputs, the initial state).
        """
        embedding = inputs if self.embedding_fn is None else self.embedding_fn
        self._decoder = BeamSearchDecoder(self.cell, embedding, start_tokens, end_token, initial_state,
                                          self.beam_width, self.output_layer, **self._search)
        return self._decoder.initialize()
