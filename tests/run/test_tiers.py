"""The policy that chooses between NumPy and XLA: a function of what is known without a clock."""

import pytest

from evergraph.compile.cache import FORMS_AT_ONCE, HOT_RUNS, MOST_AT_ONCE, MOST_HOT_RUNS, Work, tier

SMALL = Work(nodes=3, elements=10, updates=True, device_only=False)
STEP = Work(nodes=200, elements=5000, updates=True, device_only=False)
FORWARD = Work(nodes=200, elements=5000, updates=False, device_only=False)
SPREAD = Work(nodes=3, elements=10, updates=False, device_only=False, largest=1 << 20)
LAX = Work(nodes=1, elements=1, updates=False, device_only=True)


@pytest.mark.parametrize("work, runs, compiled, platform, wanted", [
    (SMALL, 1000, 0, "cpu", "numpy"), (SMALL, 0, 0, "gpu", "numpy"),       # nothing to gain, anywhere
    (SPREAD, 0, 0, "cpu", "numpy"), (SPREAD, HOT_RUNS, 0, "cpu", "xla"),   # few numbers become many
    (LAX, 0, 0, "cpu", "xla"),                                             # no other kernel
    (STEP, 0, 0, "cpu", "xla"),                                            # will run again and again
    (FORWARD, 0, 0, "cpu", "numpy"), (FORWARD, HOT_RUNS, 0, "cpu", "xla"),  # has to prove hot
    (FORWARD, 0, 0, "gpu", "xla"),
    (STEP, 0, FORMS_AT_ONCE["cpu"], "cpu", "numpy"),                       # a new form every step is not compiled
    (STEP, HOT_RUNS, FORMS_AT_ONCE["cpu"], "cpu", "numpy"),                # it has to come back ...
    (STEP, 2 * HOT_RUNS, 2, "cpu", "xla"), (STEP, 8 * HOT_RUNS, 9, "cpu", "numpy"),
    (STEP, 0, MOST_AT_ONCE, "gpu", "numpy"),
    (STEP, MOST_HOT_RUNS, 10_000, "cpu", "xla"),                           # ... but however many forms there are
])  # fmt: skip
def test_tier(work, runs, compiled, platform, wanted):
    assert tier(work, runs, compiled, platform) == wanted
