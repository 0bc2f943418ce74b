"""tf.keras.Input: the inputs of functional models."""
from __future__ import annotations

from evergraph.base import dtypes, errors
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend.array import placeholder, sparse_placeholder
from evergraph.keras import history, session, settings
from evergraph.keras.layer import Layer


@export("keras.layers.InputLayer")
class InputLayer(Layer):
    """An input of a model: a placeholder, or a tensor.

    Args:
        input_shape: the shape without the batch.
        batch_size: the size of the batch; None for any.
        dtype: the dtype; by default `tf.keras.backend.floatx()`, or that of the tensor.
        input_tensor: a tensor to use instead of a placeholder.
        sparse: whether the placeholder is sparse.
        name: the name of the layer and of the placeholder.
        ragged: not supported.
        **kwargs: `batch_input_shape`, the shape with the batch.

    Raises:
        ValueError: `input_shape` and `batch_input_shape` are both given.
    """

    def __init__(self, input_shape=None, batch_size=None, dtype=None, input_tensor=None, sparse=False, name=None,
                 ragged=False, **kwargs):
        if ragged:
            raise errors.UnimplementedError(None, None, "tf.keras.Input(ragged=True)")
        shape = kwargs.pop("batch_input_shape", None)
        if shape is not None and input_shape is not None:
            raise ValueError("input_shape and batch_input_shape exclude each other")
        if kwargs:
            raise ValueError(f"there are no such arguments: {list(kwargs)}")
        if shape is None and input_shape is not None:
            sizes = (input_shape,) if isinstance(input_shape, int) else tuple(TensorShape(input_shape).as_list())
            shape = (batch_size, *sizes)
        if dtype is None:
            dtype = settings.floatx() if input_tensor is None else input_tensor.dtype
        super().__init__(name=name or f"input_{session.get_uid('input')}", dtype=dtype)
        self.built, self.sparse, self.is_placeholder = True, sparse, input_tensor is None
        if input_tensor is not None:
            tensor, shape = input_tensor, tuple(TensorShape(input_tensor.shape).as_list())
        else:
            make = sparse_placeholder if sparse else placeholder
            with history.symbolic():
                tensor = make(dtypes.as_dtype(dtype), shape=shape, name=self.name)
        self._batch_input_shape = None if shape is None else tuple(shape)
        history.mark_graph()
        history.record(self, [], tensor)
        self._inbound_nodes[0] = history.InputNode(self, tensor, tensor)

    def _shape(self, shapes):
        return [super()._shape(shapes)]  # TensorFlow lists the shapes of a model's inputs

    def get_config(self):
        """The constructor's arguments, for `from_config`."""
        return {"batch_input_shape": self._batch_input_shape, "dtype": self.dtype, "sparse": self.sparse,
                "ragged": False, "name": self.name}


@export("keras.Input", "keras.layers.Input")
def Input(shape=None, batch_size=None, name=None, dtype=None, sparse=False, tensor=None, ragged=False, **kwargs):  # noqa: N802
    """Creates an input placeholder of a functional model.

    >>> x = tf.keras.Input([3])
    >>> model = tf.keras.Model(x, tf.keras.layers.Dense(2)(x))
    >>> model(tf.zeros([5, 3])).shape.as_list()
    [5, 2]

    Args:
        shape: the shape without the batch.
        batch_size: the size of the batch; None for any.
        name: the name of the layer and of the placeholder.
        dtype: the dtype; by default `tf.keras.backend.floatx()`.
        sparse: whether the placeholder is sparse.
        tensor: a tensor to use instead of a placeholder.
        ragged: not supported.
        **kwargs: `batch_shape`, the shape with the batch.

    Raises:
        ValueError: neither or both of `shape` and `batch_shape` are given.
    """
    batch_shape = kwargs.pop("batch_shape", None)
    if kwargs:
        raise ValueError(f"there are no such arguments: {list(kwargs)}")
    if shape is not None and batch_shape is not None:
        raise ValueError("shape and batch_shape exclude each other")
    if shape is None and batch_shape is None and tensor is None:
        raise ValueError("Input needs a shape, that of one example, or a tensor")
    made = InputLayer(input_shape=shape, batch_size=batch_size, name=name, dtype=dtype, sparse=sparse,
                      input_tensor=tensor, ragged=ragged, **({} if batch_shape is None else
                                                             {"batch_input_shape": batch_shape}))
    return made.keras_nodes[0].outputs
