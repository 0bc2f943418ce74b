"""How gradients are made smaller for the way: `hvd.Compression`."""
from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.frontend.math import cast


class Compressor:
    """The base of classes that make tensors smaller: `compress` gives the smaller one and what `decompress` needs."""

    @staticmethod
    def compress(tensor: Any) -> tuple[Any, Any]:
        """(what is sent, what is kept for `decompress`)."""
        raise NotImplementedError

    @staticmethod
    def decompress(tensor: Any, ctx: Any) -> Any:
        """The tensor in its own dtype."""
        raise NotImplementedError


class NoneCompressor(Compressor):
    """Sends tensors as they are."""

    @staticmethod
    def compress(tensor: Any) -> tuple[Any, Any]:
        """The tensor itself."""
        return tensor, None

    @staticmethod
    def decompress(tensor: Any, ctx: Any) -> Any:
        """The tensor itself."""
        return tensor


class FP16Compressor(Compressor):
    """Sends floating point numbers in 16 bits, in which they are added up, too."""

    @staticmethod
    def compress(tensor: Any) -> tuple[Any, Any]:
        """The tensor in 16 bits."""
        return (cast(tensor, dtypes.float16), tensor.dtype) if tensor.dtype.is_floating else (tensor, None)

    @staticmethod
    def decompress(tensor: Any, ctx: Any) -> Any:
        """The tensor in its own dtype."""
        return tensor if ctx is None else cast(tensor, ctx)


class Compression:
    """The ways there are."""

    none = NoneCompressor
    fp16 = FP16Compressor
