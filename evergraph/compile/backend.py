"""JAX, loaded at the first compile and set up the way evergraph needs it."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import gc
import importlib.metadata
import importlib.util
import os
import pathlib
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from evergraph.base import errors, logging
from evergraph.base.aside import Once, aside
from evergraph.base.devices import Place
from evergraph.kernel.lists.transfer import register_lists
from evergraph.kernel.loading import imported_jax

CACHE_LIMIT = 1 << 30  # bytes of compiled programs that are kept on disk
KEPT_MEMORY = 1 << 29  # bytes that the process does not give back between steps
LONG_COMPILE = 10  # seconds after which a line in the log says what takes so long

_OPTIONS = {
    # YNNPACK's convolutions use one thread; everything else that it does by default stays.
    "xla_cpu_experimental_ynn_fusion_type": "LIBRARY_FUSION_TYPE_DOT,LIBRARY_FUSION_TYPE_REDUCE,"
    "LIBRARY_FUSION_TYPE_INDIVIDUAL_DOT",
}
# Operations one after another, in the thread that calls. By default XLA's threads share the operations of a program,
# and to wake one takes longer than a small operation.
_IN_ONE_THREAD = {"xla_cpu_scheduler_type": "CPU_SCHEDULER_TYPE_MEMORY_OPTIMIZED"}
# LLVM unrolls a short loop before it looks whether to vectorize it: rows of embeddings would be copied number by
# number, and few of them be on their way from memory at a time. XLA takes this from the environment alone.
_NOT_UNROLLED = "--xla_backend_extra_options=xla_cpu_disable_loop_unrolling=true"
# Products on GPUs go to cuBLAS. To try Triton's for each shape as well takes a third of the time until BERT's first
# step is over, and makes steps no faster. Options of a program that are False were seen to have no effect.
_NO_TRITON = "--xla_gpu_enable_triton_gemm=false"
_MALLOC_SETTINGS = ("MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_MAX_", "GLIBC_TUNABLES")
_MMAP_THRESHOLD, _TRIM_THRESHOLD = -3, -1  # what mallopt calls them
_TRIED_WITH = "0.10."  # versions of JAX that are known to take these options


class _Process:
    """Whether this process was forked from one that had loaded JAX."""

    is_forked = False


process = _Process()


def check_process() -> None:
    """Raises FailedPreconditionError where XLA would wait for threads that a fork has left behind."""
    if process.is_forked:
        raise errors.FailedPreconditionError(
            None, None, "this process was forked from one that had used XLA, whose threads do not exist here: a step "
            "that needs XLA would wait for ever. Fork before the first step that is compiled, or start the process "
            "with multiprocessing.get_context('spawn')")


def _loaded() -> Any:
    check_process()
    os.environ["XLA_FLAGS"] = with_flags(os.environ.get("XLA_FLAGS", ""))
    jax = imported_jax()
    register_lists()
    memory_is_kept()
    jax.config.update("jax_enable_x64", True)
    # A step waits for its program: on CPUs the thread that asks for it may as well run it.
    jax.config.update("jax_cpu_enable_async_dispatch", False)
    if not jax.config.jax_compilation_cache_dir:
        directory = cache_directory()
        if directory is not None:
            jax.config.update("jax_compilation_cache_dir", str(directory))
            jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
            jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
            threading.Thread(target=trim, args=(directory, CACHE_LIMIT), daemon=True).start()
    return jax


jax = Once(_loaded)
"""The jax module, set up: 64-bit types on, compiled programs kept on disk between processes."""


def _note_fork() -> None:
    """A forked process has none of XLA's threads, and none that goes on with what was being loaded."""
    process.is_forked = process.is_forked or jax.has_begun or imported_jax.is_under_way
    for once in (jax, imported_jax):
        if process.is_forked:
            once.forget()


os.register_at_fork(after_in_child=_note_fork)


def with_flags(said: str) -> str:
    """The XLA_FLAGS to start with, where the user has said these."""
    wanted = [_NOT_UNROLLED] if _has_only_cpus() or not _knows_triton() else [_NOT_UNROLLED, _NO_TRITON]
    return " ".join([*said.split(), *(flag for flag in wanted if flag.partition("=")[0] not in said)])


def _knows_triton() -> bool:
    """Whether this version of XLA is known to have that flag; a process ends where XLA meets one that it lacks."""
    return importlib.metadata.version("jaxlib").startswith(("0.10.", "0.11."))


@functools.cache
def memory_is_kept() -> bool:
    """Whether this process keeps memory that is freed, from the first call on."""
    return keep_memory(os.environ)


def keep_memory(environment: Mapping[str, str]) -> bool:
    """Has the C library keep memory that is freed, for the next step; says whether it does so now.

    XLA takes the room of all temporary values of a program as one piece and frees it after each step; NumPy does so for
    each value. By default a large piece goes back to the system and comes again page by page, which took a fourth of a
    transformer's compiled step, and half of the time of a convolutional network's steps on NumPy. What the user says
    about malloc in the environment comes first.
    """
    if sys.platform != "linux" or any(name in environment for name in _MALLOC_SETTINGS):
        return False
    try:
        set_option = ctypes.CDLL(None).mallopt
    except AttributeError:  # not every C library has it
        return False
    return all([set_option(option, KEPT_MEMORY) == 1 for option in (_MMAP_THRESHOLD, _TRIM_THRESHOLD)])


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


