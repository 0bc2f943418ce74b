"""Learns to write a nursery rhyme letter by letter with an LSTM, then writes on from its beginning.

    python examples/char_lstm.py
"""

import numpy as np

import evergraph as tf

TEXT = (
    "twinkle twinkle little star how i wonder what you are "
    "up above the world so high like a diamond in the sky "
)
LETTERS = sorted(set(TEXT))
UNITS = 64


def build():
    """The graph: letters in, the state of the cell in and out, the next letters as the target."""
    letters = tf.placeholder(tf.int32, [None, None], name="letters")
    targets = tf.placeholder(tf.int32, [None, None], name="targets")
    cell = tf.nn.rnn_cell.LSTMCell(UNITS, initializer=tf.glorot_uniform_initializer(seed=1))

    batch = tf.shape(letters)[0]
    zeros = tf.zeros(tf.stack([batch, UNITS]))
    start = tf.nn.rnn_cell.LSTMStateTuple(tf.placeholder_with_default(zeros, [None, UNITS], name="c"),
                                          tf.placeholder_with_default(zeros, [None, UNITS], name="h"))
    outputs, state = tf.nn.dynamic_rnn(cell, tf.one_hot(letters, len(LETTERS)), initial_state=start)
    tf.identity(state.c, name="next_c")
    tf.identity(state.h, name="next_h")
    logits = tf.layers.dense(outputs, len(LETTERS), kernel_initializer=tf.glorot_uniform_initializer(seed=2))
    tf.argmax(logits, axis=2, output_type=tf.int32, name="likeliest")

    errors = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=targets, logits=logits)
    loss = tf.reduce_mean(errors, name="loss")
    optimizer = tf.train.AdamOptimizer(0.01)
    gradients, variables = zip(*optimizer.compute_gradients(loss))
    gradients, _ = tf.clip_by_global_norm(gradients, 5.0)
    return optimizer.apply_gradients(zip(gradients, variables))


def windows(count, length, seed):
    """Pieces of the text, read in a circle, and the same pieces one letter later."""
    numbers = np.array([LETTERS.index(letter) for letter in TEXT + TEXT])
    starts = np.random.RandomState(seed).randint(len(TEXT), size=count)
    pieces = np.array([numbers[start : start + length + 1] for start in starts], np.int32)
    return pieces[:, :-1], pieces[:, 1:]


def write(session, beginning, length):
    """The beginning and `length` letters more, each the likeliest after those before it."""
    text = beginning
    feeds = {"letters:0": [[LETTERS.index(letter) for letter in beginning]]}
    for _ in range(length):
        likeliest, c, h = session.run(["likeliest:0", "next_c:0", "next_h:0"], feeds)
        text += LETTERS[likeliest[0, -1]]
        feeds = {"letters:0": likeliest[:, -1:], "c:0": c, "h:0": h}
    return text


def main(save_to=None, steps=120):
    """Trains, and returns the share of letters written right, the loss, and what was fed to measure it."""
    train = build()
    test = dict(zip(["letters:0", "targets:0"], windows(20, 30, seed=1)))

    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for step in range(steps):
            letters, targets = windows(20, 30, seed=100 + step)
            session.run(train, {"letters:0": letters, "targets:0": targets})
            if step % 40 == 39:
                print("step {}  loss {:.3f}".format(step + 1, session.run("loss:0", test)))
        loss = session.run("loss:0", test)
        written = write(session, TEXT[:20], len(TEXT) - 20)
        if save_to:
            tf.train.Saver().save(session, save_to)

    print(written)
    return np.mean([one == other for one, other in zip(written[20:], TEXT[20:])]), loss, test


if __name__ == "__main__":
    main()
