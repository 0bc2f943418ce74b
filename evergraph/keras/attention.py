"""tf.keras.layers: attention layers."""
from __future__ import annotations

from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array, math
from evergraph.frontend.matmul import matmul
from evergraph.frontend.nn import activations
from evergraph.frontend.reduce import reduce_sum
from evergraph.keras import settings
from evergraph.keras.layer import Layer
from evergraph.ops.arrays import basic
from evergraph.ops.math import elementwise


class DenseAttention(Layer):
    """The base of attention layers, which differ in how they score a query and a key."""

    fields = ("causal",)

    def __init__(self, causal=False, **kwargs):
        super().__init__(**kwargs)
        self.causal, self.supports_masking = causal, True

    def call(self, inputs, mask=None):
        """For each query, the mean of the values weighted by the softmax of its scores.

        Args:
            inputs: [queries, values], or [queries, values, keys]; keys default to the values. Each is
                [batch, length, features].
            mask: [mask of the queries, mask of the values], bools [batch, length] or None: masked values get no weight,
                masked queries give zeros.
        """
        self._check(inputs, mask)
        query, value = inputs[0], inputs[1]
        key = inputs[2] if len(inputs) > 2 else value
        scores = self._calculate_scores(query, key)
        allowed = self._allowed(scores, None if mask is None else mask[1])
        if allowed is not None:
            scores -= 1e9 * math.cast(elementwise.logical_not(allowed), settings.floatx())
        outputs = matmul(activations.softmax(scores), value)
        if mask is not None and mask[0] is not None:
            outputs *= math.cast(array.expand_dims(mask[0], -1), outputs.dtype)
        return outputs

    def _check(self, inputs, mask):
        name = type(self).__name__
        if not isinstance(inputs, list):
            raise ValueError(f"{name} layer must be called on a list of inputs: query and value, or query, value and "
                             f"key; got {inputs}")
        if not 2 <= len(inputs) <= 3:
            raise ValueError(f"{name} layer accepts inputs list of length 2 or 3, query and value and perhaps key; got "
                             f"{len(inputs)}")
        if mask is not None and not isinstance(mask, list):
            raise ValueError(f"{name} layer mask must be a list, for query and value; got {mask}")
        if mask is not None and not 2 <= len(mask) <= len(inputs):
            raise ValueError(f"{name} layer mask must be a list of length 2, for query and value; got {len(mask)}")

    def _allowed(self, scores, mask):
        """The values that each query may attend to: bools that broadcast to the scores, or None for all."""
        allowed = None if mask is None else array.expand_dims(mask, -2)
        if not self.causal:
            return allowed
        sizes = array.shape(scores)
        rows, columns = basic.range_(0, sizes[1], 1), basic.range_(0, sizes[2], 1)
        past = elementwise.greater_equal(array.expand_dims(rows, 1), array.expand_dims(columns, 0))
        past = array.expand_dims(past, 0)
        return past if allowed is None else elementwise.logical_and(allowed, past)

    def compute_mask(self, inputs, mask=None):
        return None if not mask or mask[0] is None else basic.identity(mask[0])

    def compute_output_shape(self, input_shape):
        query, value = TensorShape(input_shape[0]), TensorShape(input_shape[1])
        return query[:-1].concatenate(value.as_list()[-1])


@export("keras.layers.Attention")
class Attention(DenseAttention):
    """Dot-product attention (Luong et al., 2015): scores are query * key.

    Args:
        use_scale: whether to multiply the scores by a trainable `scale`, initially 1.
        **kwargs: `causal`, whether queries attend only to values at or before their position; see
            `tf.keras.layers.Layer`.
    """

    fields = ("causal", "use_scale")

    def __init__(self, use_scale=False, **kwargs):
        super().__init__(**kwargs)
        self.use_scale = use_scale

    def build(self, input_shape):
        self.scale = self.add_weight("scale", shape=(), initializer="ones", trainable=True) if self.use_scale else None
        self.built = True

    def _calculate_scores(self, query, key):
        scores = matmul(query, key, transpose_b=True)
        return scores if self.scale is None else scores * self.scale


@export("keras.layers.AdditiveAttention")
class AdditiveAttention(DenseAttention):
    """Additive attention (Bahdanau et al., 2014): scores are the sum of tanh(query + key).

    Args:
        use_scale: whether to weight that sum with a trainable `scale`.
        **kwargs: `causal`, whether queries attend only to values at or before their position; see
            `tf.keras.layers.Layer`.
    """

    fields = ("causal", "use_scale")

    def __init__(self, use_scale=True, **kwargs):
        super().__init__(**kwargs)
        self.use_scale = use_scale

    def build(self, input_shape):
        size = TensorShape(input_shape[1]).as_list()[-1]
        self.scale = self.add_weight("scale", shape=[size], initializer="glorot_uniform", trainable=True) \
            if self.use_scale else None
        self.built = True

    def _calculate_scores(self, query, key):
        sums = math.tanh(array.expand_dims(query, -2) + array.expand_dims(key, -3))
        return reduce_sum(sums if self.scale is None else self.scale * sums, axis=-1)
