"""Draws digits from noise: a generator of transposed convolutions against a discriminator of convolutions.

    python examples/gan.py
"""

import digits
import numpy as np

import evergraph as tf

NOISE = 16


def initializer(seed):
    return tf.random_normal_initializer(stddev=0.05, seed=seed)


def generator(noise):
    """Images [batch, 12, 12, 1] with values in [0, 1]."""
    with tf.variable_scope("generator"):
        hidden = tf.layers.dense(noise, 3 * 3 * 32, kernel_initializer=initializer(1))
        hidden = tf.reshape(tf.nn.relu(hidden), [-1, 3, 3, 32])
        hidden = tf.layers.conv2d_transpose(hidden, 16, 4, strides=2, padding="same", activation=tf.nn.relu,
                                            kernel_initializer=initializer(2))
        return tf.layers.conv2d_transpose(hidden, 1, 4, strides=2, padding="same", activation=tf.sigmoid,
                                          kernel_initializer=initializer(3))


def discriminator(images):
    """For each image, the log odds that it is not the generator's. Every call uses the same variables."""
    with tf.variable_scope("discriminator", reuse=tf.AUTO_REUSE):
        hidden = tf.layers.conv2d(images, 16, 4, strides=2, padding="same", activation=tf.nn.leaky_relu,
                                  kernel_initializer=initializer(4), name="first")
        hidden = tf.layers.conv2d(hidden, 32, 4, strides=2, padding="same", activation=tf.nn.leaky_relu,
                                  kernel_initializer=initializer(5), name="second")
        return tf.layers.dense(tf.layers.flatten(hidden), 1, kernel_initializer=initializer(6), name="odds")


def build():
    """The graph: both networks, and one training step for each that leaves the other's variables alone."""
    real = tf.placeholder(tf.float32, [None, digits.SIZE, digits.SIZE, 1], name="real")
    noise = tf.placeholder(tf.float32, [None, NOISE], name="noise")
    drawn = tf.identity(generator(noise), name="drawn")
    of_real, of_drawn = discriminator(real), discriminator(drawn)

    entropy = tf.nn.sigmoid_cross_entropy_with_logits
    told_real = tf.reduce_mean(entropy(labels=0.9 * tf.ones_like(of_real), logits=of_real))
    told_drawn = tf.reduce_mean(entropy(labels=tf.zeros_like(of_drawn), logits=of_drawn))
    loss = tf.add(told_real, told_drawn, name="loss")
    fooled = tf.reduce_mean(entropy(labels=tf.ones_like(of_drawn), logits=of_drawn), name="generator_loss")

    variables = {side: tf.trainable_variables(side) for side in ("generator", "discriminator")}
    adam = tf.train.AdamOptimizer(0.002, beta1=0.5)
    return [
        adam.minimize(loss, var_list=variables["discriminator"]),
        adam.minimize(fooled, var_list=variables["generator"]),
    ]


def likeness(drawn, real):
    """How well the drawn images correlate with the nearest of the real ones, from 0 to 1, on average."""
    unit = [flat / np.linalg.norm(flat, axis=1, keepdims=True)
            for flat in (images.reshape([len(images), -1]) - images.mean() for images in (drawn, real))]
    return (unit[0] @ unit[1].T).max(axis=1).mean()


def main(save_to=None, steps=300):
    """Trains both, and returns how like digits the drawings are, the discriminator's loss, and what was fed for it."""
    discriminate, generate = build()
    random = np.random.RandomState(3)
    batches = digits.batches(*digits.make(2000, seed=0, noise=0.05), size=50, seed=1)
    images, _ = digits.make(400, seed=2, noise=0.05)
    test = {"real:0": images[:50, :, :, None], "noise:0": random.normal(size=[50, NOISE]).astype(np.float32)}

    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for step in range(steps):
            noise = random.normal(size=[50, NOISE]).astype(np.float32)
            session.run(discriminate, {"real:0": next(batches)[0][..., None], "noise:0": noise})
            session.run(generate, {"noise:0": noise})
            if step % 100 == 99:
                both = session.run(["loss:0", "generator_loss:0"], test)
                print("step {}  discriminator {:.3f}  generator {:.3f}".format(step + 1, *both))
        drawn, loss = session.run(["drawn:0", "loss:0"], test)
        if save_to:
            tf.train.Saver().save(session, save_to)

    digits.show(drawn[:6, :, :, 0])
    return likeness(drawn, images), loss, test


if __name__ == "__main__":
    main()
