"""Functions of operators that dispatch on their classes: adjoint, inverse, Cholesky factor, product, left division.

A rule is a table from classes to functions; `linalg/algebra.py` fills the tables.
"""
from __future__ import annotations

import itertools


class Rule:
    """A function of operators, dispatched on the nearest base classes of the arguments."""

    def __init__(self):
        self._cases = {}

    def case(self, *classes):
        """Decorator that registers a function for operators of these classes and their subclasses."""
        def register(function):
            self._cases[classes] = function
            return function
        return register

    def __call__(self, *operators):
        ancestries = [enumerate(type(operator).__mro__) for operator in operators]
        nearest = sorted(itertools.product(*ancestries), key=lambda found: sum(distance for distance, _ in found))
        for found in nearest:
            function = self._cases.get(tuple(each for _, each in found))
            if function is not None:
                return function(*operators)
        raise NotImplementedError(f"nothing is known about {' and '.join(type(each).__name__ for each in operators)}")


adjoint = Rule()
cholesky = Rule()
inverse = Rule()
product = Rule()   # a * b
quotient = Rule()  # inverse(a) * b
