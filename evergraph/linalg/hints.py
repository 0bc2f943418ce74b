"""Hints about operators, independent of their values: True, False, or None for unknown."""
from __future__ import annotations


def agreed(given, known, what):
    """A hint that must agree with another operator's.

    Raises:
        ValueError: the given hint contradicts the known one.
    """
    if given is None or known is None or bool(given) == bool(known):
        return known if given is None else given
    raise ValueError(f"The hint that the operator is {'' if given else 'not '}{what} contradicts what its argument is "
                     f"known to be.")


def always(given, what, told):
    """A hint that can only be true.

    Raises:
        ValueError: the given hint is False.
    """
    if given is False:
        raise ValueError(f"{told} is always {what}.")
    return True


def all_true(operators, hint):
    """True if every operator has the hint, else None."""
    return True if all(getattr(each, hint) for each in operators) else None


def of_product(a, b):
    """The hints of a product a * b in general."""
    if a.is_square is True and b.is_square is True:
        both = (a.is_non_singular, b.is_non_singular)
        non_singular = False if False in both else True if all(both) else None
        return {"is_square": True, "is_non_singular": non_singular}
    # A product of matrices that are not square may be square. If its inner dimension is smaller it is singular, which
    # hints, without sizes, cannot tell.
    return {"is_square": None, "is_non_singular": None}


def of_commuting_product(a, b):
    """The hints of a product of operators that commute and share their eigenvectors."""
    self_adjoint = all_true((a, b), "is_self_adjoint")
    return {"is_square": True, "is_non_singular": of_product(a, b)["is_non_singular"], "is_self_adjoint": self_adjoint,
            "is_positive_definite": self_adjoint and all_true((a, b), "is_positive_definite")}


def copied(operator):
    """All four hints of an operator, as arguments for another."""
    return {name: getattr(operator, name)
            for name in ("is_non_singular", "is_self_adjoint", "is_positive_definite", "is_square")}
