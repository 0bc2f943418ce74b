# Written by `python -m evergraph.api.generate`; not edited by hand.
from evergraph import *
from evergraph import (
    __compiler_version__ as __compiler_version__, __git_version__ as __git_version__,
    __version__ as __version__,
)
