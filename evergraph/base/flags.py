"""tf.flags and tf.app: absl's flags under the same names; the command line is parsed at the first access to FLAGS."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from absl import app as absl_app
from absl import flags as absl_flags

from evergraph.base.export import export

# These parameters' names before TensorFlow adopted absl's flags; programs still use them.
_OLD_ARGUMENTS = {"flag_name": "name", "default_value": "default", "docstring": "help"}


class ParsedFlags:
    """The flags of a program as attributes; the first access parses the command line.

    Args:
        values: the absl.flags.FlagValues that holds the flags; other attributes are delegated to it.
    """

    def __init__(self, values: absl_flags.FlagValues) -> None:
        self.__dict__["_values"] = values

    def __getattr__(self, name: str) -> Any:
        values = self.__dict__["_values"]
        if name in values and not values.is_parsed():
            values(sys.argv)
        return getattr(values, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._values, name, value)

    def __delattr__(self, name: str) -> None:
        delattr(self._values, name)

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __setitem__(self, name: str, flag: Any) -> None:
        self._values[name] = flag

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __dir__(self) -> list[str]:
        return dir(self._values)

    def __str__(self) -> str:
        return str(self._values)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._values(*args, **kwargs)


def _with_old_arguments(define: Callable[..., Any]) -> Callable[..., Any]:
    """Makes one of absl's DEFINE functions accept TensorFlow's older parameter names, and NumPy's integers."""

    @functools.wraps(define)
    def accepting(*args: Any, **kwargs: Any) -> Any:
        given = {_OLD_ARGUMENTS.get(name, name): _plain(value) for name, value in kwargs.items()}
        return define(*map(_plain, args), **given)

    return accepting


def _plain(value: Any) -> Any:
    # They were ints in Python 2, and absl refuses them.
    return int(value) if isinstance(value, np.integer) else value


def _adapted(name: str) -> Any:
    """The counterpart in tf.flags of a name in absl.flags."""
    if name == "FLAGS":
        return ParsedFlags(absl_flags.FLAGS)
    value = getattr(absl_flags, name)
    return _with_old_arguments(value) if name.startswith("DEFINE") else value


globals().update({name: export(f"flags.{name}", f"app.flags.{name}")(_adapted(name)) for name in absl_flags.__all__})
FLAGS: ParsedFlags

# absl lists a flag under the module that called DEFINE: not this one, but its caller.
absl_flags.disclaim_key_flags()


def _release_own_flags() -> None:
    """Lets a program define flags such as "log_dir" that absl's own modules have defined when they were imported."""
    for module, defined in absl_flags.FLAGS.flags_by_module_dict().items():
        if module.startswith("absl."):
            for flag in defined:
                flag.allow_override = True


_release_own_flags()


@export("app.run")
def run(main: Callable[[list[str]], Any] | None = None, argv: list[str] | None = None) -> None:
    """Parses the flags, calls a main function with the remaining arguments, and exits with its result.

    Undefined flags are passed on to the function instead of ending the program.

    Args:
        main: the function; defaults to `main` of the program's main module.
        argv: the command line; defaults to `sys.argv`.
    """
    main = main or sys.modules["__main__"].main
    absl_app.run(main, argv, flags_parser=lambda arguments: absl_flags.FLAGS(arguments, known_only=True))
