"""tf.nn.rnn_cell: the cells of recurrent networks, functions (input, state) -> (output, new state) with variables."""
from __future__ import annotations

import collections
from typing import Any

from evergraph.base import dtypes, logging, nest
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.clip import clip_by_value
from evergraph.frontend.matmul import matmul
from evergraph.frontend.nn import activations
from evergraph.frontend.variables.initializers import constant_initializer, zeros_initializer
from evergraph.frontend.variables.partitions import fixed_size_partitioner
from evergraph.frontend.variables.scope import get_variable_scope, variable_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.graph.shaping import static_value
from evergraph.layers import identifiers
from evergraph.layers.input_spec import InputSpec
from evergraph.layers.layer import Layer
from evergraph.ops.arrays import index
from evergraph.ops.math import elementwise


def cell_names(name: str) -> tuple[str, str]:
    """Where a cell of this name is found: it is the same in tf.nn.rnn_cell and in tf.contrib.rnn."""
    return f"nn.rnn_cell.{name}", f"contrib.rnn.{name}"


# ---- sizes and states

def batch_of(prefix: Any, size: Any) -> Tensor:
    """The shape of one item of `size` for each of a batch, as a tensor.

    Args:
        prefix: the size of the batch: a number, or a scalar or vector tensor.
        size: a number, a TensorShape, or a tensor.

    Raises:
        ValueError: a size is not known.
    """
    return array.concat([_sizes(prefix), _sizes(size)], 0)


def static_batch_of(prefix: Any, size: Any) -> TensorShape:
    """What is known now of the shape that `batch_of` computes."""
    return _known_sizes(prefix).concatenate(_known_sizes(size))


def _sizes(size: Any) -> Tensor:
    if isinstance(size, Tensor):
        if size.shape.ndims == 0:
            return array.expand_dims(size, 0)
        if size.shape.ndims != 1:
            raise ValueError(f"a size is a number or a vector of them, got {size}")
        return size
    known = TensorShape(size)
    if not known.is_fully_defined():
        raise ValueError(f"Provided a size that is not known: {size}")
    return array.constant(known.as_list(), dtype=dtypes.int32)


def _known_sizes(size: Any) -> TensorShape:
    if not isinstance(size, Tensor):
        return TensorShape(size)
    value = static_value(size)
    if value is not None:
        return TensorShape(value.reshape(-1).tolist())
    return TensorShape([None]) if size.shape.ndims == 0 else TensorShape(None)


def zeros_for(sizes: Any, batch_size: Any, dtype: Any) -> Any:
    """Zeros in the structure of `sizes`, each with a batch as its first axis."""
    def one(size: Any) -> Tensor:
        state = array.zeros(batch_of(batch_size, size), dtype=dtype)
        state.set_shape(static_batch_of(batch_size, size))
        return state
    return nest.map_structure(one, sizes)


@export(*cell_names("LSTMStateTuple"))
class LSTMStateTuple(collections.namedtuple("LSTMStateTuple", ("c", "h"))):
    """The state of an LSTM cell: `c`, the cell state, and `h`, the hidden state, which is the last output."""

    __slots__ = ()

    @property
    def dtype(self) -> Any:
        """The dtype of both.

        Raises:
            TypeError: they differ.
        """
        if self.c.dtype != self.h.dtype:
            raise TypeError(f"Inconsistent internal state: {self.c.dtype} vs {self.h.dtype}")
        return self.c.dtype


# ---- the base

