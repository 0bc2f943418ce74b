"""tf.contrib.gan: losses against NumPy, models, and training."""

import numpy as np
import pytest

import evergraph as tf

tfgan = tf.contrib.gan
REAL, FAKE = np.array([1.5, -0.5], np.float32), np.array([0.3, 2.0], np.float32)


def entropy(logits, label):
    return np.mean(np.log1p(np.exp(-logits)) + (1 - label) * logits)


@pytest.mark.parametrize(("name", "wanted"), [
    ("wasserstein_generator_loss", -FAKE.mean()), ("wasserstein_discriminator_loss", FAKE.mean() - REAL.mean()),
    ("minimax_discriminator_loss", entropy(REAL, 0.875) + entropy(FAKE, 0.0)),
    ("minimax_generator_loss", -entropy(FAKE, 0.0)), ("modified_generator_loss", entropy(FAKE, 1.0)),
    ("least_squares_generator_loss", 0.5 * np.square(FAKE - 1).mean()),
    ("least_squares_discriminator_loss", 0.5 * (np.square(REAL - 1).mean() + np.square(FAKE).mean()))])
def test_losses(session, name, wanted):
    tensors = {"discriminator_gen_outputs": tf.constant(FAKE)}
    if "discriminator_loss" in name:
        tensors["discriminator_real_outputs"] = tf.constant(REAL)
    loss = getattr(tfgan.losses.wargs, name)(**tensors)
    assert tf.get_collection(tf.GraphKeys.LOSSES) == [loss]
    np.testing.assert_allclose(session.run(loss), wanted, rtol=1e-5)
    model = tfgan.GANModel(*[None] * 6, tf.constant(REAL), tf.constant(FAKE), *[None] * 3)
    np.testing.assert_allclose(session.run(getattr(tfgan.losses, name)(model)), wanted, rtol=1e-5)


def generator(noise):
    return tf.layers.dense(noise, 2, name="dense", kernel_regularizer=tf.contrib.layers.l2_regularizer(0.1))


def discriminator(data, _):
    return tf.layers.dense(data, 1, name="dense")


def small_model():
    return tfgan.gan_model(generator, discriminator, tf.constant([[1.0, 2.0]] * 4), tf.random_normal([4, 3], seed=1))


def test_models():
    model = small_model()
    assert [v.op.name for v in model.generator_variables] == ["Generator/dense/kernel", "Generator/dense/bias"]
    assert len(model.discriminator_variables) == 2 and model.generated_data.shape.as_list() == [4, 2]
    with pytest.raises(ValueError, match="one shape"), tf.variable_scope("other"):
        tfgan.gan_model(generator, lambda data, _: tf.reduce_sum(data, 1), tf.ones([4, 3]), tf.ones([4, 3]))


def test_penalties(session):
    model = small_model()
    loss = tfgan.gan_loss(model, gradient_penalty_weight=10.0, add_summaries=False)
    plain = tfgan.gan_loss(model, add_summaries=False)
    session.run(tf.global_variables_initializer())
    kernel = session.run(model.discriminator_variables[0])
    found = session.run([loss.discriminator_loss - plain.discriminator_loss])[0]
    np.testing.assert_allclose(found, 10 * (np.sqrt((kernel ** 2).sum()) - 1) ** 2, rtol=1e-3)
    weights = session.run(model.generator_variables[0])
    generated = session.run(plain.generator_loss + tf.reduce_mean(model.discriminator_gen_outputs))
    assert generated != 0 and np.square(weights).sum() > 0
    with pytest.raises(ValueError):
        tfgan.gan_loss(model, mutual_information_penalty_weight=1.0)


def test_the_penalty_calls_the_discriminator_in_no_name_scope():
    seen = []

    def critic(data, _):
        seen.append((tf.contrib.framework.get_name_scope(), tf.get_variable_scope().name))
        return tf.layers.dense(data, 1)

    with tf.variable_scope("critic") as scope:
        pass
    with tf.name_scope("around"):
        penalty = tfgan.losses.wargs.wasserstein_gradient_penalty(
            tf.ones([4, 2]), tf.zeros([4, 2]), None, critic, scope)
    assert seen == [("critic_1", "critic")] and penalty.name.startswith("around/wasserstein_gradient_penalty/")
    assert [v.op.name for v in tf.trainable_variables()] == ["critic/dense/kernel", "critic/dense/bias"]


