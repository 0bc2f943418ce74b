"""JAX, loaded at the first compile and set up the way evergraph needs it."""

from __future__ import annotations

import functools
import os
import pathlib
from typing import Any


@functools.cache
def jax() -> Any:
    """The jax module: 64-bit types on, compiled programs kept on disk between processes."""
    import jax

    jax.config.update("jax_enable_x64", True)
    if not jax.config.jax_compilation_cache_dir:
        directory = cache_directory()
        if directory is not None:
            jax.config.update("jax_compilation_cache_dir", str(directory))
            jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
            jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
    return jax


def cache_directory() -> pathlib.Path | None:
    """Where compiled programs are kept; None when there is no place to write."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    directory = pathlib.Path(base, "evergraph", "xla")
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return directory


@functools.cache
def platform() -> str:
    """The platform that programs run on: "cpu", "gpu" or "tpu"."""
    return jax().default_backend()
