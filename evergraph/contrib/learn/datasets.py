"""tf.contrib.learn.datasets: two small tables of measurements, tables of one's own, made-up points, and texts."""

from __future__ import annotations

import csv
import functools
import os
import random
import tarfile
import time
import urllib.request
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from evergraph.base import logging
from evergraph.base.export import export
from evergraph.base.files import GFile
from evergraph.contrib.learn.downloads import maybe_download
from evergraph.contrib.learn.mnist import Datasets, load_mnist

_DATA = os.path.join(os.path.dirname(__file__), "data")
_RETRIED = (110, 105, 101, 111, 113)  # timed out, no buffers, network or host unreachable, refused


@export("contrib.learn.datasets.base.Dataset")
class Dataset(NamedTuple):
    """Examples: `data`, a row for each, and `target`, what is to be predicted."""

    data: Any
    target: Any


@export("contrib.learn.datasets.base.load_csv_with_header")
def load_csv_with_header(filename: str, target_dtype: Any, features_dtype: Any, target_column: int = -1) -> Dataset:
    """A table of comma-separated values whose first line begins with the numbers of rows and of features.

    Args:
        filename: the file.
        target_dtype: the NumPy type of the targets.
        features_dtype: the NumPy type of the features.
        target_column: the place of the target in a row.
    """
    with GFile(filename) as file:
        lines = csv.reader(file)
        head = next(lines)
        rows, width = int(head[0]), int(head[1])
        data, target = np.zeros((rows, width), features_dtype), np.zeros((rows,), target_dtype)
        for row, cells in enumerate(lines):
            target[row] = np.asarray(cells.pop(target_column), target_dtype)
            data[row] = np.asarray(cells, features_dtype)
    return Dataset(data, target)


@export("contrib.learn.datasets.base.load_csv_without_header")
def load_csv_without_header(filename: str, target_dtype: Any, features_dtype: Any, target_column: int = -1) -> Dataset:
    """A table of comma-separated values, every line an example; see `load_csv_with_header` for the arguments."""
    data, target = [], []
    with GFile(filename) as file:
        for cells in csv.reader(file):
            target.append(cells.pop(target_column))
            data.append(np.asarray(cells, features_dtype))
    return Dataset(np.array(data), np.array(target).astype(target_dtype))


@export("contrib.learn.datasets.base.load_iris", "contrib.learn.datasets.load_iris")
def load_iris(data_path: str | None = None) -> Dataset:
    """The irises that Fisher measured in 1936: 150 flowers of three species, four lengths each.

    Args:
        data_path: another file of that form.
    """
    return load_csv_with_header(data_path or os.path.join(_DATA, "iris.csv"), int, float)


@export("contrib.learn.datasets.base.load_boston", "contrib.learn.datasets.load_boston")
def load_boston(data_path: str | None = None) -> Dataset:
    """The houses of Boston that Harrison and Rubinfeld described in 1978: 506 districts, 13 numbers of each, the price.

    Args:
        data_path: another file of that form.
    """
    return load_csv_with_header(data_path or os.path.join(_DATA, "boston.csv"), float, float)


@export("contrib.learn.datasets.base.shrink_csv")
def shrink_csv(filename: str, ratio: int) -> None:
    """Writes every `ratio`-th line of `<filename>.csv` to `<filename>_small.csv`."""
    with GFile(f"{filename}.csv") as source, GFile(f"{filename}_small.csv", "w") as kept:
        for number, line in enumerate(source):
            if number % ratio == 0:
                kept.write(line)


@export("contrib.learn.datasets.base.retry")
def retry(initial_delay: float, max_delay: float, factor: float = 2.0, jitter: float = 0.25,
          is_retriable: Callable[[Exception], bool] | None = None) -> Callable[..., Any]:
    """A decorator that calls a function again after an exception, with growing pauses.

    Args:
        initial_delay: the seconds of the first pause.
        max_delay: the most seconds of a pause; after one that would be longer the exception goes on.
        factor: how much longer each pause is than the last.
        jitter: the share by which a pause is changed at random.
        is_retriable: whether to try again after an exception; after all by default.
    """
    if factor < 1:
        raise ValueError(f"factor must be >= 1; was {factor}")
    if jitter >= 1:
        raise ValueError(f"jitter must be < 1; was {jitter}")

    def pauses() -> Iterable[float]:
        pause = initial_delay
        while pause <= max_delay:
            yield pause * (1 + random.uniform(-jitter, jitter))
            pause *= factor

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def patient(*args: Any, **kwargs: Any) -> Any:
            for pause in pauses():
                try:
                    return function(*args, **kwargs)
                except Exception as error:
                    if is_retriable is not None and not is_retriable(error):
                        raise
                    logging.warning("trying %s again in %.1f seconds: %s", function.__name__, pause, error)
                    time.sleep(pause)
            return function(*args, **kwargs)
        return patient
    return decorate


@export("contrib.learn.datasets.base.urlretrieve_with_retry")
@retry(initial_delay=1.0, max_delay=16.0, is_retriable=lambda error: getattr(error, "errno", None) in _RETRIED)
def urlretrieve_with_retry(url: str, filename: str | None = None) -> Any:
    """Downloads a file, and tries again where the network failed."""
    return urllib.request.urlretrieve(url, filename)


# ---- points that are made up


def _noisy(points: Any, noise: float | None, generator: Any) -> Any:
    return points if noise is None else points + generator.normal(scale=noise, size=points.shape)


