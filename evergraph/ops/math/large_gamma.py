"""The incomplete gamma functions of large parameters, by the first two terms of Temme's uniform expansion (1979).

The series that XLA sums needs ever more terms, and never ends where the parameter plus one is the parameter.
"""

import numpy as np

# From here on the expansion is as exact as the dtype and the series is not: in float32 it loses the digits of x^a.
_LARGE = {4: 1e4, 8: 1e6}
_ROOT_TWO_PI = float(np.sqrt(2 * np.pi))


def for_any(xp, a, x, series, expansion):
    """`series(a, x)`, but `expansion` where `a` is large and finite."""
    is_large = (a > _LARGE[np.dtype(a.dtype).itemsize]) & (a < np.inf)
    if xp is np and not is_large.any():
        return series(a, x)
    one, three = a.dtype.type(1), a.dtype.type(3)
    small = series(xp.where(is_large, one, a), xp.where(is_large, one, x))
    wide_a = xp.where(is_large, a, one).astype(np.float64)
    wide_x = xp.where(is_large, x, three).astype(np.float64)  # at the mean JAX finds no slope of the root
    found = xp.where(wide_x >= 0, expansion(wide_a, wide_x), np.nan)
    return xp.where(is_large, found.astype(a.dtype), small)


def _away(xp, a, x):
    """x / a - 1; far beyond, where all is over, a number that is not infinite."""
    return xp.minimum((x - a) / a, 1e3)


def _normal(xp, a, x):
    """(z, the normal density at z, c, log(x/a)): the lower function is about that of a normal variable at z, less
    density * c / sqrt(a)."""
    away = _away(xp, a, x)
    log = xp.log1p(away)
    eta = xp.sign(away) * xp.sqrt(2 * (away - log))
    is_near = abs(away) < 1e-5
    c = xp.where(is_near, -1 / 3, 1 / xp.where(is_near, 1.0, away) - 1 / xp.where(is_near, 1.0, eta))
    z = eta * xp.sqrt(a)
    return z, xp.exp(-z * z / 2) / _ROOT_TWO_PI, c, log


def lower(xp, lax, a, x):
    """igamma: the probability that a gamma variable of shape `a` is below `x`."""
    z, density, c, _ = _normal(xp, a, x)
    return lax.erfc(-z / np.sqrt(2)) / 2 - density * c / xp.sqrt(a)


def upper(xp, lax, a, x):
    """igammac, 1 - igamma."""
    z, density, c, _ = _normal(xp, a, x)
    return lax.erfc(z / np.sqrt(2)) / 2 + density * c / xp.sqrt(a)


def slope(xp, lax, a, x):
    """The derivative of igamma by `a`."""
    z, density, c, log = _normal(xp, a, x)
    is_near = abs(z) < 1e-3
    steep = -xp.where(is_near, 1 / xp.sqrt(a), log / xp.where(is_near, 1.0, z))
    return xp.where(density > 0, density * steep * (1 + z * c / xp.sqrt(a)), 0.0)


def sample_slope(xp, a, x):
    """The derivative of a gamma sample `x` by its shape `a`: the slope over the density at `x`."""
    away = _away(xp, a, x)
    is_near = abs(away) < 1e-9
    return xp.where(is_near, 1.0, xp.log1p(away) * (1 + away) / xp.where(is_near, 1.0, away))
