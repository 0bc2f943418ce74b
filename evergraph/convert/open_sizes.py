"""Programs for inputs of any size, found from the programs for several sizes.

Kernels decide much by the sizes of what they get: how to divide the work, what to compute before the program runs. So
JAX traces them with numbers for the sizes that stay open, several times with other numbers. Where these programs have
the same operations, each number in them (a size, a limit, an element of a constant) is a sum of products of the open
sizes, or the same in all. All traces but the last decide which sum it is, and the last has to agree. The program that
is exported is the first one, with those sums in place of the numbers.

Numbers of another kind, such as half of a size rounded up behind a pooling layer, need a size that is known.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from evergraph.compile import backend

MOST = 3  # open sizes; with each further one there are twice as many traces
CHOICES = (((5, 11, 17), (7, 13, 19), (23, 29, 31)), ((67, 97, 137), (71, 101, 139), (73, 103, 149)))
"""Numbers to trace with, three for each open size. Kernels may take other ways for larger sizes.

They are primes, so that none of them is a product of others.
"""

_INLINED = {"jit": "jaxpr", "pjit": "jaxpr", "closed_call": "call_jaxpr", "core_call": "call_jaxpr",
            "checkpoint": "jaxpr", "custom_jvp_call": "call_jaxpr", "custom_vjp_call": "call_jaxpr"}  # fmt: skip
"""Operation of JAX that computes a program -> the parameter with the program."""


class Differs(Exception):
    """The programs for several sizes differ in more than numbers that follow from the sizes."""


def points(choice: Sequence[Sequence[int]], count: int) -> list[tuple[int, ...]]:
    """The sizes of each trace, for so many open ones: all combinations of two numbers, and at last a third for each."""
    chosen = choice[:count]
    return [*itertools.product(*(numbers[:2] for numbers in chosen)), tuple(numbers[2] for numbers in chosen)]


class General:
    """The program that the programs for several sizes are examples of.

    Args:
        programs: a ClosedJaxpr for each point.
        points: the sizes of each trace.
    """

    def __init__(self, programs: Sequence[Any], points: Sequence[Sequence[int]]) -> None:
        self._programs, self._points = programs, points
        count = len(points[0])
        self._products = [set_ for size in range(count + 1) for set_ in itertools.combinations(range(count), size)]
        self._table = np.array([[math.prod(point[k] for k in set_) for set_ in self._products] for point in points])
        self._sizes: Sequence[Any] = ()

    def run(self, sizes: Sequence[Any], arguments: Sequence[Any]) -> list[Any]:
        """Computes the program with these sizes, which may be symbolic.

        Raises:
            Differs: it cannot be told.
        """
        self._sizes = sizes
        return self._called(self._programs, arguments)

    # ---- programs

    def _called(self, programs: Sequence[Any], arguments: Sequence[Any]) -> list[Any]:
        bodies = [getattr(each, "jaxpr", each) for each in programs]
        constants = [self._array(several) for several in _together([getattr(each, "consts", ()) for each in programs])]
        return self._run(bodies, [*constants, *arguments])

    def _run(self, bodies: Sequence[Any], arguments: Sequence[Any]) -> list[Any]:
        """Computes what the first of the bodies says, with the numbers of all of them."""
        known: list[dict[Any, int]] = [{} for _ in bodies]  # variable -> the number of its value
        values: list[Any] = []

        def write(variables: Sequence[Any], value: Any) -> None:
            for names, variable in zip(known, variables):
                names[variable] = len(values)
            values.append(value)

        def read(atoms: Sequence[Any]) -> Any:
            if all(hasattr(atom, "val") for atom in atoms):
                return self._array([np.asarray(atom.val, atom.aval.dtype) for atom in atoms])
            places = {-1 if hasattr(atom, "val") else names[atom] for names, atom in zip(known, atoms)}
            if len(places) > 1:
                raise Differs("operations take other values")
            return values[places.pop()]

        for variables, value in zip(_together([[*each.constvars, *each.invars] for each in bodies]), arguments):
            write(variables, value)
        for equations in _together([each.eqns for each in bodies]):
            taken = [read(atoms) for atoms in _together([each.invars for each in equations])]
            results = self._operation(equations, taken)
            for variables, value in zip(_together([each.outvars for each in equations]), results):
                write(variables, value)
        return [read(atoms) for atoms in _together([each.outvars for each in bodies])]

    def _operation(self, equations: Sequence[Any], taken: list[Any]) -> Sequence[Any]:
        names = {each.primitive.name for each in equations}
        if len(names) > 1:
            raise Differs(f"operations are {' or '.join(sorted(names))}")
        name = names.pop()
        try:
            if name in _INLINED:
                return self._called([each.params[_INLINED[name]] for each in equations], taken)
            if name in _NESTED:
                return _NESTED[name](self, [each.params for each in equations], taken)
            params = {key: self._number([each.params[key] for each in equations]) for key in equations[0].params}
        except Differs as error:
            where = str(equations[0].source_info.name_stack)
            raise Differs(f"{where}: {error}" if where and where not in str(error) else str(error)) from None
        found = equations[0].primitive.bind(*taken, **params)
        return found if equations[0].primitive.multiple_results else [found]

    def _function(self, programs: Sequence[Any], constants: Sequence[Any]) -> Callable[..., tuple[Any, ...]]:
        return lambda *values: tuple(self._called(programs, [*constants, *values]))

    # ---- numbers

    def _number(self, several: Sequence[Any]) -> Any:
        """A parameter of an operation."""
        first = several[0]
        if all(_is_same(first, each) for each in several):
            return first
        if all(isinstance(each, (int, np.integer)) and not isinstance(each, bool) for each in several):
            return self._size(several)
        if isinstance(first, (tuple, list)):
            parts = [self._number(each) for each in _together(several)]
            return type(first)(*parts) if hasattr(first, "_fields") else type(first)(parts)
        if len(set(map(str, several))) == 1:
            return first
        raise Differs(f"{first} becomes {several[-1]}")

    def _size(self, several: Sequence[int]) -> Any:
        """The sum of products of sizes that is these numbers at the points."""
        factors = self._factors(np.array([int(each) for each in several], np.int64))
        return sum(int(factor) * math.prod(self._sizes[k] for k in set_)
                   for factor, set_ in zip(factors, self._products) if factor)

    def _factors(self, several: Any) -> Any:
        """The factor of each product of sizes, for numbers or arrays of them.

        Raises:
            Differs: they are no such sums, or the last of them is another.
        """
        count = len(self._products)
        flat = several.reshape(len(several), -1).astype(np.float64)
        factors = np.round(np.linalg.solve(self._table[:count].astype(np.float64), flat[:count]))
        if not np.array_equal(self._table.astype(np.float64) @ factors, flat):
            raise Differs(f"{several[0].tolist()} becomes {several[-1].tolist()} where sizes of "
                          f"{list(self._points[0])} become {list(self._points[-1])}")
        return factors.reshape(count, *several.shape[1:])

    def _array(self, several: Sequence[Any]) -> Any:
        """A constant."""
        several = [np.asarray(each) for each in several]
        first = several[0]
        if all(_is_same(first, each) for each in several):
            return backend.jax().numpy.asarray(first)
        if len({each.ndim for each in several}) > 1 or first.dtype.kind not in "biuf":
            raise Differs(f"a constant of {first.dtype.name} varies")
        for axis in range(first.ndim):
            if len({each.shape[axis] for each in several}) > 1:
                return self._varying(several, axis)
        if first.dtype.kind == "b":
            raise Differs("a constant of bool varies")
        factors = self._factors(np.stack(several))
        numpy = backend.jax().numpy
        return sum(numpy.asarray(factor, first.dtype) * self._value(set_).astype(first.dtype)
                   for factor, set_ in zip(factors, self._products) if factor.any())

    def _value(self, set_: Iterable[int]) -> Any:
        """A product of sizes, as an array."""
        return backend.jax().numpy.asarray(math.prod(self._sizes[k] for k in set_))

    def _varying(self, several: Sequence[Any], axis: int) -> Any:
        """A constant whose length varies along an axis, where its elements are the same or grow evenly."""
        length = self._size([each.shape[axis] for each in several])
        if min(each.shape[axis] for each in several) < 2:
            raise Differs("a constant becomes empty")
        starts = [each.take(0, axis) for each in several]
        is_even = all(_is_same(each, np.broadcast_to(np.expand_dims(start, axis), each.shape))
                      for each, start in zip(several, starts))
        jax = backend.jax()
        start = jax.numpy.expand_dims(self._array(starts), axis)
        shape = (*start.shape[:axis], length, *start.shape[axis + 1:])
        if is_even:
            return jax.numpy.broadcast_to(start, shape)
        if several[0].dtype.kind == "b":
            raise Differs("a constant of bool varies")
        steps = [each.take(1, axis) - start for each, start in zip(several, starts)]
        column = [-1 if k == axis else 1 for k in range(several[0].ndim)]
        for each, first, step in zip(several, starts, steps):
            places = np.arange(each.shape[axis], dtype=each.dtype).reshape(column)
            if not _is_same(each, np.expand_dims(first, axis) + places * np.expand_dims(step, axis)):
                raise Differs("a constant varies with the sizes")
        places = jax.lax.broadcasted_iota(several[0].dtype, shape, axis)
        return start + places * jax.numpy.expand_dims(self._array(steps), axis)


def _together(several: Sequence[Sequence[Any]]) -> list[tuple[Any, ...]]:
    """The elements of sequences at the same places."""
    if len(set(map(len, several))) > 1:
        raise Differs("there are more operations for some sizes")
    return list(zip(*several))


def _is_same(value: Any, other: Any) -> bool:
    if isinstance(value, np.ndarray) or isinstance(other, np.ndarray):
        value, other = np.asarray(value), np.asarray(other)
        return value.dtype == other.dtype and np.array_equal(value, other, equal_nan=value.dtype.kind in "fc")
    if value is other or type(value) is not type(other):
        return value is other
    if isinstance(value, (tuple, list)):
        return len(value) == len(other) and all(map(_is_same, value, other))
    return bool(value == other)


# ---- operations with programs of their own


def _while(general: General, params: Sequence[Any], taken: list[Any]) -> Sequence[Any]:
    first, second = params[0]["cond_nconsts"], params[0]["body_nconsts"]
    condition = general._function([each["cond_jaxpr"] for each in params], taken[:first])
    body = general._function([each["body_jaxpr"] for each in params], taken[first:first + second])
    found: Sequence[Any] = backend.jax().lax.while_loop(
        lambda carry: condition(*carry)[0], lambda carry: body(*carry), tuple(taken[first + second:]))
    return found


def _scan(general: General, params: Sequence[Any], taken: list[Any]) -> Sequence[Any]:
    constants, carried = params[0]["num_consts"], params[0]["num_carry"]
    body = general._function([each["jaxpr"] for each in params], taken[:constants])

    def step(carry: Any, columns: Any) -> Any:
        results = body(*carry, *columns)
        return results[:carried], results[carried:]

    last, rows = backend.jax().lax.scan(
        step, tuple(taken[constants:constants + carried]), tuple(taken[constants + carried:]),
        length=general._number([each["length"] for each in params]), reverse=params[0]["reverse"],
        unroll=params[0]["unroll"])
    return [*last, *rows]


def _cond(general: General, params: Sequence[Any], taken: list[Any]) -> Sequence[Any]:
    branches = [general._function(each, ()) for each in _together([each["branches"] for each in params])]
    found: Sequence[Any] = backend.jax().lax.switch(taken[0], branches, *taken[1:])
    return found


_NESTED = {"while": _while, "scan": _scan, "cond": _cond}
