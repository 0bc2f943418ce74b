"""Builtins, lists, elements and whole algorithms."""

from tests.autograph.cases.case import case

# ---- builtins


@case([1, 2, 3])
def length(v):
    return len(v)


@case([[1, 2, 3], [4, 5, 6]])
def length_of_matrix(m):
    return len(m) * 10 + len(m[0])


@case([1, 2, 3])
def loop_by_length(v):
    s = 0
    for i in range(len(v)):
        s += v[i] * i
    return s


@case(-3.5, 2.5)
def absolute(x):
    return abs(x)


@case(3.7)
def to_int(x):
    return int(x) + 1


@case(3)
def to_float(x):
    return float(x) / 2.0


@case((3, 5))
def largest_of_two(a, b):
    return max(a, b) * 10 + min(a, b)


@case([3, 9, 4])
def largest_and_smallest(v):
    return max(v) * 10 + min(v)


@case([3, 9, 4])
def summed(v):
    return sum(v)


@case([True, False], [True, True], [False, False])
def any_and_all(v):
    return any(v), all(v)


@case(3)
def sum_of_list(x):
    return sum([x, x, 1])


@case(4)
def type_checks(x):
    values = [1, "a", 2.0]
    return x + sum(1 for each in values if isinstance(each, int))


@case([3, 1, 2])
def ordered(v):
    first = sorted(v)
    return first[0] * 100 + first[1] * 10 + first[2]


@case(4)
def comprehension(x):
    return sum([x * i for i in range(4) if i > 1])


@case(4)
def dict_comprehension(x):
    table = {i: x + i for i in range(3)}
    return table[2]


@case(4)
def printed(x):
    if x < 0:
        print("negative")
    return x


@case(3)
def asserted(x):
    assert x > 0, "x is not positive"
    return x


# ---- lists, items and slices


@case(3)
def append_in_python_loop(x):
    made = []
    for i in range(3):
        made.append(x * i)
    return made[0] + made[1] + made[2]


@case(3)
def pop(x):
    made = [x, x + 1, x + 2]
    last = made.pop()
    made.pop()
    return last * 10 + len(made)


@case(3)
def append_to_parameter(x, made=None):
    made = [] if made is None else made
    made.append(x)
    made.append(x)
    return len(made)


@case([1, 2, 3])
def set_item(v):
    v = v + v if isinstance(v, list) else v
    v[1] = 50
    return v[0] + v[1] + v[2]


@case([1, 2, 3])
def add_to_item(v):
    v[0] += 10
    v[2] *= 2
    return v[0] * 100 + v[1] * 10 + v[2]


@case([1, 2, 3, 4])
def set_items_in_loop(v):
    for i in range(4):
        v[i] = v[i] * i
    return v[0] + v[1] * 2 + v[2] * 3 + v[3] * 4


@case([5, 3, 4, 1])
def bubble_sort(v):
    for _ in range(3):
        for j in range(3):
            if v[j] > v[j + 1]:
                kept = v[j]
                v[j] = v[j + 1]
                v[j + 1] = kept
    return v[0] * 1000 + v[1] * 100 + v[2] * 10 + v[3]


@case(([1, 2, 3, 4], 2))
def set_item_if(v, n):
    if n > 1:
        v[n] = 9
    return v[2]


@case([1, 2, 3, 4])
def slices(v):
    s = 0
    for x in v[1:3]:
        s += x
    return s + v[-1]


@case(3)
def nested_list_item(x):
    table = [[0, 0], [0, 0]]
    table[1][0] = x
    return table[1][0]


@case(3)
def unpack(x):
    first, *rest = [x, x + 1, x + 2]
    return first + rest[0] * rest[1]


# ---- whole algorithms


@case([4, 2, 7, 1])
def second_largest(v):
    first, second = -1000, -1000
    for x in v:
        if x > first:
            first, second = x, first
        elif x > second:
            second = x
    return second


@case((2.0, 0.5), (3.0, 2.0))
def bisect_root(x, start):
    low, high = 0.0, x + 1.0
    for _ in range(8):
        mid = (low + high) / 2.0
        if mid * mid > x:
            high = mid
        else:
            low = mid
    return low + start * x


@case(17, 18, 2)
def is_prime(n):
    d = 2
    while d * d <= n:
        if n % d == 0:
            return 0
        d += 1
    return 1


@case([1.0, -1.0, 2.0, -3.0])
def running_relu(v):
    s, peak = 0.0, 0.0
    for x in v:
        s = s + x if s + x > 0.0 else 0.0
        peak = s if s > peak else peak
    return s + peak


@case(255, 6)
def bits_set(n):
    count = 0
    while n > 0:
        count += n % 2
        n //= 2
        if n == 0:
            break
    return count


@case((10, 3))
def horner_mod(x, n):
    r = 0
    for k in (3, 1, 4, 1, 5):
        r = (r * x + k) % 97
        if r < n:
            r += n
    return r
