"""Assertions of tf.test.TestCase: comparisons of arrays, structures, protocol messages, devices and dtypes."""

from __future__ import annotations

import contextlib
import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from absl.testing import absltest
from google.protobuf import text_format

from evergraph.base import dtypes, errors
from evergraph.base.devices import canonical_name
from evergraph.graph.composite import IndexedSlicesValue, SparseTensorValue


class Comparisons(absltest.TestCase):
    """A test case that compares what sessions return. Tensors among the arguments are evaluated first."""

    def evaluate(self, tensors: Any) -> Any:
        """The values of tensors; the class with sessions says in which one."""
        raise NotImplementedError

    def _array(self, value: Any) -> np.ndarray:
        if isinstance(value, (SparseTensorValue, IndexedSlicesValue)):
            raise TypeError(f"compare the parts of a {type(value).__name__}")
        if isinstance(value, np.ndarray):
            return value
        if hasattr(value, "eval"):
            return np.asarray(self.evaluate(value))
        if isinstance(value, (list, tuple)) and any(hasattr(each, "eval") for each in value):
            value = [self._array(each) for each in value]
        try:
            return np.array(value)
        except ValueError:  # a list of things that are no numbers, or of rows of different lengths
            return np.array(value, dtype=object)

    def assertAllEqual(self, a, b, msg=None):
        """Both have the same shape and elements."""
        a, b = self._array(a), self._array(b)
        self._same_shape(a, b, msg)
        same = (a == b) | ((a != a) & (b != b)) if a.dtype.kind in "fc" and b.dtype.kind in "fc" else a == b
        if not np.all(same):
            self.fail(_joined(msg, f"{_places(~np.asarray(same))}: not equal lhs = {a!r}, not equal rhs = {b!r}"))

    def assertNotAllEqual(self, a, b, msg=None):
        """Some element differs."""
        try:
            self.assertAllEqual(a, b)
        except AssertionError:
            return
        self.fail(_joined(msg, "the two values are equal at all elements"))

    def assertAllClose(self, a, b, rtol=1e-6, atol=1e-6, msg=None):
        """Both structures hold the same numbers, up to `atol + rtol * |b|`.

        Lists, tuples and dicts may hold others; a named tuple is compared by its fields.
        """
        self._close(a, b, rtol, atol, msg, "")

    def _close(self, a, b, rtol, atol, msg, path):
        a, b = _fields(a), _fields(b)
        if isinstance(a, Mapping) != isinstance(b, Mapping):
            raise ValueError(f"Can't compare dict to non-dict, a{path} vs b{path}: {a!r}, {b!r}")
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
            self._arrays_close(self._array(a), self._array(b), rtol, atol, msg, path)

    def _are_arrays(self, *values: Any) -> bool:
        """Whether lists in lists are rectangular, and of numbers."""
        return not any(map(_has_parts, values)) and all(self._array(value).dtype.kind in "biufcV" for value in values)

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

    def assertAllCloseAccordingToType(self, a, b, rtol=1e-6, atol=1e-6, float_rtol=1e-6, float_atol=1e-6,
                                      half_rtol=1e-3, half_atol=1e-3, bfloat16_rtol=1e-2, bfloat16_atol=1e-2, msg=None):
        """As assertAllClose, with wider limits for narrower floats."""
        names = {self._array(a).dtype.name, self._array(b).dtype.name}
        wider = {"float32": (float_rtol, float_atol), "complex64": (float_rtol, float_atol),
                 "float16": (half_rtol, half_atol), "bfloat16": (bfloat16_rtol, bfloat16_atol)}
        for relative, absolute in (wider[name] for name in names if name in wider):
            rtol, atol = max(rtol, relative), max(atol, absolute)
        self.assertAllClose(a, b, rtol, atol, msg)

    def assertNotAllClose(self, a, b, **kwargs):
        """Some element differs by more than the limits of assertAllClose."""
        try:
            self.assertAllClose(a, b, **kwargs)
        except AssertionError:
            return
        self.fail("The two values are close at all elements")

    def assertAllGreater(self, a, comparison_target):
        """All elements are above a number."""
        self._all(operator.gt, a, comparison_target)

    def assertAllLess(self, a, comparison_target):
        """All elements are below a number."""
        self._all(operator.lt, a, comparison_target)

    def assertAllGreaterEqual(self, a, comparison_target):
        """No element is below a number."""
        self._all(operator.ge, a, comparison_target)

    def assertAllLessEqual(self, a, comparison_target):
        """No element is above a number."""
        self._all(operator.le, a, comparison_target)

    def _all(self, compare: Callable[[Any, Any], Any], a: Any, target: Any) -> None:
        a = self._array(a)
        ok = np.asarray(compare(a, target))
        if not np.all(ok):
            self.fail(f"{_places(~ok)}: not {compare.__name__} {target}: {a[~ok] if a.ndim else a}")

    def assertAllInRange(self, target, lower_bound, upper_bound, open_lower_bound=False, open_upper_bound=False):
        """All elements lie between two numbers, which belong to the range unless it is open there."""
        target = self._array(target)
        if target.dtype.kind not in "iufV":
            self.fail(f"a range needs real numbers, not {target.dtype}")
        above = target > lower_bound if open_lower_bound else target >= lower_bound
        below = target < upper_bound if open_upper_bound else target <= upper_bound
        if not np.all(above & below):
            left, right = "(" if open_lower_bound else "[", ")" if open_upper_bound else "]"
            self.fail(f"{_places(~(above & below))}: not in {left}{lower_bound}, {upper_bound}{right}: {target}")

    def assertAllInSet(self, target, expected_set):
        """All elements are members of a set."""
        others = set(self._array(target).ravel().tolist()) - set(expected_set)
        if others:
            self.fail(f"{sorted(others)} not in {expected_set}")

    def assertDTypeEqual(self, target, expected_dtype):
        """A tensor or array has a dtype."""
        found = target.dtype if hasattr(target, "dtype") else self._array(target).dtype
        self.assertEqual(dtypes.as_dtype(found), dtypes.as_dtype(expected_dtype))

    def assertNear(self, f1, f2, err, msg=None):
        """Two numbers differ by at most `err`, or are equal infinities."""
        far = f"{f1!r} and {f2!r} differ by more than {err!r}"
        self.assertTrue(f1 == f2 or abs(f1 - f2) <= err, _joined(msg, far))

    def assertArrayNear(self, farray1, farray2, err, msg=None):
        """Two lists of numbers are equally long, and each pair differs by at most `err`."""
        self.assertEqual(len(farray1), len(farray2), msg)
        for one, two in zip(farray1, farray2):
            self.assertNear(float(one), float(two), err, msg)

    def assertNDArrayNear(self, ndarray1, ndarray2, err, msg=None):
        """The difference of two arrays has a norm below `err`."""
        distance = np.linalg.norm(self._array(ndarray1) - self._array(ndarray2))
        self.assertLess(distance, err, _joined(msg, "the arrays are too far from each other"))

    def assertShapeEqual(self, np_array, tf_tensor, msg=None):
        """A tensor's static shape is that of an array."""
        self.assertEqual(np_array.shape, tuple(tf_tensor.get_shape().as_list()), msg)

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
        """The block raises an exception of a class, whose text matches or which a function accepts."""
        if callable(expected_err_re_or_predicate):
            with self.assertRaises(exception_type) as caught:
                yield caught
            self.assertTrue(expected_err_re_or_predicate(caught.exception), f"not accepted: {caught.exception}")
        else:
            with self.assertRaisesRegex(exception_type, expected_err_re_or_predicate) as caught:
                yield caught

    def assertRaisesOpError(self, expected_err_re_or_predicate):
        """The block raises an OpError whose text matches."""
        return self.assertRaisesWithPredicateMatch(errors.OpError, expected_err_re_or_predicate)

    def _same_shape(self, a, b, msg):
        self.assertEqual(a.shape, b.shape, _joined(msg, f"Shape mismatch: expected {a.shape}, got {b.shape}"))


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