def test_combined_losses(session):
    model = small_model()
    loss = tfgan.GANLoss(tf.constant(2.0), tf.constant(1.0))
    combined = tfgan.losses.combine_adversarial_loss(loss, model, tf.constant(3.0), weight_factor=0.5)
    assert session.run(combined) == (4.0, 1.0)
    with pytest.raises(ValueError):
        tfgan.losses.combine_adversarial_loss(loss, model, tf.constant(3.0), gradient_ratio=0.5)


def test_training(tmp_path):
    model = small_model()
    loss = tfgan.gan_loss(model, add_summaries=False)
    optimizers = [tf.train.GradientDescentOptimizer(rate) for rate in (0.0, 0.01)]
    ops = tfgan.gan_train_ops(model, loss, *optimizers)
    hooks = tfgan.get_sequential_train_hooks(tfgan.GANTrainSteps(1, 3))
    before = []

    class Look(tf.train.SessionRunHook):
        def after_create_session(self, session, coord):
            before.append(session.run([model.generator_variables, model.discriminator_variables]))

        def end(self, session):
            before.append(session.run([model.generator_variables, model.discriminator_variables]))

    step = tfgan.gan_train(ops, str(tmp_path), hooks, hooks=[tf.train.StopAtStepHook(num_steps=5), Look()])
    assert step == 5
    (gen0, dis0), (gen1, dis1) = before
    np.testing.assert_array_equal(gen0[0], gen1[0])
    assert not np.allclose(dis0[0], dis1[0])
    joint = tfgan.get_joint_train_hooks(tfgan.GANTrainSteps(1, 3))(ops)
    assert len(joint) == 2 and isinstance(joint[0], tfgan.RunTrainOpsHook)


def test_cycles(session):
    model = tfgan.cyclegan_model(lambda x: tf.layers.dense(x, 2, name="d"), discriminator, tf.ones([3, 2]),
                                 tf.zeros([3, 2]))
    loss = tfgan.cyclegan_loss(model, add_summaries=False)
    ops = tfgan.gan_train_ops(model, loss, tf.train.AdamOptimizer(), tf.train.AdamOptimizer())
    session.run(tf.global_variables_initializer())
    session.run([ops.generator_train_op, ops.discriminator_train_op, ops.global_step_inc_op])
    assert session.run(tf.train.get_global_step()) == 1


def test_structured_inputs(session):
    def tells(data, _):
        hidden = tf.layers.dense(data, 3, name="d")
        return hidden[:, :1], [tf.distributions.Normal(hidden[:, 1], 1.0)]

    code = tf.constant([0.5, -0.5])
    makes = lambda parts: tf.layers.dense(tf.stack([parts[0][:, 0], parts[1]], 1), 2, name="g")
    model = tfgan.infogan_model(makes, tells, tf.ones([2, 2]), [tf.ones([2, 1])], [code])
    loss = tfgan.gan_loss(model, mutual_information_penalty_weight=2.0, add_summaries=False)
    plain = tfgan.gan_loss(model, add_summaries=False)
    session.run(tf.global_variables_initializer())
    penalty, logs = session.run([loss.generator_loss - plain.generator_loss,
                                 model.predicted_distributions[0].log_prob(code)])
    np.testing.assert_allclose(penalty, -2 * logs.mean(), rtol=1e-5)


def test_pictures(session):
    images = np.arange(5 * 2 * 3).reshape(5, 2, 3, 1).astype(np.float32)
    grid = session.run(tfgan.eval.image_reshaper(images, num_cols=3))
    assert grid.shape == (1, 4, 9, 1)
    assert grid[0, 2:, 3:6, 0].tolist() == images[4, :, :, 0].tolist() and (grid[0, 2:, 6:] == 0).all()


def test_conditions(session):
    found = tfgan.features.condition_tensor_from_onehot(tf.ones([2, 4, 3]), tf.one_hot([0, 2], 5), 7)
    assert found.shape.as_list() == [2, 4, 3] and len(tf.trainable_variables()) == 2
    session.run(tf.global_variables_initializer())
    values = session.run(found)
    assert not np.allclose(values[0], values[1])
