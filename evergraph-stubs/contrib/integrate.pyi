# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.integrate."""

from collections.abc import Callable
from typing import Any

def odeint(
    func: Callable, y0: Any, t: Any, rtol: Any = 1e-06, atol: Any = 1e-12, method: str | None = None,
    options: Any = None, full_output: bool = False, name: str | None = None,
) -> Any:
    """Integrates dy/dt = func(y, t) from y(t[0]) = y0, by the method of Dormand and Prince with steps of
    varying size."""

def odeint_fixed(
    func: Callable, y0: Any, t: Any, dt: Any = None, method: str = 'rk4', name: str | None = None,
) -> Any:
    """Integrates dy/dt = func(y, t) from y(t[0]) = y0, with steps of a fixed size."""
