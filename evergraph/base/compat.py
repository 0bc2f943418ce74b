"""tf.compat beyond strings: the classes of Python and NumPy numbers, and the forward-compatibility horizon."""

from __future__ import annotations

import contextlib
import datetime
import numbers
from collections.abc import Iterator

import numpy as np

from evergraph.base.export import export

integral_types = export("compat.integral_types")((numbers.Integral, np.integer))
real_types = export("compat.real_types")((numbers.Real, np.integer, np.floating))
complex_types = export("compat.complex_types")((numbers.Complex, np.number))

# The day TensorFlow 1.15 branched from its main line: older readers know every op that is older than this.
_RELEASE = datetime.date(2019, 8, 21)
_horizons: list[datetime.date] = [_RELEASE]


@export("compat.forward_compatible")
def forward_compatible(year: int, month: int, day: int) -> bool:
    """Whether graphs may use an op that TensorFlow introduced on this day, because the day is before the horizon.

    The horizon is that of TensorFlow 1.15, unless `forward_compatibility_horizon` sets another.

    >>> forward_compatible(2018, 1, 1), forward_compatible(2030, 1, 1)
    (True, False)
    """
    return (_horizons[-1].year, _horizons[-1].month, _horizons[-1].day) > (year, month, day)


@export("compat.forward_compatibility_horizon")
@contextlib.contextmanager
def forward_compatibility_horizon(year: int, month: int, day: int) -> Iterator[None]:
    """Context manager that sets another forward-compatibility horizon, for tests.

    Raises:
        ValueError: the date is invalid.
    """
    _horizons.append(datetime.date(year, month, day))
    try:
        yield
    finally:
        _horizons.pop()
