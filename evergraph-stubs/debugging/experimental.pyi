# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.debugging.experimental."""

from typing import Any

def disable_dump_debug_info() -> None:
    """Ends the dump that `enable_dump_debug_info` has begun, and writes what it keeps."""

def enable_dump_debug_info(
    dump_root: str, tensor_debug_mode: str = 'NO_TENSOR', circular_buffer_size: int = 1000,
    op_regex: str | None = None, tensor_dtypes: Any = None,
) -> Any:
    """From now on, writes what this thread builds and runs to files that TensorBoard's plugin `debugger_v2`
    shows."""
