"""What Python's own modules have lost."""

from __future__ import annotations

import functools
import importlib.machinery
import importlib.util
import inspect
import platform
import sys
import time
from collections import namedtuple
from collections.abc import Callable
from types import ModuleType
from typing import Any

from evergraph.cli.legacy.ledger import lend

clock = time.process_time
ArgSpec = namedtuple("ArgSpec", "args varargs keywords defaults")


def getargspec(func: Any) -> ArgSpec:
    """The parameters of a function, in the four fields that there were before keyword-only ones."""
    full = inspect.getfullargspec(func)
    if full.kwonlyargs:
        raise ValueError(f"{func!r} has keyword-only parameters, which getargspec cannot tell; use getfullargspec")
    return ArgSpec(full.args, full.varargs, full.varkw, full.defaults)


def formatargspec(args: Any, varargs: Any = None, varkw: Any = None, defaults: Any = None) -> str:
    """The parameters as they stand in a definition."""
    filled = [""] * (len(args) - len(defaults or ())) + [f"={value!r}" for value in defaults or ()]
    words = [name + default for name, default in zip(args, filled)]
    words += [f"*{varargs}"] if varargs else []
    words += [f"**{varkw}"] if varkw else []
    return f"({', '.join(words)})"


def linux_distribution(*args: Any, **kwargs: Any) -> tuple[str, str, str]:
    """(name, version, code name) of the system."""
    about = platform.freedesktop_os_release()
    return about.get("NAME", ""), about.get("VERSION_ID", ""), about.get("VERSION_CODENAME", "")


dist = linux_distribution


def load_source(name: str, pathname: str, file: Any = None) -> ModuleType:
    """Runs a file as a module of the name."""
    spec = importlib.util.spec_from_file_location(name, pathname)
    assert spec is not None and spec.loader is not None, pathname
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def find_module(name: str, path: Any = None) -> tuple[None, str, tuple[str, str, int]]:
    spec = importlib.machinery.PathFinder.find_spec(name, path)
    if spec is None or spec.origin is None:
        raise ImportError(f"No module named {name!r}", name=name)
    return None, spec.origin, (".py", "r", 1)


def load_module(name: str, file: Any, pathname: str, description: Any) -> ModuleType:
    return load_source(name, pathname)


def new_module(name: str) -> ModuleType:
    return ModuleType(name)


def load_old_pickle(load: Callable[..., Any]) -> Callable[..., Any]:
    """pickle.load, which reads a file that Python 2 wrote with its strings as Latin-1."""

    @functools.wraps(load)
    def load_any(file: Any, **kwargs: Any) -> Any:
        seeks = getattr(file, "seekable", lambda: hasattr(file, "tell"))  # a pipe can tell, but cannot go back
        start = file.tell() if not kwargs and seeks() else None
        try:
            return load(file, **kwargs)
        except UnicodeDecodeError:
            if start is None:
                raise
            lend("pickle.load(encoding='latin1')")
            file.seek(start)
            return load(file, encoding="latin1")

    return load_any


def loads_old_pickle(loads: Callable[..., Any]) -> Callable[..., Any]:
    """pickle.loads, likewise."""

    @functools.wraps(loads)
    def loads_any(data: Any, **kwargs: Any) -> Any:
        try:
            return loads(data, **kwargs)
        except UnicodeDecodeError:
            if kwargs:
                raise
            lend("pickle.loads(encoding='latin1')")
            return loads(data, encoding="latin1")

    return loads_any


def sample_of_set(sample: Callable[..., Any]) -> Callable[..., Any]:
    """random.sample, which takes a set, too."""

    @functools.wraps(sample)
    def sample_any(population: Any, k: int, **kwargs: Any) -> Any:
        if isinstance(population, (set, frozenset)):
            lend("random.sample(set)")
            population = tuple(population)
        return sample(population, k, **kwargs)

    return sample_any


def load_yaml(load: Callable[..., Any]) -> Callable[..., Any]:
    """yaml.load, which needs no Loader: then it reads plain values and Python's tuples and the like."""

    @functools.wraps(load)
    def load_any(stream: Any, Loader: Any = None) -> Any:
        if Loader is None:
            lend("yaml.load without a Loader")
            Loader = sys.modules["yaml"].FullLoader
        return load(stream, Loader)

    return load_any
