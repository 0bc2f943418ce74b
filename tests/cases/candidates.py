"""Candidate samplers: TensorFlow's own draws, and what was sampled by accident."""

from tests.harness import case, floats, i64, program

TRUE = i64([[1, 3], [4, 0], [9, 2]])
WEIGHTS = [0.5, 3.0, 1.0, 0.25, 2.0, 0.0, 1.5, 4.0, 0.1, 0.7]
SEEDS = {"seed": 87654321, "seed2": 5}


def sampler(name, num_sampled, unique, true=TRUE, **attrs):
    return case(f"{name}CandidateSampler", true, num_true=true.shape[1], num_sampled=num_sampled, unique=unique,
                **attrs, **SEEDS).tolerance(1e-6)


CASES = [
    *[sampler(name, count, unique, range_max=size).repeated(3)
      for name in ("Uniform", "LogUniform", "LearnedUnigram", "ThreadUnsafeUnigram")
      for count, unique, size in ((5, True, 10), (20, False, 10), (16, False, 16), (40, True, 64))],
    sampler("Uniform", 7, True, range_max=10**12),
    sampler("LogUniform", 500, True, range_max=10**6),
    sampler("All", 10, True),
    sampler("FixedUnigram", 4, True, range_max=10, unigrams=WEIGHTS).repeated(3),
    sampler("FixedUnigram", 50, False, range_max=10, unigrams=WEIGHTS, distortion=0.75),
    sampler("FixedUnigram", 5, False, range_max=12, unigrams=WEIGHTS, num_reserved_ids=2),
    sampler("FixedUnigram", 5, False, i64([[1, 3]]), range_max=6, unigrams=WEIGHTS, num_reserved_ids=2, num_shards=2,
            shard=1),
    sampler("FixedUnigram", 5, False, range_max=9, unigrams=WEIGHTS).fails("InvalidArgumentError"),
    sampler("FixedUnigram", 5, False, range_max=16, unigrams=WEIGHTS + WEIGHTS[:6]),
    sampler("Uniform", 11, True, range_max=10).fails("InvalidArgumentError"),
    sampler("FixedUnigram", 4, True, range_max=10).fails("InvalidArgumentError"),
    case("UniformCandidateSampler", TRUE, num_true=1, num_sampled=2, unique=True, range_max=10)
    .fails("InvalidArgumentError"),
    case("ComputeAccidentalHits", TRUE, i64([3, 5, 9, 3, 1]), num_true=2),
    case("ComputeAccidentalHits", TRUE, i64([5]), num_true=2),
    case("ComputeAccidentalHits", TRUE, i64([]), num_true=2),
    case("ComputeAccidentalHits", TRUE, i64([[5]]), num_true=2).fails("ValueError"),
]


def going_on(program):
    """Three runs: each draws other classes."""
    return program.repeated(3)


@going_on
@program(floats(10, 4), floats(10), floats(3, 4, seed=3))
def noise_contrastive(tf, weights, biases, inputs):
    drawn = tf.nn.fixed_unigram_candidate_sampler(TRUE, 2, 4, True, 10, unigrams=WEIGHTS, seed=7)
    return tf.nn.nce_loss(weights, biases, TRUE, inputs, 4, 10, num_true=2, sampled_values=drawn)


@going_on
@program(floats(10, 4), floats(10), floats(3, 4, seed=3))
def noise_contrastive_without_hits(tf, weights, biases, inputs):
    drawn = tf.nn.uniform_candidate_sampler(TRUE, 2, 8, False, 10, seed=7)
    return tf.nn.nce_loss(weights, biases, TRUE, inputs, 8, 10, num_true=2, sampled_values=drawn,
                          remove_accidental_hits=True)


@going_on
@program(floats(10, 4), floats(10), floats(3, 4, seed=3))
def sampled_softmax(tf, weights, biases, inputs):
    return tf.nn.sampled_softmax_loss(weights, biases, TRUE, inputs, 6, 10, num_true=2, seed=3)


@going_on
@program(floats(5, 4), floats(5, 4, seed=2), floats(10), floats(3, 4, seed=3))
def sampled_softmax_of_parts(tf, first, second, biases, inputs):
    return tf.nn.sampled_softmax_loss([first, second], biases, TRUE[:, :1], inputs, 9, 10, seed=4,
                                      partition_strategy="div")
