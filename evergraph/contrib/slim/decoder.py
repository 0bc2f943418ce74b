"""tf.contrib.slim.tfexample_decoder: items, such as images and boxes, from the features of Examples."""
from __future__ import annotations

import abc
from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.control_flow import case, cond
from evergraph.frontend.functional import map_fn
from evergraph.frontend.image.files import decode_image
from evergraph.frontend.input.features import FixedLenFeature, FixedLenSequenceFeature
from evergraph.frontend.input.parsing import parse_single_example
from evergraph.frontend.reduce import reduce_any, reduce_sum
from evergraph.frontend.sparse.arithmetic import sparse_tensor_to_dense
from evergraph.frontend.sparse.shape import sparse_reshape
from evergraph.frontend.strings import decode_raw
from evergraph.graph import composite
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.math import elementwise


def _name(name: str, module: str = "tfexample_decoder") -> str:
    return f"contrib.slim.{module}.{name}"


@export(_name("DataDecoder", "data_decoder"))
class DataDecoder(abc.ABC):
    """Makes items of data, by their names."""

    @abc.abstractmethod
    def decode(self, data: Any, items: Sequence[str]) -> list[Any]:
        """The items with these names."""

    @abc.abstractmethod
    def list_items(self) -> list[str]:
        """The names of all items."""


@export(_name("ItemHandler"))
class ItemHandler(abc.ABC):
    """Makes an item of the tensors of some features.

    Args:
        keys: the names of the features.
    """

    def __init__(self, keys: Any) -> None:
        self._keys = list(keys) if isinstance(keys, (list, tuple)) else [keys]

    keys = property(lambda self: self._keys, doc="The names of the features.")

    @abc.abstractmethod
    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> Any:
        """The item, of tensors by the names of features."""


@export(_name("ItemHandlerCallback"))
class ItemHandlerCallback(ItemHandler):
    """Makes an item by a function of the dictionary of tensors.

    Args:
        keys: the names of the features.
        func: the function.
    """

    def __init__(self, keys: Any, func: Callable[[dict[str, Any]], Any]) -> None:
        super().__init__(keys)
        self._func = func

    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> Any:
        return self._func(keys_to_tensors)


def _dense(value: Any, default: Any = 0) -> Any:
    return sparse_tensor_to_dense(value, default_value=default) if isinstance(value, composite.SparseTensor) else value


@export(_name("BoundingBox"))
class BoundingBox(ItemHandler):
    """Boxes [number, 4] of four features of coordinates.

    Args:
        keys: the names of the features: by default "ymin", "xmin", "ymax" and "xmax".
        prefix: of the names.

    Raises:
        ValueError: there are not four.
    """

    def __init__(self, keys: Any = None, prefix: str = "") -> None:
        keys = ["ymin", "xmin", "ymax", "xmax"] if keys is None else list(keys)
        if len(keys) != 4:
            raise ValueError(f"a box has four sides, got {len(keys)} keys")
        self._full_keys = [f"{prefix}{key}" for key in keys]
        super().__init__(self._full_keys)

    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> Any:
        """The boxes."""
        sides = []
        for key in self._full_keys:
            side = keys_to_tensors[key]
            side = side.values if isinstance(side, composite.SparseTensor) else side
            sides.append(array.expand_dims(side, 0))
        return array.transpose(array.concat(sides, 0))


@export(_name("Tensor"))
class Tensor(ItemHandler):
    """The tensor of a feature, perhaps in another shape.

    Args:
        tensor_key: the name of the feature.
        shape_keys: the name of a feature that holds the shape, or those of features for each size.
        shape: the shape.
        default_value: what fills up a sparse feature when it is made dense.

    Raises:
        ValueError: the shape is given twice.
    """

    def __init__(self, tensor_key: str, shape_keys: Any = None, shape: Any = None, default_value: Any = 0) -> None:
        if shape_keys and shape is not None:
            raise ValueError("the shape is given twice, by shape_keys and shape")
        shape_keys = [shape_keys] if shape_keys and not isinstance(shape_keys, list) else shape_keys
        self._tensor_key, self._shape_keys, self._shape = tensor_key, shape_keys, shape
        self._default_value = default_value
        super().__init__([tensor_key, *(shape_keys or ())])

    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> Any:
        """The tensor."""
        tensor, shape = keys_to_tensors[self._tensor_key], self._shape
        if self._shape_keys:
            sizes = [_dense(keys_to_tensors[key]) for key in self._shape_keys]
            shape = array.reshape(array.stack(sizes), [-1])
        if isinstance(tensor, composite.SparseTensor):
            if shape is not None:
                tensor = sparse_reshape(tensor, shape)
            return sparse_tensor_to_dense(tensor, default_value=self._default_value)
        return tensor if shape is None else array.reshape(tensor, shape)


@export(_name("LookupTensor"))
class LookupTensor(Tensor):
    """The tensor of a feature, looked up in a table.

    Args:
        tensor_key: the name of the feature.
        table: the table.
        shape_keys, shape, default_value: as for `Tensor`.
    """

    def __init__(self, tensor_key: str, table: Any, shape_keys: Any = None, shape: Any = None,
                 default_value: Any = "") -> None:
        self._table = table
        super().__init__(tensor_key, shape_keys, shape, default_value)

    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> Any:
        """What the table says."""
        return self._table.lookup(super().tensors_to_item(keys_to_tensors))


