"""The losses of tf.contrib.gan that need no model, and the one of cycles, against NumPy."""

import numpy as np
import pytest

import evergraph as tf

losses = tf.contrib.gan.losses
DRAW = np.random.RandomState(5)
REAL, MADE = DRAW.randn(4, 3).astype(np.float32), DRAW.randn(4, 3).astype(np.float32)
ONE_HOT = np.eye(3, dtype=np.float32)[[0, 2, 1, 1]]


def softmax_loss(logits, labels):
    return -np.mean(np.sum(labels * (logits - np.log(np.exp(logits).sum(1, keepdims=True))), 1))


def sigmoid_loss(logits, label):
    return np.mean(np.maximum(logits, 0) - logits * label + np.log1p(np.exp(-np.abs(logits))))


@pytest.mark.parametrize(("name", "arguments", "wanted"), [
    ("acgan_generator_loss", (MADE, ONE_HOT), softmax_loss(MADE, ONE_HOT)),
    ("acgan_discriminator_loss", (REAL, MADE, ONE_HOT), softmax_loss(REAL, ONE_HOT) + softmax_loss(MADE, ONE_HOT)),
    ("acgan_discriminator_loss", (REAL, MADE, ONE_HOT, 0.3),
     softmax_loss(REAL, ONE_HOT * 0.7 + 0.1) + softmax_loss(MADE, ONE_HOT * 0.7 + 0.1)),
    ("modified_discriminator_loss", (REAL, MADE), sigmoid_loss(REAL, 0.875) + sigmoid_loss(MADE, 0)),
    ("modified_discriminator_loss", (REAL, MADE, 0.0, 2.0, 3.0), 2 * sigmoid_loss(REAL, 1) + 3 * sigmoid_loss(MADE, 0)),
])
def test_losses(session, name, arguments, wanted):
    found = getattr(losses.wargs, name)(*arguments)
    np.testing.assert_allclose(session.run(found), wanted, rtol=1e-5)
    assert tf.losses.get_losses() == [found]


def test_mutual_information_is_the_likelihood_of_codes(session):
    kinds = [tf.distributions.Categorical(logits=REAL), tf.distributions.Normal(0.5, 2.0)]
    found = losses.wargs.mutual_information_penalty([[0, 2, 1, 1], tf.constant([0.1, 0.2, 0.3, 0.4])], kinds)
    numbers = np.array([0.1, 0.2, 0.3, 0.4])
    apart = softmax_loss(REAL, ONE_HOT), np.mean(0.5 * ((numbers - 0.5) / 2) ** 2 + np.log(2 * np.sqrt(2 * np.pi)))
    np.testing.assert_allclose(session.run(found), np.mean(apart), rtol=1e-5)


def test_cycles_lose_what_does_not_come_back(session):
    """x becomes y by doubling, y becomes x by adding 1, so that x returns as 2x + 1 and y as 2(y + 1)."""
    x, y = tf.constant([[1.0, -2.0]]), tf.constant([[0.5, 4.0]])
    def generator(inputs):
        goes_back = "ModelY2X" in tf.get_variable_scope().name
        factor = tf.get_variable("factor", initializer=1.0 if goes_back else 2.0)
        return inputs * factor + (1.0 if goes_back else 0.0)

    model = tf.contrib.gan.cyclegan_model(generator, lambda image, _: tf.reduce_sum(image, 1), x, y)
    session.run(tf.global_variables_initializer())
    there, back = session.run([model.reconstructed_x, model.reconstructed_y])
    wanted = (np.mean(np.abs(there - [[1, -2]])) + np.mean(np.abs(back - [[0.5, 4]]))) / 2
    np.testing.assert_allclose(there, [[3, -3]])
    np.testing.assert_allclose(session.run(losses.cycle_consistency_loss(model)), wanted, rtol=1e-6)
