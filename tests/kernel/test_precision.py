"""Which precision products of a dtype ask JAX for."""

import jax
import numpy as np
import pytest

import evergraph as tf
from evergraph.kernel import precision


@pytest.mark.parametrize("backend, uses_tf32, dtype, wanted", [
    ("gpu", True, np.float32, None),
    ("gpu", True, np.complex64, None),
    ("gpu", False, np.float32, "highest"),
    ("tpu", True, np.float32, "highest"),
    ("cpu", True, np.float32, "highest"),
    ("gpu", False, np.float16, None),
])
def test_precision_of_products(monkeypatch, backend, uses_tf32, dtype, wanted):
    monkeypatch.setattr(jax, "default_backend", lambda: backend)
    tf.config.experimental.enable_tensor_float_32_execution(uses_tf32)
    assert tf.config.experimental.tensor_float_32_execution_enabled() is uses_tf32
    assert precision.of_products(dtype) == wanted


@pytest.mark.parametrize("build", [
    lambda x: tf.matmul(x, x),
    lambda x: tf.matmul(x[None], x[None]),
    lambda x: tf.einsum("ij,jk->ik", x, x),
], ids=["MatMul", "BatchMatMul", "Einsum"])
def test_products_ask_for_it(monkeypatch, build):
    asked = []
    monkeypatch.setattr(precision, "of_products", lambda dtype: asked.append(np.dtype(dtype)) or precision.FULL)
    x = tf.placeholder(tf.float32, [8, 8])
    with tf.Session(tier="xla") as session:
        session.run(build(x), {x: np.ones((8, 8))})
    assert asked == [np.dtype(np.float32)]
