# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.image."""

from typing import Any

class ResizeMethod:
    """How `tf.compat.v2.image.resize` computes pixels."""
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
    """Images of another size, with the centers of pixels at half a pixel."""

def resize_with_pad(
    image: Any, target_height: Any, target_width: Any, method: Any = 'bilinear', antialias: Any = False,
) -> Any:
    """Images resized without changing their proportions, in the middle of a frame of zeros."""
