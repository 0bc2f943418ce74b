"""Bernoulli, Categorical, Multinomial and DirichletMultinomial."""

from __future__ import annotations

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.distributions.distribution import NOT_REPARAMETERIZED, Distribution, public, salted
from evergraph.distributions.divergence import RegisterKL
from evergraph.distributions.parameters import Scalars, odds, own, parameter, rows, same_shapes
from evergraph.frontend.array import concat, expand_dims, identity, ones_like, shape, transpose, zeros_like
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.checks import assert_equal, assert_less_equal, assert_non_negative
from evergraph.frontend.functional import map_fn
from evergraph.frontend.indexing import one_hot, where
from evergraph.frontend.math import cast, lbeta
from evergraph.frontend.math import range as numbers
from evergraph.frontend.nn.activations import log_softmax, softmax
from evergraph.frontend.nn.cross_entropy import (
    sigmoid_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
)
from evergraph.frontend.ordering import matrix_set_diag
from evergraph.frontend.random import multinomial, random_gamma, random_uniform
from evergraph.frontend.reduce import argmax, reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.arrays.basic import broadcast_to
from evergraph.ops.arrays.reshape import reshape
from evergraph.ops.math.elementwise import floor, greater, less, log, sigmoid
from evergraph.ops.math.special import lgamma
from evergraph.ops.nn.activations import softplus


@export(*public("Bernoulli"))
class Bernoulli(Scalars):
    """The Bernoulli distribution: 1 with probability `probs`, else 0."""

    def __init__(self, logits=None, probs=None, dtype=dtypes.int32, validate_args=False, allow_nan_stats=True,
                 name="Bernoulli"):  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[logits, probs]) as scope:
            self._logits, self._probs = odds(logits, probs, validate_args, several=False)
        super().__init__(dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, own(parameters),
                         [self._logits, self._probs], scope)  # fmt: skip

    logits = property(lambda self: self._logits, doc="The log of the odds of a 1.")
    probs = property(lambda self: self._probs, doc="The probability of a 1.")
    _param_shapes = same_shapes("logits")

    def _sample_n(self, n, seed=None):
        drawn = random_uniform(rows(n, self), seed=seed, dtype=self._probs.dtype)
        return cast(less(drawn, self._probs), self.dtype)

    def _log_prob(self, event):
        if self.validate_args:
            at_most_one = assert_less_equal(event, ones_like(event), message="Elements cannot exceed 1: 0 or 1")
            with control_dependencies([assert_non_negative(event, message="events must be non-negative: 0 or 1"),
                                       at_most_one]):
                event = identity(event)
        event = cast(event, self._logits.dtype) + zeros_like(self._logits)
        return -sigmoid_cross_entropy_with_logits(labels=event, logits=self._logits + zeros_like(event))

    def _entropy(self):
        return -self._logits * (sigmoid(self._logits) - 1.0) + softplus(-self._logits)

    def _mean(self):
        return identity(self._probs)

    def _variance(self):
        return self._mean() * (1.0 - self._probs)

    def _mode(self):
        return cast(greater(self._probs, 0.5), self.dtype)


@export("contrib.distributions.BernoulliWithSigmoidProbs")
class BernoulliWithSigmoidProbs(Bernoulli):
    """The Bernoulli distribution with probability sigmoid(logits)."""

    def __init__(self, logits=None, dtype=dtypes.int32, validate_args=False, allow_nan_stats=True,
                 name="BernoulliWithSigmoidProbs"):  # fmt: skip
        parameters = dict(locals())
        with name_scope(name) as scope:
            super().__init__(probs=sigmoid(logits, name="sigmoid_probs"), dtype=dtype, validate_args=validate_args,
                             allow_nan_stats=allow_nan_stats, name=scope)  # fmt: skip
        self._parameters = own(parameters)


@RegisterKL(Bernoulli, Bernoulli)
def _bernoulli_from_bernoulli(a, b, name=None):
    with name_scope(name, "kl_bernoulli_bernoulli", [a.logits, b.logits]):
        ones = softplus(-b.logits) - softplus(-a.logits)
        zeros = softplus(b.logits) - softplus(a.logits)
        return sigmoid(a.logits) * ones + sigmoid(-a.logits) * zeros


