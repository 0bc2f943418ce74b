"""Every op gives the same for what is fed, however it lies in memory: unaligned, strided, in the other byte order...

The suite takes a sample of the cases, `EVERGRAPH_FEEDS=all` all of them.
"""

import os
import zlib

import numpy as np
import pytest

import evergraph as tf
from evergraph.run.session import Session
from tests.harness import families, graph
from tests.harness.checks import apply_op
from tests.harness.compare import assert_same
from tests.harness.compare import plain as as_array

EVERYTHING = os.environ.get("EVERGRAPH_FEEDS") == "all"
ONE_IN = 60


def unaligned(array):
    return np.frombuffer(b"\0" + array.tobytes(), array.dtype, offset=1).reshape(array.shape)


def swapped(array):
    """In the other byte order, which only NumPy's own dtypes have."""
    return array.astype(array.dtype.newbyteorder()) if array.dtype.isbuiltin == 1 else array


def strided(array):
    """Every second element of a larger array, from its end."""
    wide = np.repeat(array, 2, -1) if array.ndim else array
    return np.flip(np.flip(wide, -1).copy(), -1)[..., ::2] if array.ndim else array


def turned(array):
    return np.asfortranarray(array)


def repeated(array):
    """One row without memory for the others."""
    return np.broadcast_to(array[:1], array.shape) if array.ndim and len(array) else array


FORMS = (unaligned, swapped, strided, turned, repeated)
MENDED = ("dense_table", "boxes_in_images")

CASES = [pytest.param(case, id=f"{family}-{name}") for family in families.families()
         for name, case in families.load(family).items()
         if not case.error and any(leaf.kind == "feed" and leaf.dtype != "string" for leaf in case.leaves)
         and (EVERYTHING or zlib.crc32(f"{name} fed".encode()) % ONE_IN == 0 or case.op in MENDED)]


def outcome(built, feeds, tier):
    """What a new session fetches twice, or the class of its error."""
    with Session(graph=built.graph, tier=tier) as session:
        graph.initialize(session, built)
        try:
            return [session.run([built.fetched, built.targets], feeds)[0] for _ in range(2)]
        except Exception as error:
            return type(error)


@pytest.mark.parametrize("case", CASES)
def test_fed_arrays_may_lie_in_memory_as_they_like(case):
    built = graph.build(tf, apply_op, case)
    for tier in ("numpy", "xla") if not EVERYTHING else ("numpy",):
        for form in FORMS:
            given = {tensor: form(value) if value.dtype != object else value for tensor, value in built.feeds.items()}
            plain = {tensor: np.array(value, tensor.dtype.as_numpy_dtype, order="C") for tensor, value in given.items()}
            found, wanted = outcome(built, given, tier), outcome(built, plain, tier)
            assert type(found) is type(wanted), (form, found, wanted)
            if isinstance(found, type):
                assert found is wanted, form
                continue
            for values, references in zip(found, wanted, strict=True):
                for value, reference in zip(values, references, strict=True):
                    if "value" not in case.skips:
                        assert_same(value, as_array(reference), case, f"{form.__name__} on {tier}")
