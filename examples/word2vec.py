"""Learns vectors for words from their neighbours, with noise-contrastive estimation.

The text comes from a little grammar: "the cat eats fish near the house". Words of one kind stand in the same places,
so their vectors become alike; the score is the share of words whose nearest word is of their own kind.

    python examples/word2vec.py
"""

import numpy as np

import evergraph as tf

KINDS = {
    "animal": "cat dog bird horse mouse fox".split(),
    "verb": "eats likes finds steals wants".split(),
    "food": "fish bread corn cheese apples".split(),
    "place": "near under behind inside".split(),
    "building": "house barn tower bridge church".split(),
}
WORDS = ["the"] + [word for words in KINDS.values() for word in words]
KIND = ["article"] + [kind for kind, words in KINDS.items() for _ in words]
SENTENCE = ["the", "animal", "verb", "food", "place", "the", "building"]
WINDOW = 2


def text(sentences, seed):
    """Word numbers [sentences, 7], each sentence of the same form."""
    random = np.random.RandomState(seed)
    number = {word: i for i, word in enumerate(WORDS)}
    pick = lambda part: number[part] if part in number else number[random.choice(KINDS[part])]
    return np.array([[pick(part) for part in SENTENCE] for _ in range(sentences)], np.int32)


def pairs(sentences):
    """Every (word, neighbour) at most WINDOW apart, as two arrays."""
    found = []
    for shift in range(1, WINDOW + 1):
        left, right = sentences[:, :-shift].ravel(), sentences[:, shift:].ravel()
        found += [(left, right), (right, left)]
    centers, neighbours = (np.concatenate(side) for side in zip(*found))
    return centers, neighbours


def build(size=16):
    """The graph: a table of vectors, the sampled loss, and every word's likeness to every other."""
    centers = tf.placeholder(tf.int32, [None], name="centers")
    neighbours = tf.placeholder(tf.int32, [None], name="neighbours")
    vectors = tf.get_variable("vectors", [len(WORDS), size], initializer=tf.random_uniform_initializer(-1, 1, seed=1))
    weights = tf.get_variable("weights", [len(WORDS), size],
                              initializer=tf.truncated_normal_initializer(stddev=size**-0.5, seed=2))
    biases = tf.get_variable("biases", [len(WORDS)], initializer=tf.zeros_initializer())

    inputs = tf.nn.embedding_lookup(vectors, centers)
    targets = tf.cast(tf.expand_dims(neighbours, 1), tf.int64)
    noise = tf.random.log_uniform_candidate_sampler(targets, 1, 8, unique=True, range_max=len(WORDS), seed=3)
    sampled = tf.nn.nce_loss(weights, biases, targets, inputs, num_sampled=8, num_classes=len(WORDS),
                             sampled_values=noise)
    train = tf.train.AdagradOptimizer(0.5).minimize(tf.reduce_mean(sampled))

    logits = tf.matmul(inputs, weights, transpose_b=True) + biases
    errors = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=neighbours, logits=logits)
    tf.reduce_mean(errors, name="loss")
    unit = tf.nn.l2_normalize(vectors, axis=1)
    tf.matmul(unit, unit, transpose_b=True, name="likeness")
    return train


def nearest(likeness):
    """For every word but "the", the other word most like it."""
    others = likeness - 2 * np.eye(len(WORDS))
    return others.argmax(1)[1:]


def main(save_to=None, steps=600):
    """Trains, and returns the share of nearest words of the same kind, the loss, and what was fed to measure it."""
    train = build()
    centers, neighbours = pairs(text(1000, seed=0))
    test = dict(zip(["centers:0", "neighbours:0"], pairs(text(50, seed=1))))
    random = np.random.RandomState(2)

    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for step in range(steps):
            chosen = random.randint(len(centers), size=128)
            session.run(train, {"centers:0": centers[chosen], "neighbours:0": neighbours[chosen]})
            if step % 200 == 199:
                print("step {}  loss {:.3f}".format(step + 1, session.run("loss:0", test)))
        likeness, loss = session.run(["likeness:0", "loss:0"], test)
        if save_to:
            tf.train.Saver().save(session, save_to)

    found = nearest(likeness)
    for word in ("cat", "eats", "house"):
        print(f"nearest to {word}: {WORDS[found[WORDS.index(word) - 1]]}")
    return np.mean([KIND[i + 1] == KIND[other] for i, other in enumerate(found)]), loss, test


if __name__ == "__main__":
    main()