@export(*public("Categorical"))
class Categorical(Distribution):
    """The categorical distribution over class numbers, with probabilities in the last axis.

    >>> policy = tf.distributions.Categorical(logits=tf.zeros([1, 4]))
    >>> action = policy.sample()
    >>> loss = -policy.log_prob(action) * reward
    """

    def __init__(self, logits=None, probs=None, dtype=dtypes.int32, validate_args=False, allow_nan_stats=True,
                 name="Categorical"):  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[logits, probs]) as scope:
            self._logits, self._probs = odds(logits, probs, validate_args, several=True)
            self._classes = shape(self._logits, name="logits_shape")[-1]
        super().__init__(dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, own(parameters),
                         [self._logits, self._probs], scope)  # fmt: skip

    logits = property(lambda self: self._logits, doc="The log of the probabilities, but for a constant.")
    probs = property(lambda self: self._probs, doc="The probabilities.")
    event_size = property(lambda self: self._classes, doc="The number of classes.")
    _param_shapes = same_shapes("logits")

    def _batch_shape(self):
        return self._logits.shape[:-1]

    def _batch_shape_tensor(self):
        return shape(self._logits)[:-1]

    def _event_shape(self):
        return TensorShape([])

    def _event_shape_tensor(self):
        return convert_to_tensor([], dtypes.int32)

    def _sample_n(self, n, seed=None):
        table = reshape(self._logits, [-1, self._classes])
        drawn = multinomial(table, n, seed=seed, output_dtype=dtypes.int64 if self.dtype.size > 4 else dtypes.int32)
        return cast(reshape(transpose(drawn), rows(n, self)), self.dtype)

    def _together(self, k):
        """(class numbers, logits), broadcast to one shape except for the classes."""
        k = cast(k, dtypes.int64 if self.dtype.size > 4 else dtypes.int32)
        logits = self._logits + expand_dims(zeros_like(k, dtype=self._logits.dtype), -1)
        return k + zeros_like(logits[..., 0], dtype=k.dtype), logits

    def _log_prob(self, k):
        k, logits = self._together(k)
        return -sparse_softmax_cross_entropy_with_logits(labels=k, logits=logits)

    def _cdf(self, k):
        k, logits = self._together(k)
        # As in TensorFlow, the cdf excludes class k itself.
        reached = less(numbers(self._classes, dtype=k.dtype), expand_dims(k, -1))
        chances = softmax(logits)
        return reduce_sum(where(reached, chances, zeros_like(chances)), -1)

    def _entropy(self):
        logs = log_softmax(self._logits)
        return -reduce_sum(where(greater(self._probs, 0.0), softmax(self._logits) * logs, zeros_like(logs)), -1)

    def _mode(self):
        return cast(argmax(self._logits, axis=-1), self.dtype)


@RegisterKL(Categorical, Categorical)
def _categorical_from_categorical(a, b, name=None):
    with name_scope(name, "kl_categorical_categorical", [a.logits, b.logits]):
        return reduce_sum(softmax(a.logits) * (log_softmax(a.logits) - log_softmax(b.logits)), -1)


class _CountDistribution(Distribution):
    """Distributions over counts of classes in `total_count` draws."""

    total_count = property(lambda self: self._total_count, doc="The number of draws.")

    def _batch_shape(self):
        return self._mean_now.shape[:-1]

    def _batch_shape_tensor(self):
        return shape(self._mean_now)[:-1]

    def _event_shape(self):
        return self._mean_now.shape[-1:]

    def _event_shape_tensor(self):
        return shape(self._mean_now)[-1:]

    def _mean(self):
        return identity(self._mean_now)

    def _checked(self, counts):
        if not self.validate_args:
            return counts
        whole = assert_equal(self._total_count, reduce_sum(counts, -1), message="counts must sum to `self.total_count`")
        even = assert_equal(counts, floor(counts), message="counts cannot contain fractional components")
        with control_dependencies([assert_non_negative(counts), whole, even]):
            return identity(counts)

    def _orders(self, counts):
        """The log of the multinomial coefficient of these counts."""
        return lgamma(self._total_count + 1.0) - reduce_sum(lgamma(counts + 1.0), -1)

    def _given(self, total_count, validate_args, like):
        if isinstance(total_count, (int, float)):
            total_count = convert_to_tensor(total_count, like.dtype)
        total_count = parameter(total_count, "total_count")
        if not validate_args:
            return total_count
        with control_dependencies([assert_non_negative(total_count)]):
            return identity(total_count)


