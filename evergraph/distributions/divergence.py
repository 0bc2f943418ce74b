"""The Kullback-Leibler divergence of two distributions, by functions registered for pairs of classes."""

from __future__ import annotations

import itertools

from evergraph.base.export import export
from evergraph.frontend.array import identity
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.checks import Assert
from evergraph.frontend.reduce import reduce_any
from evergraph.ops.math.elementwise import is_nan, logical_not

FORMULAS = {}
"""(class of p, class of q) -> function(p, q, name=None)."""


@export("distributions.RegisterKL", "contrib.distributions.RegisterKL")
class RegisterKL:
    """Decorator that registers the KL divergence function for two classes and their subclasses.

    >>> @tf.distributions.RegisterKL(Mine, tf.distributions.Normal)
    ... def mine_from_normal(mine, normal, name=None): ...

    Args:
        dist_cls_a: the class of the first distribution.
        dist_cls_b: that of the second.
    """

    def __init__(self, dist_cls_a, dist_cls_b):
        self._key = dist_cls_a, dist_cls_b

    def __call__(self, kl_fn):
        """Registers the function.

        Raises:
            TypeError: it is not callable.
            ValueError: a function is registered for these classes.
        """
        if not callable(kl_fn):
            raise TypeError(f"a divergence must be callable, got {kl_fn!r}")
        if self._key in FORMULAS:
            raise ValueError(f"the divergence of {_pair(*self._key)} has already been registered")
        FORMULAS[self._key] = kl_fn
        return kl_fn


@export("distributions.kl_divergence", "contrib.distributions.kl_divergence")
def kl_divergence(distribution_a, distribution_b, allow_nan_stats=True, name=None):
    """The Kullback-Leibler divergence E_a[log a(x) - log b(x)], elementwise over the batch.

    Args:
        distribution_a: the distribution of the expectation.
        distribution_b: the reference distribution.
        allow_nan_stats: whether an undefined result is NaN; otherwise it fails the step.
        name: a name scope.

    Raises:
        NotImplementedError: no function is registered for the two classes or their bases.
    """
    formula = _formula(type(distribution_a), type(distribution_b))
    if formula is None:
        raise NotImplementedError(f"no divergence of {_pair(type(distribution_a), type(distribution_b))} is registered")
    with name_scope("KullbackLeibler"):
        result = formula(distribution_a, distribution_b, name=name)
        return result if allow_nan_stats else _checked(result, distribution_a, distribution_b)


def _checked(result, a, b):
    """`result`, with a check that it is not NaN."""
    message = f"KL calculation between {a.name} and {b.name} returned NaN values: some parameters have none"
    with control_dependencies([Assert(logical_not(reduce_any(is_nan(result))), [message])]):
        return identity(result, name="checked_kl")


def _formula(a, b):
    """The function of the nearest bases: by the sum of distances in both MROs, then by the first."""
    pairs = [(i + j, i, FORMULAS[left, right])
             for (i, left), (j, right) in itertools.product(enumerate(a.__mro__), enumerate(b.__mro__))
             if (left, right) in FORMULAS]  # fmt: skip
    return min(pairs, key=lambda found: found[:2])[2] if pairs else None


def _pair(a, b):
    return f"{a.__name__} from {b.__name__}"