@export(_name("BackupHandler"))
class BackupHandler(ItemHandler):
    """The item of one handler, or of another one where the first gives an empty tensor.

    Args:
        handler: the first.
        backup: the other one.

    Raises:
        ValueError: one of them is no handler.
    """

    def __init__(self, handler: ItemHandler, backup: ItemHandler) -> None:
        if not isinstance(handler, ItemHandler) or not isinstance(backup, ItemHandler):
            raise ValueError("both must be item handlers")
        self._handler, self._backup = handler, backup
        super().__init__([*handler.keys, *backup.keys])

    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> Any:
        """The item."""
        item = self._handler.tensors_to_item(keys_to_tensors)
        return cond(elementwise.equal(reduce_sum(array.shape(item)), 0),
                    lambda: self._backup.tensors_to_item(keys_to_tensors), lambda: item)


@export(_name("SparseTensor"))
class SparseTensor(ItemHandler):
    """A sparse vector or tensor of features for indices and values.

    Args:
        indices_key: the name of the feature for indices; by default "indices".
        values_key: the name of the feature for values; by default "values".
        shape_key: the name of a feature for the shape.
        shape: the shape; the largest index tells it when neither is given.
        densify: whether the result is dense.
        default_value: what fills it up then.
    """

    def __init__(self, indices_key: str | None = None, values_key: str | None = None, shape_key: str | None = None,
                 shape: Any = None, densify: bool = False, default_value: Any = 0) -> None:
        self._indices_key, self._values_key = indices_key or "indices", values_key or "values"
        self._shape_key, self._shape, self._densify, self._default_value = shape_key, shape, densify, default_value
        super().__init__([self._indices_key, self._values_key, *([shape_key] if shape_key else [])])

    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> Any:
        """The tensor."""
        indices, values = keys_to_tensors[self._indices_key], keys_to_tensors[self._values_key]
        if self._shape_key:
            shape = keys_to_tensors[self._shape_key]
            shape = shape.values if isinstance(shape, composite.SparseTensor) else shape
        else:
            shape = self._shape if self._shape else indices.dense_shape
        rows = array.transpose(array.reshape(indices.values, [1, -1])) if isinstance(indices, composite.SparseTensor) \
            else array.reshape(indices, [-1, 1])
        values = values.values if isinstance(values, composite.SparseTensor) else values
        made = composite.SparseTensor(math.cast(rows, dtypes.int64), values, math.cast(
            array.reshape(convert_to_tensor(shape), [-1]), dtypes.int64))
        return sparse_tensor_to_dense(made, default_value=self._default_value) if self._densify else made


@export(_name("Image"))
class Image(ItemHandler):
    """An image, of the features that hold its file and the name of the format.

    Args:
        image_key: the name of the feature for the file; by default "image/encoded".
        format_key: the name of the feature for the format; by default "image/format": "raw" is an image without a
            format, all others are found out.
        shape: the shape of the image, where it is known.
        channels: the number of channels.
        dtype: the dtype of the elements.
        repeated: whether there are several files.
        dct_method: has no meaning here: JPEG is decoded in one way.
    """

    def __init__(self, image_key: str | None = None, format_key: str | None = None, shape: Any = None,
                 channels: int = 3, dtype: Any = dtypes.uint8, repeated: bool = False, dct_method: str = "") -> None:
        self._image_key, self._format_key = image_key or "image/encoded", format_key or "image/format"
        super().__init__([self._image_key, self._format_key])
        self._shape, self._channels, self._dtype = shape, channels, dtypes.as_dtype(dtype)
        self._repeated, self._dct_method = repeated, dct_method

    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> Any:
        """The image."""
        files, kind = keys_to_tensors[self._image_key], keys_to_tensors[self._format_key]
        if self._repeated:
            return map_fn(lambda file: self._decode(file, kind), files, dtype=self._dtype)
        return self._decode(files, kind)

    def _decode(self, file: Any, kind: Any) -> Any:
        is_raw = reduce_any(elementwise.logical_or(elementwise.equal(kind, b"raw"), elementwise.equal(kind, b"RAW")))
        decoded = lambda: math.cast(decode_image(file, channels=self._channels, expand_animations=False), self._dtype)
        image = case([(is_raw, lambda: decode_raw(file, out_type=self._dtype))], default=decoded, exclusive=True)
        image.set_shape([None, None, self._channels] if self._shape is None else [None] * len(self._shape))
        return image if self._shape is None else array.reshape(image, self._shape)


@export(_name("TFExampleDecoder"))
class TFExampleDecoder(DataDecoder):
    """Makes items of serialized Examples.

    Args:
        keys_to_features: the features by name: see `tf.parse_example`.
        items_to_handlers: an `ItemHandler` for each item.
    """

    def __init__(self, keys_to_features: dict[str, Any], items_to_handlers: dict[str, ItemHandler]) -> None:
        self._keys_to_features, self._items_to_handlers = keys_to_features, items_to_handlers

    def list_items(self) -> list[str]:
        """The names of all items."""
        return list(self._items_to_handlers)

    def decode(self, serialized_example: Any, items: Sequence[str] | None = None) -> list[Any]:
        """The items with these names, or all, of an Example.

        Args:
            serialized_example: a scalar string tensor.
            items: the names.
        """
        found = parse_single_example(serialized_example, self._keys_to_features)
        for key, feature in sorted(self._keys_to_features.items()):
            if isinstance(feature, FixedLenFeature) and not isinstance(feature, FixedLenSequenceFeature):
                found[key] = array.reshape(found[key], feature.shape)
        outputs = []
        for item in items or self.list_items():
            handler = self._items_to_handlers[item]
            outputs.append(handler.tensors_to_item({key: found[key] for key in handler.keys}))
        return outputs