@contextlib.contextmanager
def announced(what: str, expected: float) -> Iterator[None]:
    """Logs a line if the block takes longer than `LONG_COMPILE` seconds, and others as it goes on.

    Args:
        what: what is compiled.
        expected: how many seconds that takes, where nothing else runs.
    """
    done = threading.Event()
    threading.Thread(target=_tell_how_long, args=(what, expected, done), daemon=True).start()
    try:
        yield
    finally:
        done.set()


def _tell_how_long(what: str, expected: float, done: threading.Event) -> None:
    seconds = LONG_COMPILE
    if done.wait(seconds):
        return
    about = f"about {expected:.0f}" if expected > seconds else "more than usual"
    logging.warn(f"Compiling {what} takes more than {seconds} seconds ({about}, by its size). The next start finds it "
                 'on disk; tf.Session(tier="numpy") runs without compiling')
    while not done.wait(seconds):
        seconds *= 2
        logging.warn(f"Compiling {what}: {seconds} seconds so far")


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """Python does not look for garbage meanwhile: tracing makes objects by the million, and nearly all stay in use."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@functools.cache
def platform() -> str:
    """The platform that programs run on: "cpu", "gpu" or "tpu".

    Where that can only be CPUs JAX is not loaded to tell: a program that compiles nothing starts without it.
    """
    if "jax" not in sys.modules and _has_only_cpus():
        return "cpu"
    return aside(jax().default_backend)


def platform_if_known() -> str | None:
    """The same; None as long as JAX would have to be loaded to tell, which takes a second or more with a GPU."""
    return platform() if "jax" in sys.modules or has_only_cpus() else None


@functools.cache
def has_only_cpus() -> bool:
    """Whether JAX has no accelerator; False where that is not known before JAX has looked."""
    return _has_only_cpus()


def _has_only_cpus() -> bool:
    """Whether JAX would find nothing but CPUs: it was told so, or nothing is installed for other platforms."""
    said = os.environ.get("JAX_PLATFORMS") or os.environ.get("JAX_PLATFORM_NAME")
    if said:
        return said == "cpu"
    return not importlib.metadata.entry_points(group="jax_plugins") \
        and not any(importlib.util.find_spec(name) for name in ("jax_plugins", "libtpu"))


# ---- places


@dataclass(frozen=True)
class BestPlace(Place):
    """The best device of a task: JAX's first accelerator, or else the CPU. JAX is asked only when somebody has to know.

    Attributes:
        hidden: the platforms that the session does not use.
    """

    device: str = "best"
    hidden: frozenset[str] = frozenset()

    @property
    def platform(self) -> str:
        return self._seen(platform())

    @property
    def platform_if_known(self) -> str | None:
        known = platform_if_known()
        return None if known is None else self._seen(known)

    @property
    def index(self) -> int:
        return 0

    def _seen(self, found: str) -> str:
        return "cpu" if found in self.hidden else found


def device(place: Place) -> Any:
    """The device of JAX's at a place; None for the one that JAX uses by default.

    The CPUs of a machine share the devices that XLA makes of it: one, unless XLA_FLAGS say otherwise.

    Raises:
        FailedPreconditionError: JAX was told not to use such devices.
    """
    kind = place.platform
    if place.index == 0 and kind == platform():
        return None
    try:
        devices = jax().local_devices(backend=kind)
    except RuntimeError as error:
        raise errors.FailedPreconditionError(
            None, None, f"{place.name} is not there: JAX_PLATFORMS leaves out {kind!r}") from error
    number = place.index % len(devices)
    return None if number == 0 and kind == platform() else devices[number]


_BY_DEFAULT = contextlib.nullcontext()


def at(device: Any) -> AbstractContextManager[Any]:
    """A with-block in which JAX computes on a device, which None leaves to JAX.

    Arrays that it makes there are not bound to the device: a program that gets them on another one moves them.
    """
    return _BY_DEFAULT if device is None else jax().default_device(device)


@functools.cache
def compiler_options(is_small: bool = False, on: str | None = None) -> dict[str, str]:
    """What programs are compiled with, beside XLA's defaults: the options that this version of XLA has.

    What the user says in XLA_FLAGS comes first.

    Args:
        is_small: whether the operations of the program are too small to be shared among threads.
        on: the platform that it is for, by default the one that JAX prefers.
    """
    if (on or platform()) != "cpu":
        return {}
    said = os.environ.get("XLA_FLAGS", "")
    options = _OPTIONS | _IN_ONE_THREAD if is_small else _OPTIONS
    wanted = {name: value for name, value in options.items() if name not in said}
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
