# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.image."""

from typing import Any

class ResizeMethod:
    """The interpolation methods of `tf.compat.v2.image.resize`."""
    BILINEAR: str
    NEAREST_NEIGHBOR: str
    BICUBIC: str
    AREA: str
    LANCZOS3: str
    LANCZOS5: str
    GAUSSIAN: str
    MITCHELLCUBIC: str

def resize(
    images: Any, size: Any, method: Any = 'bilinear', preserve_aspect_ratio: Any = False,
    antialias: Any = False, name: str | None = None,
) -> Any:
    """Resizes images by interpolation, with half-pixel centres."""

def resize_with_pad(
    image: Any, target_height: Any, target_width: Any, method: Any = 'bilinear', antialias: Any = False,
) -> Any:
    """Resizes images with their aspect ratio kept and pads them with zeros to a given size."""
