"""JAX, loaded at the first compile and set up the way evergraph needs it."""

from __future__ import annotations

import contextlib
import functools
import os
import pathlib
import threading
from typing import Any

CACHE_LIMIT = 1 << 30  # bytes of compiled programs that are kept on disk

_CPU_OPTIONS = {
    # YNNPACK's convolutions use one thread; everything else that it does by default stays.
    "xla_cpu_experimental_ynn_fusion_type": "LIBRARY_FUSION_TYPE_DOT,LIBRARY_FUSION_TYPE_REDUCE,"
    "LIBRARY_FUSION_TYPE_INDIVIDUAL_DOT",
}
_TRIED_WITH = "0.10."  # versions of JAX that are known to take these options


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
            threading.Thread(target=trim, args=(directory, CACHE_LIMIT), daemon=True).start()
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


def trim(directory: pathlib.Path, limit: int) -> None:
    """Deletes the files that were not used for longest, where there are more than `limit` bytes: down to half of that.

    JAX can do so itself, but looks at every file and locks the directory whenever it writes one.
    """
    try:
        files = [(entry.stat(), entry.path) for entry in os.scandir(directory) if entry.is_file()]
    except OSError:
        return
    total = sum(stat.st_size for stat, _ in files)
    if total <= limit:
        return
    for stat, path in sorted(files, key=lambda file: max(file[0].st_atime, file[0].st_mtime)):
        if total <= limit // 2:
            return
        with contextlib.suppress(OSError):  # another process was faster
            os.remove(path)
        total -= stat.st_size


@functools.cache
def platform() -> str:
    """The platform that programs run on: "cpu", "gpu" or "tpu"."""
    return jax().default_backend()


@functools.cache
def compiler_options() -> dict[str, str]:
    """What programs are compiled with, beside XLA's defaults: the options that this version of XLA has.

    What the user says in XLA_FLAGS comes first.
    """
    if platform() != "cpu":
        return {}
    said = os.environ.get("XLA_FLAGS", "")
    wanted = {name: value for name, value in _CPU_OPTIONS.items() if name not in said}
    if jax().__version__.startswith(_TRIED_WITH):
        return wanted
    return {name: value for name, value in wanted.items() if _is_taken({name: value})}


def _is_taken(options: dict[str, str]) -> bool:
    """Whether XLA compiles with these options; it refuses those that it does not know."""
    try:
        jax().jit(lambda: 0, compiler_options=options).lower().compile()
    except jax().errors.JaxRuntimeError:
        return False
    return True
