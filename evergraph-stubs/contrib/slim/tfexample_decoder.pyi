# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.slim.tfexample_decoder."""

from collections.abc import Callable, Sequence
from evergraph import Tensor as _Tensor
from evergraph.contrib.slim.data_decoder import DataDecoder
from typing import Any

class BackupHandler(ItemHandler):
    """The item of one handler, or of another one where the first gives an empty tensor."""
    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> Any:
        """The item."""
    def __init__(self, handler: ItemHandler, backup: ItemHandler) -> None: ...

class BoundingBox(ItemHandler):
    """Boxes [number, 4] of four features of coordinates."""
    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> _Tensor:
        """The boxes."""
    def __init__(self, keys: Any = None, prefix: str = '') -> None: ...

class Image(ItemHandler):
    """An image, of the features that hold its file and the name of the format."""
    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> Any:
        """The image."""
    def __init__(
        self, image_key: str | None = None, format_key: str | None = None, shape: Any = None, channels: int = 3,
        dtype: Any = ..., repeated: bool = False, dct_method: str = '',
    ) -> None: ...

class ItemHandler:
    """Makes an item of the tensors of some features."""
    @property
    def keys(self) -> Any:
        """The names of the features."""
    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> None:
        """The item, of tensors by the names of features."""
    def __init__(self, keys: Any) -> None: ...

class ItemHandlerCallback(ItemHandler):
    """Makes an item by a function of the dictionary of tensors."""
    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> Any: ...
    def __init__(self, keys: Any, func: Callable[[dict[str, Any]], Any]) -> None: ...

class LookupTensor(Tensor):
    """The tensor of a feature, looked up in a table."""
    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> Any:
        """What the table says."""
    def __init__(
        self, tensor_key: str, table: Any, shape_keys: Any = None, shape: Any = None, default_value: Any = '',
    ) -> None: ...

class SparseTensor(ItemHandler):
    """A sparse vector or tensor of features for indices and values."""
    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> Any:
        """The tensor."""
    def __init__(
        self, indices_key: str | None = None, values_key: str | None = None, shape_key: str | None = None,
        shape: Any = None, densify: bool = False, default_value: Any = 0,
    ) -> None: ...

class TFExampleDecoder(DataDecoder):
    """Makes items of serialized Examples."""
    def list_items(self) -> list[str]:
        """The names of all items."""
    def decode(self, serialized_example: Any, items: Sequence[str] | None = None) -> list[Any]:
        """The items with these names, or all, of an Example."""
    def __init__(self, keys_to_features: dict[str, Any], items_to_handlers: dict[str, ItemHandler]) -> None: ...

class Tensor(ItemHandler):
    """The tensor of a feature, perhaps in another shape."""
    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> Any:
        """The tensor."""
    def __init__(
        self, tensor_key: str, shape_keys: Any = None, shape: Any = None, default_value: Any = 0,
    ) -> None: ...
