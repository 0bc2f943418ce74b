"""Assertions of tf.test.TestCase: comparisons of arrays, structures, protocol messages, devices and dtypes."""

from __future__ import annotations

import contextlib
import functools
import operator
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from absl.testing import absltest
from google.protobuf import text_format

from evergraph.base import dtypes, errors, nest
from evergraph.base.devices import canonical_name
from evergraph.eager.script import py_function
from evergraph.frontend.ragged.tensor import RaggedTensor
from evergraph.frontend.ragged.value import RaggedTensorValue
from evergraph.graph.composite import IndexedSlicesValue, SparseTensorValue
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Tensor


def of_values(assertion: Callable[..., None]) -> Callable[..., None]:
    """An assertion that becomes a node, and compares in every call, if it is about tensors of a traced function."""

    @functools.wraps(assertion)
    def checked(self: Any, *args: Any, **kwargs: Any) -> None:
        leaves = nest.flatten((args, kwargs), expand_composites=True)
        places = [place for place, leaf in enumerate(leaves) if isinstance(leaf, Tensor)]
        if not places or not default_graph().is_function:
            return assertion(self, *args, **kwargs)

        def compare(*values: Any) -> None:
            found = dict(zip(places, values))
            whole = [found.get(place, leaf) for place, leaf in enumerate(leaves)]
            packed, named = nest.pack_sequence_as((args, kwargs), whole, expand_composites=True)
            assertion(self, *packed, **named)

        py_function(compare, [leaves[place] for place in places], [])
        return None

    return checked


