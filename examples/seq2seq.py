"""Reverses words of different lengths with an encoder, a decoder that attends to what was encoded, and beam search.

    python examples/seq2seq.py

Training and decoding are two parts of the graph with one set of variables: the second one enters the variable scope of
the first to use them again.
"""

import numpy as np

import evergraph as tf

LENGTH, LETTERS = 7, 8
START, END, SYMBOLS = LETTERS, LETTERS + 1, LETTERS + 2  # what comes before a word, what ends it, how many symbols
UNITS, BEAMS = 48, 3
seq2seq = tf.contrib.seq2seq


def encode(words, lengths):
    """The encoder's outputs for every letter, and its last state."""
    vectors = tf.get_variable("letters", [SYMBOLS, 16])
    cell = tf.nn.rnn_cell.GRUCell(UNITS)
    return tf.nn.dynamic_rnn(cell, tf.nn.embedding_lookup(vectors, words), lengths, dtype=tf.float32)


def attending_cell(memory, lengths, state):
    """A cell that attends to the encoder's outputs, and the state that it begins with."""
    mechanism = seq2seq.LuongAttention(UNITS, memory, lengths, scale=True)
    cell = seq2seq.AttentionWrapper(tf.nn.rnn_cell.GRUCell(UNITS), mechanism, attention_layer_size=UNITS)
    return cell, cell.zero_state(tf.shape(memory)[0], tf.float32).clone(cell_state=state)


def teach(memory, lengths, state, targets):
    """Logits [batch, time, SYMBOLS] when every step is given the right letter before it."""
    vectors = tf.get_variable("symbols", [SYMBOLS, 16])
    before = tf.concat([tf.fill(tf.stack([tf.shape(targets)[0], 1]), START), targets[:, :-1]], axis=1)
    helper = seq2seq.TrainingHelper(tf.nn.embedding_lookup(vectors, before), lengths + 1)
    cell, start = attending_cell(memory, lengths, state)
    decoder = seq2seq.BasicDecoder(cell, helper, start, output_layer=tf.layers.Dense(SYMBOLS, name="output"))
    return seq2seq.dynamic_decode(decoder)[0].rnn_output


def search(memory, lengths, state):
    """The best word [batch, LENGTH + 1] of a beam search, with END after its last letter."""
    vectors = tf.get_variable("symbols", [SYMBOLS, 16])
    batch = tf.shape(memory)[0]
    cell, start = attending_cell(*seq2seq.tile_batch((memory, lengths, state), BEAMS))
    decoder = seq2seq.BeamSearchDecoder(cell, vectors, tf.fill([batch], START), END, start, BEAMS,
                                        output_layer=tf.layers.Dense(SYMBOLS, name="output"))
    best = seq2seq.dynamic_decode(decoder, maximum_iterations=LENGTH + 1)[0].predicted_ids[:, :, 0]
    missing = LENGTH + 1 - tf.shape(best)[1]
    return tf.pad(best, [[0, 0], [0, missing]], constant_values=END)


def build():
    """The graph: an encoder, a decoder that is taught, and the same one searching."""
    words = tf.placeholder(tf.int32, [None, LENGTH], name="words")
    lengths = tf.placeholder(tf.int32, [None], name="lengths")
    targets = tf.placeholder(tf.int32, [None, LENGTH + 1], name="targets")
    with tf.variable_scope("encoder", initializer=tf.glorot_uniform_initializer(seed=1)):
        encoded, state = encode(words, lengths)
    with tf.variable_scope("decoder", initializer=tf.glorot_uniform_initializer(seed=2)):
        logits = teach(encoded, lengths, state, targets)
    with tf.variable_scope("decoder", reuse=True):
        decoded = search(encoded, lengths, state)

    steps = tf.shape(logits)[1]
    loss = seq2seq.sequence_loss(logits, targets[:, :steps], tf.sequence_mask(lengths + 1, steps, tf.float32))
    tf.identity(loss, name="loss")
    tf.identity(decoded, name="decoded")
    tf.reduce_mean(tf.to_float(tf.reduce_all(tf.equal(decoded, targets), axis=1)), name="accuracy")
    optimizer = tf.train.AdamOptimizer(0.006)
    gradients, variables = zip(*optimizer.compute_gradients(loss))
    return optimizer.apply_gradients(zip(tf.clip_by_global_norm(gradients, 1.0)[0], variables))


def batch(count, seed):
    """Random words, and the same ones reversed."""
    random = np.random.RandomState(seed)
    lengths = random.randint(3, LENGTH + 1, size=count).astype(np.int32)
    lengths[0] = LENGTH
    words = random.randint(LETTERS, size=[count, LENGTH]).astype(np.int32)
    targets = np.full([count, LENGTH + 1], END, np.int32)
    for word, target, length in zip(words, targets, lengths):
        target[:length] = word[:length][::-1]
    return {"words:0": words, "lengths:0": lengths, "targets:0": targets}


def main(save_to=None, steps=400):
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

    for word, length, answer in list(zip(test["words:0"], test["lengths:0"], decoded))[1:4]:
        print("".join("abcdefgh"[i] for i in word[:length]), "->", "".join("abcdefgh"[i] for i in answer if i < END))
    return accuracy, loss, test


if __name__ == "__main__":
    main()
