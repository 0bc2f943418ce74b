"""The vocabulary: every op, one file a family."""

import importlib
import pkgutil


def declare_all() -> None:
    """Imports every family, so that each op can be found by name."""
    for module in pkgutil.walk_packages(__path__, f"{__name__}."):
        importlib.import_module(module.name)