class Comparisons(absltest.TestCase):
    """A test case that compares what sessions return. Tensors among the arguments are evaluated first."""

    def evaluate(self, tensors: Any) -> Any:
        """The values of tensors; the class with sessions says in which one."""
        raise NotImplementedError

    def _GetNdArray(self, value: Any) -> np.ndarray:  # noqa: N802 (TensorFlow's name, which tests call)
        if isinstance(value, (SparseTensorValue, IndexedSlicesValue)):
            raise TypeError(f"compare the parts of a {type(value).__name__}")
        if isinstance(value, np.ndarray):
            return value
        if hasattr(value, "eval"):
            return np.asarray(self.evaluate(value))
        if isinstance(value, (list, tuple)) and any(hasattr(each, "eval") for each in nest.flatten(value)):
            value = [self._GetNdArray(each) for each in value]
        try:
            return np.array(value)
        except ValueError:  # a list of things that are no numbers, or of rows of different lengths
            return _boxed(value)

    @of_values
    def assertAllEqual(self, a, b, msg=None):
        """Both have the same shape and elements; ragged tensors are compared with each other, or with lists of rows."""
        if _is_ragged(a) or _is_ragged(b):
            return self._ragged_equal(a, b, msg)
        a, b = self._GetNdArray(a), self._GetNdArray(b)
        self._same_shape(a, b, msg)
        same = (a == b) | ((a != a) & (b != b)) if a.dtype.kind in "fcV" and b.dtype.kind in "fcV" else a == b
        if not np.all(same):
            self.fail(_joined(msg, f"{_places(~np.asarray(same))}: not equal lhs = {a!r}, not equal rhs = {b!r}"))
        return None

    def _ragged_equal(self, a: Any, b: Any, msg: str | None) -> None:
        self.assertEqual(self._rows(a), self._rows(b), msg)
        if not isinstance(a, (list, tuple)) and not isinstance(b, (list, tuple)):
            ranks = (x.ragged_rank if _is_ragged(x) else 0 for x in (a, b))
            self.assertEqual(*ranks, _joined(msg, "ragged ranks differ"))

    def _rows(self, value: Any) -> Any:
        """A tensor, an array or what a session returned as lists in lists."""
        if isinstance(value, (list, tuple)):
            return [self._rows(each) for each in value]
        value = self.evaluate(value) if isinstance(value, RaggedTensor) or hasattr(value, "eval") else value
        if isinstance(value, RaggedTensorValue):
            return value.to_list()
        return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value

    @of_values
    def assertNotAllEqual(self, a, b, msg=None):
        """Some element differs."""
        try:
            self.assertAllEqual(a, b)
        except AssertionError:
            return
        self.fail(_joined(msg, "expected values that differ somewhere, but all elements are equal"))

    @of_values
    def assertAllClose(self, a, b, rtol=1e-6, atol=1e-6, msg=None):
        """Both structures hold the same numbers, up to `atol + rtol * |b|`.

        Lists, tuples and dicts may hold others; a named tuple is compared by its fields.
        """
        self._close(a, b, rtol, atol, msg, "")

    def _close(self, a, b, rtol, atol, msg, path):
        a, b = (self._rows(x) if _is_ragged(a) or _is_ragged(b) else _fields(x) for x in (a, b))
        if isinstance(a, Mapping) != isinstance(b, Mapping):
            raise ValueError(f"Can't compare dict to non-dict: {path or 'the values'} is {a!r} and {b!r}")
        if isinstance(a, Mapping):
            said = f"mismatched keys: a{path} has {[*a]}, b has {[*b]}"
            self.assertCountEqual(a.keys(), b.keys(), _joined(msg, said))
            for key in a:
                self._close(a[key], b[key], rtol, atol, msg, f"{path}[{key}]")
        elif isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)) and not self._are_arrays(a, b):
            self.assertEqual(len(a), len(b), _joined(msg, f"mismatched length: a{path} has {len(a)}, b has {len(b)}"))
            for place, (one, two) in enumerate(zip(a, b)):
                self._close(one, two, rtol, atol, msg, f"{path}[{place}]")
        else:
            self._arrays_close(self._GetNdArray(a), self._GetNdArray(b), rtol, atol, msg, path)

    def _are_arrays(self, *values: Any) -> bool:
        """Whether lists in lists are rectangular, and of numbers."""
        kinds = (self._GetNdArray(value).dtype.kind for value in values)
        return not any(map(_has_parts, values)) and all(kind in "biufcV" for kind in kinds)

    def _arrays_close(self, a, b, rtol, atol, msg, path):
        msg = _joined(msg, f"a{path} and b{path}") if path else msg
        self._same_shape(a, b, msg)
        half = any(x.dtype.itemsize == 2 and x.dtype.kind in "fV" for x in (a, b))
        rtol, atol = (max(rtol, 1e-3), max(atol, 1e-3)) if half else (rtol, atol)
        a, b = a.astype(_wide(a)), b.astype(_wide(b))
        if not np.allclose(a, b, rtol, atol, equal_nan=True):
            close = np.isclose(a, b, rtol, atol, equal_nan=True)
            far = (a[~close], b[~close]) if a.ndim else (a, b)
            said = f"{_places(~close)}: not close lhs = {far[0]}, rhs = {far[1]}, not close dif = {far[0] - far[1]}"
            np.testing.assert_allclose(a, b, rtol, atol, err_msg=_joined(msg, said), equal_nan=True)

    @of_values
    def assertAllCloseAccordingToType(self, a, b, rtol=1e-6, atol=1e-6, float_rtol=1e-6, float_atol=1e-6,
                                      half_rtol=1e-3, half_atol=1e-3, bfloat16_rtol=1e-2, bfloat16_atol=1e-2, msg=None):
        """As assertAllClose, with wider limits for narrower floats."""
        names = {self._GetNdArray(a).dtype.name, self._GetNdArray(b).dtype.name}
        wider = {"float32": (float_rtol, float_atol), "complex64": (float_rtol, float_atol),
                 "float16": (half_rtol, half_atol), "bfloat16": (bfloat16_rtol, bfloat16_atol)}
        for relative, absolute in (wider[name] for name in names if name in wider):
            rtol, atol = max(rtol, relative), max(atol, absolute)
        self.assertAllClose(a, b, rtol, atol, msg)

    @of_values
    def assertNotAllClose(self, a, b, **kwargs):
        """Some element differs by more than the limits of assertAllClose."""
        try:
            self.assertAllClose(a, b, **kwargs)
        except AssertionError:
            return
        self.fail("Expected values that differ somewhere beyond the tolerance, but all are close")

    @of_values
    def assertAllGreater(self, a, comparison_target):
        """All elements are above a number."""
        self._all(operator.gt, a, comparison_target)

    @of_values
    def assertAllLess(self, a, comparison_target):
        """All elements are below a number."""
        self._all(operator.lt, a, comparison_target)

    @of_values
    def assertAllGreaterEqual(self, a, comparison_target):
        """No element is below a number."""
        self._all(operator.ge, a, comparison_target)

    @of_values
    def assertAllLessEqual(self, a, comparison_target):
        """No element is above a number."""
        self._all(operator.le, a, comparison_target)

    def _all(self, compare: Callable[[Any, Any], Any], a: Any, target: Any) -> None:
        a = self._GetNdArray(a)
        ok = np.asarray(compare(a, target))
        if not np.all(ok):
            self.fail(f"{_places(~ok)}: not {compare.__name__} {target}: {a[~ok] if a.ndim else a}")

    @of_values
    def assertAllInRange(self, target, lower_bound, upper_bound, open_lower_bound=False, open_upper_bound=False):
        """All elements lie between two numbers, which belong to the range unless it is open there."""
        target = self._GetNdArray(target)
        if target.dtype.kind not in "iufV":
            self.fail(f"a range needs real numbers, not {target.dtype}")
        above = target > lower_bound if open_lower_bound else target >= lower_bound
        below = target < upper_bound if open_upper_bound else target <= upper_bound
        if not np.all(above & below):
            left, right = "(" if open_lower_bound else "[", ")" if open_upper_bound else "]"
            self.fail(f"{_places(~(above & below))}: not in {left}{lower_bound}, {upper_bound}{right}: {target}")

    @of_values
    def assertAllInSet(self, target, expected_set):
        """All elements are members of a set."""
        others = set(self._GetNdArray(target).ravel().tolist()) - set(expected_set)
        if others:
            self.fail(f"{sorted(others)} not in {expected_set}")

    def assertDTypeEqual(self, target, expected_dtype):
        """A tensor or array has a dtype."""
        found = target.dtype if hasattr(target, "dtype") else self._GetNdArray(target).dtype
        self.assertEqual(dtypes.as_dtype(found), dtypes.as_dtype(expected_dtype))

    @of_values
    def assertNear(self, f1, f2, err, msg=None):
        """Two numbers differ by at most `err`, or are equal infinities."""
        far = f"{f1!r} and {f2!r} differ by more than {err!r}"
        self.assertTrue(f1 == f2 or abs(f1 - f2) <= err, _joined(msg, far))

    @of_values
    def assertArrayNear(self, farray1, farray2, err, msg=None):
        """Two lists of numbers are equally long, and each pair differs by at most `err`."""
        self.assertEqual(len(farray1), len(farray2), msg)
        for one, two in zip(farray1, farray2):
            self.assertNear(float(one), float(two), err, msg)

    @of_values
    def assertNDArrayNear(self, ndarray1, ndarray2, err, msg=None):
        """The difference of two arrays has a norm below `err`."""
        near = self._NDArrayNear(self._GetNdArray(ndarray1), self._GetNdArray(ndarray2), err)
        self.assertTrue(near, _joined(msg, "the arrays are too far from each other"))

    def _NDArrayNear(self, ndarray1: np.ndarray, ndarray2: np.ndarray, err: float) -> bool:  # noqa: N802
        return bool(np.linalg.norm(ndarray1 - ndarray2) < err)

    def assertShapeEqual(self, np_array, tf_tensor, msg=None):
        """A tensor's static shape is that of an array.

        Raises:
            TypeError: they are no array and no tensor.
        """
        if not isinstance(np_array, (np.ndarray, np.generic)):
            raise TypeError(f"np_array must be an array, got {type(np_array)}")
        if not isinstance(tf_tensor, Tensor):
            raise TypeError(f"tf_tensor must be a tensor, got {type(tf_tensor)}")
        self.assertEqual(np_array.shape, tuple(tf_tensor.get_shape().as_list()), msg)

    def assertStartsWith(self, actual, expected_start, msg=None):
        """A string begins with another one."""
        if not actual.startswith(expected_start):
            self.fail(_joined(msg, f"{actual!r} does not start with {expected_start!r}"))

    def assertDeviceEqual(self, device1, device2, msg=None):
        """Two names are of one device."""
        self.assertEqual(canonical_name(device1), canonical_name(device2), msg)

    def assertProtoEquals(self, expected_message_maybe_ascii, message, msg=None):
        """The message is the expected one, which may be given as text."""
        expected = expected_message_maybe_ascii
        if isinstance(expected, (str, bytes)):
            expected = text_format.Parse(expected, type(message)())
        if type(expected) is not type(message):
            self.fail(_joined(msg, f"expected a {type(expected).__name__}, got a {type(message).__name__}"))
        if expected != message:
            self.assertMultiLineEqual(str(expected), str(message), msg)

    def assertProtoEqualsVersion(self, expected, actual, producer=None, min_consumer=0, msg=None):
        """As assertProtoEquals of a GraphDef, given as text without the versions that every graph has."""
        producer = actual.versions.producer if producer is None else producer
        consumer = f" min_consumer: {min_consumer}" if min_consumer else ""
        self.assertProtoEquals(f"versions {{ producer: {producer}{consumer} }}\n{expected}", actual, msg)

    @contextlib.contextmanager
    def assertRaisesWithPredicateMatch(self, exception_type, expected_err_re_or_predicate):
        """The block raises an exception of a class, whose text matches or which a function accepts.

        The text of an error of an op is its message and the name of the op.
        """
        matches = expected_err_re_or_predicate
        if not callable(matches):
            pattern = expected_err_re_or_predicate
            matches = lambda error: re.search(pattern, _text(error))  # noqa: E731
        try:
            yield
        except Exception as error:
            if not isinstance(error, exception_type) or not matches(error):
                raise AssertionError(f"Exception of type {type(error)}: {error}") from error
        else:
            self.fail(f"{exception_type.__name__} not raised")

    def assertRaisesOpError(self, expected_err_re_or_predicate):
        """The block raises an OpError whose text matches."""
        return self.assertRaisesWithPredicateMatch(errors.OpError, expected_err_re_or_predicate)

    def _same_shape(self, a, b, msg):
        self.assertEqual(a.shape, b.shape, _joined(msg, f"Shape mismatch: expected {a.shape}, got {b.shape}"))


