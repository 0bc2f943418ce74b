"""The one buffer in which cuDNN keeps a recurrent network, and what it is in checkpoints: the variables of cells.

A buffer holds the matrices of all layers, then their biases. A layer, or a direction of it, has a matrix of the input
for each gate, then one of the state, and so it has two biases for each gate.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from evergraph.base.errors import UnimplementedError
from evergraph.base.export import export
from evergraph.contrib.cudnn_rnn import CUDNN_INPUT_LINEAR_MODE, CUDNN_RNN_BIDIRECTION, CUDNN_RNN_UNIDIRECTION
from evergraph.frontend import array
from evergraph.frontend.variables.assign import assign
from evergraph.frontend.variables.saveable import SaveableObject, SaveSpec
from evergraph.frontend.variables.scope import get_variable_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor


class _Gates(NamedTuple):
    """The gates of a layer, in cuDNN's order."""

    of_input: list[Tensor]
    of_state: list[Tensor]
    input_biases: list[Tensor]
    state_biases: list[Tensor]


class _Converter:
    """Takes a buffer apart into the kernels and biases of cells, and makes one of them.

    Args:
        num_layers: how many layers stand on each other.
        num_units: the size of the state of each.
        input_size: the size of the input.
        num_proj: None: projections of outputs are not supported.
        input_mode: "linear_input"; cuDNN's "skip_input" is refused.
        direction: "unidirectional" or "bidirectional".

    Raises:
        UnimplementedError: there is a projection, or another mode of input.
    """

    gate_count = 0
    variables: tuple[str, ...] = ()  # of the cell, kernels before biases

    def __init__(self, num_layers: int, num_units: int, input_size: int, num_proj: int | None = None,
                 input_mode: str = CUDNN_INPUT_LINEAR_MODE, direction: str = CUDNN_RNN_UNIDIRECTION) -> None:
        if num_proj:
            raise UnimplementedError(None, None, f"buffers of cuDNN with projections are not supported: num_proj is "
                                                 f"{num_proj}")
        if input_mode != CUDNN_INPUT_LINEAR_MODE:
            raise UnimplementedError(None, None, f"buffers of cuDNN are those of {CUDNN_INPUT_LINEAR_MODE!r} here, not "
                                                 f"of {input_mode!r}")
        if direction not in (CUDNN_RNN_UNIDIRECTION, CUDNN_RNN_BIDIRECTION):
            raise ValueError(f"direction must be unidirectional or bidirectional, not {direction!r}")
        self._layers, self._units, self._input_size = num_layers, num_units, input_size
        self.directions = 1 if direction == CUDNN_RNN_UNIDIRECTION else 2

    @property
    def params_size(self) -> int:
        """How many numbers a buffer has."""
        biases = 2 * self.gate_count * self._units * self._count
        return sum(rows * columns for rows, columns in self._matrices()) + biases

    @property
    def _count(self) -> int:
        return self._layers * self.directions

    def _depth(self, number: int) -> int:
        """The size of the input of a layer, or of a direction of one."""
        return self._input_size if number < self.directions else self._units * self.directions

    def _matrices(self) -> Iterator[tuple[int, int]]:
        """The shapes of all matrices, in the order of the buffer."""
        for number in range(self._count):
            for columns in (self._depth(number), self._units):
                yield from [(self._units, columns)] * self.gate_count

    def opaque_to_tf_canonical(self, opaque_param: Any) -> tuple[list[Tensor], list[Tensor]]:
        """(kernels, biases) of the cells of all layers, of a bidirectional one forward before backward.

        Args:
            opaque_param: the buffer, a vector.
        """
        flat = array.reshape(convert_to_tensor(opaque_param), [self.params_size])
        shapes, gates = list(self._matrices()), self.gate_count
        bias_count = 2 * gates * self._count
        parts = array.split(flat, [rows * columns for rows, columns in shapes] + [self._units] * bias_count)
        matrices = [array.reshape(part, shape) for part, shape in zip(parts, shapes)]
        biases = parts[len(shapes):]
        kernels_found, biases_found = [], []
        for number in range(self._count):
            start = 2 * gates * number
            middle, end = start + gates, start + 2 * gates
            kernels, added = self._cell(_Gates(matrices[start:middle], matrices[middle:end], biases[start:middle],
                                               biases[middle:end]))
            kernels_found += kernels
            biases_found += added
        return kernels_found, biases_found

    def tf_canonical_to_opaque(self, tf_canonicals: Sequence[Any], weights_proj: Any = None) -> Tensor:
        """The buffer of cells. Where a cell has one bias for both of cuDNN's, that of the state is 0.

        Args:
            tf_canonicals: (kernels, biases) as `opaque_to_tf_canonical` returns them.
            weights_proj: None: projections of outputs are not supported.
        """
        if weights_proj is not None:
            raise UnimplementedError(None, None, "buffers of cuDNN with projections are not supported")
        kernels, biases = tf_canonicals
        each = len(self.variables) // 2
        matrices, vectors = [], []
        for number in range(self._count):
            found = self._gates(kernels[number * each:(number + 1) * each], biases[number * each:(number + 1) * each],
                                self._depth(number))
            matrices += [*found.of_input, *found.of_state]
            vectors += [*found.input_biases, *found.state_biases]
        return array.concat([array.reshape(part, [-1]) for part in (*matrices, *vectors)], 0)

    def _cell(self, gates: _Gates) -> tuple[list[Tensor], list[Tensor]]:
        """The kernels and biases of the cell of a layer."""
        raise NotImplementedError

    def _gates(self, kernels: Sequence[Any], biases: Sequence[Any], depth: int) -> _Gates:
        """The gates of a layer from its cell's kernels and biases; its input has `depth` numbers."""
        raise NotImplementedError