@export(*cell_names("RNNCell"))
class RNNCell(Layer):
    """The base class of recurrent cells; a subclass defines `state_size`, `output_size` and `call(inputs, state)`.

    >>> class Sum(tf.nn.rnn_cell.RNNCell):
    ...     state_size = output_size = property(lambda self: 3)
    ...     def call(self, inputs, state):
    ...         return inputs + state, inputs + state
    >>> outputs, state = tf.nn.dynamic_rnn(Sum(), tf.ones([2, 5, 3]), dtype=tf.float32)

    A cell whose `call` uses `tf.get_variable` shares its variables between calls only where the variable scope says so;
    `tf.nn.dynamic_rnn` and its relatives do so for the time steps.

    Args:
        trainable: whether the variables are added to the collection of trainable variables.
        name: the name of the cell; by default that of the class.
        dtype: the dtype of the variables; by default that of the first input.
        **kwargs: see `tf.layers.Layer`.
    """

    rnncell_scope: Any = None  # the variable scope around the first call without one; further calls enter it again

    def __init__(self, trainable: bool = True, name: Any = None, dtype: Any = None, **kwargs: Any) -> None:
        super().__init__(trainable=trainable, name=name, dtype=dtype, **kwargs)

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        """Computes one time step: (output, new state).

        Args:
            inputs: a tensor of shape [batch, ...], or a structure of these.
            state: tensors in the structure of `state_size`.
            scope: the variable scope of the variables; by default one named after the cell.
        """
        if scope is not None:
            with variable_scope(scope, custom_getter=self._listed_getter) as opened:
                return super().__call__(inputs, state, scope=opened)
        if self.rnncell_scope is None:
            self.rnncell_scope = variable_scope(get_variable_scope(), custom_getter=self._listed_getter)
        with self.rnncell_scope:
            return super().__call__(inputs, state)

    def _listed_getter(self, getter: Any, *args: Any, **kwargs: Any) -> Any:
        """Lists the variables that `call` makes with `tf.get_variable` as the cell's."""
        variable = getter(*args, **kwargs)
        self._keep(variable, True)
        return variable

    @property
    def state_size(self) -> Any:
        """The sizes of the state: a number, a TensorShape, or a structure of these."""
        raise NotImplementedError("Abstract method")

    @property
    def output_size(self) -> Any:
        """The size of the output: a number, a TensorShape, or a structure of these."""
        raise NotImplementedError("Abstract method")

    def build(self, _: Any) -> None:
        """Creates no variables; a subclass that has some creates them here, or in `call`."""
        self.built = True

    def get_initial_state(self, inputs: Any = None, batch_size: Any = None, dtype: Any = None) -> Any:
        """The initial state: zeros, for the batch size and dtype of `inputs`, or for the given ones.

        Raises:
            ValueError: there are neither inputs nor both of size and dtype, or they contradict each other.
        """
        if inputs is not None:
            inputs = convert_to_tensor(inputs, name="inputs")
            _require_like(inputs, batch_size, dtype)
            known = inputs.shape.as_list()[0]
            batch_size, dtype = known or array.shape(inputs)[0], inputs.dtype
        if batch_size is None or dtype is None:
            raise ValueError(f"batch_size and dtype cannot be None without inputs: "
                             f"batch_size={batch_size}, dtype={dtype}")
        return self.zero_state(batch_size, dtype)

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """A state of zeros in the structure of `state_size`.

        Args:
            batch_size: a number or a scalar tensor.
            dtype: the dtype of the state.
        """
        with name_scope(f"{type(self).__name__}ZeroState", values=[batch_size]):
            return zeros_for(self.state_size, batch_size, dtype)


def _require_like(inputs: Tensor, batch_size: Any, dtype: Any) -> None:
    if batch_size is not None:
        wanted = static_value(batch_size) if isinstance(batch_size, Tensor) else batch_size
        if inputs.shape.as_list()[0] != (None if wanted is None else int(wanted)):
            raise ValueError(f"batch_size is {batch_size}, but the inputs have {inputs.shape.as_list()[0]} rows")
    if dtype is not None and inputs.dtype != dtypes.as_dtype(dtype):
        raise ValueError(f"the dtype from input tensor is different from dtype: {inputs.dtype} and {dtype}")


