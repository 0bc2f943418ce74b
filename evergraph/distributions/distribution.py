"""The base of distributions: shapes, samples, densities and statistics, in terms of the subclass's methods."""

from __future__ import annotations

import contextlib
import hashlib

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.distributions.divergence import kl_divergence
from evergraph.frontend.array import concat, expand_dims, get_static_value, shape
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.math import sqrt, square
from evergraph.frontend.reduce import reduce_prod
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.arrays.reshape import reshape
from evergraph.ops.math.elementwise import equal, exp, log, log1p


@export("distributions.ReparameterizationType", "contrib.distributions.ReparameterizationType")
class ReparameterizationType:
    """Whether samples are differentiable functions of the parameters."""

    def __init__(self, rep_type):
        self._rep_type = rep_type

    def __repr__(self):
        return f"<ReparameterizationType {self._rep_type}>"

    def __eq__(self, other):
        return self is other

    __hash__ = object.__hash__


FULLY_REPARAMETERIZED = ReparameterizationType("FULLY_REPARAMETERIZED")
NOT_REPARAMETERIZED = ReparameterizationType("NOT_REPARAMETERIZED")


def public(name):
    """The public names of a distribution, in tf.distributions and tf.contrib.distributions."""
    return f"distributions.{name}", f"contrib.distributions.{name}"


export(*public("FULLY_REPARAMETERIZED"))(FULLY_REPARAMETERIZED)
export(*public("NOT_REPARAMETERIZED"))(NOT_REPARAMETERIZED)


