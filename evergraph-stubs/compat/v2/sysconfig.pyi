# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.sysconfig."""

CXX11_ABI_FLAG: int
MONOLITHIC_BUILD: int
from evergraph.sysconfig import get_compile_flags as get_compile_flags
from evergraph.sysconfig import get_include as get_include
from evergraph.sysconfig import get_lib as get_lib
from evergraph.sysconfig import get_link_flags as get_link_flags