@export(*public("Multinomial"))
class Multinomial(_CountDistribution):
    """The multinomial distribution: counts of each class in `total_count` draws with probabilities `probs`."""

    def __init__(self, total_count, logits=None, probs=None, validate_args=False, allow_nan_stats=True,
                 name="Multinomial"):  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[total_count, logits, probs]) as scope:
            self._logits, self._probs = odds(logits, probs, validate_args, several=True)
            self._total_count = self._given(total_count, validate_args, self._probs)
            self._mean_now = expand_dims(self._total_count, -1) * self._probs
        super().__init__(self._probs.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, own(parameters),
                         [self._total_count, self._logits, self._probs], scope)  # fmt: skip

    logits = property(lambda self: self._logits, doc="The log of the probabilities, but for a constant.")
    probs = property(lambda self: self._probs, doc="The probabilities of the classes.")

    def _sample_n(self, n, seed=None):
        counts = reshape(broadcast_to(cast(self._total_count, dtypes.int32), self.batch_shape_tensor()), [-1])
        classes = self.event_shape_tensor()[0]
        table = reshape(self._logits + zeros_like(self._mean_now), [-1, classes])

        def draw(row):
            logits, count = row
            drawn = reshape(multinomial(expand_dims(logits, 0), count * n, seed=seed), [n, count])
            return reduce_sum(one_hot(drawn, classes), -2)

        drawn = map_fn(draw, [table, counts], dtype=dtypes.float32)
        return reshape(cast(transpose(drawn, [1, 0, 2]), self.dtype), concat([rows(n, self), [classes]], 0))

    def _log_prob(self, counts):
        counts = self._checked(counts)
        return self._orders(counts) + reduce_sum(counts * log_softmax(self._logits), -1)

    def _variance(self):
        return self._mean_now - self._mean_now * self._probs

    def _covariance(self):
        probs = self._probs * ones_like(self._mean_now)
        products = -expand_dims(self._mean_now, -1) * expand_dims(probs, -2)
        return matrix_set_diag(products, self._variance())


@export(*public("DirichletMultinomial"))
class DirichletMultinomial(_CountDistribution):
    """The Dirichlet-multinomial distribution: a multinomial whose probabilities have a Dirichlet distribution.

    Args:
        total_count: how many draws a sample counts.
        concentration: of the Dirichlet distribution, one number a class.
        validate_args: whether parameters are checked when the graph runs.
        allow_nan_stats: whether statistics that are not defined are NaN, and no error.
    """

    def __init__(self, total_count, concentration, validate_args=False, allow_nan_stats=True,
                 name="DirichletMultinomial"):  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[total_count, concentration]) as scope:
            self._concentration = parameter(concentration, "concentration", validate_args)
            self._total_count = self._given(total_count, validate_args, self._concentration)
            self._total = reduce_sum(self._concentration, -1)
            self._mean_now = self._concentration * (self._count_of_row() / expand_dims(self._total, -1))
        super().__init__(self._concentration.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats,
                         own(parameters), [self._total_count, self._concentration], scope)  # fmt: skip

    concentration = property(lambda self: self._concentration, doc="That of the Dirichlet distribution.")
    total_concentration = property(lambda self: self._total, doc="The sum of the concentration.")

    def _sample_n(self, n, seed=None):
        draws, classes = cast(self._total_count, dtypes.int32), self.event_shape_tensor()[0]
        chances = random_gamma([n], alpha=self._concentration + zeros_like(self._mean_now), dtype=self.dtype, seed=seed)
        table = reshape(log(chances), [-1, classes])
        drawn = multinomial(table, draws, seed=salted(seed, "dirichlet_multinomial"))
        counts = reduce_sum(one_hot(drawn, classes, dtype=self.dtype), -2)
        return reshape(counts, concat([rows(n, self), [classes]], 0))

    def _log_prob(self, counts):
        counts = self._checked(counts)
        return (lbeta(self._concentration + counts) - lbeta(self._concentration)) + self._orders(counts)

    def _stretch(self):
        """The factor by which the variance exceeds that of the multinomial."""
        total = expand_dims(self._total, -1)
        return (self._count_of_row() + total) / (1.0 + total)

    def _count_of_row(self):
        """The number of draws with an axis of the classes, which it may have already: of size 1, as in TensorFlow."""
        given, rank = self._total_count, self._concentration.shape.ndims
        has_classes = rank is not None and given.shape.ndims == rank and given.shape.as_list()[-1] == 1
        return given if has_classes else expand_dims(given, -1)

    def _variance(self):
        share = self._concentration / expand_dims(self._total, -1)
        return self._mean_now * (1.0 - share) * self._stretch()

    def _covariance(self):
        share = self._concentration / expand_dims(self._total, -1)
        products = -expand_dims(self._mean_now * self._stretch(), -1) * expand_dims(share, -2)
        return matrix_set_diag(products, self._variance())
