"""The optional features of conversions."""

from __future__ import annotations

import enum
from typing import Any

from evergraph.base.export import export


@export("autograph.experimental.Feature", "contrib.autograph.Feature")
class Feature(enum.Enum):
    """What a conversion may do besides control flow.

    `EQUALITY_OPERATORS` and `ASSERT_STATEMENTS` are part of every conversion, and so are the builtins except `print`.
    """

    ALL = "ALL"
    AUTO_CONTROL_DEPS = "AUTO_CONTROL_DEPS"
    """Results wait for what the function does besides, such as assertions. Functions of tf.function always do."""
    ASSERT_STATEMENTS = "ASSERT_STATEMENTS"
    BUILTIN_FUNCTIONS = "BUILTIN_FUNCTIONS"
    """`print` prints tensors when the graph runs."""
    EQUALITY_OPERATORS = "EQUALITY_OPERATORS"
    LISTS = "LISTS"
    """Has no effect: lists stay lists of Python. A tf.TensorArray is appended to in loops of the graph."""
    NAME_SCOPES = "NAME_SCOPES"
    """The ops of a function are in a name scope with its name."""

    def __repr__(self) -> str:
        return f"<Feature.{self.name}: {self.value!r}>"

    @classmethod
    def all_but(cls, exclude: Any) -> tuple[Feature, ...]:
        """All features except some."""
        left = exclude if isinstance(exclude, (list, tuple, set)) else (exclude,)
        return tuple(each for each in cls if each is not cls.ALL and each not in left)


def features_of(given: Any) -> frozenset[Feature]:
    """The features of an argument: None, one feature, or several.

    Raises:
        TypeError: it is something else.
    """
    found = () if given is None else (given,) if isinstance(given, Feature) else tuple(given)
    for each in found:
        if not isinstance(each, Feature):
            raise TypeError(f"experimental_optional_features takes tf.autograph.experimental.Feature, got {each!r}")
    return frozenset(found)
