"""One line is one test of an op: `case("StridedSlice", x34, [0, 1], [3, 4], [1, 2], shrink_axis_mask=1)`.

A case says what goes in; what must come out was recorded from TensorFlow (see `tests/record.py`). Inputs stand in the
order of the op's definition:

- a NumPy array is a placeholder that is fed; a Python literal is a constant in the graph (int -> int32, float ->
  float32, str -> string); so the author decides what is statically known;
- a Python list that holds arrays (or other inputs) is a list input, one tensor an element;
- `ref(value)` and `resource(value)` are variables holding `value`; their value after the run is compared as well.
"""

import dataclasses
import hashlib
import inspect
import textwrap
from collections.abc import Callable

import numpy as np

from tests.harness.inputs import strings

KINDS = ("feed", "constant", "ref", "resource")
NARROW = {np.dtype(np.int64): np.int32, np.dtype(np.float64): np.float32, np.dtype(np.complex128): np.complex64}


@dataclasses.dataclass(frozen=True, eq=False)
class Input:
    """One tensor that goes into the op: how it is made, its value, and its TensorFlow dtype by name."""

    kind: str
    value: np.ndarray
    dtype: str

    @property
    def differentiable(self):
        return self.dtype in ("bfloat16", "float16", "float32", "float64", "complex64", "complex128")


@dataclasses.dataclass(frozen=True, eq=False)
class Case:
    """An op (or a small program) with its inputs; the methods return a changed copy."""

    op: str
    inputs: tuple
    attrs: dict
    build: Callable | None = None
    rtol: float | None = None
    atol: float | None = None
    error: str | None = None
    runs: int = 1
    skips: tuple = ()

    def tolerance(self, rtol, atol=None):
        """Compares with these instead of the dtype's usual tolerance."""
        return dataclasses.replace(self, rtol=rtol, atol=atol)

    def fails(self, error):
        """TensorFlow raises this class (by name), when the graph is built or when it runs."""
        return dataclasses.replace(self, error=error)

    def repeated(self, runs):
        """Runs the op so many times in one session and compares every result: random streams, counters, updates."""
        return dataclasses.replace(self, runs=runs)

    def no_grad(self, why):
        """Leaves both gradient checks out."""
        return self._without(why, "gradient", "differences")

    def no_differences(self, why):
        """Leaves the finite differences out, for instance because the input lies on a kink."""
        return self._without(why, "differences")

    def any_value(self, why):
        """Compares dtypes and shapes only, for numbers that TensorFlow itself does not fix."""
        return self._without(why, "value", "tiers", "gradient", "differences")

    def _without(self, why, *skips):
        if not isinstance(why, str) or not why:
            raise TypeError("say why this check does not apply")
        return dataclasses.replace(self, skips=self.skips + skips)

    @property
    def leaves(self):
        """All inputs in order, list inputs flattened."""
        return [leaf for each in self.inputs for leaf in (each if isinstance(each, list) else [each])]

    @property
    def id(self):
        """The op and a fingerprint of what goes in: it changes when the recorded answer would no longer be valid."""
        return f"{self.op}-{self._fingerprint()}"

    def _fingerprint(self):
        digest = hashlib.sha256()
        for leaf in self.leaves:
            data = repr(leaf.value.ravel().tolist()).encode() if leaf.value.dtype == object else leaf.value.tobytes()
            digest.update(f"{leaf.kind} {leaf.dtype} {leaf.value.shape}".encode() + data)
        digest.update(repr([len(each) if isinstance(each, list) else None for each in self.inputs]).encode())
        digest.update(repr(sorted((name, _plain(value)) for name, value in self.attrs.items())).encode())
        digest.update(repr(self.runs).encode())
        if self.build is not None:
            digest.update(textwrap.dedent(inspect.getsource(self.build)).encode())
        return digest.hexdigest()[:8]

    def __str__(self):
        inputs = [_show(each) for each in self.inputs]
        return f"{self.op}({', '.join(inputs + [f'{name}={value!r}' for name, value in self.attrs.items()])})"


def case(op, *inputs, **attrs):
    """A case of the op that TensorFlow calls `op`; attrs by name, types as names (`DstT="int32"`)."""
    return Case(op, tuple(map(_as_input, inputs)), attrs)


def program(*inputs):
    """Decorator: a case that is a small program `build(tf, *tensors)` returning the tensors to compare.

    For what one op alone cannot show: tensor lists, queues, tables, public functions. `tf` is whichever package is
    being asked.
    """
    def decorate(build):
        return Case(build.__name__, tuple(map(_as_input, inputs)), {}, build)
    return decorate


def in_order(tf, *steps):
    """Runs steps (functions that make ops) one after the other; their tensors."""
    done, results = [], []
    for step in steps:
        with tf.control_dependencies(done):
            made = step()
            made = made if isinstance(made, (list, tuple)) else [made]
            done = [getattr(m, "op", m) for m in made]
            results += [m for m in made if hasattr(m, "dtype")]
    with tf.control_dependencies(done):
        return [tf.identity(r) for r in results]


def ref(value):
    """A reference variable (VariableV2) holding `value`."""
    return dataclasses.replace(_as_input(value), kind="ref")


def resource(value):
    """A resource variable (VarHandleOp) holding `value`."""
    return dataclasses.replace(_as_input(value), kind="resource")


def typed(value, dtype):
    """`value` as a fed tensor of a dtype that NumPy does not know, such as "quint8"."""
    return dataclasses.replace(_as_input(np.asarray(value)), dtype=dtype)


def _as_input(value):
    if isinstance(value, Input):
        return value
    if isinstance(value, list | tuple) and _holds_inputs(value):
        return [_as_input(each) for each in value]
    if isinstance(value, np.ndarray | np.generic):
        return _input("feed", np.asarray(value))
    return _input("constant", _literal(value))


def _holds_inputs(values):
    return any(isinstance(each, np.ndarray | np.generic | Input) for each in values)


def _literal(value):
    found = np.array(value)
    if found.dtype.kind in "USO":
        return strings(value)
    return found.astype(NARROW.get(found.dtype, found.dtype))


def _input(kind, value):
    if value.dtype.kind in "USO":
        return Input(kind, strings(value.tolist()), "string")
    return Input(kind, value, value.dtype.name)


def _plain(value):
    """An attribute as a value whose repr does not depend on the NumPy version."""
    if isinstance(value, np.ndarray | np.generic):
        return (value.dtype.name, value.tolist())
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value


def _show(value):
    if isinstance(value, list):
        return f"[{', '.join(map(_show, value))}]"
    if value.kind == "constant" and value.value.size <= 8:
        return repr(value.value.tolist())
    return f"{value.kind} {value.dtype}{list(value.value.shape)}"
