"""Candidate samplers: random classes for sampled softmax and NCE losses.

The classes are those that TensorFlow draws: each node draws words from its own Philox stream, class by class, and
reserves 512 blocks for every class it returns. Samplers here draw many classes at once, in the same order.
"""
from __future__ import annotations

import threading

import numpy as np

from evergraph import native
from evergraph.base import errors
from evergraph.base.errors import invalid
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import with_rank
from evergraph.kernel import native_draws, philox
from evergraph.kernel.reasons import Uncompilable
from evergraph.kernel.values import is_traced
from evergraph.ops.math import draws

_BLOCKS_PER_CLASS = 512


class Words:
    """The 32-bit words of a Philox stream, in order."""

    def __init__(self, state):
        self._state, self._blocks, self._left = state, 0, np.zeros(0, np.uint32)

    def take(self, count):
        """The next `count` words, as uint32."""
        missing = count - len(self._left)
        if missing > 0:
            number = max(-(-missing // 4), 64)
            index = np.arange(self._blocks, self._blocks + number, dtype=np.uint64)
            fresh = philox.rows(self._state, index).reshape(-1)
            self._blocks += number
            self._left = np.concatenate([self._left, fresh])
        words, self._left = self._left[:count], self._left[count:]
        return words

    def put_back(self, words):
        self._left = np.concatenate([words, self._left])

    def below(self, limit, count, size=1):
        """`count` unbiased integers in [0, limit) from `size` words each, by rejection sampling."""
        kind = np.uint32 if size == 1 else np.uint64
        found = np.zeros(0, kind)
        while len(found) < count:
            words = self.take((count - len(found)) * size)
            bits = words if size == 1 else words[::2].astype(np.uint64) | words[1::2].astype(np.uint64) << np.uint64(32)
            found = np.concatenate([found, bits[bits >= _skipped(limit, kind)] % kind(limit)])
        return found.astype(np.int64)


def _skipped(limit, kind):
    """The number of smallest values to reject, so that all remainders are equally likely."""
    if limit & (limit - 1) == 0:
        return kind(0)
    return kind(int(np.iinfo(kind).max) % limit + 1)


# ---- distributions


class Distribution:
    """A distribution over classes.

    Attributes:
        kind: its number in native/candidates.h.
        range_max: the number of classes.
        possible: the number of classes with a nonzero probability.
    """

    def __init__(self, range_max):
        self.range_max = self.possible = range_max

    def sample(self, state, count, unique):
        """(classes, number of draws) from the stream that starts at a state."""
        if native.random is None:
            return self._sample_slowly(Words(state), count, unique)
        classes = np.empty(count, np.int64)
        return classes, native.random.candidates(
            np.ascontiguousarray(state), self.kind, self.range_max, unique, classes, *self.tables())

    def _sample_slowly(self, words, count, unique):
        if not unique:
            return self.draw(words, count), count
        drawn = np.zeros(0, np.int64)
        while True:
            drawn = np.concatenate([drawn, self.draw(words, count + count // 2)])
            _, first = np.unique(drawn, return_index=True)
            if len(first) >= count:
                first = np.sort(first)[:count]
                return drawn[first], int(first[-1]) + 1

    def draw(self, words, count):
        """`count` classes, drawn in order from these words."""
        raise NotImplementedError

    def tables(self):
        """What the C extension draws from: two arrays, float32 and int64."""
        return b"", b""

    def probability(self, classes):
        """The probability of each class, as float32."""
        raise NotImplementedError

    def learn(self, classes):
        """Updates the distribution with the true classes of a step."""


class Uniform(Distribution):
    """The uniform distribution over classes."""

    kind = native_draws.UNIFORM

    def draw(self, words, count):
        return words.below(self.range_max, count, size=2)

    def probability(self, classes):
        return np.full(np.shape(classes), np.float32(1 / self.range_max))


class LogUniform(Distribution):
    """The log-uniform (Zipfian) distribution, for classes in descending order of frequency, such as words."""

    kind = native_draws.LOG_UNIFORM

    def draw(self, words, count):
        fraction = draws.unit(tuple(words.take(2 * count).reshape(-1, 2).T), np.float64)
        return (np.exp(fraction * np.log1p(self.range_max)).astype(np.int64) - 1) % self.range_max

    def probability(self, classes):
        ratio = (classes + 2.0) / (classes + 1.0)
        return (np.log(ratio) / np.log1p(self.range_max)).astype(np.float32)


class Weighted(Distribution):
    """Classes with given weights, drawn by Walker's alias method."""

    kind = native_draws.WEIGHTED

    def __init__(self, weights):
        super().__init__(len(weights))
        self.weights, self.possible = weights, int(np.count_nonzero(weights))
        total = np.float32(0)
        for weight in self.weights:
            total += weight  # sequentially in float32, as TensorFlow adds
        self._total = total
        self._share, self._other = _columns(self.weights)

    def draw(self, words, count):
        n = self.range_max
        pairs = words.take(2 * count).reshape(-1, 2)
        if (pairs[:, 1] < _skipped(n, np.uint32)).any():  # after a rejected number the pairs are different ones
            words.put_back(pairs.reshape(-1))
            pairs = np.array([[words.take(1)[0], words.below(n, 1)[0]] for _ in range(count)], np.int64)
        column = (pairs[:, 1] % n).astype(np.int64)
        fraction = draws.unit((pairs[:, 0].astype(np.uint32),), np.float32)
        return np.where(fraction < self._share[column], column, self._other[column])

    def tables(self):
        return self._share, self._other

    def probability(self, classes):
        known = (classes >= 0) & (classes < self.range_max)
        share = self.weights[np.where(known, classes, 0)] / self._total
        return np.where(known, share, np.float32(0)).astype(np.float32)


def _columns(weights):
    """Walker's alias tables: (probability of a column's own class, the column's other class)."""
    n = len(weights)
    height = (weights * np.float32(n)).astype(np.float64) / weights.sum(dtype=np.float64)
    other = np.arange(n)
    low, high = [i for i in range(n) if height[i] < 1], [i for i in range(n) if height[i] >= 1]
    share = height.copy()
    while low and high:
        small, large = low.pop(), high.pop()
        other[small] = large
        share[large] -= 1 - share[small]
        (low if share[large] < 1 else high).append(large)
    share[low + high] = 1
    return share.astype(np.float32), other


class Learned(Distribution):
    """The empirical distribution of the true classes so far, with an initial count of one each."""

    kind = native_draws.COUNTED

    def __init__(self, range_max):
        super().__init__(range_max)
        self._counts, self._sums = np.ones(range_max, np.int64), None

    def draw(self, words, count):
        _, sums = self.tables()
        return np.searchsorted(sums, words.below(int(sums[-1]), count), side="right")

    def tables(self):
        if self._sums is None:
            self._sums = np.cumsum(self._counts)
        return b"", self._sums

    def probability(self, classes):
        if ((classes < 0) | (classes >= self.range_max)).any():
            raise invalid(f"true_classes must be in [0, {self.range_max})")
        return self._counts[classes].astype(np.float32) / np.float32(self.tables()[1][-1])

    def learn(self, classes):
        np.add.at(self._counts, classes.reshape(-1), 1)
        self._sums = None


# ---- sampling


def _expected_counts(probability, count, draws):
    """The expected number of occurrences of a class of this probability among the samples."""
    if draws == count:
        return probability * np.float32(count)
    return -np.expm1(np.float32(draws) * np.log1p(-probability))


def _sampled(distribution, state, true_classes, num_sampled, unique):
    if unique and num_sampled > distribution.possible:
        raise invalid("there are fewer classes than different samples asked for.")
    classes, draws = distribution.sample(state, num_sampled, unique)
    # For so few numbers the cost is the call itself.
    probability = distribution.probability(np.concatenate([true_classes.reshape(-1), classes]))
    counts = _expected_counts(probability, num_sampled, draws)
    return classes, counts[:true_classes.size].reshape(true_classes.shape), counts[true_classes.size:]


def _check(true_classes, num_true):
    if np.ndim(true_classes) != 2:
        raise invalid("true_classes must be a matrix")
    if true_classes.shape[1] != num_true:
        raise invalid(f"true_classes must have num_true columns, expected: {true_classes.shape[1]} was: {num_true}")


def _shapes(true_classes, num_true, num_sampled):
    rows, _ = with_rank(true_classes, 2)
    return [(num_sampled,), (rows, num_true), (num_sampled,)]


def _line(name, more):
    return (f"{name}(true_classes: int64, *, num_true: int >= 1, num_sampled: int >= 1, unique: bool, {more}"
            "seed: int = 0, seed2: int = 0) -> sampled_candidates: int64, true_expected_count: float, "
            "sampled_expected_count: float")


def _sampler(name, distribution, doc, **traits):
    def run(rng, true_classes, num_true, num_sampled, unique, range_max):
        _check(true_classes, num_true)
        state = rng.take(_BLOCKS_PER_CLASS * num_sampled)
        if is_traced(state):
            return _sampled_in_program(state, true_classes, num_sampled, unique, range_max, distribution.kind)
        return _sampled(distribution(range_max), state, true_classes, num_sampled, unique)
    run.__doc__ = doc
    return op(_line(name, "range_max: int >= 1, "), stateful=True, on="host", shape=_shapes, grad=STOP, **traits)(run)


def _sampled_in_program(state, true_classes, num_sampled, unique, range_max, kind):
    """The same for the uniform and the log-uniform distribution in a compiled program."""
    if not native_draws.takes_candidates(num_sampled, range_max, unique):
        raise Uncompilable("candidates are drawn until there are enough")
    return native_draws.candidates(state, true_classes, num_sampled, range_max, unique, kind)


uniform_candidate_sampler = _sampler("UniformCandidateSampler", Uniform,
                                     "Samples classes from a uniform distribution.", may_compile=True)
log_uniform_candidate_sampler = _sampler("LogUniformCandidateSampler", LogUniform,
                                         "Samples classes from a log-uniform (Zipfian) distribution.",
                                         may_compile=True)


@op(_line("AllCandidateSampler", ""), stateful=True, on="host", shape=_shapes, grad=STOP)
def all_candidate_sampler(true_classes, num_true, num_sampled):
    """Returns all classes, in order."""
    _check(true_classes, num_true)
    return np.arange(num_sampled), np.ones(true_classes.shape, np.float32), np.ones(num_sampled, np.float32)


class KeptSampler:
    """A sampler with state: a distribution that is built once, or learned, and its random stream.

    Args:
        distribution: the distribution to draw from.
        seeds: the seeds of the stream.
    """

    def __init__(self, distribution, *seeds):
        self._lock = threading.Lock()
        self._state, self._distribution = philox.initial_state(*seeds), distribution

    def sample(self, true_classes, num_sampled, unique):
        with self._lock:
            state = self._state
            self._state = philox.advanced(np, state, _BLOCKS_PER_CLASS * num_sampled)
            result = _sampled(self._distribution, state, true_classes, num_sampled, unique)
            self._distribution.learn(true_classes)
        return result


def _learning_sampler(name):
    @op(_line(name, "range_max: int >= 1, "), stateful=True, on="host", shape=_shapes, grad=STOP)
    def run(shared, true_classes, num_true, num_sampled, unique, range_max, seed, seed2):
        """Samples classes from the empirical distribution of the true classes so far."""
        _check(true_classes, num_true)
        kept = shared(lambda: KeptSampler(Learned(range_max), seed, seed2))
        return kept.sample(true_classes, num_sampled, unique)
    return run


learned_unigram_candidate_sampler = _learning_sampler("LearnedUnigramCandidateSampler")
thread_unsafe_unigram_candidate_sampler = _learning_sampler("ThreadUnsafeUnigramCandidateSampler")


def _weights(attrs):
    """The weights of this shard's classes: none for reserved ids, then those of the file or the list."""
    file, listed, reserved = attrs["vocab_file"], attrs["unigrams"], attrs["num_reserved_ids"]
    if not file and not listed:
        raise invalid("the weights of classes are missing: give vocab_file or unigrams.")
    if file and listed:
        raise invalid("vocab_file and unigrams both give the weights of classes.")
    given = _file_weights(file) if file else list(listed)
    shards, shard = attrs["num_shards"], attrs["shard"]
    mine = [0.0 for number in range(reserved) if number % shards == shard]
    # A shard's ids start after its reserved ids, as TensorFlow counts.
    kept = [w for number, w in enumerate(given, len(mine)) if number % shards == shard]
    distorted = np.power(np.array(kept, np.float32), np.float32(attrs["distortion"]))
    weights = np.concatenate([np.array(mine, np.float32), distorted.astype(np.float32)])
    if len(weights) != attrs["range_max"]:
        raise invalid(f"range is {attrs['range_max']} must be equal to weights size {len(weights)}")
    return weights


def _file_weights(file):
    """The last comma-separated field of each line."""
    try:
        with open(file, encoding="utf-8") as opened:
            lines = opened.read().splitlines()
    except FileNotFoundError as error:
        raise errors.NotFoundError(None, None, f"{file}; {error.strerror}") from None
    weights = []
    for line in lines:
        try:
            weights.append(float(line.split(",")[-1]))
        except ValueError:
            raise invalid(f"Wrong vocabulary format at line: {line}") from None
    return weights


@op(_line("FixedUnigramCandidateSampler",
          "range_max: int >= 1, vocab_file: string = '', distortion: float = 1.0, num_reserved_ids: int = 0, "
          "num_shards: int >= 1 = 1, shard: int >= 0 = 0, unigrams: list(float) = [], "),
    stateful=True, on="host", shape=_shapes, grad=STOP, outside=lambda node: bool(node.attrs["vocab_file"]))
def fixed_unigram_candidate_sampler(shared, node, true_classes, num_true, num_sampled, unique, seed, seed2):
    """Samples classes from a distribution given by weights (unigram)."""
    _check(true_classes, num_true)
    kept = shared(lambda: KeptSampler(Weighted(_weights(node.attrs)), seed, seed2))
    return kept.sample(true_classes, num_sampled, unique)


SAMPLERS = (uniform_candidate_sampler, log_uniform_candidate_sampler, all_candidate_sampler,
            learned_unigram_candidate_sampler, thread_unsafe_unigram_candidate_sampler,
            fixed_unigram_candidate_sampler)


# ---- accidental hits


@op("ComputeAccidentalHits(true_classes: int64, sampled_candidates: int64, *, num_true: int, seed: int = 0, "
    "seed2: int = 0) -> indices: int32, ids: int64, weights: float", on="host", grad=STOP)
def compute_accidental_hits(true_classes, sampled_candidates, num_true):
    """The sampled classes that are true classes: row, index among the samples, and a weight that masks the logit."""
    if np.ndim(true_classes) != 2 or true_classes.shape[1] != num_true:
        raise invalid("true_candidates must be a batch_size * num_true matrix")
    if np.ndim(sampled_candidates) != 1:
        raise invalid("sampled_candidates is a vector, as samplers of candidates give it")
    if not len(sampled_candidates):
        return np.zeros(0, np.int32), np.zeros(0, np.int64), np.zeros(0, np.float32)
    order = np.argsort(sampled_candidates, kind="stable")
    ordered = sampled_candidates[order]
    # The last index of a class that was sampled several times.
    place = np.maximum(np.searchsorted(ordered, true_classes.reshape(-1), side="right") - 1, 0)
    hit = np.flatnonzero(ordered[place] == true_classes.reshape(-1))
    return hit // num_true, order[place[hit]], np.full(len(hit), -np.finfo(np.float32).max)


@compute_accidental_hits.shape
def _(true_classes, sampled_candidates):
    with_rank(true_classes, 2)
    with_rank(sampled_candidates, 1)
    return [(None,), (None,), (None,)]
