"""Functions, closures, classes, and the other statements."""

import contextlib
import functools
import math

import numpy as np

from tests.autograph.cases.case import case

# ---- functions


def _square(x):
    return x * x


def _positive(x):
    if x > 0.0:
        return x
    return 0.0 * x


@case(3.0, -3.0)
def calls_function(x):
    return _positive(x) + _square(x)


@case([1.0, -2.0])
def calls_in_loop(v):
    s = 0.0
    for x in v:
        s += _positive(x)
    return s


@case(3.0, -3.0)
def nested_function(x):
    def doubled(y):
        if y > 0.0:
            return y * 2.0
        return y

    return doubled(x) + 1.0


@case(3.0, -3.0)
def closure_reads(x):
    factor = 2.0

    def scaled(y):
        return y * factor

    if x > 0.0:
        factor = 5.0
    return scaled(x)


@case(3.0, -3.0)
def closure_writes(x):
    total = 0.0

    def add(y):
        nonlocal total
        total = total + y

    add(x)
    add(x * x)
    return total


@case(3.0, -3.0)
def lambda_with_ternary(x):
    pick = lambda y: y if y > 0.0 else -y  # noqa: E731
    return pick(x)


@case(3.0)
def immediately_called_lambda(x):
    return (lambda y: y + 1.0)(x)


@case(3.0, -3.0)
def keywords_and_defaults(x):
    def f(a, b=2.0, *rest, c, **more):
        if a > 0.0:
            return a * b + c + more["d"]
        return a

    return f(x, c=3.0, d=4.0)


@case(3.0)
def starred_call(x):
    def f(*values, **named):
        return values[0] + values[1] * named["k"]

    args, kwargs = (x, 2.0), {"k": 5.0}
    return f(*args, **kwargs)


@case(5)
def recursion(n):
    def down(k, depth):
        if depth == 0:
            return k
        return down(k + 1, depth - 1)

    return down(n, 4)


@case(3.0, -3.0)
def decorated(x):
    def twice(f):
        @functools.wraps(f)
        def run(y):
            return f(f(y))

        return run

    @twice
    def step(y):
        if y > 0.0:
            return y * 2.0
        return y - 1.0

    return step(x)


@case(3.0, -3.0)
def partial(x):
    def f(a, b):
        return a * b if a > 0.0 else b

    return functools.partial(f, x)(b=10.0)


@case(4)
def generator_left_alone(x):
    def numbers():
        yield 1
        yield 2

    for i in numbers():
        x += i
    return x


@case(3.0)
def numpy_and_math(x):
    return x * np.float32(2.0) + math.floor(2.5)


@case(3.0, -3.0)
def function_as_value(x):
    table = {True: _square, False: _positive}
    return table[True](x) + table[False](x)


@case(3.0, -3.0)
def defined_in_branch_of_python(x):
    if True:
        def f(y):
            return y * 2.0 if y > 0.0 else y
    return f(x)


# ---- classes


class Base:
    def __init__(self, scale):
        self.scale, self.__hidden = scale, 1.0

    def apply(self, x):
        if x > 0.0:
            return x * self.scale
        return x

    def hidden(self, x):
        if x > 0.0:
            return x + self.__hidden
        return x - self.__hidden

    @property
    def double(self):
        return self.scale * 2.0

    @staticmethod
    def fixed(x):
        return x if x > 0.0 else -x

    @classmethod
    def made(cls, x):
        return cls(2.0).apply(x)


class Derived(Base):
    def apply(self, x):
        if x > 100.0:
            return x
        return super().apply(x) + 1.0

    def __call__(self, x):
        if x > 0.0:
            return self.apply(x)
        return x


@case(3.0, -3.0)
def method(x):
    return Base(5.0).apply(x)


@case(3.0, -3.0)
def method_with_super(x):
    return Derived(5.0).apply(x)


@case(3.0, -3.0)
def private_attribute(x):
    return Base(5.0).hidden(x)


@case(3.0, -3.0)
def callable_object(x):
    return Derived(5.0)(x)


@case(3.0, -3.0)
def properties_and_static_methods(x):
    return Base(1.0).double * Base.fixed(x) + Derived.made(x)


@case(3.0, -3.0)
def attribute_in_branch(x):
    base = Base(1.0)
    if x > 0.0:
        base.scale = x * 2.0
    return base.scale * x


@case([1.0, 2.0])
def attribute_in_loop(v):
    base = Base(1.0)
    for x in v:
        base.scale = base.scale * x + 1.0
    return base.scale


@case(3.0)
def local_class(x):
    class Local:
        def apply(self, y):
            return y + 1.0 if y > 0.0 else y

    return Local().apply(x)


# ---- other statements

COUNTER = 0


@case(3)
def global_variable(x):
    global COUNTER
    COUNTER = x
    if x > 2:
        y = COUNTER + 1
    else:
        y = COUNTER
    COUNTER = 0
    return y


@case(3.0, -3.0)
def try_finally(x):
    done = []
    try:
        if x > 0.0:
            y = x * 2.0
        else:
            y = x
    finally:
        done.append(1)
    return y * len(done)


@case(3.0)
def try_except(x):
    try:
        if x is not None:
            raise KeyError("k")
    except KeyError as error:
        return x * len(str(error))
    return x


@case(3.0, -3.0)
def try_else(x):
    try:
        y = x
    except ValueError:
        y = 0.0
    else:
        if y > 0.0:
            return y * 2.0
    return y


@case(3.0, -3.0)
def with_block(x):
    with contextlib.nullcontext(2.0) as two:
        if x > 0.0:
            return x * two
        x = x - two
    return x


@case([1.0, 2.0])
def with_in_loop(v):
    s = 0.0
    for x in v:
        with contextlib.nullcontext():
            if x > 1.5:
                continue
            s += x
    return s


@case(3.0)
def walrus(x):
    if (n := len("abc")) > 2 and n < 9:
        return x * n
    return x


@case(3.0)
def deleted(x):
    y = x * 2.0
    z = y
    del y
    return z


@case(3.0)
def annotated(x):
    y: float = x * 2.0
    z: float
    z = y
    return z


@case(3.0)
def imports(x):
    import math as maths
    from math import pi
    return x * maths.floor(pi)


@case(3.0)
def matched(x):
    match ("add", 2.0):
        case ("add", by) if by > 1.0:
            y = x + by
        case _:
            y = x
    return y


@case(3.0)
def f_string(x):
    return x * len(f"{1 if True else 2}{'a'!r}")


@case((3, 4))
def augmented(a, b):
    a += b
    a -= 1
    a *= 2
    a //= 3
    a %= 5
    return a


@case(2)
def docstring(x):
    """It has one."""
    if x > 1:
        return x
    return 0


@case(3, -3)
def shadowed_builtin(x):
    def len(value):  # noqa: A001
        return value + 1

    return len(x)