@export("contrib.rnn.LayerRNNCell")
class LayerRNNCell(RNNCell):
    """The base class of cells that create their variables in `build`, and so share them between all calls.

    Args:
        trainable, name, dtype, **kwargs: see `tf.nn.rnn_cell.RNNCell`.
    """

    def __call__(self, inputs: Any, state: Any, scope: Any = None, *args: Any, **kwargs: Any) -> Any:
        """The output and the new state; see `tf.nn.rnn_cell.RNNCell`."""
        return Layer.__call__(self, inputs, state, *args, scope=scope, **kwargs)

    def _depth_of(self, input_shape: Any) -> int:
        """The size of an input, which has to be known and of a floating dtype."""
        depth = TensorShape(input_shape).as_list()[-1]
        if depth is None:
            raise ValueError(f"the last axis of the inputs needs a static size; their shape is {input_shape}")
        require_floating(self.dtype)
        return depth


def require_floating(dtype: Any) -> None:
    """Raises ValueError for a dtype that cells do not compute with."""
    if dtype is not None and not (dtypes.as_dtype(dtype).is_floating or dtypes.as_dtype(dtype).is_complex):
        raise ValueError(f"RNN cell only supports floating point numbers, got {dtypes.as_dtype(dtype).name}")


def _require_floating_inputs(*values: Any) -> None:
    for tensor in nest.flatten(values):
        require_floating(tensor.dtype)


def _activation(given: Any) -> Any:
    return identifiers.activation(given) if given else math.tanh


def _affine(inputs: list[Any], kernel: Any, bias: Any) -> Tensor:
    """The inputs beside each other, times the kernel, plus the bias."""
    return activations.bias_add(matmul(array.concat(inputs, 1), kernel), bias)


# ---- cells

@export(*cell_names("BasicRNNCell"))
class BasicRNNCell(LayerRNNCell):
    """The simple recurrent cell (Elman network): output = new state = activation([inputs, state] @ kernel + bias).

    Args:
        num_units: the size of the state and output.
        activation: the activation function, or its name; by default tanh.
        reuse: True to share the variables of an earlier cell of the same name in the variable scope.
        name: the name of the cell and its variable scope.
        dtype: the dtype of the variables; by default that of the inputs.
        **kwargs: see `tf.layers.Layer`.
    """

    def __init__(self, num_units: int, activation: Any = None, reuse: Any = None, name: Any = None, dtype: Any = None,
                 **kwargs: Any) -> None:
        require_floating(dtype)
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        self.input_spec = InputSpec(ndim=2)
        self._num_units, self._activation = num_units, _activation(activation)

    state_size = property(lambda self: self._num_units, doc="The number of units.")
    output_size = property(lambda self: self._num_units, doc="The number of units.")

    def build(self, input_shape: Any) -> None:
        depth = self._depth_of(input_shape)
        self._kernel = self.add_variable("kernel", shape=[depth + self._num_units, self._num_units])
        self._bias = self.add_variable("bias", shape=[self._num_units],
                                       initializer=zeros_initializer(dtype=dtypes.as_dtype(self.dtype or "float32")))
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        _require_floating_inputs(inputs, state)
        output = self._activation(_affine([inputs, state], self._kernel, self._bias))
        return output, output

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "num_units": self._num_units, "reuse": self._reuse,
                "activation": identifiers.described(self._activation)}


