"""What tf.compat offers beside text: the classes of Python and NumPy numbers, and the date of the op set."""

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

# TensorFlow 1.15 was cut from its main line here: it writes what readers knew before this day.
_RELEASE = datetime.date(2019, 8, 21)
_horizons: list[datetime.date] = [_RELEASE]


@export("compat.forward_compatible")
def forward_compatible(year: int, month: int, day: int) -> bool:
    """Whether graphs may use an op that TensorFlow got on this day: whether it is before the horizon.

    The horizon is that of TensorFlow 1.15, unless `forward_compatibility_horizon` sets another.

    >>> forward_compatible(2018, 1, 1), forward_compatible(2030, 1, 1)
    (True, False)
    """
    return (_horizons[-1].year, _horizons[-1].month, _horizons[-1].day) > (year, month, day)


@export("compat.forward_compatibility_horizon")
@contextlib.contextmanager
def forward_compatibility_horizon(year: int, month: int, day: int) -> Iterator[None]:
    """A context in which the day before which ops count as known to readers is another, for tests.

    Raises:
        ValueError: there is no such day.
    """
    _horizons.append(datetime.date(year, month, day))
    try:
        yield
    finally:
        _horizons.pop()