def _boxed(values: Any) -> np.ndarray:
    """An array of objects. NumPy cannot make one of arrays whose first dimensions are equal and whose ranks differ."""
    boxes = np.empty(len(values), object)
    for place, value in enumerate(values):
        boxes[place] = value
    return boxes


def _is_ragged(value: Any) -> bool:
    return isinstance(value, (RaggedTensor, RaggedTensorValue))


def _text(error: Exception) -> str:
    if not isinstance(error, errors.OpError):
        return str(error)
    return error.message if error.op is None else f"{error.message}\nCaused by: {error.op.name}"


def _fields(value: Any) -> Any:
    """A named tuple as the dict of its fields."""
    return value._asdict() if hasattr(value, "_asdict") and not hasattr(value, "eval") else value


def _has_parts(value: Any) -> bool:
    """Whether a list or tuple holds a dict or a named tuple, at any depth."""
    if isinstance(value, (list, tuple)) and not hasattr(value, "_asdict"):
        return any(map(_has_parts, value))
    return isinstance(value, Mapping) or hasattr(value, "_asdict")


def _places(wrong: np.ndarray) -> str:
    found: Iterable[Any] = np.argwhere(wrong)[:5].tolist()
    return f"{np.sum(wrong)} elements, first at {found}" if np.ndim(wrong) else "the value"


def _wide(array: np.ndarray) -> Any:
    return np.float64 if array.dtype.kind not in "c" else np.complex128


def _joined(msg: str | None, text: str) -> str:
    return f"{msg}: {text}" if msg else text
