"""Every case of every op with something changed that makes no sense: TensorFlow's errors, or a result.

A size, index or number becomes extreme, a string damaged, an input gets another shape. The suite takes a sample;
EVERGRAPH_FUZZ, as `make fuzz` sets it, says how many changes to try, over all cases in turn.
"""

import dataclasses
import functools
import random
import zlib

import numpy as np
import pytest

import evergraph as tf
from tests.damage.harness import EFFORT, Tally, bounded
from tests.harness import checks, families, graph

ONE_IN = 30  # of the cases, in the suite
HUGE = [0, -1, -2, 7, 100, 2**31 - 1, -(2**31), 2**31, 2**32 + 3, 2**40, 2**62, -(2**62), 2**63 - 1, -(2**63)]
REALS = [0.0, -1.0, 1e30, float("inf"), float("-inf"), float("nan"), 1e-40]
STRINGS = [b"", b"-5", b"x,y", b"\xff\xfe", b"%s%d", b"9" * 30]
SHAPES = [lambda a: a[None], lambda a: a.reshape(-1), lambda a: a[:0], lambda a: a[:-1], lambda a: a[..., :0],
          lambda a: a[0], lambda a: np.concatenate([a, a])]  # fmt: skip
LACK = (ValueError, TypeError, tf.errors.OpError)  # while a graph is built


def changed(case, chance):
    """The case with one attr or input changed."""
    attrs = [name for name, value in case.attrs.items() if _kind(value)]
    places = [at for at, each in enumerate(case.inputs) if not isinstance(each, list)]
    if attrs and (not places or chance.random() < 0.5):
        name = chance.choice(attrs)
        return dataclasses.replace(case, attrs=case.attrs | {name: _other_attr(case.attrs[name], chance)})
    if not places:
        return case
    inputs, at = list(case.inputs), chance.choice(places)
    inputs[at] = dataclasses.replace(inputs[at], value=_other_value(inputs[at].value, chance))
    return dataclasses.replace(case, inputs=tuple(inputs))


def _kind(value):
    """What an attr holds that can be extreme: "number", "numbers", or None."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return "number"
    is_list = isinstance(value, (list, tuple)) and len(value) and all(type(each) is int for each in value)
    return "numbers" if is_list else None


def _other_attr(value, chance):
    if _kind(value) == "number":
        return chance.choice(HUGE if isinstance(value, int) else REALS)
    numbers = list(value)
    numbers[chance.randrange(len(numbers))] = chance.choice(HUGE)
    return numbers if chance.random() < 0.8 else numbers[:-1]


def _other_value(value, chance):
    found = np.array(value)
    if found.size == 0 or chance.random() < 0.4:
        return np.array(chance.choice(SHAPES)(found), found.dtype) if found.ndim and len(found) else found[None]
    kinds = {"i": HUGE, "u": HUGE, "f": REALS, "O": STRINGS}
    fits = [each for each in kinds.get(found.dtype.kind, ()) if _fits(each, found.dtype)]
    if fits:
        found.flat[chance.randrange(found.size)] = chance.choice(fits)
    return found


def _fits(number, dtype):
    return dtype.kind not in "iu" or np.iinfo(dtype).min <= number <= np.iinfo(dtype).max


def run(case, shapes):
    try:
        built = graph.build(tf, checks.apply_op, case, shapes)
    except LACK:
        return
    with tf.Session(graph=built.graph, tier="numpy") as session:
        graph.initialize(session, built)
        built.run(session)


def _taken(family, name):
    return EFFORT or zlib.crc32(f"{family} {name}".encode()) % ONE_IN == 0


FAMILIES = {family: [case for name, case in families.load(family).items() if not case.build and _taken(family, name)]
            for family in families.families()}
FAMILIES = {family: cases for family, cases in FAMILIES.items() if cases}


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.filterwarnings("ignore")
def test_cases_with_something_changed(family):
    cases, tally = FAMILIES[family], Tally((tf.errors.OpError,))
    turns = max(1, EFFORT // sum(map(len, FAMILIES.values())))
    with bounded(memory=1 << 32):
        for turn in range(turns):
            for case in cases:
                chance = random.Random(f"{case.id} {turn}")
                other, shapes = changed(case, chance), chance.choice(graph.SHAPES)
                tally.attempt(f"{case} was {other}, its shapes {shapes}", functools.partial(run, other, shapes))
    tally.check()
