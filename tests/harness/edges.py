"""Turns a case into runs at the edges: infinities, NaN, zeros, limits of the types, empty and single-element tensors.

Every fed input is varied by itself, so that a new case is covered without a word. A value variant keeps the shapes, so
that one graph, compiled once, serves all of them; a shape variant needs a graph of its own.
"""

import dataclasses

import ml_dtypes
import numpy as np

LARGEST = 4096  # elements; what holds for a large input holds for the small one of another case


@dataclasses.dataclass(frozen=True)
class Edge:
    """One run of a case: which input is varied, and how."""

    leaf: int
    how: str

    def __str__(self):
        return f"{self.leaf}:{self.how}"


def value_edges(case):
    """The variants that keep every shape."""
    return [Edge(at, how) for at, leaf in _varied(case) if leaf.value.size for how in _values(leaf.value.dtype)]


def shape_edges(case):
    """The variants with the first dimension of one input, and of all like it, cut to nothing or to one."""
    return [Edge(at, how) for at, leaf in _varied(case) if leaf.value.ndim for how in ("empty", "single")
            if leaf.value.shape[0] != int(how == "single")]


def _varied(case):
    if case.error or case.runs != 1 or "value" in case.skips:
        return []
    return [(at, leaf) for at, leaf in enumerate(case.leaves) if leaf.kind == "feed" and leaf.value.size <= LARGEST]


def _values(dtype):
    if dtype.kind == "c":
        return []  # for complex infinities and zeros every compiler has a product and a quotient of its own
    if _is_inexact(dtype):
        return [f"{where} {value}" for where in ("one", "all") for value in ("inf", "-inf", "nan", "0", "-0")] + [
            "one max", "one min"]
    if dtype.kind in "iu":
        return ["one 0", "all 0", "one max", "one min"]
    return []


def is_at_limit(edge, case):
    """Whether a float stands at the end of its range, where overflow depends on the order of additions and products."""
    return edge.how in ("one max", "one min") and _is_inexact(case.leaves[edge.leaf].value.dtype)


def compared(edge, case, found, wanted):
    """Both arrays without the elements that overflow, or vanish, when a float at the end of its range goes in.

    Complex numbers come as pairs: a real part that is infinite says nothing of the imaginary one.
    """
    if found.dtype == wanted.dtype and wanted.dtype.kind == "c":
        found, wanted = (each.reshape(-1).view(each.real.dtype) for each in (found, wanted))
    if not is_at_limit(edge, case) or not _is_inexact(wanted.dtype) or found.shape != wanted.shape:
        return found, wanted
    fine = _is_moderate(found) & _is_moderate(wanted)
    return found[fine], wanted[fine]


def _is_moderate(x):
    size = np.abs(x.astype(np.complex128))
    return (size < 1e30) & (size > 1e-30)


def _is_inexact(dtype):
    return dtype.kind in "fc" or dtype == ml_dtypes.bfloat16


def varied(value, how):
    """The array `value` with one or all of its elements set to an edge value."""
    where, name = how.split()
    result = np.array(value)
    result.reshape(-1)[... if where == "all" else result.size // 2] = _number(name, value.dtype)
    return result


def _number(name, dtype):
    if name in ("max", "min"):
        limits = ml_dtypes.finfo(dtype) if _is_inexact(dtype) else np.iinfo(dtype)
        return getattr(limits, name)
    return np.float64(name).astype(dtype)


def reshaped(case, edge):
    """The case with shorter inputs: the varied one and those whose first dimension is as long."""
    length, keep = case.leaves[edge.leaf].value.shape[0], int(edge.how == "single")
    flat = iter(range(len(case.leaves)))

    def cut(leaf):
        at = next(flat)
        alike = at == edge.leaf or leaf.kind == "feed" and leaf.value.ndim and leaf.value.shape[0] == length
        return dataclasses.replace(leaf, value=leaf.value[:keep]) if alike else leaf

    return dataclasses.replace(case, inputs=tuple([cut(each) for each in part] if isinstance(part, list) else cut(part)
                                                  for part in case.inputs))
