"""Special functions: gamma and its relatives, error functions, Bessel functions, zeta, the incomplete beta."""
from __future__ import annotations

import math

import numpy as np

from evergraph.graph.opdef import op
from evergraph.graph.shaping import broadcast
from evergraph.kernel import native_special
from evergraph.ops.arrays.basic import zeros_like
from evergraph.ops.math import large_gamma
from evergraph.ops.math.elementwise import (
    abs_,
    add_v2,
    exp,
    less_equal,
    log,
    mul,
    neg,
    reciprocal,
    select,
    sign,
    square,
    sub,
    unary,
)

_TWO_OVER_ROOT_PI = 2 / math.sqrt(math.pi)


def _one(x):
    return np.ones((), x.dtype.base_dtype.np)


def _applied(xp, lax, name, *arrays):
    """A function of lax of tensors that broadcast, in C where that is faster; XLA's functions require equal shapes."""
    arrays, slow = xp.broadcast_arrays(*arrays), getattr(lax, name)
    return native_special.computed(name, slow, *arrays) if native_special.takes(name, *arrays) else slow(*arrays)


def _of_gamma(xp, lax, name, large, a, x):
    """An incomplete gamma function, whose expansion for a large `a` is `large`."""
    return large_gamma.for_any(xp, *xp.broadcast_arrays(a, x), lambda a, x: _applied(xp, lax, name, a, x),
                               lambda a, x: large(xp, lax, a, x))


def _inside(xp, is_inside, found):
    """The values inside of a domain, and NaN outside of it."""
    return xp.where(is_inside, found, found.dtype.type(np.nan))


def _lower_gamma(xp, lax, a, x):
    """igamma with TensorFlow's limits."""
    found = _of_gamma(xp, lax, "igamma", large_gamma.lower, a, x)
    return xp.where((x == 0) | (a == np.inf) & (x > 0), found.dtype.type(0), _inside(xp, a > 0, found))


def _upper_gamma(xp, lax, a, x):
    """igammac with TensorFlow's limits."""
    found = _of_gamma(xp, lax, "igammac", large_gamma.upper, a, x)
    return xp.where((a == np.inf) & (x >= 0) & (x < np.inf), found.dtype.type(1), _inside(xp, a > 0, found))


def _gamma_slope(xp, lax, a, x):
    """The derivative of igamma by `a`; 0 at infinity."""
    found = _of_gamma(xp, lax, "igamma_grad_a", large_gamma.slope, a, x)
    return xp.where((a > 0) & (x >= 0) & (xp.maximum(a, x) == np.inf), found.dtype.type(0), found)


def _polygamma(xp, lax, a, x):
    """polygamma; 0 at infinity."""
    found = lax.polygamma(*xp.broadcast_arrays(a, x))
    return xp.where((a >= 1) & (a == xp.floor(a)) & (x == np.inf), found.dtype.type(0), found)


def _zeta(xp, lax, x, q):
    """Where `x` is large, the first term of the sum is all of it."""
    found, first = lax.zeta(*xp.broadcast_arrays(x, q)), (x > 1000) & (q > 0)
    power = xp.where(first, q, q.dtype.type(1)) ** xp.where(first, -x, x.dtype.type(1))
    return xp.where(first, power, xp.where((x > 1) & (q == np.inf), found.dtype.type(0), _inside(xp, x != 0, found)))


# ---- of one argument

def _erf_slope(op, dy):
    return mul(mul(dy, _TWO_OVER_ROOT_PI), exp(neg(square(op.inputs[0]))))


def _bessel_i0e_grad(op, dy):
    x, y = op.inputs[0], op.outputs[0]
    return mul(dy, sub(bessel_i1e(x), mul(sign(x), y)))


def _bessel_i1e_grad(op, dy):
    """I1e(x) / x has the limit 1/2 at zero, where the formula divides by zero."""
    x, y = op.inputs[0], op.outputs[0]
    tiny = float(np.finfo(x.dtype.real_dtype.np).eps) if x.dtype.size > 2 else 2.0 ** -7
    near = less_equal(abs_(x), tiny)  # NaN is not
    nothing = zeros_like(x)
    safe = select(near, add_v2(nothing, tiny), x)
    slope = sub(bessel_i0e(safe), mul(y, add_v2(sign(safe), reciprocal(safe))))
    return mul(dy, select(near, add_v2(nothing, 0.5), slope))


