# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.sysconfig."""

from typing import NoReturn

CXX11_ABI_FLAG: int
MONOLITHIC_BUILD: int

def get_compile_flags() -> NoReturn:
    """What a compiler needs for TensorFlow's headers; evergraph has none, so this raises
    UnimplementedError."""

def get_include() -> NoReturn:
    """TensorFlow names the directory of its C++ headers here; evergraph has none, so this raises
    UnimplementedError."""

def get_lib() -> NoReturn:
    """TensorFlow names the directory of its library here; evergraph has none, so this raises
    UnimplementedError."""

def get_link_flags() -> NoReturn:
    """What a linker needs for TensorFlow's library; evergraph has none, so this raises
    UnimplementedError."""
