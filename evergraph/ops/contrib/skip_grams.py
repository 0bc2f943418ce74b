"""SkipGramGenerateCandidates: pairs of neighbouring tokens (Mikolov et al., 2013)."""

from __future__ import annotations

import numpy as np

from evergraph.base.errors import invalid
from evergraph.graph.opdef import op
from evergraph.graph.shaping import require_rank
from evergraph.kernel.philox import runs


def _shapes(input_tensor, min_skips, max_skips, start, limit, emit_self_as_target):
    require_rank(input_tensor, 1)
    for each in (min_skips, max_skips, start, limit, emit_self_as_target):
        require_rank(each, 0)
    return [(None,), (None,)]


@op("SkipGramGenerateCandidates(input_tensor: T, min_skips: int32, max_skips: int32, start: int32, limit: int32, "
    "emit_self_as_target: bool, *, T: type, seed: int = 0, seed2: int = 0) -> tokens: T, labels: T", shape=_shapes,
    on="host", stateful=True)
def skip_gram_generate_candidates(rng, input_tensor, min_skips, max_skips, start, limit, emit_self_as_target):
    """Every token with those before and after it, up to a random distance."""
    least, most = int(min_skips), int(max_skips)
    if least < 0 or most < 0:
        raise invalid(f"min_skips and max_skips must not be negative, but are {least} and {most}")
    if least > most:
        raise invalid(f"min_skips must not be above max_skips, but they are {least} and {most}")
    begin = max(int(start), 0)
    end = len(input_tensor) if limit < 0 else min(begin + int(limit), len(input_tensor))
    count = max(end - begin, 0)
    reach = np.full(count, least)
    if most > least and count:
        words = runs(np, rng.take(-(-count // 4)), count, 1)[0]
        reach = least + (words % np.uint32(most - least + 1)).astype(np.int64)
    pairs = [(at, other) for at, far in zip(range(begin, end), reach)
             for other in range(max(at - far, begin), min(at + far + 1, end))
             if other != at or emit_self_as_target]
    places = np.array(pairs, np.int64).reshape(-1, 2)
    return input_tensor[places[:, 0]], input_tensor[places[:, 1]]