@export(*cell_names("GRUCell"))
class GRUCell(LayerRNNCell):
    """The gated recurrent unit, GRU (Cho et al., 2014).

    Each step computes

        r, u = split(sigmoid([inputs, state] @ gates_kernel + gates_bias))
        candidate = activation([inputs, r * state] @ candidate_kernel + candidate_bias)
        output = new state = u * state + (1 - u) * candidate

    Args:
        num_units: the size of the state and output.
        activation: the activation function of the candidate, or its name; by default tanh.
        reuse: True to share the variables of an earlier cell of the same name in the variable scope.
        kernel_initializer: the initializer of both kernels; by default that of the variable scope.
        bias_initializer: the initializer of both biases; by default ones for the gates and zeros for the candidate.
        name: the name of the cell and its variable scope.
        dtype: the dtype of the variables; by default that of the inputs.
        **kwargs: see `tf.layers.Layer`.
    """

    def __init__(self, num_units: int, activation: Any = None, reuse: Any = None, kernel_initializer: Any = None,
                 bias_initializer: Any = None, name: Any = None, dtype: Any = None, **kwargs: Any) -> None:
        require_floating(dtype)
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        self.input_spec = InputSpec(ndim=2)
        self._num_units, self._activation = num_units, _activation(activation)
        self._kernel_initializer = identifiers.initializer(kernel_initializer)
        self._bias_initializer = identifiers.initializer(bias_initializer)

    state_size = property(lambda self: self._num_units, doc="The number of units.")
    output_size = property(lambda self: self._num_units, doc="The number of units.")

    def build(self, input_shape: Any) -> None:
        units, rows = self._num_units, self._depth_of(input_shape) + self._num_units
        dtype = dtypes.as_dtype(self.dtype or "float32")
        kernel, bias = self._kernel_initializer, self._bias_initializer
        self._gate_kernel = self.add_variable("gates/kernel", shape=[rows, 2 * units], initializer=kernel)
        self._gate_bias = self.add_variable("gates/bias", shape=[2 * units],
                                            initializer=bias or constant_initializer(1.0, dtype=dtype))
        self._candidate_kernel = self.add_variable("candidate/kernel", shape=[rows, units], initializer=kernel)
        self._candidate_bias = self.add_variable("candidate/bias", shape=[units],
                                                 initializer=bias or zeros_initializer(dtype=dtype))
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        _require_floating_inputs(inputs, state)
        gates = elementwise.sigmoid(_affine([inputs, state], self._gate_kernel, self._gate_bias))
        reset, update = array.split(gates, 2, axis=1)
        candidate = self._activation(_affine([inputs, reset * state], self._candidate_kernel, self._candidate_bias))
        new_state = update * state + (1 - update) * candidate
        return new_state, new_state

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "num_units": self._num_units, "reuse": self._reuse,
                "kernel_initializer": identifiers.described(self._kernel_initializer),
                "bias_initializer": identifiers.described(self._bias_initializer),
                "activation": identifiers.described(self._activation)}


def _warn_of_joined_state(cell: Any, state_is_tuple: bool) -> None:
    if not state_is_tuple:
        logging.warning("%s keeps its state in one tensor, which is slower than state_is_tuple=True", cell)