def _kernel(of_input: Sequence[Tensor], of_state: Sequence[Tensor]) -> Tensor:
    """The kernel of gates side by side, whose rows are those of the input and then those of the state."""
    return array.concat([array.transpose(array.concat([w, r], 1)) for w, r in zip(of_input, of_state)], 1)


def _parts(kernel: Any, gates: int, depth: int, units: int) -> list[list[Tensor]]:
    """[matrices of the input, matrices of the state] of the gates of a kernel."""
    known = array.reshape(convert_to_tensor(kernel), [depth + units, gates * units])  # what is restored has no shape
    return [[array.transpose(each) for each in array.split(rows, gates, 1)]
            for rows in array.split(known, [depth, units])]


class _OneKernel(_Converter):
    """Cells with one kernel and one bias for all of their gates."""

    variables = ("kernel", "bias")
    order: tuple[int, ...] = (0,)  # which of cuDNN's gates the columns of the kernel are; its own inverse

    def _cell(self, gates: _Gates) -> tuple[list[Tensor], list[Tensor]]:
        bias = array.concat([gates.input_biases[at] + gates.state_biases[at] for at in self.order], 0)
        return [_kernel([gates.of_input[at] for at in self.order], [gates.of_state[at] for at in self.order])], [bias]

    def _gates(self, kernels: Sequence[Any], biases: Sequence[Any], depth: int) -> _Gates:
        of_input, of_state = _parts(kernels[0], self.gate_count, depth, self._units)
        added = array.split(convert_to_tensor(biases[0]), self.gate_count)
        return _Gates([of_input[at] for at in self.order], [of_state[at] for at in self.order],
                      [added[at] for at in self.order], [array.zeros_like(each) for each in added])


@export("contrib.cudnn_rnn.CudnnParamsFormatConverterLSTM")
class CudnnParamsFormatConverterLSTM(_OneKernel):
    __doc__ = (_Converter.__doc__ or "").replace("cells, and", "LSTM cells, and")
    gate_count, order = 4, (0, 2, 1, 3)  # cuDNN: input, forget, candidate, output


@export("contrib.cudnn_rnn.CudnnParamsFormatConverterTanh")
class CudnnParamsFormatConverterTanh(_OneKernel):
    __doc__ = (_Converter.__doc__ or "").replace("cells, and", "plain cells with tanh, and")
    gate_count = 1


@export("contrib.cudnn_rnn.CudnnParamsFormatConverterRelu")
class CudnnParamsFormatConverterRelu(_OneKernel):
    __doc__ = (_Converter.__doc__ or "").replace("cells, and", "plain cells with relu, and")
    gate_count = 1


@export("contrib.cudnn_rnn.CudnnParamsFormatConverterGRU")
class CudnnParamsFormatConverterGRU(_Converter):
    __doc__ = (_Converter.__doc__ or "").replace("cells, and", "GRU cells, and")
    gate_count = 3  # cuDNN: reset, update, candidate
    variables = ("gates/kernel", "candidate/input_projection/kernel", "candidate/hidden_projection/kernel",
                 "gates/bias", "candidate/input_projection/bias", "candidate/hidden_projection/bias")

    def _cell(self, gates: _Gates) -> tuple[list[Tensor], list[Tensor]]:
        bias = array.concat([a + b for a, b in zip(gates.input_biases[:2], gates.state_biases[:2])], 0)
        return ([_kernel(gates.of_input[:2], gates.of_state[:2]), array.transpose(gates.of_input[2]),
                 array.transpose(gates.of_state[2])], [bias, gates.input_biases[2], gates.state_biases[2]])

    def _gates(self, kernels: Sequence[Any], biases: Sequence[Any], depth: int) -> _Gates:
        of_input, of_state = _parts(kernels[0], 2, depth, self._units)
        added = array.split(convert_to_tensor(biases[0]), 2)
        return _Gates([*of_input, array.transpose(kernels[1])], [*of_state, array.transpose(kernels[2])],
                      [*added, convert_to_tensor(biases[1])],
                      [*map(array.zeros_like, added), convert_to_tensor(biases[2])])


