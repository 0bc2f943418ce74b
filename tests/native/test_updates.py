"""The kernels in C for optimizers' updates give what the formulas give on NumPy, to the last bit."""

import types

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import evergraph as tf
from evergraph import native
from evergraph.compile.packs import pack_of
from evergraph.kernel import fused_updates
from evergraph.kernel.cells import Cell
from evergraph.kernel.foreign import call_in_place
from evergraph.ops.nn import deferred_updates, updates

pytestmark = [pytest.mark.cpus,
              pytest.mark.skipif(native.updates is None, reason="the C code was not built here, or is turned off")]

SIZES = (1, 7, 8, 9, 40_000)
RULES = {  # the ops, how many cells they update, the flag, hyperparameters
    "descent": (updates.gradient_descent, 1, None, {"alpha": 0.1}),
    "momentum": (updates.momentum, 2, False, {"lr": 0.1, "momentum": 0.9}),
    "nesterov momentum": (updates.momentum, 2, True, {"lr": 0.1, "momentum": 0.9}),
    "adagrad": (updates.adagrad, 2, True, {"lr": 0.1}),
    "adam": (updates.adam, 3, False, {"beta1_power": 0.9, "beta2_power": 0.999, "lr": 0.01, "beta1": 0.9,
                                      "beta2": 0.999, "epsilon": 1e-8}),
    "nesterov adam": (updates.adam, 3, True, {"beta1_power": 0.9, "beta2_power": 0.999, "lr": 0.01, "beta1": 0.9,
                                              "beta2": 0.999, "epsilon": 1e-8}),
    "ftrl": (updates.ftrl, 3, None, {"lr": 0.1, "l1": 0.2, "l2": 0.3, "lr_power": -0.5}),
}
WIDTHS = ((), (2,), (3, 3), (20,))
NO_ROW = np.iinfo(np.int32).max


def arrays(cells):
    """The cells of a variable of each size, none of them negative, and the gradients."""
    random = np.random.RandomState(0)
    olds = [[random.rand(size).astype(np.float32) for _ in range(cells)] for size in SIZES]
    gradients = [random.randn(size).astype(np.float32) for size in SIZES]
    gradients[3][:4] = np.nan, np.inf, -np.inf, -0.0
    return olds, gradients


def arrays_of_rows(cells, dtype, reaches=NO_ROW):
    """The cells of a variable of 300 rows of each width, gradients of 150 rows, and their numbers; some are no rows."""
    random = np.random.RandomState(0)
    olds = [[random.rand(300, *width).astype(np.float32) for _ in range(cells)] for width in WIDTHS]
    gradients = [random.randn(150, *width).astype(np.float32) for width in WIDTHS]
    rows = [random.permutation(300)[:150].astype(dtype) for _ in WIDTHS]
    rows[0][[0, 70, 149]] = rows[1][140:] = rows[3][::2] = reaches
    return olds, gradients, rows


def run(name, olds, gradients, rows=None):
    """Calls the op of a rule once for each variable, or for rows of it that are different; returns the cells."""
    op, _, flag, given = RULES[name]
    op = op.resource_dense if rows is None else op.resource_sparse
    node = types.SimpleNamespace(inputs=[tf.unique(tf.placeholder(tf.int32, [None])).y])
    held = [[Cell(f"{i} {c}", value) for c, value in enumerate(old)] for i, old in enumerate(olds)]
    for i, (cells, gradient) in enumerate(zip(held, gradients, strict=True)):
        given_by_name = {"grad": gradient, "delta": gradient, **{k: np.float32(v) for k, v in given.items()},
                         "indices": None if rows is None else rows[i]}
        inputs = [given_by_name[arg.name] for arg in op.plan.inputs[len(cells):]]
        op.kernel(node, None, lambda *_: None, *cells, *inputs, *([] if flag is None else [flag]))
    return held


def traced(name, olds, gradients, wanted, reuses, pack=None, rows=None):
    """The values after updates in a compiled program."""
    def program(olds, gradients, wanted, array, rows):
        packed = None
        if pack is not None:
            packed = fused_updates.Packed(pack, array, dict(pack.parts(array)))
            olds = [[old[0], *(packed.values[f"{i} {c}"] for c in range(1, len(old)))] for i, old in enumerate(olds)]
        cells = [cell for each in run(name, olds, gradients, rows) for cell in each]
        fused_updates.settle(cells, wanted, reuses, packed)
        return [cell.outcome(wanted) for cell in cells], None if packed is None else packed.array

    array = None if pack is None else jnp.asarray(pack.joined([old[c] for old in olds for c in range(1, len(old))]))
    found, array = jax.jit(program)(olds, gradients, wanted, array, rows)
    if pack is not None:
        parts = dict(pack.parts(np.asarray(array)))
        found = [parts.get(f"{i} {c}", found[i * len(old) + c]) for i, old in enumerate(olds) for c in range(len(old))]
    return [np.asarray(value) for value in found]


@pytest.mark.parametrize("reuses", [False, True])
@pytest.mark.parametrize("name", RULES)
def test_updates(name, reuses, monkeypatch):
    olds, gradients = arrays(RULES[name][1])
    now = [cell.value for each in run(name, olds, gradients) for cell in each]
    monkeypatch.setattr(deferred_updates, "available_now", lambda kernel: False)
    with np.errstate(all="ignore"):
        wanted = [cell.value for each in run(name, olds, gradients) for cell in each]
    found = traced(name, olds, gradients, True, reuses)
    for ours, at_once, theirs in zip(found, now, wanted, strict=True):
        np.testing.assert_array_equal(ours, theirs)
        np.testing.assert_array_equal(at_once, theirs)


