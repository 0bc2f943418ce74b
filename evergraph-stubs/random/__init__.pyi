# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.random."""

from evergraph import Tensor, random_gamma, random_normal, random_poisson, random_shuffle, random_uniform
from typing import Any
from evergraph.random import experimental as experimental

from evergraph.nn import all_candidate_sampler as all_candidate_sampler

def categorical(
    logits: Any, num_samples: Any, dtype: Any = None, seed: int | None = None, name: str | None = None,
) -> Tensor:
    """Draws class indices from categorical distributions, one per row: index j with probability
    softmax(logits)[j]."""

from evergraph.nn import fixed_unigram_candidate_sampler as fixed_unigram_candidate_sampler
gamma = random_gamma
from evergraph import get_seed as get_seed
from evergraph.nn import learned_unigram_candidate_sampler as learned_unigram_candidate_sampler
from evergraph.nn import log_uniform_candidate_sampler as log_uniform_candidate_sampler
from evergraph import multinomial as multinomial
normal = random_normal
poisson = random_poisson
from evergraph import set_random_seed as set_random_seed
shuffle = random_shuffle

def stateless_categorical(
    logits: Any, num_samples: Any, seed: Any, dtype: Any = ..., name: str | None = None,
) -> Tensor:
    """The same as `tf.random.categorical`, but a function of `seed`, two integers, alone."""

def stateless_multinomial(
    logits: Any, num_samples: Any, seed: Any, output_dtype: Any = ..., name: str | None = None,
) -> Tensor:
    """The same as `tf.multinomial`, but a function of `seed`, two integers, alone."""

def stateless_normal(
    shape: Any, seed: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = ..., name: str | None = None,
) -> Tensor:
    """The same as `tf.random_normal`, but a function of `seed`, two integers, alone."""

def stateless_truncated_normal(
    shape: Any, seed: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = ..., name: str | None = None,
) -> Tensor:
    """The same as `tf.truncated_normal`, but a function of `seed`, two integers, alone."""

def stateless_uniform(
    shape: Any, seed: Any, minval: Any = 0, maxval: Any = None, dtype: Any = ..., name: str | None = None,
) -> Tensor:
    """The same as `tf.random_uniform`, but a function of `seed` alone: equal seeds give equal numbers."""

from evergraph import truncated_normal as truncated_normal
uniform = random_uniform
from evergraph.nn import uniform_candidate_sampler as uniform_candidate_sampler
