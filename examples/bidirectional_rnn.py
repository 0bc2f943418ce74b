"""Tells which places of a sequence have more to their left than to their right, reading it in both directions.

Neither direction knows enough by itself. Sequences have different lengths, and what lies beyond an end counts for
nothing: the network does not read it, and the loss does not weigh it.

    python examples/bidirectional_rnn.py
"""

import numpy as np

import evergraph as tf

LONGEST = 12
UNITS = 16


def sequences(count, seed):
    """Random sequences, their lengths, and 1 for each place where the sum before it exceeds the sum after it."""
    random = np.random.RandomState(seed)
    lengths = random.randint(4, LONGEST + 1, size=count)
    inside = np.arange(LONGEST) < lengths[:, None]
    values = random.uniform(-1, 1, size=[count, LONGEST]) * inside
    before = values.cumsum(1) - values
    after = values.sum(1, keepdims=True) - values.cumsum(1)
    return {
        "values:0": values.astype(np.float32),
        "lengths:0": lengths.astype(np.int32),
        "targets:0": (before > after).astype(np.float32),
    }


def build():
    """The graph: two GRUs, one for each direction, and one answer for each place from both of their outputs."""
    values = tf.placeholder(tf.float32, [None, LONGEST], name="values")
    lengths = tf.placeholder(tf.int32, [None], name="lengths")
    targets = tf.placeholder(tf.float32, [None, LONGEST], name="targets")

    with tf.variable_scope("network", initializer=tf.glorot_uniform_initializer(seed=1)):
        forward, backward = tf.nn.rnn_cell.GRUCell(UNITS), tf.nn.rnn_cell.GRUCell(UNITS)
        outputs, _ = tf.nn.bidirectional_dynamic_rnn(forward, backward, tf.expand_dims(values, 2),
                                                     sequence_length=lengths, dtype=tf.float32)
        logits = tf.squeeze(tf.layers.dense(tf.concat(outputs, 2), 1), axis=2)

    weights = tf.sequence_mask(lengths, LONGEST, dtype=tf.float32)
    loss = tf.losses.sigmoid_cross_entropy(targets, logits, weights)
    tf.identity(loss, name="loss")
    right = weights * tf.to_float(tf.equal(logits > 0, targets > 0.5))
    tf.divide(tf.reduce_sum(right), tf.reduce_sum(weights), name="accuracy")
    return tf.train.RMSPropOptimizer(0.01).minimize(loss)


def main(save_to=None, steps=200):
    """Trains, and returns the accuracy and the loss on new sequences, and what was fed to measure them."""
    train = build()
    test = sequences(200, seed=0)

    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for step in range(steps):
            session.run(train, sequences(50, seed=step + 1))
            if step % 50 == 49:
                loss, accuracy = session.run(["loss:0", "accuracy:0"], test)
                print(f"step {step + 1}  loss {loss:.3f}  accuracy {accuracy:.3f}")
        accuracy, loss = session.run(["accuracy:0", "loss:0"], test)
        if save_to:
            tf.train.Saver().save(session, save_to)
    return accuracy, loss, test


if __name__ == "__main__":
    main()
