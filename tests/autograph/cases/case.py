"""The list of cases, and the decorator that adds to it."""

CASES = {}
"""Name -> (function, the arguments of each call)."""


def case(*calls):
    """Decorator: a function to convert, with the arguments of some calls of it."""

    def keep(function):
        assert function.__name__ not in CASES
        CASES[function.__name__] = function, [call if isinstance(call, tuple) else (call,) for call in calls]
        return function

    return keep