# ---- in checkpoints

class _Saveable(SaveableObject):
    """A buffer that checkpoints hold as the variables of portable cells, so that either restores the other's.

    Args:
        opaque_params: the variable with the buffer.
        num_layers: how many layers stand on each other.
        num_units: the size of the state of each.
        input_size: the size of the input.
        input_mode: "linear_input"; cuDNN's "skip_input" is refused.
        direction: "unidirectional" or "bidirectional".
        scope: the scope that the names in checkpoints begin with; by default the current one.
        name: the name of this object.
    """

    _converter: type[_Converter]
    _cell_name = ""

    def __init__(self, opaque_params: Any, num_layers: int, num_units: int, input_size: int,
                 input_mode: str = CUDNN_INPUT_LINEAR_MODE, direction: str = CUDNN_RNN_UNIDIRECTION, scope: Any = None,
                 name: str = "cudnn_rnn_saveable") -> None:
        self._format = self._converter(num_layers, num_units, input_size, input_mode=input_mode, direction=direction)
        self._variable = opaque_params
        scope = get_variable_scope() if scope is None else scope
        prefix = scope if isinstance(scope, str) else scope.name
        kernels, biases = self._format.opaque_to_tf_canonical(opaque_params)
        specs = [SaveSpec(tensor, "", "/".join(filter(None, (prefix, path))))
                 for tensor, path in zip([*kernels, *biases], self._paths(num_layers))]
        super().__init__(opaque_params, specs, name)

    @property
    def format_converter(self) -> _Converter:
        """What takes the buffer apart."""
        return self._format

    def _paths(self, num_layers: int) -> list[str]:
        """The names of the cells' variables behind the scope: all kernels, then all biases."""
        homes = [f"rnn/multi_rnn_cell/cell_{layer}" for layer in range(num_layers)]
        if self._format.directions == 2:
            homes = [f"stack_bidirectional_rnn/cell_{layer}/bidirectional_rnn/{way}" for layer in range(num_layers)
                     for way in ("fw", "bw")]
        names = self._format.variables
        half = len(names) // 2
        return [f"{home}/{self._cell_name}/{name}" for part in (names[:half], names[half:]) for home in homes
                for name in part]

    def restore(self, restored_tensors: list[Tensor], restored_shapes: Any) -> Any:
        half = len(restored_tensors) // 2
        return assign(self._variable, self._format.tf_canonical_to_opaque(
            (restored_tensors[:half], restored_tensors[half:])), validate_shape=False)


@export("contrib.cudnn_rnn.CudnnLSTMSaveable")
class CudnnLSTMSaveable(_Saveable):
    __doc__ = (_Saveable.__doc__ or "").replace("portable cells", "portable LSTM cells")
    _converter, _cell_name = CudnnParamsFormatConverterLSTM, "cudnn_compatible_lstm_cell"


@export("contrib.cudnn_rnn.CudnnGRUSaveable")
class CudnnGRUSaveable(_Saveable):
    __doc__ = (_Saveable.__doc__ or "").replace("portable cells", "portable GRU cells")
    _converter, _cell_name = CudnnParamsFormatConverterGRU, "cudnn_compatible_gru_cell"


@export("contrib.cudnn_rnn.CudnnRNNTanhSaveable")
class CudnnRNNTanhSaveable(_Saveable):
    __doc__ = (_Saveable.__doc__ or "").replace("portable cells", "plain cells with tanh")
    _converter, _cell_name = CudnnParamsFormatConverterTanh, "basic_rnn_cell"


@export("contrib.cudnn_rnn.CudnnRNNReluSaveable")
class CudnnRNNReluSaveable(_Saveable):
    __doc__ = (_Saveable.__doc__ or "").replace("portable cells", "plain cells with relu")
    _converter, _cell_name = CudnnParamsFormatConverterRelu, "basic_rnn_cell"