def _kernel(in_lax, in_scipy, replaced=None, by=None):
    """The kernel of a function that jax.lax and SciPy know under these names.

    XLA takes twice as long as C for some functions of float64. Where SciPy, or JAX from 0.11 on, has another result for
    an argument, `replaced`, its result for the argument `by` is right.
    """
    def kernel(xp, x):
        x = x if replaced is None else xp.where(x == replaced, x.dtype.type(by), x)
        if xp is not np:
            import jax

            slow, is_wide = getattr(jax.lax, in_lax), np.dtype(x.dtype) == np.float64
            is_in_c = is_wide and native_special.takes(in_lax, x)
            return native_special.computed(in_lax, slow, x) if is_in_c else slow(x)
        from scipy import special

        x = x if x.dtype.itemsize > 2 else x.astype(np.float32)  # SciPy has no kernels for bfloat16
        return getattr(special, in_scipy)(x)

    return kernel


lgamma = unary("Lgamma", "floating", _kernel("lgamma", "gammaln", -np.inf, np.inf),
               "log |gamma(x)|, the log-gamma function.",
               lambda op, dy: mul(dy, digamma(op.inputs[0])), "lgamma math.lgamma")
digamma = unary("Digamma", "floating", _kernel("digamma", "psi", 0, np.nan),
                "The digamma function, the derivative of lgamma.",
                lambda op, dy: mul(dy, polygamma(_one(op.inputs[0]), op.inputs[0])), "digamma math.digamma")
erf = unary("Erf", "floating", _kernel("erf", "erf"), "The error function.", _erf_slope)
erfc = unary("Erfc", "floating", _kernel("erfc", "erfc"), "The complementary error function 1 - erf(x).",
             lambda op, dy: neg(_erf_slope(op, dy)), "erfc math.erfc")
bessel_i0e = unary("BesselI0e", "floating", _kernel("bessel_i0e", "i0e"),
                   "The modified Bessel function of order 0, scaled by exp(-|x|).", _bessel_i0e_grad,
                   "math.bessel_i0e")
bessel_i1e = unary("BesselI1e", "floating", _kernel("bessel_i1e", "i1e"),
                   "The modified Bessel function of order 1, scaled by exp(-|x|).", _bessel_i1e_grad,
                   "math.bessel_i1e")


# ---- of two and three arguments

def _two(line, kernel, doc, grad=None, public="", shape=lambda a, x: broadcast(a, x)):
    """Declares an op of two tensors that broadcast."""
    kernel.__doc__ = doc
    return op(line, shape=shape, grad=grad, broadcasts=True, export=public.split())(kernel)


def _gamma_density(a, x):
    """The gamma density exp(-x) x^(a-1) / gamma(a), the derivative of igamma with respect to x."""
    return exp(sub(sub(mul(sub(a, 1.0), log(x)), x), lgamma(a)))


def _igamma_grad(op, dz):
    a, x = op.inputs
    return mul(igamma_grad_a(a, x), dz), mul(_gamma_density(a, x), dz)


_of_a_and_x = "(a: T, x: T, *, T: {float, double}) -> z: T"

igamma = _two(f"Igamma{_of_a_and_x}", _lower_gamma, "The lower regularized incomplete gamma function.", _igamma_grad,
              "igamma math.igamma")
igammac = _two(f"Igammac{_of_a_and_x}", _upper_gamma, "The upper regularized incomplete gamma function.",
               lambda op, dz: [neg(g) for g in _igamma_grad(op, dz)], "igammac math.igammac")
igamma_grad_a = _two(f"IgammaGradA{_of_a_and_x}", _gamma_slope, "The derivative of igamma with respect to `a`.")
polygamma = _two(f"Polygamma{_of_a_and_x}", _polygamma, "The polygamma function of order `a`.",
                 lambda op, dz: (None, mul(dz, polygamma(add_v2(op.inputs[0], 1.0), op.inputs[1]))),
                 "polygamma math.polygamma")
zeta = _two("Zeta(x: T, q: T, *, T: {float, double}) -> z: T", _zeta, "The Hurwitz zeta function.",
            lambda op, dz: (None, mul(mul(neg(op.inputs[0]), zeta(add_v2(op.inputs[0], 1.0), op.inputs[1])), dz)),
            "zeta math.zeta", lambda x, q: broadcast(x, q))


@op("Betainc(a: T, b: T, x: T, *, T: {float, double}) -> z: T", broadcasts=True,
    export=("betainc", "math.betainc"))
def betainc(xp, lax, a, b, x):
    """The regularized incomplete beta function I_x(a, b)."""
    wide = (each.astype(np.float64) for each in (a, b, x))  # XLA's continued fraction loses three digits of float32
    return _applied(xp, lax, "betainc", *wide).astype(x.dtype)


@betainc.shape
def _(a, b, x):
    return broadcast(broadcast(a, b), x)


@betainc.grad
def _(op, dz):
    a, b, x = op.inputs
    log_beta = sub(add_v2(lgamma(a), lgamma(b)), lgamma(add_v2(a, b)))
    density = exp(sub(add_v2(mul(sub(b, 1.0), log(sub(_one(x), x))), mul(sub(a, 1.0), log(x))), log_beta))
    return None, None, mul(density, dz)
