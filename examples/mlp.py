"""Tells digits apart with two dense layers and dropout.

    python examples/mlp.py
"""

import digits

import evergraph as tf


def build():
    """The graph: placeholders, two layers, the loss, the accuracy and the training step."""
    images = tf.placeholder(tf.float32, [None, digits.SIZE, digits.SIZE], name="images")
    labels = tf.placeholder(tf.int32, [None], name="labels")
    training = tf.placeholder_with_default(False, [], name="training")

    flat = tf.layers.flatten(images)
    hidden = tf.layers.dense(flat, 64, tf.nn.relu, kernel_initializer=tf.glorot_uniform_initializer(seed=1))
    hidden = tf.layers.dropout(hidden, 0.3, seed=2, training=training)
    logits = tf.layers.dense(hidden, 10, kernel_initializer=tf.glorot_uniform_initializer(seed=3), name="logits")

    errors = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    loss = tf.reduce_mean(errors, name="loss")
    correct = tf.equal(tf.argmax(logits, 1, output_type=tf.int32), labels)
    tf.reduce_mean(tf.cast(correct, tf.float32), name="accuracy")
    return tf.train.AdamOptimizer(0.01).minimize(loss)


def main(save_to=None, steps=300):
    """Trains, and returns the accuracy and the loss on new images, and what was fed to measure them."""
    train = build()
    batches = digits.batches(*digits.make(2000, seed=0), size=100, seed=1)
    images, labels = digits.make(500, seed=2)
    test = {"images:0": images, "labels:0": labels}

    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for step in range(steps):
            batch, truth = next(batches)
            session.run(train, {"images:0": batch, "labels:0": truth, "training:0": True})
            if step % 100 == 99:
                loss, accuracy = session.run(["loss:0", "accuracy:0"], test)
                print(f"step {step + 1}  loss {loss:.3f}  accuracy {accuracy:.3f}")
        accuracy, loss = session.run(["accuracy:0", "loss:0"], test)
        if save_to:
            tf.train.Saver().save(session, save_to)
    return accuracy, loss, test


if __name__ == "__main__":
    main()
