"""Reverses words with an encoder, a decoder that attends to what was encoded, and greedy decoding in a while loop.

    python examples/seq2seq.py
"""

import numpy as np

import evergraph as tf

LENGTH, LETTERS = 6, 8
START, SYMBOLS = LETTERS, LETTERS + 1  # the symbol before the first letter, and how many symbols there are
UNITS = 48


class Decoder:
    """One step: attends to the encoder's outputs with the state so far, and gives the next letter's logits."""

    def __init__(self, memory, vectors):
        self.memory, self.vectors = memory, vectors
        self.cell = tf.nn.rnn_cell.GRUCell(UNITS)
        self.query = tf.layers.Dense(UNITS, use_bias=False, name="query")
        self.output = tf.layers.Dense(LETTERS, name="output")

    def step(self, letter, state):
        scores = tf.reduce_sum(self.memory * tf.expand_dims(self.query(state), 1), axis=2)
        seen = tf.reduce_sum(self.memory * tf.expand_dims(tf.nn.softmax(scores), 2), axis=1)
        inputs = tf.concat([tf.nn.embedding_lookup(self.vectors, letter), seen], axis=1)
        output, state = self.cell(inputs, state)
        return self.output(tf.concat([output, seen], axis=1)), state


def teach(decoder, state, targets):
    """Logits [batch, LENGTH, LETTERS] when every step is given the right letter before it."""
    before = tf.concat([tf.fill(tf.stack([tf.shape(targets)[0], 1]), START), targets[:, :-1]], axis=1)
    logits = []
    for letter in tf.unstack(before, axis=1):
        now, state = decoder.step(letter, state)
        logits.append(now)
    return tf.stack(logits, axis=1)


def decode(decoder, state, batch):
    """Letters [batch, LENGTH] when every step is given the letter that the step before found likeliest."""

    def step(time, letter, state, written):
        logits, state = decoder.step(letter, state)
        letter = tf.argmax(logits, axis=1, output_type=tf.int32)
        return time + 1, letter, state, written.write(time, letter)

    start = (0, tf.fill([batch], START), state, tf.TensorArray(tf.int32, LENGTH))
    written = tf.while_loop(lambda time, *_: time < LENGTH, step, start)[-1]
    return tf.transpose(written.stack())


def build():
    """The graph: one decoder, unrolled for training and in a loop for decoding."""
    words = tf.placeholder(tf.int32, [None, LENGTH], name="words")
    targets = tf.placeholder(tf.int32, [None, LENGTH], name="targets")
    with tf.variable_scope("network", initializer=tf.glorot_uniform_initializer(seed=1)):
        vectors = tf.get_variable("vectors", [SYMBOLS, 16])
        encoder = tf.nn.rnn_cell.GRUCell(UNITS)
        memory, state = tf.nn.dynamic_rnn(encoder, tf.nn.embedding_lookup(vectors, words), dtype=tf.float32)
        with tf.variable_scope("decoder"):
            decoder = Decoder(memory, vectors)
            logits = teach(decoder, state, targets)
            decoded = decode(decoder, state, tf.shape(words)[0])

    loss = tf.losses.sparse_softmax_cross_entropy(targets, logits)
    tf.identity(loss, name="loss")
    tf.identity(decoded, name="decoded")
    tf.reduce_mean(tf.to_float(tf.reduce_all(tf.equal(decoded, targets), axis=1)), name="accuracy")
    optimizer = tf.train.AdamOptimizer(0.006)
    gradients, variables = zip(*optimizer.compute_gradients(loss))
    return optimizer.apply_gradients(zip(tf.clip_by_global_norm(gradients, 0.5)[0], variables))


def batch(count, seed):
    """Random words, and the same ones reversed."""
    words = np.random.RandomState(seed).randint(LETTERS, size=[count, LENGTH]).astype(np.int32)
    return {"words:0": words, "targets:0": words[:, ::-1]}


def main(save_to=None, steps=300):
    """Trains, and returns the share of words decoded without a fault, the loss, and what was fed to measure them."""
    train = build()
    test = batch(200, seed=0)

    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for step in range(steps):
            session.run(train, batch(64, seed=step + 1))
            if step % 100 == 99:
                loss, accuracy = session.run(["loss:0", "accuracy:0"], test)
                print(f"step {step + 1}  loss {loss:.3f}  accuracy {accuracy:.3f}")
        accuracy, loss, decoded = session.run(["accuracy:0", "loss:0", "decoded:0"], test)
        if save_to:
            tf.train.Saver().save(session, save_to)

    for word, answer in zip(test["words:0"][:3], decoded):
        print("".join("abcdefgh"[i] for i in word), "->", "".join("abcdefgh"[i] for i in answer))
    return accuracy, loss, test


if __name__ == "__main__":
    main()
