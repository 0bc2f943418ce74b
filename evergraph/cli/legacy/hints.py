"""Adds a line to an error of a program that newer packages caused: the option that lends what is missing."""

from __future__ import annotations

import re

from evergraph.cli.audits.python2 import BUILTINS
from evergraph.cli.audits.python2 import MODULES as OLD_MODULES
from evergraph.cli.legacy.names import LENT, METHODS, MODULES

_MESSAGES = (
    (TypeError, "only 0-dimensional arrays can be converted", "int() of an array of one element"),
    (TypeError, "only length-1 arrays can be converted", "int() of an array of one element"),
    (TypeError, "unexpected keyword argument 'newshape'", "numpy.reshape(newshape=)"),
    (TypeError, "load() missing 1 required positional argument: 'Loader'", "yaml.load without a Loader"),
    (TypeError, "Population must be a sequence", "random.sample(set)"),
    (TypeError, "Descriptors cannot be created directly", "code of old protocol compilers"),
    (TypeError, "Use () not None as shape arguments", "numpy.zeros(None)"),
    (OverflowError, "out of bounds for", "integers that wrap around in arrays"),
    (ValueError, "only 0-dimensional arrays can be converted", "array[i] = array of one element"),
    (ValueError, "Unable to avoid copy while creating an array", "numpy.array(copy=False)"),
    (ValueError, "has an inhomogeneous shape after", "numpy.array of rows of different lengths"),
    (ValueError, "Object arrays cannot be loaded when allow_pickle=False", "numpy.load of pickled objects"),
    (UnicodeDecodeError, "'ascii' codec can't decode", "pickle.load of files from Python 2"),
)


def explain(error: BaseException) -> None:
    """Adds a note to an error that `evergraph run --legacy`, or conversion from Python 2, would spare the program."""
    if lost := _lost(error):
        error.add_note(f"evergraph: newer releases no longer have {lost}; `evergraph run --legacy` lends it")
    elif _is_python2(error):
        error.add_note("evergraph: this program is for Python 2; `evergraph run --python2` converts it as it is loaded")


def _lost(error: BaseException) -> str | None:
    if isinstance(error, AttributeError):
        return _attribute(error)
    if isinstance(error, ImportError):
        found = re.search(r"cannot import name '(\w+)' from '([\w.]+)'", str(error))
        name = f"{found[2]}.{found[1]}" if found else error.name
        return name if name in LENT or name in MODULES else None
    text = f"{error} {error.__cause__}"
    return next((what for kind, part, what in _MESSAGES if isinstance(error, kind) and part in text), None)


def _attribute(error: AttributeError) -> str | None:
    # NumPy's own message for what it has removed comes without the fields of the error.
    found = re.match(r"module '([\w.]+)' has no attribute '(\w+)'", str(error))
    removed = re.match(r"`np\.([\w.]+)` was removed in the NumPy", str(error))
    name = f"{found[1]}.{found[2]}" if found else f"numpy.{removed[1]}" if removed else ""
    if name in LENT:
        return name
    is_array = type(error.obj).__module__.partition(".")[0] == "numpy"
    return f"the array's method {error.name}" if is_array and error.name in METHODS else None


def _is_python2(error: BaseException) -> bool:
    if isinstance(error, SyntaxError):
        return "Missing parentheses in call to 'print'" in str(error) or "multiple exception types" in str(error)
    if isinstance(error, ModuleNotFoundError):
        return error.name in OLD_MODULES
    return isinstance(error, NameError) and error.name in BUILTINS
