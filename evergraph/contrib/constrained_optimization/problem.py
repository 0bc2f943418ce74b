"""The interface of constrained problems."""

from __future__ import annotations

import abc
from typing import Any

from evergraph.base.export import export


@export("contrib.constrained_optimization.ConstrainedMinimizationProblem")
class ConstrainedMinimizationProblem(abc.ABC):
    """Something to minimize under constraints: the objective, and tensors that shall not be above 0."""

    @property
    @abc.abstractmethod
    def objective(self) -> Any:
        """The loss: a scalar."""

    @property
    def num_constraints(self) -> int:
        """How many constraints there are.

        Raises:
            ValueError: shapes of constraints are unknown, or those of the proxies differ.
        """
        constraints, proxies = self.constraints.shape, self.proxy_constraints
        if not constraints.is_fully_defined():
            raise ValueError(f"The constraints must have a known shape, not {constraints}")
        if proxies is not None and not proxies.shape.is_fully_defined():
            raise ValueError(f"The proxy constraints must have a known shape, not {proxies.shape}")
        count = constraints.num_elements()
        if proxies is not None and proxies.shape.num_elements() != count:
            raise ValueError(f"There are {count} constraints, but {proxies.shape.num_elements()} proxies")
        return count

    @property
    @abc.abstractmethod
    def constraints(self) -> Any:
        """A tensor whose elements shall not be above 0."""

    @property
    def proxy_constraints(self) -> Any:
        """Constraints that can be differentiated, in place of `constraints`; None where these can."""
        return None

    @property
    def pre_train_ops(self) -> Any:
        """Operations that run before each step; None for none."""
        return None
