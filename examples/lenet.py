"""Tells digits apart with two convolutions, each followed by pooling, and two dense layers.

    python examples/lenet.py
"""

import digits

import evergraph as tf


def build():
    """The graph: images through the network, the loss, the accuracy and the training step."""
    images = tf.placeholder(tf.float32, [None, digits.SIZE, digits.SIZE], name="images")
    labels = tf.placeholder(tf.int32, [None], name="labels")
    he = [tf.variance_scaling_initializer(2.0, seed=seed) for seed in range(1, 5)]

    hidden = tf.expand_dims(images, 3)
    hidden = tf.layers.conv2d(hidden, 6, 5, padding="same", activation=tf.nn.relu, kernel_initializer=he[0])
    hidden = tf.layers.max_pooling2d(hidden, 2, 2)
    hidden = tf.layers.conv2d(hidden, 16, 3, padding="same", activation=tf.nn.relu, kernel_initializer=he[1])
    hidden = tf.layers.max_pooling2d(hidden, 2, 2)
    hidden = tf.layers.dense(tf.layers.flatten(hidden), 48, tf.nn.relu, kernel_initializer=he[2])
    logits = tf.layers.dense(hidden, 10, kernel_initializer=he[3])

    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    tf.identity(loss, name="loss")
    correct = tf.nn.in_top_k(logits, labels, 1)
    tf.reduce_mean(tf.cast(correct, tf.float32), name="accuracy")
    return tf.train.AdamOptimizer(0.005).minimize(loss)


def main(save_to=None, steps=150):
    """Trains, and returns the accuracy and the loss on new images, and what was fed to measure them."""
    train = build()
    batches = digits.batches(*digits.make(2000, seed=0), size=50, seed=1)
    images, labels = digits.make(300, seed=2)
    test = {"images:0": images, "labels:0": labels}

    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for step in range(steps):
            batch, truth = next(batches)
            session.run(train, {"images:0": batch, "labels:0": truth})
            if step % 50 == 49:
                loss, accuracy = session.run(["loss:0", "accuracy:0"], test)
                print(f"step {step + 1}  loss {loss:.3f}  accuracy {accuracy:.3f}")
        accuracy, loss = session.run(["accuracy:0", "loss:0"], test)
        if save_to:
            tf.train.Saver().save(session, save_to)
    return accuracy, loss, test


if __name__ == "__main__":
    main()
