# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.deprecated."""

from evergraph.summary import merge, merge_all
from typing import Any

def audio_summary(
    tag: Any, tensor: Any, sample_rate: Any, max_outputs: Any = 3, collections: Any = None,
    name: str | None = None,
) -> Any:
    """A summary of the first clips of a batch."""

def histogram_summary(tag: Any, values: Any, collections: Any = None, name: str | None = None) -> Any:
    """A summary of the distribution of the values."""

def image_summary(
    tag: Any, tensor: Any, max_images: Any = 3, collections: Any = None, name: str | None = None,
) -> Any:
    """A summary of the first images of a batch."""

merge_all_summaries = merge_all
merge_summary = merge

def scalar_summary(tags: Any, values: Any, collections: Any = None, name: str | None = None) -> Any:
    """A summary of numbers, one for each tag."""
