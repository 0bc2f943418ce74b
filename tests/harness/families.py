"""Finds the cases of every family: the modules of `tests/cases`."""

import importlib
import pkgutil

import tests.cases
from tests.harness.case import Case


def families():
    """Names of all case modules."""
    return sorted(module.name for module in pkgutil.iter_modules(tests.cases.__path__))


def load(family):
    """The cases of a family by id: its list `CASES`, then the programs at the top of its module."""
    module = importlib.import_module(f"tests.cases.{family}")
    found = list(getattr(module, "CASES", ())) + [each for each in vars(module).values() if isinstance(each, Case)]
    cases = {}
    for each in found:
        if cases.setdefault(each.id, each) is not each:
            raise ValueError(f"tests/cases/{family}.py says the same case twice: {each}")
    return cases
