"""Cases of every op family with eager execution: values, variables and gradients are those that TensorFlow gave."""

import functools
import os

import pytest

from tests.harness import families, goldens

EVERY = int(os.environ.get("EAGER_CASES_EVERY", "40"))
"""One case in so many is run; `make eager` runs all of them."""

REFUSED = ("tf.gradients is not supported", "is a ref.")
"""What the errors say about programs that are written for graphs."""

ONE_STREAM = ("random_images",)
"""Programs with random ops of equal attrs: with eager execution these continue one stream, also in TensorFlow."""

CASES = [pytest.param(family, case, id=f"{family}-{name}")
         for family in families.families() for name, case in families.load(family).items()
         if case.op not in ONE_STREAM and not any(leaf.kind == "ref" for leaf in case.leaves)]
recorded = functools.cache(goldens.read)


@pytest.mark.parametrize("family, case", CASES[::EVERY])
def test_op_eagerly(family, case):
    from tests.harness import eagerly
    try:
        eagerly.check(case, recorded(family)[case.id])
    except RuntimeError as error:
        if not any(said in str(error) for said in REFUSED):
            raise
        pytest.skip(str(error))