@export(*cell_names("BasicLSTMCell"))
class BasicLSTMCell(LayerRNNCell):
    """The long short-term memory cell, LSTM (Hochreiter and Schmidhuber, 1997; Zaremba et al., 2014).

    Each step computes

        i, j, f, o = split([inputs, h] @ kernel + bias)
        c = sigmoid(f + forget_bias) * c + sigmoid(i) * activation(j)
        h = output = sigmoid(o) * activation(c)

    `tf.nn.rnn_cell.LSTMCell` adds peepholes, clipping and a projection.

    Args:
        num_units: the size of the output, of c and of h.
        forget_bias: added to the bias of the forget gate.
        state_is_tuple: True for a state that is an LSTMStateTuple (c, h), False for one tensor with both concatenated.
        activation: the activation function, or its name; by default tanh.
        reuse: True to share the variables of an earlier cell of the same name in the variable scope.
        name: the name of the cell and its variable scope.
        dtype: the dtype of the variables; by default that of the inputs.
        **kwargs: see `tf.layers.Layer`.
    """

    def __init__(self, num_units: int, forget_bias: float = 1.0, state_is_tuple: bool = True, activation: Any = None,
                 reuse: Any = None, name: Any = None, dtype: Any = None, **kwargs: Any) -> None:
        require_floating(dtype)
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        _warn_of_joined_state(self, state_is_tuple)
        self.input_spec = InputSpec(ndim=2)
        self._num_units, self._forget_bias, self._state_is_tuple = num_units, forget_bias, state_is_tuple
        self._activation = _activation(activation)

    @property
    def state_size(self) -> Any:
        """An LSTMStateTuple of sizes, or their sum."""
        return LSTMStateTuple(self._num_units, self._num_units) if self._state_is_tuple else 2 * self._num_units

    output_size = property(lambda self: self._num_units, doc="The number of units.")

    def build(self, input_shape: Any) -> None:
        depth = self._depth_of(input_shape)
        self._kernel = self.add_variable("kernel", shape=[depth + self._num_units, 4 * self._num_units])
        self._bias = self.add_variable("bias", shape=[4 * self._num_units],
                                       initializer=zeros_initializer(dtype=dtypes.as_dtype(self.dtype or "float32")))
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        _require_floating_inputs(inputs, state)
        sigmoid, axis = elementwise.sigmoid, array.constant(1, dtype=dtypes.int32)
        c, h = state if self._state_is_tuple else array.split(state, 2, axis=axis)
        i, j, f, o = array.split(_affine([inputs, h], self._kernel, self._bias), 4, axis=axis)
        bias = array.constant(self._forget_bias, dtype=f.dtype)
        new_c = elementwise.add(elementwise.mul(c, sigmoid(elementwise.add(f, bias))),
                                elementwise.mul(sigmoid(i), self._activation(j)))
        new_h = elementwise.mul(self._activation(new_c), sigmoid(o))
        return new_h, LSTMStateTuple(new_c, new_h) if self._state_is_tuple else array.concat([new_c, new_h], 1)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "num_units": self._num_units, "forget_bias": self._forget_bias,
                "state_is_tuple": self._state_is_tuple, "reuse": self._reuse,
                "activation": identifiers.described(self._activation)}


