# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.random."""

from evergraph import random_gamma, random_normal, random_shuffle, random_uniform, set_random_seed
from typing import Any
from evergraph.compat.v2.random import experimental as experimental

from evergraph.nn import all_candidate_sampler as all_candidate_sampler
from evergraph.random import categorical as categorical
from evergraph.nn import fixed_unigram_candidate_sampler as fixed_unigram_candidate_sampler
gamma = random_gamma
from evergraph.nn import learned_unigram_candidate_sampler as learned_unigram_candidate_sampler
from evergraph.nn import log_uniform_candidate_sampler as log_uniform_candidate_sampler
normal = random_normal

def poisson(shape: Any, lam: Any, dtype: Any = ..., seed: Any = None, name: str | None = None) -> Any:
    """Draws counts from Poisson distributions with the rates `lam`."""

set_seed = set_random_seed
shuffle = random_shuffle
from evergraph.random import stateless_categorical as stateless_categorical
from evergraph.random import stateless_normal as stateless_normal
from evergraph.random import stateless_truncated_normal as stateless_truncated_normal
from evergraph.random import stateless_uniform as stateless_uniform
from evergraph import truncated_normal as truncated_normal
uniform = random_uniform
from evergraph.nn import uniform_candidate_sampler as uniform_candidate_sampler
