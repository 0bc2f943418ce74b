"""Inner loops in C, for those who have them: built where a compiler was found at install, and never needed.

`native.lines` is the module `_lines`, which is loaded when someone first asks for it: None without a compiler, on a
platform for which there is no build, or with EVERGRAPH_NATIVE=0 in the environment. A folder in EVERGRAPH_NATIVE is
where the modules are loaded from instead (`hatch_build.py` says how they get there).

`cells`, `expressions`, `files`, `images`, `jpeg`, `lists`, `loops`, `messages`, `pairs`, `random`, `sparse`, `steps`,
`strings`, `tape`, `text` and `unicode` are called from Python, the others from XLA's programs, and some of them on
NumPy arrays too (`kernel/foreign.py`). All that the former do is done in Python as well, with the same results; `jpeg`
also needs libjpeg, whose pixels differ a little from those of Pillow. What the latter do is done by operations of XLA
and NumPy as well, and may differ in the last bits. `convolve64`, `matrices64`, `rows_int` and their like are modules
for other dtypes than float32; `convolve_512` and `convolve64_512` are for processors with AVX-512. The threads that
help calls on NumPy arrays are in a module that the others load, `_threads`. On x86-64 the kernels need AVX2; on other
processors the compiler divides their vectors. Where no module was built, one warning says so at the first use.
"""

from __future__ import annotations

import glob
import importlib
import logging
import os
from typing import Any

MODULES = frozenset("""
buffers cells channels channels64 convolve convolve64 convolve64_512 convolve_512 crops draws elements
elements64 expressions files ids images jpeg lines lists loops matrices matrices64 messages norms pairs products
products64 random reduce rows rows64 rows_int rows_int64 sparse special steps strings tape text unicode updates
waves windows windows64
""".split())

_CHOICE = os.environ.get("EVERGRAPH_NATIVE", "1")

if os.path.isdir(_CHOICE):
    __path__ = [os.path.abspath(_CHOICE)]

REMEDY = (
    "install a C compiler (apt install gcc, or conda install -c conda-forge c-compiler), then evergraph again from "
    "where it came"
)
_MISSING = (
    "evergraph has no C code here, without which many programs run several times slower: %s. EVERGRAPH_NATIVE=0 in the "
    "environment says that this is meant."
)
_told: list[bool] = []


def __getattr__(name: str) -> Any:
    """Loads a module at its first use; from then on it is an attribute like any other."""
    if name not in MODULES:
        raise AttributeError(f"module 'evergraph.native' has no attribute {name!r}")
    module = None
    if _CHOICE != "0":
        try:
            module = importlib.import_module(f"evergraph.native._{name}")
        except ImportError:  # not built, or not for this processor
            _tell()
    globals()[name] = module
    return module


def is_turned_off() -> bool:
    """Whether the environment says that there is to be no C code."""
    return _CHOICE == "0"


def _tell() -> None:
    """Says once that nothing was built, as a warning of tf.logging."""
    if not _told and not glob.glob(os.path.join(__path__[0], "_[!_]*.*")):
        _told.append(True)
        logging.getLogger("tensorflow").warning(_MISSING, REMEDY)
