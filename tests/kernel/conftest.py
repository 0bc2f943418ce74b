"""What the tests of kernels find."""

import pytest

from evergraph.base.export import EXPORTS
from evergraph.graph.opdef import OpDef
from evergraph.graph.registry import REGISTRY


@pytest.fixture
def declare():
    """Declares an op for one test: `declare("Name(...) -> ...", kernel, **facets)`."""
    names = []

    def declared(line, kernel, **facets):
        opdef = OpDef(line, kernel, **facets)
        names.append(opdef.name)
        return opdef

    yield declared
    for name in names:
        del REGISTRY[name], EXPORTS[f"raw_ops.{name}"]