def packed_slots(olds):
    return pack_of({f"{i} {c}": (value.shape, value.dtype) for i, old in enumerate(olds)
                    for c, value in enumerate(old) if c})


@pytest.mark.parametrize("reuses", [False, True])
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("name", ["momentum", "nesterov momentum", "adagrad", "ftrl"])
def test_updates_of_rows(name, dtype, reuses):
    olds, gradients, rows = arrays_of_rows(RULES[name][1], dtype)
    wanted = [cell.value for each in run(name, olds, gradients, rows) for cell in each]
    for ours, theirs in zip(traced(name, olds, gradients, True, reuses, rows=rows), wanted, strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("reuses", [False, True])
def test_updates_of_rows_of_packed_slots(reuses):
    olds, gradients, rows = (2 * each for each in arrays_of_rows(3, np.int64))
    plain = [cell.value for each in run("ftrl", olds, gradients, rows) for cell in each]
    found = traced("ftrl", olds, gradients, True, reuses, packed_slots(olds), rows)
    for ours, theirs in zip(found, plain, strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("is_packed", [False, True])
@pytest.mark.parametrize("reuses", [False, True])
def test_updates_of_rows_that_are_not_wanted(reuses, is_packed):
    olds, gradients, rows = (2 * each for each in arrays_of_rows(3, np.int64))
    pack = packed_slots(olds) if is_packed else None
    found = traced("ftrl", olds, gradients, np.bool_(False), reuses, pack, rows)
    for ours, theirs in zip(found, [value for old in olds for value in old], strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_negative_rows_are_left_out():
    olds, gradients, rows = arrays_of_rows(2, np.int32, reaches=-1)
    for ours, theirs in zip(traced("adagrad", olds, gradients, True, True, rows=rows),
                            traced("adagrad", olds, gradients, True, True, rows=arrays_of_rows(2, np.int32)[2])):
        np.testing.assert_array_equal(ours, theirs)


def test_many_rows_are_shared_by_threads():
    random = np.random.RandomState(0)
    olds, gradients = [[random.rand(40_000, 10).astype(np.float32) for _ in range(2)]], [random.randn(30_000, 10)]
    gradients, rows = [each.astype(np.float32) for each in gradients], [random.permutation(40_000)[:30_000]]
    wanted = [cell.value for each in run("adagrad", olds, gradients, rows) for cell in each]
    for ours, theirs in zip(traced("adagrad", olds, gradients, True, True, rows=rows), wanted, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_rows_that_are_read_after_their_update():
    olds, gradients, rows = arrays_of_rows(2, np.int64)
    wanted = [cell.value for cell in run("adagrad", olds, gradients, rows)[3]]
    found = jax.jit(lambda *given: [cell.value for cell in run("adagrad", *given)[3]])(olds, gradients, rows)
    for ours, theirs in zip(found, wanted, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-7)


def test_slots_that_stay_as_they_are():
    cells = [Cell(name, np.ones(3, np.float32)) for name in ("var", "accum")]
    updates.adagrad.resource_dense.kernel(None, None, None, *cells, np.float32(0.5), np.ones(3, np.float32), False)
    assert cells[0].value.tolist() == [0.5] * 3 and not cells[1].changed


@pytest.mark.parametrize("name", ["momentum", "adam"])
def test_updates_of_packed_slots(name):
    olds, gradients = arrays(RULES[name][1])
    olds, gradients = [*olds, *olds], [*gradients, *gradients]
    pack = packed_slots(olds)
    plain = traced(name, olds, gradients, True, True)
    for ours, theirs in zip(traced(name, olds, gradients, True, True, pack), plain, strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("is_packed", [False, True])
@pytest.mark.parametrize("reuses", [False, True])
def test_updates_that_are_not_wanted(reuses, is_packed):
    olds, gradients = arrays(3)
    pack = packed_slots(olds) if is_packed else None
    found = traced("adam", olds, gradients, np.bool_(False), reuses, pack)
    for ours, theirs in zip(found, [value for old in olds for value in old], strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("kernel, sizes, numbers, changed", [
    ("gradient_descent", (3, 2), (0,), (2,)),
    ("momentum", (8, 3, 3), (0, 6), (2, 3)),
    ("momentum", (8, 3, 3), (0, -1), (2, 3)),
    ("momentum", (3, 3), (0,), (2, 3)),
    ("momentum", ((6, 2), (6, 2), 3, (3, 1)), (2,), (2, 3)),
    ("momentum", ((6, 2), (3, 2), 3, (3, 2)), (4,), (2, 3)),
    ("gradient_descent", ((), 3, 3), (2,), (2,)),
])  # fmt: skip
def test_arrays_that_do_not_fit_are_refused(kernel, sizes, numbers, changed):
    operands = [jnp.ones(2, jnp.float32), jnp.asarray(True), *(jnp.ones(size, jnp.float32) for size in sizes)]
    with pytest.raises(jax.errors.JaxRuntimeError, match="other sizes"):
        jax.jit(lambda *given: call_in_place(f"updates.{kernel}", given, numbers, changed, False))(*operands)