@export(*cell_names("LSTMCell"))
class LSTMCell(LayerRNNCell):
    """The long short-term memory cell, LSTM (Hochreiter and Schmidhuber, 1997), with optional extensions.

    Each step computes

        i, j, f, o = split([inputs, h] @ kernel + bias)
        c = sigmoid(f + forget_bias) * c + sigmoid(i) * activation(j)
        h = output = sigmoid(o) * activation(c)

    With peepholes (Gers and Schmidhuber, 2000) the gates i and f also see the old c and the gate o the new c, each
    through a diagonal matrix. With a projection (Sak et al., 2014) h and the output are multiplied by another kernel.

    Args:
        num_units: the size of c.
        use_peepholes: whether the cell has peepholes.
        cell_clip: clips c to [-cell_clip, cell_clip]; None does not.
        initializer: the initializer of the kernels and peepholes; by default that of the variable scope.
        num_proj: the size of h and the output after the projection; None for no projection.
        proj_clip: clips the projection to [-proj_clip, proj_clip]; None does not.
        num_unit_shards: the number of parts of a partitioned kernel; `tf.variable_scope(partitioner=...)` replaces it.
        num_proj_shards: the number of parts of a partitioned projection kernel.
        forget_bias: added to the bias of the forget gate.
        state_is_tuple: True for a state that is an LSTMStateTuple (c, h), False for one tensor with both concatenated.
        activation: the activation function, or its name; by default tanh.
        reuse: True to share the variables of an earlier cell of the same name in the variable scope.
        name: the name of the cell and its variable scope.
        dtype: the dtype of the variables; by default that of the inputs.
        **kwargs: see `tf.layers.Layer`.
    """

    def __init__(self, num_units: int, use_peepholes: bool = False, cell_clip: Any = None, initializer: Any = None,
                 num_proj: int | None = None, proj_clip: Any = None, num_unit_shards: int | None = None,
                 num_proj_shards: int | None = None, forget_bias: float = 1.0, state_is_tuple: bool = True,
                 activation: Any = None, reuse: Any = None, name: Any = None, dtype: Any = None,
                 **kwargs: Any) -> None:
        require_floating(dtype)
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        _warn_of_joined_state(self, state_is_tuple)
        if num_unit_shards is not None or num_proj_shards is not None:
            logging.warning("%s: a partitioner of the variable scope does what num_unit_shards and num_proj_shards do",
                            self)
        self.input_spec = InputSpec(ndim=2)
        self._num_units, self._use_peepholes, self._cell_clip = num_units, use_peepholes, cell_clip
        self._initializer = identifiers.initializer(initializer)
        self._num_proj, self._proj_clip = num_proj, proj_clip
        self._num_unit_shards, self._num_proj_shards = num_unit_shards, num_proj_shards
        self._forget_bias, self._state_is_tuple = forget_bias, state_is_tuple
        self._activation = _activation(activation)

    output_size = property(lambda self: self._num_proj or self._num_units, doc="The size of the output.")

    @property
    def state_size(self) -> Any:
        """An LSTMStateTuple of sizes, or their sum."""
        sizes = LSTMStateTuple(self._num_units, self.output_size)
        return sizes if self._state_is_tuple else sum(sizes)

    def build(self, input_shape: Any) -> None:
        units, rows = self._num_units, self._depth_of(input_shape) + self.output_size
        self._kernel = self.add_variable("kernel", shape=[rows, 4 * units], initializer=self._initializer,
                                         partitioner=_parts(self._num_unit_shards))
        self._bias = self.add_variable("bias", shape=[4 * units],
                                       initializer=zeros_initializer(dtype=dtypes.as_dtype(self.dtype or "float32")))
        if self._use_peepholes:
            self._w_f_diag, self._w_i_diag, self._w_o_diag = (
                self.add_variable(f"w_{gate}_diag", shape=[units], initializer=self._initializer) for gate in "fio")
        if self._num_proj is not None:
            self._proj_kernel = self.add_variable("projection/kernel", shape=[units, self._num_proj],
                                                  initializer=self._initializer,
                                                  partitioner=_parts(self._num_proj_shards))
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        _require_floating_inputs(inputs, state)
        sigmoid = elementwise.sigmoid
        c, h = state if self._state_is_tuple else self._halves(state)
        if TensorShape(inputs.shape).with_rank(2).as_list()[1] is None:
            raise ValueError("Could not infer the input size: the last axis of the inputs has no static size")
        i, j, f, o = array.split(_affine([inputs, h], self._kernel, self._bias), 4, axis=1)
        if self._use_peepholes:
            new_c = (sigmoid(f + self._forget_bias + self._w_f_diag * c) * c
                     + sigmoid(i + self._w_i_diag * c) * self._activation(j))
        else:
            new_c = sigmoid(f + self._forget_bias) * c + sigmoid(i) * self._activation(j)
        new_c = _clipped(new_c, self._cell_clip)
        new_h = sigmoid(o + self._w_o_diag * new_c if self._use_peepholes else o) * self._activation(new_c)
        if self._num_proj is not None:
            new_h = _clipped(matmul(new_h, self._proj_kernel), self._proj_clip)
        return new_h, LSTMStateTuple(new_c, new_h) if self._state_is_tuple else array.concat([new_c, new_h], 1)

    def _halves(self, state: Any) -> tuple[Tensor, Tensor]:
        units = self._num_units
        return index.slice_(state, [0, 0], [-1, units]), index.slice_(state, [0, units], [-1, self.output_size])

    def get_config(self) -> dict[str, Any]:
        fields = ("num_units", "use_peepholes", "cell_clip", "initializer", "num_proj", "proj_clip", "num_unit_shards",
                  "num_proj_shards", "forget_bias", "state_is_tuple", "activation", "reuse")
        return {**super().get_config(), **{field: identifiers.described(getattr(self, f"_{field}"))
                                           for field in fields}}


def _parts(count: int | None) -> Any:
    return None if count is None else fixed_size_partitioner(count)


def _clipped(value: Any, bound: Any) -> Any:
    return value if bound is None else clip_by_value(value, -bound, bound)
