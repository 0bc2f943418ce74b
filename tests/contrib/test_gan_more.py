"""tf.contrib.gan: models of classes and domains, pools, scores, comparisons, Estimators."""

import numpy as np
import pytest

import evergraph as tf

tfgan = tf.contrib.gan
CLASSES = np.eye(3, dtype=np.float32)[[0, 2, 1, 1]]


def generator(noise):
    return tf.layers.dense(noise, 2, name="dense")


def two_headed(data, _):
    return tf.layers.dense(data, 1, name="source"), tf.layers.dense(data, 3, name="classes")


def cross_entropy(labels, logits):
    return -np.mean(np.sum(labels * (logits - np.log(np.exp(logits).sum(1, keepdims=True))), 1))


def begun():
    session = tf.Session()
    session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    return session


def test_acgan_adds_the_entropy_of_classes():
    model = tfgan.acgan_model(generator, two_headed, tf.constant([[1.0, 2.0]] * 4), tf.ones([4, 3]), CLASSES)
    plain = tfgan.gan_loss(model, add_summaries=False)
    loss = tfgan.gan_loss(model, aux_cond_generator_weight=2.0, aux_cond_discriminator_weight=3.0,
                          gradient_penalty_weight=0.0, add_summaries=False)
    with begun() as session:
        real, made = session.run([model.discriminator_real_classification_logits,
                                  model.discriminator_gen_classification_logits])
        found = session.run([loss.generator_loss - plain.generator_loss,
                             loss.discriminator_loss - plain.discriminator_loss])
    of_made = cross_entropy(CLASSES, made)
    np.testing.assert_allclose(found, [2 * of_made, 3 * (of_made + cross_entropy(CLASSES, real))], rtol=1e-4)
    with pytest.raises(ValueError, match="ACGANModel"):
        tfgan.gan_loss(tfgan.GANModel(*[None] * 11), aux_cond_generator_weight=1.0)


def translate(data, domains):
    return tf.layers.dense(tf.concat([data, domains], 1), 2, name="dense")


def test_stargan_loses_what_does_not_come_back():
    data = tf.constant([[1.0, 2.0], [0.5, -1.0]])
    model = tfgan.stargan_model(translate, two_headed, [data, data], [CLASSES[:2], CLASSES[2:]])
    loss = tfgan.stargan_loss(model, gradient_penalty_weight=None, add_summaries=False)
    with begun() as session:
        found, values = session.run([loss, model[:9]])
    given, domains, made, target, back, real, fake, seen, seen_made = values
    assert target.sum() == 4 and made.shape == (4, 2)
    np.testing.assert_allclose(found.generator_loss, -fake.mean() + cross_entropy(target, seen_made)
                               + 10 * np.abs(given - back).mean(), rtol=1e-4)
    np.testing.assert_allclose(found.discriminator_loss, fake.mean() - real.mean() + cross_entropy(domains, seen),
                               rtol=1e-4)
    assert len(model.generator_variables) == 2 and len(model.discriminator_variables) == 4
    tfgan.gan_train_ops(model, tfgan.stargan_loss(model), tf.train.AdamOptimizer(), tf.train.AdamOptimizer())


@pytest.mark.parametrize("chance", [0.0, 1.0])
def test_a_pool_gives_older_values(chance):
    x = tf.placeholder(tf.float32, [2])
    first, second = tfgan.features.tensor_pool((x, x * 2), pool_size=2, pooling_probability=chance)
    with begun() as session:
        found = [session.run([first, second], {x: [step, -step]}) for step in range(1, 30)]
    assert all((two == 2 * one).all() for one, two in found)
    numbers = [int(one[0]) for one, _ in found]
    assert numbers[:2] == [1, 2]
    if chance:
        assert all(number < step for step, number in enumerate(numbers, 1) if step > 2)
        assert len(set(numbers[2:])) == len(numbers) - 2 and set(numbers[2:]) - {1, 2}
    else:
        assert numbers == list(range(1, 30))
    assert tfgan.features.tensor_pool(x, pool_size=0) is x


def test_a_loss_with_a_pool_is_that_of_the_discriminator_alone():
    model = tfgan.gan_model(generator, lambda data, _: tf.layers.dense(data, 1, name="d"),
                            tf.constant([[1.0, 2.0]] * 4), tf.ones([4, 3]))
    zeros = tfgan.gan_loss(model, tensor_pool_fn=lambda both: (both[0], tf.zeros_like(both[1])), add_summaries=False)
    with begun() as session:
        found, real, made = session.run([zeros, model.discriminator_real_outputs, model.discriminator_gen_outputs])
    np.testing.assert_allclose(found.generator_loss, -made.mean(), rtol=1e-5)
    np.testing.assert_allclose(found.discriminator_loss, -real.mean(), rtol=1e-5)


