"""Inner loops in C, for those who have them: built where a compiler was found at install, and never needed.

`cells`, `expressions`, `files`, `images`, `jpeg`, `lists`, `loops`, `messages`, `pairs`, `random`, `sparse`, `steps`,
`strings`, `tape`, `text` and `unicode` are called from Python, the others from XLA's programs, and some of them on
NumPy arrays too (`kernel/foreign.py`): None without a compiler, on a platform for which there is no build, or with
EVERGRAPH_NATIVE=0 in the environment. All that the former do is done in Python as well, with the same results; `jpeg`
also needs libjpeg, whose pixels differ a little from those of Pillow. What the latter do is done by operations of XLA
and NumPy as well, and may differ in the last bits. `convolve64`, `matrices64`, `rows_int` and their like are modules
for other dtypes than float32; `convolve_512` and `convolve64_512` are for processors with AVX-512. The threads that
help calls on NumPy arrays are in a module that the others load, `_threads`.
"""

from __future__ import annotations

import importlib
import os
from typing import Any


def _loaded(name: str) -> Any:
    if os.environ.get("EVERGRAPH_NATIVE", "1") == "0":
        return None
    try:
        return importlib.import_module(f"evergraph.native.{name}")
    except ImportError:
        return None


buffers: Any = _loaded("_buffers")
cells: Any = _loaded("_cells")
channels: Any = _loaded("_channels")
channels64: Any = _loaded("_channels64")
convolve: Any = _loaded("_convolve")
convolve64: Any = _loaded("_convolve64")
convolve64_512: Any = _loaded("_convolve64_512")
convolve_512: Any = _loaded("_convolve_512")
crops: Any = _loaded("_crops")
draws: Any = _loaded("_draws")
elements: Any = _loaded("_elements")
elements64: Any = _loaded("_elements64")
expressions: Any = _loaded("_expressions")
files: Any = _loaded("_files")
ids: Any = _loaded("_ids")
images: Any = _loaded("_images")
jpeg: Any = _loaded("_jpeg")
lines: Any = _loaded("_lines")
lists: Any = _loaded("_lists")
loops: Any = _loaded("_loops")
matrices: Any = _loaded("_matrices")
matrices64: Any = _loaded("_matrices64")
messages: Any = _loaded("_messages")
norms: Any = _loaded("_norms")
pairs: Any = _loaded("_pairs")
products: Any = _loaded("_products")
products64: Any = _loaded("_products64")
random: Any = _loaded("_random")
reduce: Any = _loaded("_reduce")
rows: Any = _loaded("_rows")
rows64: Any = _loaded("_rows64")
rows_int: Any = _loaded("_rows_int")
rows_int64: Any = _loaded("_rows_int64")
sparse: Any = _loaded("_sparse")
special: Any = _loaded("_special")
steps: Any = _loaded("_steps")
strings: Any = _loaded("_strings")
tape: Any = _loaded("_tape")
text: Any = _loaded("_text")
unicode: Any = _loaded("_unicode")
updates: Any = _loaded("_updates")
waves: Any = _loaded("_waves")
windows: Any = _loaded("_windows")
windows64: Any = _loaded("_windows64")
