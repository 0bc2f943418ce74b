"""Squeezes images of digits through sixteen numbers and draws them again; the decoder uses the encoder's weights.

    python examples/autoencoder.py
"""

import digits

import evergraph as tf

PIXELS = digits.SIZE * digits.SIZE


def build():
    """The graph: noise is added to the images, and the loss asks for the images without it."""
    images = tf.placeholder(tf.float32, [None, digits.SIZE, digits.SIZE], name="images")
    clean = tf.reshape(images, [-1, PIXELS])
    noisy = clean + 0.1 * tf.random_normal(tf.shape(clean), seed=1)

    with tf.variable_scope("encoder"):
        weights = [
            tf.get_variable("first", [PIXELS, 96], initializer=tf.glorot_uniform_initializer(seed=2)),
            tf.get_variable("second", [96, 16], initializer=tf.glorot_uniform_initializer(seed=3)),
        ]
        biases = [tf.get_variable(f"bias_{size}", [size], initializer=tf.zeros_initializer()) for size in (96, 16)]
        hidden = tf.nn.elu(tf.nn.xw_plus_b(noisy, weights[0], biases[0]))
        code = tf.nn.xw_plus_b(hidden, weights[1], biases[1], name="code")
    with tf.variable_scope("decoder"):
        hidden = tf.nn.elu(tf.layers.dense(code, 96, kernel_initializer=tf.glorot_uniform_initializer(seed=4)))
        logits = tf.matmul(hidden, weights[0], transpose_b=True)
        logits += tf.get_variable("bias", [PIXELS], initializer=tf.zeros_initializer())
    drawn = tf.sigmoid(logits, name="drawn")

    loss = tf.losses.mean_squared_error(clean, drawn)
    tf.identity(loss, name="loss")
    tf.summary.image("drawn", tf.reshape(drawn, [-1, digits.SIZE, digits.SIZE, 1]))
    return tf.train.AdamOptimizer(0.005).minimize(loss)


def main(save_to=None, steps=400):
    """Trains, and returns the share of the images' variance explained, the loss, and what was fed to measure them."""
    train = build()
    batches = digits.batches(*digits.make(2000, seed=0, noise=0.05), size=100, seed=1)
    images, _ = digits.make(200, seed=2, noise=0.05)
    # Feeding the noise makes the measure the same every time.
    test = {"images:0": images, "random_normal:0": 0 * images.reshape([len(images), PIXELS])}

    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for step in range(steps):
            session.run(train, {"images:0": next(batches)[0]})
            if step % 100 == 99:
                print("step {}  loss {:.4f}".format(step + 1, session.run("loss:0", test)))
        drawn, loss = session.run(["drawn:0", "loss:0"], test)
        if save_to:
            tf.train.Saver().save(session, save_to)

    digits.show(images[:6])
    digits.show(drawn[:6].reshape([-1, digits.SIZE, digits.SIZE]))
    return 1 - loss / images.var(0).mean(), loss, test


if __name__ == "__main__":
    main()