def test_scores_against_numpy(session):
    random = np.random.RandomState(0)
    logits, real, made = random.randn(20, 5), random.randn(40, 3), random.randn(40, 3) * 2 + 1
    chances = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    wanted = np.exp(np.mean(np.sum(chances * np.log(chances / chances.mean(0)), 1)))
    score = tfgan.eval.classifier_score(tf.constant(logits, tf.float32), lambda each: each * 1.0, num_batches=4)
    np.testing.assert_allclose(session.run(score), wanted, rtol=1e-5)
    both = [tf.constant(each, tf.float32) for each in (real, made)]
    gap = np.square(real.mean(0) - made.mean(0)).sum()
    covariances = [np.cov(each.T) for each in (real, made)]
    roots = np.sqrt(np.linalg.eigvals(covariances[0] @ covariances[1]).real).sum()
    distance = gap + np.trace(covariances[0]) + np.trace(covariances[1]) - 2 * roots
    found = session.run([tfgan.eval.frechet_classifier_distance(*both, lambda each: each),
                         tfgan.eval.mean_only_frechet_classifier_distance_from_activations(*both),
                         tfgan.eval.diagonal_only_frechet_classifier_distance_from_activations(*both)])
    spread = [each.var(0, ddof=1) for each in (real, made)]
    np.testing.assert_allclose(found, [distance, gap, gap + np.square(np.sqrt(spread[0]) - np.sqrt(spread[1])).sum()],
                               rtol=1e-4)


def test_classifiers_from_files(session, tmp_path):
    with tf.Graph().as_default() as graph:
        tf.reduce_mean(tf.placeholder(tf.float32, [None, 4, 4, 3], name="image"), [1, 2], name="means")
    tf.io.write_graph(graph, str(tmp_path), "net.pb", as_text=False)
    net = tfgan.eval.get_graph_def_from_disk(str(tmp_path / "net.pb"))
    images = tfgan.eval.preprocess_image(tf.fill([2, 8, 8, 3], 255.0), 4, 4)
    found = tfgan.eval.run_image_classifier(images, net, "image:0", "means:0")
    np.testing.assert_allclose(session.run(found), np.ones([2, 3]))
    listed = tfgan.eval.run_inception(images, net, image_size=4, input_tensor="image:0", output_tensor=["means:0"])
    assert [each.shape.as_list() for each in listed] == [[2, 3]]


def test_pictures_side_by_side(session):
    x = tf.ones([2, 4, 4, 3])
    way = tfgan.GANModel(x, x * 0.5, *[None] * 3, x * 0.25, *[None] * 5)
    tfgan.eval.add_image_comparison_summaries(way, display_diffs=True)
    tfgan.eval.add_cyclegan_image_summaries(tfgan.CycleGANModel(way, way, x, x))
    model = tfgan.stargan_model(lambda data, domains: data * tf.reduce_sum(domains), lambda data, _: (data, data), x,
                                CLASSES[:2])
    tfgan.eval.add_stargan_image_summaries(model)
    tags = {value.tag: value.image for value in tf.Summary.FromString(session.run(tf.summary.merge_all())).value}
    assert [(tag, each.height, each.width) for tag, each in sorted(tags.items())] == [
        ("image_comparison/image", 8, 16), ("stargan_image_generation/image", 8, 16),
        ("x2y_image_comparison/image", 4, 12), ("y2x_image_comparison/image", 4, 12)]
    with pytest.raises(ValueError, match="num_images"):
        tfgan.eval.add_stargan_image_summaries(model, num_images=3)


def test_a_gan_is_an_estimator(tmp_path):
    def input_fn():
        return tf.random_normal([32, 3], seed=1), tf.random_normal([32, 2], mean=4.0, stddev=0.1, seed=2)

    modes = []

    def discriminator(data, _, mode):
        modes.append(mode)
        return tf.layers.dense(tf.layers.dense(data, 8, tf.nn.relu, name="hidden"), 1, name="out")

    gan = tfgan.estimator.GANEstimator(
        str(tmp_path), generator, discriminator, tfgan.losses.least_squares_generator_loss,
        tfgan.losses.least_squares_discriminator_loss, lambda: tf.train.AdamOptimizer(0.05, 0.5),
        tf.train.AdamOptimizer(0.02, 0.5), add_summaries=tfgan.estimator.SummaryType.VARIABLES,
        get_eval_metric_ops_fn=lambda model: {"mean": tf.metrics.mean(model.generated_data)})
    gan.train(input_fn, steps=200)
    found = gan.evaluate(input_fn, steps=1)
    assert 2.5 < found["mean"] < 5.5 and {"generator_loss", "discriminator_loss", "loss"} <= set(found)
    assert found["global_step"] == 200 and set(modes) == {"train", "eval"}
    noise = tf.estimator.inputs.numpy_input_fn(np.zeros([5, 3], np.float32), shuffle=False)
    assert np.array(list(gan.predict(noise))).shape == (5, 2)


def test_a_stargan_is_an_estimator(tmp_path):
    data = np.random.RandomState(0).randn(4, 2).astype(np.float32)
    star = tfgan.estimator.StarGANEstimator(
        str(tmp_path), translate, two_headed, generator_optimizer=tf.train.AdamOptimizer(),
        discriminator_optimizer=tf.train.AdamOptimizer())
    star.train(lambda: (tf.constant(data), tf.constant(CLASSES)), steps=2)
    assert star.evaluate(lambda: (tf.constant(data), tf.constant(CLASSES)), steps=1)["global_step"] == 2
    found = list(star.predict(lambda: tf.data.Dataset.from_tensors(((data, CLASSES),))))
    assert np.array(found).shape == (4, 2)