@export(*public("Distribution"))
class Distribution:
    """A batch of probability distributions of one family.

    A subclass defines some of `_sample_n(n, seed)`, `_log_prob(value)` or `_prob`, `_log_cdf` or `_cdf`,
    `_survival_function`, `_quantile`, `_entropy`, `_mean`, `_mode`, `_variance` or `_stddev`, `_covariance`, and
    `_batch_shape`, `_batch_shape_tensor`, `_event_shape`, `_event_shape_tensor`. The public methods add scopes and
    conversions, and derive the quantities that the subclass does not define.

    Args:
        dtype: of samples.
        reparameterization_type: whether gradients flow through samples, such as
            `tf.distributions.FULLY_REPARAMETERIZED`.
        validate_args: whether parameters are checked when the graph runs.
        allow_nan_stats: whether statistics that are not defined are NaN, and no error.
        parameters: the arguments by which `copy` makes another one.
        graph_parents: the tensors that it depends on.
        name: the name scope of its operations.
    """

    def __init__(self, dtype, reparameterization_type, validate_args, allow_nan_stats, parameters=None,
                 graph_parents=None, name=None):  # fmt: skip
        self._dtype = dtypes.as_dtype(dtype)
        self._reparameterization_type = reparameterization_type
        self._validate_args, self._allow_nan_stats = validate_args, allow_nan_stats
        self._parameters = {} if parameters is None else {
            key: value for key, value in parameters.items() if key != "self" and not key.startswith("__")
        }  # fmt: skip
        self._graph_parents = [] if graph_parents is None else list(graph_parents)
        self._name = name if name and name.endswith("/") else _opened(name or type(self).__name__)

    dtype = property(lambda self: self._dtype, doc="The dtype of samples.")
    name = property(lambda self: self._name, doc="The name that operations get before theirs.")
    validate_args = property(lambda self: self._validate_args, doc="Whether parameters and values are checked.")
    allow_nan_stats = property(lambda self: self._allow_nan_stats, doc="Whether undefined statistics are NaN.")
    reparameterization_type = property(lambda self: self._reparameterization_type,
                                       doc="Whether samples can be differentiated.")  # fmt: skip

    @property
    def parameters(self):
        """The constructor's arguments."""
        return dict(self._parameters)

    def copy(self, **override_parameters_kwargs):
        """A distribution of this class with some arguments changed."""
        return type(self)(**{**self._parameters, **override_parameters_kwargs})

    @classmethod
    def param_shapes(cls, sample_shape, name="DistributionParamShapes"):
        """The parameters' shapes for a given sample shape: name -> int32 tensor."""
        with name_scope(name, values=[sample_shape]):
            return cls._param_shapes(sample_shape)

    @classmethod
    def param_static_shapes(cls, sample_shape):
        """`param_shapes` for a static shape: name -> TensorShape."""
        shapes = cls._param_shapes(TensorShape(sample_shape).as_list())
        return {name: TensorShape(get_static_value(value).tolist()) for name, value in shapes.items()}

    @classmethod
    def _param_shapes(cls, sample_shape):
        raise NotImplementedError(f"{cls.__name__} does not say what shapes its parameters have")

    # Shapes ----------------------------------------------------------------------------------------------------------

    @property
    def batch_shape(self):
        """The static shape of the batch of distributions."""
        return TensorShape(self._batch_shape())

    @property
    def event_shape(self):
        """The static shape of one sample of one distribution."""
        return TensorShape(self._event_shape())

    def batch_shape_tensor(self, name="batch_shape_tensor"):
        """batch_shape as an int32 tensor."""
        return self._shape_tensor(self.batch_shape, self._batch_shape_tensor, name)

    def event_shape_tensor(self, name="event_shape_tensor"):
        """event_shape as an int32 tensor."""
        return self._shape_tensor(self.event_shape, self._event_shape_tensor, name)

    def _shape_tensor(self, static, dynamic, name):
        with self._scope(name):
            if static.is_fully_defined():
                return convert_to_tensor(static.as_list(), dtypes.int32, name="shape")
            return dynamic()

    def is_scalar_event(self, name="is_scalar_event"):
        """Whether a sample is a scalar: a bool tensor."""
        with self._scope(name):
            return convert_to_tensor(self._is_scalar_helper(self.event_shape, self._event_shape_tensor))

    def is_scalar_batch(self, name="is_scalar_batch"):
        """Whether there is only one distribution: a bool tensor."""
        with self._scope(name):
            return convert_to_tensor(self._is_scalar_helper(self.batch_shape, self._batch_shape_tensor))

    @staticmethod
    def _is_scalar_helper(static_shape, dynamic_shape_tensor_fn):
        """Whether a shape has no axes, as a bool where that is known: `dynamic_shape_tensor_fn()` is the shape."""
        if static_shape.ndims is not None:
            return static_shape.ndims == 0
        sizes = dynamic_shape_tensor_fn()
        if sizes.shape.ndims is not None and sizes.shape.as_list()[0] is not None:
            return sizes.shape.as_list()[0] == 0
        return equal(shape(sizes)[0], 0)

    def _batch_shape(self):
        return None

    def _event_shape(self):
        return None

    def _batch_shape_tensor(self):
        raise self._lacks("batch_shape_tensor")

    def _event_shape_tensor(self):
        raise self._lacks("event_shape_tensor")

    # Samples ---------------------------------------------------------------------------------------------------------

    def sample(self, sample_shape=(), seed=None, name="sample"):
        """Random samples of shape sample_shape + batch_shape + event_shape."""
        return self._call_sample_n(sample_shape, seed, name)

    def _call_sample_n(self, sample_shape, seed, name, **kwargs):
        """`sample`, with further arguments for `_sample_n`."""
        with self._scope(name, sample_shape):
            wanted = self._sizes(sample_shape)
            drawn = self._sample_n(reduce_prod(wanted), seed, **kwargs)
            drawn = reshape(drawn, concat([wanted, shape(drawn)[1:]], 0))
            return self._set_sample_static_shape(drawn, wanted)

    @staticmethod
    def _sizes(sample_shape):
        """A sample shape, which may be a number, as a vector."""
        empty = isinstance(sample_shape, (tuple, list)) and not sample_shape
        sizes = convert_to_tensor(np.zeros(0, np.int32) if empty else sample_shape, dtypes.int32, name="sample_shape")
        if sizes.shape.ndims is None:
            return reshape(sizes, [-1])
        return expand_dims(sizes, 0) if sizes.shape.ndims == 0 else sizes

    def _set_sample_static_shape(self, x, sample_shape):
        """Gives x the static shape that samples have for a sample shape, a tensor."""
        known = get_static_value(sample_shape)
        if known is not None:
            outer = TensorShape(known.tolist())
            x.set_shape(outer.concatenate(self.batch_shape).concatenate(self.event_shape))
        return x

    def _sample_n(self, n, seed=None):
        raise self._lacks("sample")

    # Densities -------------------------------------------------------------------------------------------------------

    def log_prob(self, value, name="log_prob"):
        """The log of the probability density (or mass) at `value`."""
        return self._of_value("log_prob", value, name)

    def prob(self, value, name="prob"):
        """The probability density (or mass) at `value`."""
        return self._of_value("prob", value, name)

    def log_cdf(self, value, name="log_cdf"):
        """The log of the cumulative distribution function: log P(X <= value)."""
        return self._of_value("log_cdf", value, name)

    def cdf(self, value, name="cdf"):
        """The cumulative distribution function: P(X <= value)."""
        return self._of_value("cdf", value, name)

    def log_survival_function(self, value, name="log_survival_function"):
        """The log of the survival function: log P(X > value)."""
        return self._of_value("log_survival_function", value, name)

    def survival_function(self, value, name="survival_function"):
        """The survival function: P(X > value)."""
        return self._of_value("survival_function", value, name)

    def quantile(self, value, name="quantile"):
        """The quantile function (inverse cdf): the x with cdf(x) = value."""
        return self._of_value("quantile", value, name)

    def _of_value(self, what, value, name, **kwargs):
        """A density, by the first of its WAYS that the subclass defines; `kwargs` are for the subclass's method."""
        with self._scope(name, value):
            value = convert_to_tensor(value, preferred_dtype=self.dtype, name="value")
            return self._first_of(what, (value,), kwargs)

    def _first_of(self, what, args, kwargs):
        refusal = None
        for method, then in WAYS[what]:
            if hasattr(self, method):
                try:
                    result = getattr(self, method)(*args, **kwargs)
                except NotImplementedError as error:
                    refusal = refusal or error
                    continue
                return result if then is None else then(result)
        raise refusal or self._lacks(what)

    # Statistics ------------------------------------------------------------------------------------------------------

    def entropy(self, name="entropy"):
        """The Shannon entropy -E[log p(x)], in nats."""
        return self._statistic("entropy", name)

    def mean(self, name="mean"):
        """The mean E[x]."""
        return self._statistic("mean", name)

    def mode(self, name="mode"):
        """The mode: the x of the largest density."""
        return self._statistic("mode", name)

    def variance(self, name="variance"):
        """The variance E[(x - E[x])^2]."""
        return self._statistic("variance", name)

    def stddev(self, name="stddev"):
        """The standard deviation: the square root of the variance."""
        return self._statistic("stddev", name)

    def covariance(self, name="covariance"):
        """The covariance matrix E[(x_i - E[x_i])(x_j - E[x_j])] of vector samples."""
        return self._statistic("covariance", name)

    def _statistic(self, what, name, **kwargs):
        with self._scope(name):
            return self._first_of(what, (), kwargs)

    def cross_entropy(self, other, name="cross_entropy"):
        """The cross entropy -E[log q(x)] of this distribution with another, q."""
        with self._scope(name):
            return self.entropy() + kl_divergence(self, other, allow_nan_stats=self._allow_nan_stats)

    def kl_divergence(self, other, name="kl_divergence"):
        """The Kullback-Leibler divergence E[log p(x) - log q(x)] of this distribution p from another, q."""
        with self._scope(name):
            return kl_divergence(self, other, allow_nan_stats=self._allow_nan_stats)

    # -----------------------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _scope(self, name, *values):
        with name_scope(self.name), name_scope(name, values=[*values, *self._graph_parents]) as scope:
            yield scope

    def _lacks(self, what):
        return NotImplementedError(f"{type(self).__name__} has no {what}: it is not implemented")

    # The text names the library in which distributions live on, as TensorFlow 1.15's does.

    def __str__(self):
        sizes = [f"{name}={static}" for name, static in self._static_shapes() if static.ndims is not None]
        return f"tfp.distributions.{type(self).__name__}({', '.join([self._quoted, *sizes, self._dtype_word])})"

    def __repr__(self):
        sizes = [f"{name}={'<unknown>' if static.ndims is None else static}" for name, static in self._static_shapes()]
        return f"<tfp.distributions.{type(self).__name__} {' '.join([repr(self.name), *sizes, self._dtype_word])}>"

    def _static_shapes(self):
        return ("batch_shape", self.batch_shape), ("event_shape", self.event_shape)

    _quoted = property(lambda self: f'"{self.name}"')
    _dtype_word = property(lambda self: f"dtype={self.dtype.name}")


