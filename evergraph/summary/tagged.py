"""The summaries of programs written before TensorFlow 1.0, whose tag is an argument of its own.

The tag reaches TensorBoard as given: scopes around the summary do not change it.
"""

from __future__ import annotations

from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.state import summaries as ops
from evergraph.summary.summaries import collect


def scalar_summary(tags, values, collections=None, name=None):
    """A summary of numbers, one for each tag."""
    return collect(ops.scalar_summary(tags, convert_to_tensor(values), name=name), collections)


def histogram_summary(tag, values, collections=None, name=None):
    """A summary of the distribution of the values."""
    return collect(ops.histogram_summary(tag, convert_to_tensor(values), name=name), collections)


def image_summary(tag, tensor, max_images=3, collections=None, name=None):
    """A summary of the first images of a batch."""
    return collect(ops.image_summary(tag, convert_to_tensor(tensor), max_images=max_images, name=name), collections)


def audio_summary(tag, tensor, sample_rate, max_outputs=3, collections=None, name=None):
    """A summary of the first clips of a batch."""
    rate = convert_to_tensor(sample_rate, "float32")
    made = ops.audio_summary_v2(tag, convert_to_tensor(tensor, "float32"), rate, max_outputs=max_outputs, name=name)
    return collect(made, collections)
