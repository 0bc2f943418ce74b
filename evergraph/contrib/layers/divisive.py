"""tf.contrib.layers.GDN: generalized divisive normalization (Balle et al., 2016)."""
from __future__ import annotations

import math
from typing import Any

from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.contrib.layers.names import everywhere
from evergraph.frontend import array
from evergraph.frontend.contract import tensordot
from evergraph.frontend.gradients import custom_gradient
from evergraph.frontend.indexing import where
from evergraph.frontend.math import square
from evergraph.frontend.nn import activations
from evergraph.graph.convert import convert_to_tensor
from evergraph.layers.input_spec import InputSpec
from evergraph.layers.layer import Layer
from evergraph.ops.math import elementwise


def _at_least(value: Any, bound: float) -> Any:
    """max(value, bound), with a gradient that still increases values below the bound."""
    @custom_gradient
    def limited(x):
        passes = lambda dy: elementwise.logical_or(elementwise.greater_equal(x, bound), elementwise.less(dy, 0.0))
        return elementwise.maximum(x, bound), lambda dy: where(passes(dy), dy, array.zeros_like(dy))
    return limited(convert_to_tensor(value))


@export(*everywhere("GDN"))
class GDN(Layer):
    """Generalized divisive normalization (GDN; Balle et al., 2016): x / sqrt(beta + gamma x²), gamma over all channels.

    Args:
        inverse: whether to multiply instead, the approximate inverse.
        beta_min: the lower bound of `beta`.
        gamma_init: the initial diagonal of `gamma`.
        reparam_offset: keeps the gradients of the reparameterized square roots finite.
        data_format: "channels_last", or "channels_first" for channels after the batch.
        activity_regularizer: a penalty on the output, added to the losses.
        trainable: whether the variables are trainable.
        name: the name of the layer.
        **kwargs: see `tf.layers.Layer`.

    Raises:
        ValueError: the layout is unknown.
    """

    fields = ("inverse", "beta_min", "gamma_init", "reparam_offset", "data_format")

    def __init__(self, inverse=False, beta_min=1e-6, gamma_init=0.1, reparam_offset=2 ** -18,
                 data_format="channels_last", activity_regularizer=None, trainable=True, name=None, **kwargs):
        super().__init__(trainable=trainable, name=name, activity_regularizer=activity_regularizer, **kwargs)
        if data_format not in ("channels_first", "channels_last"):
            raise ValueError(f"Unknown data_format: {data_format}")
        self.inverse, self.beta_min, self.gamma_init = inverse, beta_min, gamma_init
        self.reparam_offset, self.data_format = reparam_offset, data_format
        self.input_spec = InputSpec(min_ndim=3, max_ndim=5)

    def _axis(self, rank):
        return 1 if self.data_format == "channels_first" else rank - 1

    def build(self, input_shape):
        shape = TensorShape(input_shape)
        axis = self._axis(shape.rank)
        channels = shape.as_list()[axis]
        if channels is None:
            raise ValueError(f"the number of channels is not known: {shape}")
        self.input_spec = InputSpec(ndim=shape.rank, axes={axis: channels})
        pedestal = self.reparam_offset ** 2
        root = lambda values, dtype: elementwise.sqrt(values + convert_to_tensor(pedestal, dtype=dtype))
        beta = self.add_weight("reparam_beta", shape=[channels], initializer=lambda size, dtype=None,
                               partition_info=None: root(array.ones(size, dtype=dtype), dtype))
        gamma = self.add_weight("reparam_gamma", shape=[channels, channels], initializer=lambda size, dtype=None,
                                partition_info=None: root(self.gamma_init * array.eye(size[0], size[1], dtype=dtype),
                                                          dtype))
        self.beta = square(_at_least(beta, math.sqrt(self.beta_min + pedestal))) - pedestal
        self.gamma = square(_at_least(gamma, self.reparam_offset)) - pedestal
        self.built = True

    def call(self, inputs):
        inputs = convert_to_tensor(inputs)
        rank = inputs.shape.rank
        axis = self._axis(rank)
        sums = activations.bias_add(tensordot(square(inputs), self.gamma, [[axis], [0]]), self.beta)
        if axis == 1:
            sums = array.transpose(sums, [0, rank - 1, *range(1, rank - 1)])
        outputs = inputs * (elementwise.sqrt(sums) if self.inverse else elementwise.rsqrt(sums))
        outputs.set_shape(inputs.shape)
        return outputs

    def compute_output_shape(self, input_shape):
        return TensorShape(input_shape)


@export(*everywhere("gdn"))
def gdn(inputs: Any, inverse: bool = False, beta_min: float = 1e-6, gamma_init: float = 0.1,
        reparam_offset: float = 2 ** -18, data_format: str = "channels_last", activity_regularizer: Any = None,
        trainable: bool = True, name: str | None = None, reuse: Any = None) -> Any:
    """Creates a `GDN` layer with these arguments and applies it to `inputs`.

    Args:
        inputs: a tensor of rank 3, 4 or 5.
        reuse: True to share the variables of an earlier layer of the same `name`.
        inverse, beta_min, gamma_init, reparam_offset, data_format, activity_regularizer, trainable, name: as for `GDN`.
    """
    layer = GDN(inverse=inverse, beta_min=beta_min, gamma_init=gamma_init, reparam_offset=reparam_offset,
                data_format=data_format, activity_regularizer=activity_regularizer, trainable=trainable, name=name,
                _scope=name, _reuse=reuse)
    return layer(inputs)