@export("contrib.learn.datasets.synthetic.circles")
def circles(n_samples: int = 100, noise: float | None = None, seed: int | None = None, factor: float = 0.8,
            n_classes: int = 2, *unused_args: Any, **unused_kwargs: Any) -> Dataset:
    """Points on circles around one point, a class on each.

    Args:
        n_samples: the number of points.
        noise: the standard deviation of what is added to coordinates.
        seed: of the noise and the order.
        factor: how much smaller each circle is than the one outside it, below 1.
        n_classes: the number of circles.
        unused_args, unused_kwargs: have no meaning; they let all made-up data sets be called alike.
    """
    generator = np.random.RandomState(seed)
    target = np.arange(n_samples) * n_classes // n_samples
    angle = 2 * np.pi * (np.arange(n_samples) * n_classes % n_samples) / n_samples
    radius = factor ** target.astype(float)
    data = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    order = generator.permutation(n_samples)
    return Dataset(_noisy(data, noise, generator)[order], target[order])


_SPIRALS: dict[str, Callable[[Any], Any]] = {
    "archimedes": lambda angle: angle,
    "bernoulli": lambda angle: np.exp(0.1 * angle),
    "fermat": np.sqrt,
}


@export("contrib.learn.datasets.synthetic.spirals")
def spirals(n_samples: int = 100, noise: float | None = None, seed: int | None = None, mode: str = "archimedes",
            n_loops: int = 2, *unused_args: Any, **unused_kwargs: Any) -> Dataset:
    """Points on two spirals, one the mirror image of the other.

    Args:
        n_samples: the number of points.
        noise: the standard deviation of what is added to coordinates.
        seed: of the noise and the order.
        mode: how the radius grows: "archimedes", "bernoulli" or "fermat".
        n_loops: how often a spiral goes around.
        unused_args, unused_kwargs: have no meaning; they let all made-up data sets be called alike.

    Raises:
        ValueError: there is no such mode.
    """
    if mode not in _SPIRALS:
        raise ValueError(f"spirals are {sorted(_SPIRALS)}; there is no mode {mode!r}")
    generator = np.random.RandomState(seed)
    target = np.arange(n_samples) * 2 // n_samples
    angle = np.concatenate([np.linspace(0, 2 * np.pi * n_loops, np.sum(target == kind)) for kind in (0, 1)])
    radius = _SPIRALS[mode](angle) * np.where(target == 0, 1.0, -1.0)
    data = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    order = generator.permutation(n_samples)
    return Dataset(_noisy(data, noise, generator)[order], target[order])


SYNTHETIC = export("contrib.learn.datasets.SYNTHETIC")({"circles": circles, "spirals": spirals})


@export("contrib.learn.datasets.make_dataset")
def make_dataset(name: str, n_samples: int = 100, noise: float | None = None, seed: int | None = 42,
                 *args: Any, **kwargs: Any) -> Dataset:
    """Points that are made up.

    Args:
        name: "circles" or "spirals".
        n_samples, noise, seed, args, kwargs: see the functions of these names.

    Raises:
        ValueError: there is no such data set.
    """
    if name not in SYNTHETIC:
        raise ValueError(f"made-up data sets are {sorted(SYNTHETIC)}; there is no {name!r}")
    return SYNTHETIC[name](n_samples, noise, seed, *args, **kwargs)


# ---- texts

_DBPEDIA = "https://github.com/le-scientifique/torchDatasets/raw/master/dbpedia_csv.tar.gz"


@export("contrib.learn.datasets.text_datasets.maybe_download_dbpedia")
def maybe_download_dbpedia(data_dir: str) -> None:
    """Downloads the DBpedia ontology data (Zhang and LeCun, 2015), unless it is in `data_dir`."""
    if not os.path.exists(os.path.join(data_dir, "dbpedia_csv", "train.csv")):
        archive = maybe_download("dbpedia_csv.tar.gz", data_dir, _DBPEDIA)
        with tarfile.open(archive, "r:*") as packed:
            packed.extractall(data_dir, filter="data")


@export("contrib.learn.datasets.text_datasets.load_dbpedia")
def load_dbpedia(size: str = "small", test_with_fake_data: bool = False) -> Any:
    """First sentences of articles, with which of 14 kinds of things each is about.

    Args:
        size: "small" takes every thousandth article, anything else all.
        test_with_fake_data: gives a few made-up sentences, and downloads nothing.
    """
    if test_with_fake_data:
        made_up = Dataset(np.array([["a", "a city by the sea"], ["b", "a singer of songs"], ["c", "a kind of fern"]]),
                          np.array([9, 3, 11], np.int32))
        return Datasets(made_up, None, made_up)
    data_dir = "dbpedia_data"
    maybe_download_dbpedia(data_dir)
    parts = []
    for part in ("train", "test"):
        path = os.path.join(data_dir, "dbpedia_csv", part)
        if size == "small":
            shrink_csv(path, 1000)
            path += "_small"
        parts.append(load_csv_without_header(f"{path}.csv", np.int32, np.str_, target_column=0))
    return Datasets(parts[0], None, parts[1])


@export("contrib.learn.datasets.load_dataset")
def load_dataset(name: str, size: str = "small", test_with_fake_data: bool = False) -> Any:
    """A data set by its name: "iris", "boston", "mnist" or "dbpedia".

    Args:
        name: which.
        size, test_with_fake_data: see `load_dbpedia`.

    Raises:
        ValueError: there is no such data set.
    """
    known: dict[str, Callable[[], Any]] = {"iris": load_iris, "boston": load_boston, "mnist": load_mnist,
                                           "dbpedia": lambda: load_dbpedia(size, test_with_fake_data)}
    if name not in known:
        raise ValueError(f"Name of dataset is not found: {name}. There are {sorted(known)}")
    return known[name]()
