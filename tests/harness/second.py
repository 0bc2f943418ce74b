"""The first and second derivatives of a case, by each output and input alone, as short records.

A record is {"output,input": found, "output,input,second": found}: an input of the second derivative beyond the case's
own is the upstream gradient. What is found is None, the word "lacks" where a gradient is not declared, or "raised";
otherwise the dtype, the sum of all elements with fixed weights, and the sum of their magnitudes, which tells how exact
it may be.
"""

import numpy as np

from tests.harness import graph

UPSTREAM = 0.7


def derivatives(tf, apply_op, session, case):
    """The record of a case; empty if it has no smooth output or input.

    Args:
        apply_op: adds an op, as `graph.build` wants it.
        session: opens a session, given a graph.
    """
    built = graph.build(tf, apply_op, case)
    ys = [(at, y) for at, y in enumerate(built.outputs) if _is_smooth(y)]
    xs = [built.tensors[at] for at, leaf in enumerate(case.leaves) if leaf.differentiable and leaf.kind != "ref"]
    if not ys or not xs:
        return {}
    values = _fetched(session, built, [y for _, y in ys])
    found = {}
    with built.graph.as_default():
        for (at, y), value in zip(ys, values):
            up = tf.placeholder(y.dtype.base_dtype, np.shape(value))
            built.feeds[up] = np.asarray(graph.weight(np.shape(value), at)).astype(y.dtype.base_dtype.as_numpy_dtype)
            found |= _of_output(tf, at, y, xs, up)
    tensors = {key: each for key, each in found.items() if each is not None and not isinstance(each, str)}
    try:
        numbers = _fetched(session, built, list(tensors.values()))
    except Exception:
        numbers = [_alone(session, built, each) for each in tensors.values()]
    return found | {key: _summary(number) for key, number in zip(tensors, numbers)}


def _of_output(tf, at, y, xs, up):
    found = {}
    for place, slope in enumerate(_gradients(tf, y, xs, up)):
        found[f"{at},{place}"] = slope
        if slope is None or isinstance(slope, str) or not _is_smooth(slope):
            continue
        given = tf.ones_like(slope) * tf.cast(UPSTREAM, slope.dtype)
        for other, again in enumerate(_gradients(tf, slope, [*xs, up], given)):
            found[f"{at},{place},{other}"] = again
    return found


def _gradients(tf, y, xs, up):
    try:
        return [each if each is None else tf.convert_to_tensor(each) for each in tf.gradients(y, xs, up)]
    except (LookupError, NotImplementedError):
        return ["lacks"] * len(xs)


def _is_smooth(tensor):
    dtype = tensor.dtype.base_dtype
    return dtype.is_floating or dtype.is_complex


def _fetched(session, built, tensors):
    with session(built.graph) as opened:
        graph.initialize(opened, built)
        return opened.run(tensors, built.feeds)


def _alone(session, built, tensor):
    try:
        return _fetched(session, built, tensor)
    except Exception:
        return "raised"


def _summary(value):
    if isinstance(value, str):
        return value
    array = np.asarray(value)
    wide = array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)
    with np.errstate(all="ignore"):
        products = wide * graph.weight(wide.shape, 1)
        total, scale = products.sum(), float(np.abs(products).sum())
    return [array.dtype.name, *(float(f"{x:.9g}") for x in (total.real, total.imag, scale))]


# In numbers of the dtype that rounds most on the way, which is often float32 where the result is not.
RTOL = {"float64": 1e-5, "complex128": 1e-5, "float32": 2e-3, "complex64": 2e-3, "float16": 3e-2, "bfloat16": 8e-2}


def difference(found, wanted):
    """A line that tells how two records differ, or None. Here there may be gradients that TensorFlow lacks."""
    for key, want in wanted.items():
        if isinstance(want, str) or any(wanted.get(part) in ("lacks", "raised") for part in (key, key[:3])):
            continue
        have = found.get(key)
        if (have is None) != (want is None) or isinstance(have, str):
            return f"derivative {key} is {have}, TensorFlow has {want}"
        if want is not None and not _is_near(have, want):
            return f"derivative {key} sums up to {have[1:]}, TensorFlow's to {want[1:]}"
    return None


def _is_near(have, want):
    tolerance = RTOL[want[0]] * max(want[3], 1e-3)
    first, second = complex(*have[1:3]), complex(*want[1:3])
    if not np.isfinite(second):
        return not np.isfinite(first)
    return have[0] == want[0] and abs(first - second) <= tolerance
