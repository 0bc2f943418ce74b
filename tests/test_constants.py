"""Every op with one of its inputs fed and the others constants: the answers are TensorFlow's, compiled too.

A compiled kernel gets constants as NumPy arrays and what is fed as tracers, and must take both side by side. The suite
takes a sample of the cases, `make constants` all of them.
"""

import dataclasses
import functools
import os
import zlib

import pytest

from tests.harness import families, goldens

EVERYTHING = os.environ.get("EVERGRAPH_CONSTANTS") == "all"
ONE_IN = 40

recorded = functools.cache(goldens.read)


def _fed(case):
    """The places of the inputs that are fed."""
    return [at for at, leaf in enumerate(case.leaves) if leaf.kind == "feed"]


def _with_only(case, place):
    """The case with the input at this place fed, and constants in place of the others that were."""
    numbers = iter(range(len(case.leaves)))

    def changed(leaf):
        return leaf if next(numbers) == place or leaf.kind != "feed" else dataclasses.replace(leaf, kind="constant")

    inputs = tuple([changed(leaf) for leaf in each] if isinstance(each, list) else changed(each)
                   for each in case.inputs)
    return dataclasses.replace(case, inputs=inputs)


def _is_taken(family, name):
    return EVERYTHING or zlib.crc32(f"{name} {family}".encode()) % ONE_IN == 0


CASES = [pytest.param(family, case, id=f"{family}-{name}")
         for family in families.families() for name, case in families.load(family).items()
         if not case.error and len(_fed(case)) > 1 and _is_taken(family, name)]


@pytest.mark.parametrize("family, case", CASES)
def test_op_with_one_input_fed(family, case):
    from tests.harness import checks

    golden = recorded(family)[case.id]
    told = [f"* input {place} fed: {name}\n      {message}" for place in _fed(case)
            for name, message in checks.compiled_failures(_with_only(case, place), golden)]
    if told:
        pytest.fail(f"{case}\n" + "\n".join(told), pytrace=False)
