"""All ops, one module per family."""

import importlib
import pkgutil


def declare_all() -> None:
    """Imports every family, which registers its ops."""
    for module in pkgutil.walk_packages(__path__, f"{__name__}."):
        importlib.import_module(module.name)
