"""Conditionals, early returns and logical expressions."""

from tests.autograph.cases.case import case

# ---- conditionals


@case(2.0, -3.0)
def if_alone(x):
    if x > 0.0:
        x = x * 10.0
    return x


@case(2.0, -3.0)
def if_else(x):
    if x > 0.0:
        y = x * x
    else:
        y = -x
    return y


@case(-1, 0, 5, 50)
def elif_chain(x):
    if x < 0:
        kind = 0
    elif x == 0:
        kind = 1
    elif x < 10:
        kind = 2
    else:
        kind = 3
    return kind


@case((1.0, 2.0), (3.0, 2.0), (-1.0, -2.0))
def nested_ifs(x, y):
    if x < y:
        if x < 0.0:
            z = x * y
        else:
            z = x - y
    elif x > 0.0:
        z = x / y
    else:
        z = y
    return z


@case(3.0, -3.0)
def if_with_local_of_a_branch(x):
    if x > 0.0:
        half = x / 2.0
        y = half + 1.0
    else:
        y = x
    return y


@case((1.0, 2.0), (2.0, 1.0))
def swap_in_if(a, b):
    if a < b:
        a, b = b, a
    return a - 2.0 * b


@case(4, 5)
def if_changes_three(n):
    a, b, c = 1, 2, 3
    if n % 2 == 0:
        a = b
        b = c
        c = n
    return a * 100 + b * 10 + c


@case(3.0, -3.0)
def if_pass(x):
    if x > 0.0:
        pass
    else:
        x = -x
    return x


@case(3.0, -3.0)
def if_empty(x):
    if x > 0.0:
        pass
    return x


@case(1, 7)
def if_on_python_flag(x):
    flag = True
    if flag:
        x = x + 1
    else:
        x = undefined_name  # noqa: F821 - never reached
    return x


@case(2.0, -2.0)
def if_none_stays(x):
    kept = None
    if x > 0.0:
        x = x + 1.0
    return x if kept is None else kept


@case(2.0, -2.0)
def if_changes_a_pair(x):
    pair = (x, x)
    if x > 0.0:
        pair = (x * 2.0, x * 3.0)
    return pair[0] + pair[1]


@case(2.0, -2.0)
def if_changes_a_dict(x):
    d = {"a": x, "b": 1.0}
    if x > 0.0:
        d = {"a": x * 2.0, "b": 5.0}
    return d["a"] * d["b"]


@case(2.0, -2.0)
def if_sets_an_item(x):
    d = {"a": x}
    if x > 0.0:
        d["a"] = x * 7.0
    return d["a"]


@case((1, 2, 3), (3, 2, 1), (2, 3, 1))
def middle_of_three(a, b, c):
    if a > b:
        a, b = b, a
    if b > c:
        b, c = c, b
    if a > b:
        a, b = b, a
    return b


@case(True, False)
def if_on_bool(flag):
    if flag:
        x = 1
    else:
        x = 2
    return x


# ---- returns


@case(2.0, -2.0)
def early_return(x):
    if x > 0.0:
        return x * x
    return -x


@case(2.0, -2.0)
def return_in_both(x):
    if x > 0.0:
        return x * x
    else:
        return -x


@case(-5.0, 0.5, 2.0, 20.0)
def many_returns(x):
    if x < 0.0:
        return -x
    if x < 1.0:
        return x * x
    if x < 10.0:
        return x + 1.0
    return x - 1.0


@case((1, 1), (1, -1), (-1, 1), (-1, -1))
def nested_returns(a, b):
    if a > 0:
        if b > 0:
            return 1
        a = a + 10
    else:
        if b > 0:
            return 2
        a = a - 10
    return a


@case((1, 1), (1, -1), (-1, 1))
def return_after_nested(a, b):
    if a > 0:
        if b > 0:
            return 1
    a = a * 100
    return a


@case(1.0, -1.0)
def return_pair(x):
    if x > 0.0:
        return x, x + 1.0
    return x, -x


@case(1.0, -1.0)
def return_dict(x):
    if x > 0.0:
        return {"a": x}
    return {"a": x * 2.0}


@case(0, 3, 9)
def return_in_while(n):
    i = 0
    while i < 5:
        if i == n:
            return i * 100
        i += 1
    return -1


@case(0, 3, 9)
def return_in_for(n):
    for i in range(5):
        if i == n:
            return i * 100
    return -1


@case([1, 5, 9], [1, 2, 3])
def return_first_large(v):
    for x in v:
        if x > 4:
            return x
    return 0


@case((3, 2), (5, 7), (1, 1))
def return_in_nested_loops(a, b):
    i = 0
    while i < a:
        j = 0
        while j < b:
            if i * j == 4:
                return i * 10 + j
            j += 1
        i += 1
    return -1


@case(3)
def return_in_endless_loop(n):
    i = 0
    while True:
        i += 1
        if i > n:
            return i


@case(3, -3)
def return_python_value(n):
    return 5


# ---- logic


@case((1, 2), (2, 1), (5, 9))
def and_(a, b):
    if a < b and b < 5:
        return 1
    return 0


@case((1, 2), (2, 1), (5, 9))
def or_(a, b):
    if a > b or b > 5:
        return 1
    return 0


@case(1, -1)
def not_(a):
    if not a > 0:
        return 1
    return 0


@case((1, 2, 3), (3, 2, 1), (1, 5, 3))
def chained(a, b, c):
    if a < b < c:
        return 1
    return 0


@case((1, 1, 2), (1, 2, 2))
def chained_equal(a, b, c):
    if a == b != c:
        return 1
    return 0


@case((1, 2, 3, 4), (1, 2, 2, 1))
def chained_long(a, b, c, d):
    return 1 if a < b <= c < d else 0


@case(3.0, -3.0)
def ternary(x):
    return x * 2.0 if x > 0.0 else x * 3.0


@case(3.0, -3.0, 0.5)
def nested_ternary(x):
    return x if x > 1.0 else x * 2.0 if x > 0.0 else -x


@case((True, False), (True, True), (False, False))
def booleans(a, b):
    return (a or b) and not (a and b)


@case((1, 2), (2, 2))
def equal(a, b):
    return a == b


@case((1, 2), (2, 2))
def not_equal(a, b):
    return a != b


@case(4)
def is_none(x):
    y = None
    if y is None and x is not None:
        return x
    return 0


@case(4)
def membership(x):
    if "a" in {"a": 1} and "b" not in ("c",):
        return x
    return 0


@case(0, 3)
def lazy_and(n):
    v = [1, 2, 3]
    i = 0
    while i < 3 and v[0] + i < n:
        i += 1
    return i


@case((5, 0), (5, 2))
def lazy_division(a, b):
    if b != 0 and a // max(b, 1) > 1:
        return 1
    return 0


@case(3)
def python_and_gives_operand(x):
    return (0 or [x])[0]


@case(3)
def python_or_gives_operand(x):
    chosen = () or (x, 2)
    return chosen[0]


@case((2, 3))
def comparison_as_value(a, b):
    flags = (a < b, a > b)
    if flags[0]:
        return 7
    return 8
