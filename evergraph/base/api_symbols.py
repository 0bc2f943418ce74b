"""Decorators that record the public names of a program's own symbols: `tensorflow.python.util.tf_export`, `all_util`.

The names are attributes of the objects, where an API generator finds them. evergraph's own names are recorded by
`evergraph.base.export`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from typing import Any


class tf_export:  # noqa: N801 - TensorFlow's own spelling
    """Decorator that records the public names of a function or class in `_tf_api_names` and `_tf_api_names_v1`.

    Args:
        *args: the public names.
        v1: the names in TensorFlow 1's API; defaults to `args`.

    Raises:
        ValueError: there is neither a name nor a list `v1`.
    """

    api = "tf"

    def __init__(self, *args: str, v1: Sequence[str] | None = None) -> None:
        if not args and not v1:
            raise ValueError("a symbol is exported by at least one name")
        self._names, self._names_v1 = args, args if v1 is None else tuple(v1)

    def __call__(self, func: Any) -> Any:
        setattr(func, f"_{self.api}_api_names", self._names)
        setattr(func, f"_{self.api}_api_names_v1", self._names_v1)
        return func

    def export_constant(self, module_name: str, name: str) -> None:
        """Records the public names of a constant in its module's list `_tf_api_constants`."""
        held = vars(sys.modules[module_name])
        held.setdefault(f"_{self.api}_api_constants", []).append((self._names, name))
        held.setdefault(f"_{self.api}_api_constants_v1", []).append((self._names_v1, name))


class keras_export(tf_export):  # noqa: N801
    """As `tf_export`, for the Keras API: records the names in `_keras_api_names`."""

    api = "keras"


def make_all(module_name: str, doc_string_modules: Iterable[Any] | None = None) -> list[str]:
    """Lists the names that modules' docstrings mention as `@@name` and that the module `module_name` defines."""
    sources = [sys.modules[module_name]] if doc_string_modules is None else doc_string_modules
    said = {name for source in sources for name in re.findall(r"^@@(\w+)$", source.__doc__ or "", re.MULTILINE)}
    return sorted(said & vars(sys.modules[module_name]).keys())


def remove_undocumented(
    module_name: str, allowed_exception_list: Iterable[str] | None = None,
    doc_string_modules: Iterable[Any] | None = None,
) -> None:  # fmt: skip
    """Deletes a module's undocumented names, except those allowed and those that begin with an underscore.

    Args:
        module_name: the module.
        allowed_exception_list: undocumented names to keep.
        doc_string_modules: modules whose docstrings mention documented names as `@@name`; defaults to this module.
    """
    kept = {*make_all(module_name, doc_string_modules), *(allowed_exception_list or ())}
    held = vars(sys.modules[module_name])
    for name in [name for name in held if not name.startswith("_") and name not in kept]:
        del held[name]
