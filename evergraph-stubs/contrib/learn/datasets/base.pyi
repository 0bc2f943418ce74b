# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.learn.datasets.base."""

from collections.abc import Callable
from typing import Any, NamedTuple

class Dataset(NamedTuple):
    """Examples: `data`, a row for each, and `target`, what is to be predicted."""
    data: Any
    target: Any

class Datasets(NamedTuple):
    train: Any
    validation: Any
    test: Any

from evergraph.contrib.learn.datasets import load_boston as load_boston

def load_csv_with_header(
    filename: str, target_dtype: Any, features_dtype: Any, target_column: int = -1,
) -> Dataset:
    """A table of comma-separated values whose first line begins with the numbers of rows and of
    features."""

def load_csv_without_header(
    filename: str, target_dtype: Any, features_dtype: Any, target_column: int = -1,
) -> Dataset:
    """A table of comma-separated values, every line an example; see `load_csv_with_header` for the
    arguments."""

from evergraph.contrib.learn.datasets import load_iris as load_iris

def maybe_download(filename: str, work_directory: str, source_url: str) -> str:
    """The path of a file, which is downloaded if it is not there."""

def retry(
    initial_delay: float, max_delay: float, factor: float = 2.0, jitter: float = 0.25,
    is_retriable: Callable[[Exception], bool] | None = None,
) -> Callable[..., Any]:
    """A decorator that calls a function again after an exception, with growing pauses."""

def shrink_csv(filename: str, ratio: int) -> None:
    """Writes every `ratio`-th line of `<filename>.csv` to `<filename>_small.csv`."""

def urlretrieve_with_retry(url: str, filename: str | None = None) -> tuple[Any, Any]:
    """Downloads a file, and tries again where the network failed."""
