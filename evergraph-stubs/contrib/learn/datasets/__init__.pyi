# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.learn.datasets."""

from evergraph.contrib.learn.datasets.base import Dataset
from types import FunctionType
from typing import Any
from evergraph.contrib.learn.datasets import (
    base as base, mnist as mnist, synthetic as synthetic, text_datasets as text_datasets,
)

SYNTHETIC: dict[str, FunctionType]

def load_boston(data_path: str | None = None) -> Dataset:
    """The houses of Boston that Harrison and Rubinfeld described in 1978: 506 districts, 13 numbers of
    each, the price."""

def load_dataset(name: str, size: str = 'small', test_with_fake_data: bool = False) -> Any:
    """A data set by its name: "iris", "boston", "mnist" or "dbpedia"."""

def load_iris(data_path: str | None = None) -> Dataset:
    """The irises that Fisher measured in 1936: 150 flowers of three species, four lengths each."""

def make_dataset(
    name: str, n_samples: int = 100, noise: float | None = None, seed: int | None = 42, *args: Any,
    **kwargs: Any,
) -> Dataset:
    """Points that are made up."""
