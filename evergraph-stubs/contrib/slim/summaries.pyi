# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.slim.summaries."""

from collections.abc import Sequence
from typing import Any

def add_histogram_summaries(tensors: Sequence[Any], prefix: str | None = None) -> list[Any]:
    """A histogram of each tensor."""

def add_histogram_summary(tensor: Any, name: str | None = None, prefix: str | None = None) -> Any:
    """A histogram, named `prefix`/`name`; by default after the tensor."""

def add_image_summaries(tensors: Sequence[Any], prefix: str | None = None) -> list[Any]:
    """The images of each tensor."""

def add_image_summary(
    tensor: Any, name: str | None = None, prefix: str | None = None, print_summary: bool = False,
) -> Any:
    """Images, named `prefix`/`name`; by default after the tensor."""

def add_scalar_summaries(
    tensors: Sequence[Any], prefix: str | None = None, print_summary: bool = False,
) -> list[Any]:
    """A scalar summary of each of `values`, its name behind `prefix`; with `print_summary` it is printed,
    too."""

def add_scalar_summary(
    tensor: Any, name: str | None = None, prefix: str | None = None, print_summary: bool = False,
) -> Any:
    """A scalar, named `prefix`/`name`; by default after the tensor."""

def add_zero_fraction_summaries(tensors: Sequence[Any], prefix: str | None = None) -> list[Any]:
    """The share of zeros in each tensor."""

def add_zero_fraction_summary(
    tensor: Any, name: str | None = None, prefix: str | None = None, print_summary: bool = False,
) -> Any:
    """The share of zeros in a tensor, named `prefix`/Fraction of Zero Values/`name`."""

from evergraph.contrib.layers import summarize_activation as summarize_activation
from evergraph.contrib.layers import summarize_activations as summarize_activations
from evergraph.contrib.layers import summarize_collection as summarize_collection
from evergraph.contrib.layers import summarize_tensor as summarize_tensor
from evergraph.contrib.layers import summarize_tensors as summarize_tensors
