"""Loops over ranges, tensors and Python's iterables."""

from tests.autograph.cases.case import case

# ---- while loops


@case(0, 1, 6)
def count_down(n):
    steps = 0
    while n > 0:
        n -= 1
        steps += 1
    return steps


@case(10, 7)
def factorial(n):
    r = 1
    while n > 1:
        r = r * n
        n = n - 1
    return r


@case(27, 1, 6)
def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


@case((48, 18), (7, 3))
def gcd(a, b):
    while b != 0:
        a, b = b, a % b
    return a


@case(2.0, 10.0)
def newton(x):
    y = x
    i = 0
    while i < 6:
        y = 0.5 * (y + x / y)
        i += 1
    return y


@case(100.0, 3.0)
def halve_until_small(x):
    while x > 1.0:
        x = x / 2.0
    return x


@case(5)
def nested_while(n):
    total = 0
    while n > 0:
        m = n
        while m > 0:
            total += m
            m -= 1
        n -= 1
    return total


@case(0, 4)
def while_else(n):
    i = 0
    while i < n:
        i += 1
    else:
        i += 100
    return i


@case(2, 9)
def while_else_break(n):
    i = 0
    while i < 5:
        if i == n:
            break
        i += 1
    else:
        i = 1000
    return i


@case(3, 30)
def while_with_two_conditions(n):
    i, s = 0, 0
    while i < n and s < 50:
        s += i
        i += 1
    return s


@case(3, 0)
def while_with_or(n):
    i = 0
    while i < n or i < 2:
        i += 1
    return i


@case(6)
def while_not(n):
    done = False
    i = 0
    while not done:
        i += 1
        done = i >= n
    return i


@case(5.0)
def power_by_loop(x):
    r = 1.0
    i = 0
    while i < 3:
        r = r * x
        i += 1
    return r


@case(7)
def fibonacci(n):
    a, b = 0, 1
    while n > 0:
        a, b = b, a + b
        n -= 1
    return a


# ---- for loops


@case([1, 2, 3], [5])
def sum_rows(v):
    s = 0
    for x in v:
        s += x
    return s


@case([1.0, 2.0, 3.0])
def sum_of_squares(v):
    s = 0.0
    for x in v:
        s += x * x
    return s


@case([1.0, -2.0, 3.0])
def sum_positive(v):
    s = 0.0
    for x in v:
        if x > 0.0:
            s += x * x
    return s


@case([3, 1, 2])
def largest(v):
    best = v[0]
    for x in v:
        if x > best:
            best = x
    return best


@case([[1, 2], [3, 4], [5, 6]])
def rows_of_matrix(m):
    s = 0
    for row in m:
        s = s * 10 + row[0] * row[1]
    return s


@case([[1, 2], [3, 4]])
def nested_rows(m):
    s = 0
    for row in m:
        for x in row:
            s = s * 10 + x
    return s


@case(0, 5)
def for_range(n):
    s = 0
    for i in range(n):
        s += i * i
    return s


@case((2, 9), (9, 2))
def for_range_start(a, b):
    s = 0
    for i in range(a, b):
        s += i
    return s


@case((2, 12, 3), (12, 2, -3))
def for_range_step(a, b, c):
    s = 0
    for i in range(a, b, c):
        s = s * 2 + i
    return s


@case(4)
def for_python_range(x):
    for i in range(3):
        x = x * 2 + i
    return x


@case(4)
def for_list(x):
    for factor in [1, 2, 3]:
        x = x * factor
    return x


@case(4)
def for_dict(x):
    for key, value in {"a": 1, "b": 2}.items():
        x = x + value * len(key)
    return x


@case(4)
def for_dict_keys(x):
    weights = {"a": 10, "b": 20}
    for key in weights:
        x += weights[key]
    return x


@case(4)
def for_generator(x):
    for i in (j * j for j in range(3)):
        x += i
    return x


@case(4)
def for_set_and_str(x):
    for c in "abc":
        if c == "b":
            continue
        x += ord(c)
    return x


@case([1, 2, 3, 4])
def for_enumerate(v):
    s = 0
    for i, x in enumerate(v):
        s += i * x
    return s


@case([1, 2, 3, 4])
def for_enumerate_start(v):
    s = 0
    for i, x in enumerate(v, 5):
        s += i * x
    return s


@case(([1, 2, 3], [4, 5, 6]))
def for_zip(a, b):
    s = 0
    for x, y in zip(a, b):
        s += x * y
    return s


@case(([1, 2, 3], [4, 5]))
def for_zip_uneven(a, b):
    s = 0
    for x, y in zip(a, b):
        s += x * y
    return s


@case([1, 2, 3])
def for_map(v):
    s = 0
    for x in map(lambda each: each * each, v):
        s += x
    return s


@case([1, 2, 3], [9])
def for_else(v):
    s = 0
    for x in v:
        s += x
    else:
        s += 100
    return s


@case([1, 2, 3], [9])
def for_else_break(v):
    s = 0
    for x in v:
        if x == 2:
            break
        s += x
    else:
        s += 100
    return s


@case(3)
def for_over_two_ranges(n):
    s = 0
    for i in range(n):
        for j in range(i):
            s += i * j
    return s


@case([1, 2, 3])
def for_python_in_staged(v):
    s = 0
    for x in v:
        for k in (1, 10):
            s += x * k
    return s


@case([1, 2, 3])
def for_staged_in_python(v):
    s = 0
    for k in (1, 10):
        for x in v:
            s += x * k
    return s


@case([0.5, 0.25])
def for_with_state_pair(v):
    state = (1.0, 0.0)
    for x in v:
        state = (state[0] * x, state[1] + x)
    return state[0] + state[1]


@case([1, 2, 3])
def for_target_is_attribute(v):
    class Box:
        pass

    box = Box()
    box.total = 0
    for x in v:
        box.total = box.total + x
    return box.total


# ---- break and continue


@case([1, 2, 30, 4], [1])
def break_at_large(v):
    s = 0
    for x in v:
        if x > 10:
            break
        s += x
    return s


@case([1, 2, 30, 4])
def continue_at_large(v):
    s = 0
    for x in v:
        if x > 10:
            continue
        s += x
    return s


@case(10)
def break_and_continue(n):
    s = 0
    for i in range(n):
        if i % 2 == 0:
            continue
        if i > 6:
            break
        s += i
    return s


@case(10)
def continue_in_while(n):
    i, s = 0, 0
    while i < n:
        i += 1
        if i % 3 == 0:
            continue
        s += i
    return s


@case(10)
def break_in_endless(n):
    i = 0
    while True:
        i += 1
        if i >= n:
            break
    return i


@case(4)
def break_outer_by_flag(n):
    found = 0
    for i in range(n):
        for j in range(n):
            if i * j == 6:
                found = i * 10 + j
                break
        if found > 0:
            break
    return found


@case(3, -3)
def break_from_python_loop(n):
    last = -1
    for i in range(5):
        if i > n:
            break
        last = i
    return last


@case(3)
def continue_in_python_loop(n):
    s = 0
    for i in range(5):
        if i == n:
            continue
        s += i
    return s


@case(6)
def break_under_else(n):
    s = 0
    for i in range(n):
        if i < 3:
            s += 1
        else:
            s += 10
            break
    return s


@case(6)
def continue_under_try(n):
    s = 0
    for i in range(n):
        try:
            if i < 3:
                continue
            s += i
        finally:
            s += 0
    return s
