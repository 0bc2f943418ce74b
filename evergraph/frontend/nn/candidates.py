"""Candidate samplers: which classes a model with very many of them is trained against."""
from __future__ import annotations

import os

from evergraph.base.export import export
from evergraph.frontend.random import get_seed
from evergraph.ops.nn import candidates as ops

_ARGUMENTS = """

    Args:
        true_classes: int64 [batch_size, num_true]: the classes that are right.
        num_true: how many are right for each example.
        num_sampled: how many classes to draw.
        unique: whether they are all different.
        {}seed: makes the draws the same in every run.
        name: a name for the operation.

    Returns:
        (the classes drawn, how often each true class is expected among them, how often each class drawn is)
    """


def _seeds(seed):
    return dict(zip(("seed", "seed2"), (0 if s is None else s for s in get_seed(seed))))


def _sampler(public, opdef, what):
    def function(true_classes, num_true, num_sampled, unique, range_max, seed=None, name=None):
        return opdef(true_classes, num_true=num_true, num_sampled=num_sampled, unique=unique, range_max=range_max,
                     **_seeds(seed), name=name)
    function.__name__ = function.__qualname__ = public
    function.__doc__ = what + _ARGUMENTS.format("range_max: how many classes there are.\n        ")
    return export(f"nn.{public}", f"random.{public}")(function)


uniform_candidate_sampler = _sampler("uniform_candidate_sampler", ops.uniform_candidate_sampler,
                                     "Draws classes that are all equally likely.")
log_uniform_candidate_sampler = _sampler(
    "log_uniform_candidate_sampler", ops.log_uniform_candidate_sampler,
    "Draws classes that stand in order of how often they occur, as in a vocabulary sorted by frequency.")
learned_unigram_candidate_sampler = _sampler(
    "learned_unigram_candidate_sampler", ops.learned_unigram_candidate_sampler,
    "Draws classes as often as they were among the true classes of the steps before.")


@export("nn.fixed_unigram_candidate_sampler", "random.fixed_unigram_candidate_sampler")
def fixed_unigram_candidate_sampler(true_classes, num_true, num_sampled, unique, range_max, vocab_file="",
                                    distortion=1.0, num_reserved_ids=0, num_shards=1, shard=0, unigrams=(), seed=None,
                                    name=None):
    """Draws classes as often as given weights say.

    Args:
        true_classes: int64 [batch_size, num_true]: the classes that are right.
        num_true: how many are right for each example.
        num_sampled: how many classes to draw.
        unique: whether they are all different.
        range_max: how many classes there are.
        vocab_file: a file with a line for each class, whose last comma separated field is the weight.
        distortion: the power that weights are raised to.
        num_reserved_ids: how many classes at the start are never drawn, and have no weight in file or list.
        num_shards: of how many parts of the classes this is one.
        shard: which part this is.
        unigrams: the weights, in place of a file.
        seed: makes the draws the same in every run.
        name: a name for the operation.

    Returns:
        (the classes drawn, how often each true class is expected among them, how often each class drawn is)
    """
    return ops.fixed_unigram_candidate_sampler(
        true_classes, num_true=num_true, num_sampled=num_sampled, unique=unique, range_max=range_max,
        vocab_file=os.fspath(vocab_file), distortion=distortion, num_reserved_ids=num_reserved_ids,
        num_shards=num_shards, shard=shard, unigrams=list(unigrams), **_seeds(seed), name=name)


@export("nn.all_candidate_sampler", "random.all_candidate_sampler")
def all_candidate_sampler(true_classes, num_true, num_sampled, unique, seed=None, name=None):
    return ops.all_candidate_sampler(true_classes, num_true=num_true, num_sampled=num_sampled, unique=unique,
                                     **_seeds(seed), name=name)


all_candidate_sampler.__doc__ = "Gives all classes, in order: for comparing with samplers." + _ARGUMENTS.format("")


@export("nn.compute_accidental_hits")
def compute_accidental_hits(true_classes, sampled_candidates, num_true, seed=None, name=None):
    """Where a true class was sampled, too.

    Args:
        true_classes: int64 [batch_size, num_true]: the classes that are right.
        sampled_candidates: int64: the classes that a sampler drew.
        num_true: how many are right for each example.
        seed: has no meaning: nothing is drawn.
        name: a name for the operation.

    Returns:
        (the row of each hit, its place among the sampled classes, -FLT_MAX for each: added to a logit, it takes the
        class out)
    """
    return ops.compute_accidental_hits(true_classes, sampled_candidates, num_true=num_true, **_seeds(seed), name=name)
