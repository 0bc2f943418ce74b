"""The image functions that scipy.misc had, Pillow's old names of filters, and what scipy.ndimage took."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from evergraph.cli.legacy.ledger import lend

NEAREST, ANTIALIAS, LINEAR, CUBIC = range(4)
"""Pillow's filters by their old names and numbers."""

_FILTERS = {"nearest": NEAREST, "lanczos": ANTIALIAS, "bilinear": LINEAR, "bicubic": CUBIC, "cubic": CUBIC}


def _pillow() -> ModuleType:
    from PIL import Image

    return Image


def bytescale(data: Any, cmin: Any = None, cmax: Any = None, high: int = 255, low: int = 0) -> Any:
    """The array as bytes: values from cmin to cmax become low to high. Bytes stay as they are."""
    data = np.asarray(data)
    if data.dtype == np.uint8:
        return data
    cmin = data.min() if cmin is None else cmin
    cmax = data.max() if cmax is None else cmax
    scaled = (data - cmin) * (float(high - low) / ((cmax - cmin) or 1)) + low
    return (scaled.clip(low, high) + 0.5).astype(np.uint8)


def toimage(arr: Any, high: int = 255, low: int = 0, cmin: Any = None, cmax: Any = None, pal: Any = None,
            mode: Any = None, channel_axis: Any = None) -> Any:  # fmt: skip
    """A picture of an array [height, width] or one with 3 or 4 channels on some axis."""
    data = np.asarray(arr)
    if mode == "F":
        return _pillow().fromarray(data.astype(np.float32))
    if data.ndim == 3:
        axis = channel_axis if channel_axis is not None else next(at for at in (2, 0, 1) if data.shape[at] in (3, 4))
        data = np.moveaxis(data, axis, 2)
    picture = _pillow().fromarray(np.ascontiguousarray(bytescale(data, cmin, cmax, high, low)))
    if pal is not None:
        picture.putpalette(np.asarray(pal, np.uint8).tobytes())
    return picture if mode is None else picture.convert(mode)


def fromimage(im: Any, flatten: bool = False, mode: Any = None) -> Any:
    """The pixels of a picture; a flattened one is gray, in 32-bit floats."""
    if mode is not None:
        im = im.convert(mode)
    elif im.mode == "P":
        im = im.convert("RGBA" if "transparency" in im.info else "RGB")
    if flatten:
        im = im.convert("F")
    elif im.mode == "1":
        im = im.convert("L")
    return np.array(im)


def imread(name: Any, flatten: bool = False, mode: Any = None) -> Any:
    with _pillow().open(name) as picture:
        return fromimage(picture, flatten, mode)


def imsave(name: Any, arr: Any, format: Any = None) -> None:
    toimage(arr).save(name, format)


def imshow(arr: Any) -> None:
    toimage(arr).show()


def imresize(arr: Any, size: Any, interp: str = "bilinear", mode: Any = None) -> Any:
    """The array as a picture of another size: a percentage, a factor, or (height, width)."""
    picture = toimage(arr, mode=mode)
    if isinstance(size, (int, np.integer)):
        size = float(size) / 100.0
    if isinstance(size, (float, np.floating)):
        width, height = (int(length * size) for length in picture.size)
    else:
        height, width = (int(length) for length in size[:2])
    return fromimage(picture.resize((width, height), resample=_FILTERS[interp]))


def imrotate(arr: Any, angle: float, interp: str = "bilinear") -> Any:
    return fromimage(toimage(arr).rotate(angle, resample=_FILTERS[interp]))


def rotate_by_array(rotate: Callable[..., Any]) -> Callable[..., Any]:
    """scipy.ndimage.rotate, which takes the angle as an array of one element, too."""

    @functools.wraps(rotate)
    def with_array(input: Any, angle: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(angle, np.ndarray) and angle.shape:
            lend("scipy.ndimage.rotate(angle=array of one element)")
            angle = angle.item()
        return rotate(input, angle, *args, **kwargs)

    return with_array
