"""Gamma and its relatives, error functions, Bessel functions, zeta, the incomplete beta."""

import numpy as np

from tests.harness import bf16, case, f64, floats, program

x34 = floats(3, 4)
positive = floats(3, 4, low=0.4, high=4.0)
parameter = floats(3, 1, seed=1, low=0.5, high=3.0)
row = floats(4, seed=2, low=0.3, high=3.0)
share = floats(3, 4, seed=3, low=0.1, high=0.9)

CASES = [
    *[case(op, x34) for op in ("Erf", "Erfc", "BesselI0e", "BesselI1e")],
    *[case(op, x34.astype(np.float64)) for op in ("Erf", "Erfc", "BesselI0e", "BesselI1e")],
    *[case(op, positive).tolerance(1e-4) for op in ("Lgamma", "Digamma")],
    *[case(op, positive.astype(np.float64)) for op in ("Lgamma", "Digamma")],
    case("Erf", bf16(positive[0])),
    case("Lgamma", np.array([-0.5, -1.5, 20.5], np.float32)).tolerance(1e-4),
    case("BesselI1e", np.array([0.0, 0.5], np.float32)),
    case("Erf", np.array([np.inf, -np.inf, 0, 5], np.float32)).no_differences("limits"),

    *[case(op, parameter, row).tolerance(1e-4, 1e-6) for op in ("Igamma", "Igammac")],
    *[case(op, f64([0.5, 2.5]), f64([1.5, 2.0])) for op in ("Igamma", "Igammac")],
    case("IgammaGradA", parameter, row).tolerance(1e-3, 1e-5),
    case("Polygamma", np.array([1, 2, 3], np.float32), np.array([1.5, 2.5, 0.7], np.float32)).tolerance(1e-4),
    case("Polygamma", f64(1), f64([1.5, 2.5])),
    case("Zeta", np.array([[2.0], [3.5]], np.float32), row).tolerance(1e-4),
    case("Zeta", f64([2.5]), f64([1.5])),
    case("Betainc", positive, floats(3, 4, seed=4, low=0.5, high=3.0), share).tolerance(1e-4, 1e-6),
    case("Betainc", 1.5, 2.5, share).tolerance(1e-4, 1e-6),
    case("Betainc", f64([0.5, 2.0]), f64([1.5, 0.7]), f64([0.2, 0.6])),
]


@program(floats(2, 3, low=0.5, high=2.0))
def composites(tf, x):
    return tf.math.bessel_i0(x), tf.math.bessel_i1(x), tf.lbeta(x)
