"""Looks at Python, packages, devices, C code and caches, and says what is missing and how it can be had."""

from __future__ import annotations

import glob
import importlib.metadata
import importlib.util
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from evergraph.cli.cache import location, measured
from evergraph.cli.reports.report import as_text

GOOD, COULD, BAD = "good", "could be better", "bad"
_MARKS = {GOOD: "✓", COULD: "•", BAD: "✗"}
_OPTIONAL = (
    ("gRPC", "grpc", "grpcio", "clusters, and the profiler's server"),
    ("Pillow", "PIL", "pillow", "tf.image of JPEG and GIF files"),
    ("h5py", "h5py", "h5py", "Keras models in HDF5"),
    ("PyYAML", "yaml", "pyyaml", "Keras models as YAML"),
    ("SciPy", "scipy", "scipy", "keras.preprocessing.image, some of tf.contrib, --legacy's scipy.misc"),
    ("matplotlib", "matplotlib", "matplotlib", "pictures of `evergraph plot`"),
    ("httptools, orjson, uvloop", "uvloop", "httptools orjson uvloop", "`evergraph serve`"),
    ("LiteRT", "ai_edge_litert", "ai-edge-litert flatbuffers", "tf.lite"),
    ("fissix", "fissix", "fissix", "`evergraph run --python2`"),
    ("Jupyter's kernel", "ipykernel", "ipykernel", "`evergraph kernel install`"),
)


@dataclass(frozen=True)
class Finding:
    """What was looked at, its state, what was found, and what would make it better."""

    what: str
    state: str
    found: str
    advice: str = ""

    def line(self) -> str:
        """One line for people."""
        return f"{_MARKS[self.state]} {self.what}: {self.found}{f'; {self.advice}' if self.advice else ''}"


def examined() -> Iterator[Finding]:
    """All findings, the self-test last; an examination that fails is a finding, too."""
    for what, look in (("evergraph", _evergraph), ("Python", _python), ("packages", _packages), ("devices", _devices),
                       ("C code", _native), ("cache", _cache), ("TensorFlow", _tensorflow),
                       ("optional packages", _optional), ("self-test", _self_test)):  # fmt: skip
        try:
            yield from look()
        except Exception as error:  # whatever is broken here is what the user wants to know
            yield Finding(what, BAD, f"{type(error).__name__}: {' '.join(str(error).split())}")


def _evergraph() -> Iterator[Finding]:
    ours = vars(sys.modules["evergraph"])
    yield Finding("evergraph", GOOD, f"{ours['__version__']} in {os.path.dirname(ours['__file__'])}")


def _python() -> Iterator[Finding]:
    state = GOOD if sys.version_info >= (3, 11) else BAD
    yield Finding("Python", state, f"{sys.version.split()[0]} at {sys.executable}",
                  "" if state == GOOD else "evergraph needs Python 3.11 or newer")  # fmt: skip
    yield Finding("machine", GOOD, f"{platform.platform()}, {os.cpu_count()} processors")


def _packages() -> Iterator[Finding]:
    for line in importlib.metadata.requires("evergraph") or () if _is_installed() else ():
        if "extra ==" not in line:
            yield from _requirement(line)
    versions = [
        f"{name} {importlib.metadata.version(name)}" for name in ("jax", "jaxlib", "numpy", "protobuf", "tensorboard")
    ]
    yield Finding("packages", GOOD, ", ".join(versions))


def _is_installed() -> bool:
    try:
        importlib.metadata.distribution("evergraph")
    except importlib.metadata.PackageNotFoundError:  # it runs from its sources
        return False
    return True


def _requirement(line: str) -> Iterator[Finding]:
    name, _, bound = line.partition(";")[0].partition(">=")
    try:
        held = importlib.metadata.version(name.strip())
    except importlib.metadata.PackageNotFoundError:
        yield Finding(name, BAD, "is not installed", f"pip install '{line}'")
        return
    if bound and _numbers(held) < _numbers(bound):
        yield Finding(name, BAD, f"{held} is older than {bound}", f"pip install '{line}'")


def _numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".") if part.isdigit()]


def _devices() -> Iterator[Finding]:
    from evergraph.compile.backend import jax

    devices = jax().devices()
    names = ", ".join(sorted({f"{device.platform}: {device.device_kind}" for device in devices}))
    idle = all(device.platform == "cpu" for device in devices) and bool(glob.glob("/dev/nvidia[0-9]*"))
    yield Finding("devices", COULD if idle else GOOD, f"{len(devices)} ({names})",
                  "JAX does not see the NVIDIA GPU: pip install 'jax[cuda13]'" if idle else "")  # fmt: skip


def _native() -> Iterator[Finding]:
    from evergraph import native

    built = [name for name in native.MODULES if getattr(native, name) is not None]
    if len(built) == len(native.MODULES):
        yield Finding("C code", GOOD, f"{len(built)} modules")
    elif native.is_turned_off():
        yield Finding("C code", COULD, "turned off by EVERGRAPH_NATIVE=0")
    elif built:
        lost = ", ".join(sorted(native.MODULES - set(built)))
        yield Finding("C code", COULD, f"{len(built)} of {len(native.MODULES)} modules; not {lost}",
                      "jpeg needs libjpeg's headers, the modules of 512 a processor with AVX-512")  # fmt: skip
    else:
        yield Finding("C code", COULD, "missing: many programs run several times slower", native.REMEDY)


def _cache() -> Iterator[Finding]:
    count, size = measured(location())
    yield Finding("cache", GOOD, f"{location()}, {count:,} compiled programs, {as_text(size, 'bytes')}")


def _tensorflow() -> Iterator[Finding]:
    if importlib.util.find_spec("tensorflow") is not None:
        yield Finding("TensorFlow", GOOD, "is installed, too; `evergraph run` comes before it")


def _optional() -> Iterator[Finding]:
    for shown, module, packages, purpose in _OPTIONAL:
        here = importlib.util.find_spec(module) is not None
        yield Finding(shown, GOOD if here else COULD, f"{'installed' if here else 'not installed'} ({purpose})",
                      "" if here else f"pip install {packages}")  # fmt: skip


def _self_test() -> Iterator[Finding]:
    from evergraph.cli.examination import self_test

    tests: list[Callable[[], str]] = [self_test.trains, self_test.saves, self_test.reads]
    for test in tests:
        start = time.perf_counter()
        said = test()
        yield Finding("self-test", GOOD, f"{said} ({time.perf_counter() - start:.1f} s)")
