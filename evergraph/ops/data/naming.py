"""Dataset ops that TensorFlow has under two names: one of them begins with "Experimental"."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from evergraph.graph.opdef import OpDef
from evergraph.ops.data.pipeline import LATER, dataset_op


def two_names(line: str, later: Mapping[str, Any] = LATER, later_of_experimental: Mapping[str, Any] | None = None,
              **facets: Any) -> Callable[[Callable[..., Any]], OpDef]:
    """Declares a dataset op under its name and with "Experimental" in front of it; the result is the former.

    Args:
        line: the signature under the shorter name.
        later: the attrs that it has got later.
        later_of_experimental: those that its namesake has got; none unless given.
    """
    def declare(kernel: Callable[..., Any]) -> OpDef:
        dataset_op(f"Experimental{line}", later_of_experimental or {}, **facets)(kernel)
        return dataset_op(line, later, **facets)(kernel)
    return declare