WAYS = {
    "log_prob": [("_log_prob", None), ("_prob", log)],
    "prob": [("_prob", None), ("_log_prob", exp)],
    "log_cdf": [("_log_cdf", None), ("_cdf", log)],
    "cdf": [("_cdf", None), ("_log_cdf", exp)],
    "log_survival_function": [
        ("_log_survival_function", None), ("_survival_function", log), ("_cdf", lambda p: log1p(-p)),
        ("_log_cdf", lambda p: log1p(-exp(p)))],
    "survival_function": [
        ("_survival_function", None), ("_log_survival_function", exp), ("_cdf", lambda p: 1.0 - p),
        ("_log_cdf", lambda p: 1.0 - exp(p))],
    "quantile": [("_quantile", None)],
    "entropy": [("_entropy", None)],
    "mean": [("_mean", None)],
    "mode": [("_mode", None)],
    "variance": [("_variance", None), ("_stddev", square)],
    "stddev": [("_stddev", None), ("_variance", sqrt)],
    "covariance": [("_covariance", None)],
}  # fmt: skip
"""public method -> the methods of subclasses that may compute it, the best first, and what is done to their results."""


def _opened(name):
    """The name of a new scope, by which it can be re-entered."""
    with name_scope(name) as scope:
        return scope


def salted(seed, salt):
    """A derived seed for a second stream: the first 31 bits of the MD5 hash of both."""
    if seed is None:
        return None
    return int(hashlib.md5((str(seed) + salt).encode("utf-8")).hexdigest()[:8], 16) & 0x7FFFFFFF
