"""tf.keras.layers.Embedding."""
from __future__ import annotations

from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import math
from evergraph.frontend.nn.embedding import embedding_lookup
from evergraph.keras import settings
from evergraph.keras.layer import Layer, resolved
from evergraph.ops.math import elementwise


@export("keras.layers.Embedding")
class Embedding(Layer):
    """An embedding table: maps integers to the rows of `embeddings`.

    Args:
        input_dim: the number of rows, the vocabulary size.
        output_dim: the size of a row.
        embeddings_initializer: the initializer of the table.
        embeddings_regularizer: a penalty on the table, added to the losses.
        activity_regularizer: a penalty on the output, added to the losses.
        embeddings_constraint: a projection of the table that optimizers apply after each step.
        mask_zero: whether index 0 is padding: downstream layers skip it.
        input_length: the length of the sequences, if fixed.
        **kwargs: see `tf.keras.layers.Layer`.
    """

    fields = ("input_dim", "output_dim", "embeddings_initializer", "embeddings_regularizer", "activity_regularizer",
              "embeddings_constraint", "mask_zero", "input_length")

    def __init__(self, input_dim, output_dim, embeddings_initializer="uniform", embeddings_regularizer=None,
                 activity_regularizer=None, embeddings_constraint=None, mask_zero=False, input_length=None, **kwargs):
        given = resolved(locals())
        if "input_shape" not in kwargs:
            kwargs["input_shape"] = (input_length,) if input_length else (None,)
        super().__init__(dtype=kwargs.pop("dtype", settings.floatx()),
                         activity_regularizer=given.pop("activity_regularizer"), **kwargs)
        vars(self).update(given)
        self.supports_masking = mask_zero

    def build(self, input_shape):
        self.embeddings = self.add_weight("embeddings", shape=(self.input_dim, self.output_dim),
                                          initializer=self.embeddings_initializer,
                                          regularizer=self.embeddings_regularizer,
                                          constraint=self.embeddings_constraint)
        self.built = True

    def compute_mask(self, inputs, mask=None):
        return elementwise.not_equal(inputs, 0) if self.mask_zero else None

    def call(self, inputs):
        if inputs.dtype.base_dtype.name not in ("int32", "int64"):
            inputs = math.cast(inputs, "int32")
        return embedding_lookup(self.embeddings, inputs)

    def compute_output_shape(self, input_shape):
        return TensorShape(input_shape).concatenate(self.output_dim)
