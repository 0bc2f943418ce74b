"""Every case of every op family, held to TensorFlow's recorded answers and to itself."""

import functools

import pytest

from tests.harness import families, goldens

CASES = [pytest.param(family, case, id=f"{family}-{name}")
         for family in families.families() for name, case in families.load(family).items()]
recorded = functools.cache(goldens.read)


@pytest.mark.parametrize("family, case", CASES)
def test_op(family, case):
    from tests.harness import checks
    golden = recorded(family).get(case.id)
    assert golden, f"{case} has no golden: run `.venv-tf/bin/python -m tests.record {family}`"
    failed = checks.failures(case, golden)
    if failed:
        told = "\n".join(f"* {name}\n      {message}" for name, message in failed)
        pytest.fail(f"{case}\n{told}", pytrace=False)
