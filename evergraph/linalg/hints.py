"""What is known about an operator without looking at its numbers: yes, no, or None for nobody knows."""
from __future__ import annotations


def agreed(given, known, what):
    """A hint that must be the one of another operator.

    Raises:
        ValueError: the user said the opposite of what is known.
    """
    if given is None or known is None or bool(given) == bool(known):
        return known if given is None else given
    raise ValueError(f"The hint that the operator is {'' if given else 'not '}{what} contradicts what its argument is "
                     f"known to be.")


def always(given, what, told):
    """A hint that can only be true.

    Raises:
        ValueError: the user said it is false.
    """
    if given is False:
        raise ValueError(f"{told} is always {what}.")
    return True


def all_true(operators, hint):
    """True when every operator has the hint, else None."""
    return True if all(getattr(each, hint) for each in operators) else None


def of_product(a, b):
    """The hints of a * b, where neither is special."""
    if a.is_square is True and b.is_square is True:
        both = (a.is_non_singular, b.is_non_singular)
        non_singular = False if False in both else True if all(both) else None
        return {"is_square": True, "is_non_singular": non_singular}
    # A product of matrices that are not square may be square; when it is thinner in the middle it is singular, and that
    # needs sizes which hints do not have.
    return {"is_square": None, "is_non_singular": None}


def of_commuting_product(a, b):
    """The hints of a product of operators that commute and have the same eigenvectors."""
    self_adjoint = all_true((a, b), "is_self_adjoint")
    return {"is_square": True, "is_non_singular": of_product(a, b)["is_non_singular"], "is_self_adjoint": self_adjoint,
            "is_positive_definite": self_adjoint and all_true((a, b), "is_positive_definite")}


def copied(operator):
    """All four hints of an operator, as arguments for another."""
    return {name: getattr(operator, name)
            for name in ("is_non_singular", "is_self_adjoint", "is_positive_definite", "is_square")}
