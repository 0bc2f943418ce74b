"""Dense layers: a matrix product."""
from __future__ import annotations

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import math
from evergraph.frontend.contract import tensordot
from evergraph.frontend.nn import activations
from evergraph.frontend.variables import regularizers
from evergraph.frontend.variables.initializers import zeros_initializer
from evergraph.graph.composite import SparseTensor
from evergraph.graph.convert import convert_to_tensor
from evergraph.layers import identifiers
from evergraph.layers.functional import function_of
from evergraph.layers.input_spec import InputSpec
from evergraph.layers.layer import Layer
from evergraph.ops.math import matmul
from evergraph.ops.sparse.sparse import sparse_tensor_dense_mat_mul


@export("layers.Dense")
class Dense(Layer):
    """A dense, or fully connected, layer: activation(inputs @ kernel + bias).

    Inputs of more than two dimensions are multiplied along the last one.

    >>> y = tf.layers.Dense(10, activation=tf.nn.relu)(tf.zeros([32, 784]))
    >>> y.shape.as_list()
    [32, 10]

    Args:
        units: the size of the output's last dimension.
        activation: the activation function, or its name; None for a linear layer.
        use_bias: whether to add a bias.
        kernel_initializer: the initializer of the kernel; by default that of the variable scope.
        bias_initializer: the initializer of the bias.
        kernel_regularizer: a function from the kernel to a regularization loss.
        bias_regularizer: a function from the bias to a regularization loss.
        activity_regularizer: a function from the output to a regularization loss.
        kernel_constraint: a function that optimizers apply to the kernel after each update.
        bias_constraint: a function that optimizers apply to the bias after each update.
        trainable: whether the variables are added to the collection of trainable variables.
        name: the name of the layer and its variable scope.
        **kwargs: see `tf.layers.Layer`.

    Raises:
        ValueError: when called, the last dimension of the inputs is unknown.
    """

    fields = ("units", "activation", "use_bias", "kernel_initializer", "bias_initializer", "kernel_regularizer",
              "bias_regularizer", "activity_regularizer", "kernel_constraint", "bias_constraint")

    def __init__(self, units, activation=None, use_bias=True, kernel_initializer=None,
                 bias_initializer=zeros_initializer(), kernel_regularizer=None, bias_regularizer=None,
                 activity_regularizer=None, kernel_constraint=None, bias_constraint=None, trainable=True, name=None,
                 **kwargs):
        super().__init__(trainable=trainable, name=name, activity_regularizer=regularizers.get(activity_regularizer),
                         **kwargs)
        self.units, self.activation, self.use_bias = int(units), identifiers.activation(activation), use_bias
        self.kernel_initializer = identifiers.initializer(kernel_initializer)
        self.bias_initializer = identifiers.initializer(bias_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.kernel_constraint = identifiers.constraint(kernel_constraint)
        self.bias_constraint = identifiers.constraint(bias_constraint)
        self.supports_masking = True
        self.input_spec = InputSpec(min_ndim=2)

    def build(self, input_shape):
        dtype = dtypes.as_dtype(self.dtype or dtypes.float32)
        if not (dtype.is_floating or dtype.is_complex):
            raise TypeError(f"a Dense layer computes in floating point or complex numbers, got {dtype}")
        inputs = TensorShape(input_shape).as_list()[-1]
        if inputs is None:
            raise ValueError("the size of the last axis of the inputs to a Dense layer must be known")
        self.input_spec = InputSpec(min_ndim=2, axes={-1: inputs})
        self.kernel = self.add_weight("kernel", shape=[inputs, self.units], initializer=self.kernel_initializer,
                                      regularizer=self.kernel_regularizer, constraint=self.kernel_constraint)
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight("bias", shape=[self.units], initializer=self.bias_initializer,
                                        regularizer=self.bias_regularizer, constraint=self.bias_constraint)
        self.built = True

    def call(self, inputs):
        outputs = self._product(inputs)
        if self.use_bias:
            outputs = activations.bias_add(outputs, self.bias)
        return outputs if self.activation is None else self.activation(outputs)

    def _product(self, inputs):
        if isinstance(inputs, SparseTensor):
            return sparse_tensor_dense_mat_mul(inputs.indices, inputs.values, inputs.dense_shape, self.kernel)
        inputs = math.cast(convert_to_tensor(inputs), self.dtype)
        rank = inputs.shape.rank
        if rank == 2:
            return matmul.mat_mul(inputs, self.kernel)
        outputs = tensordot(inputs, self.kernel, [[rank - 1], [0]])
        outputs.set_shape(inputs.shape.as_list()[:-1] + [self.units])
        return outputs

    def compute_output_shape(self, input_shape):
        shape = TensorShape(input_shape).with_rank_at_least(2)
        if shape.as_list()[-1] is None:
            raise ValueError(f"the size of the last axis of input_shape must be known, got {shape}")
        return shape[:-1].concatenate(self.units)


dense = export("layers.dense")(function_of(Dense, "dense"))
