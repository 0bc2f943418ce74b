"""Mappers of dense features to spaces whose inner products approximate a kernel."""

from __future__ import annotations

import abc
import math as numbers
import uuid
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.matmul import matmul
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.math import elementwise


class InvalidShapeError(Exception):
    """Features have another dimension than their mapper takes."""


class DenseKernelMapper(abc.ABC):
    """The interface of mappers."""

    @abc.abstractmethod
    def map(self, input_tensor: Any) -> Tensor:
        """The features of examples, [examples, features], in the other space: [examples, output_dim]."""

    @property
    @abc.abstractmethod
    def name(self) -> str:
        """The name of the mapper."""

    @property
    @abc.abstractmethod
    def output_dim(self) -> int:
        """The dimension of the other space."""


@export("contrib.kernel_methods.RandomFourierFeatureMapper")
class RandomFourierFeatureMapper(DenseKernelMapper):
    """Random Fourier features (Rahimi and Recht, 2007), for the kernel exp(-|x - y|^2 / (2 stddev^2)).

    Args:
        input_dim: the dimension of the features.
        output_dim: that of the space they are mapped to; the more, the nearer to the kernel.
        stddev: the width of the kernel.
        seed: of the random directions and phases.
        name: the name, by default a random one.

    Raises:
        ValueError: a dimension or the width is not positive.
    """

    def __init__(self, input_dim: int, output_dim: int, stddev: float = 1.0, seed: int = 1,
                 name: str | None = None) -> None:
        if min(input_dim, output_dim, stddev) <= 0:
            raise ValueError(f"Dimensions and stddev must be positive, got {input_dim}, {output_dim} and {stddev}")
        self._input_dim, self._output_dim, self._stddev = input_dim, output_dim, stddev
        self._seed, self._name = seed, name or f"mapper_{uuid.uuid4().hex}"

    @property
    def name(self) -> str:
        return self._name

    @property
    def input_dim(self) -> int:
        """The dimension of the features."""
        return self._input_dim

    @property
    def output_dim(self) -> int:
        return self._output_dim

    def map(self, input_tensor: Any) -> Tensor:
        """The features as cosines along random directions.

        Raises:
            InvalidShapeError: the features are not of the mapper's dimension.
        """
        features = convert_to_tensor(input_tensor, name="input_tensor")
        if features.shape.rank != 2 or features.shape.as_list()[1] != self._input_dim:
            found = features.shape.as_list()[1] if features.shape.rank == 2 else features.shape
            raise InvalidShapeError(f"Invalid dimension: expected {self._input_dim} input features, got {found} "
                                    "instead.")
        draw = np.random.RandomState(self._seed)
        directions = draw.normal(scale=1.0 / self._stddev, size=(self._input_dim, self._output_dim))
        phases = draw.uniform(0.0, 2.0 * numbers.pi, size=self._output_dim)
        dtype = features.dtype if features.dtype.is_floating else dtypes.float32
        with name_scope(self._name):
            angles = matmul(features, array.constant(directions, dtype)) + array.constant(phases, dtype)
            return elementwise.cos(angles) * numbers.sqrt(2.0 / self._output_dim)
