"""Python's `inspect` on undecorated objects: `tensorflow.python.util.tf_inspect` and `function_utils`."""

from __future__ import annotations

import functools
import inspect
from collections import namedtuple
from collections.abc import Callable
from typing import Any

from evergraph.base.decorators import unwrap

FullArgSpec = inspect.FullArgSpec
ArgSpec = namedtuple("ArgSpec", ["args", "varargs", "keywords", "defaults"])


def _beneath(look: Callable[..., Any]) -> Callable[..., Any]:
    """Applies a function of `inspect` to the undecorated object."""

    @functools.wraps(look)
    def looked(object: Any, *args: Any) -> Any:
        return look(unwrap(object)[1], *args)

    return looked


getdoc = _beneath(inspect.getdoc)
getfile = _beneath(inspect.getfile)
getmembers = _beneath(inspect.getmembers)
getmodule = _beneath(inspect.getmodule)
getmro = _beneath(inspect.getmro)
getsource = _beneath(inspect.getsource)
getsourcefile = _beneath(inspect.getsourcefile)
getsourcelines = _beneath(inspect.getsourcelines)
isbuiltin = _beneath(inspect.isbuiltin)
isclass = _beneath(inspect.isclass)
isframe = _beneath(inspect.isframe)
isfunction = _beneath(inspect.isfunction)
isgenerator = _beneath(inspect.isgenerator)
isgeneratorfunction = _beneath(inspect.isgeneratorfunction)
ismethod = _beneath(inspect.ismethod)
ismodule = _beneath(inspect.ismodule)
isroutine = _beneath(inspect.isroutine)


def getfullargspec(obj: Any) -> inspect.FullArgSpec:
    """The parameters of the undecorated function, unless a decoration declares others.

    A function of evergraph reports no annotations: TensorFlow's have none, and programs compare such specs with those
    of functions of their own.
    """
    decorators, target = unwrap(obj)
    said = next((each.decorator_argspec for each in decorators if each.decorator_argspec is not None), None)
    if said is not None:
        return said
    ours = (getattr(target, "__module__", None) or "").startswith("evergraph.")
    if not ours:
        return inspect.getfullargspec(target)
    return inspect.getfullargspec(inspect.unwrap(target))._replace(annotations={})


def getargspec(obj: Any) -> ArgSpec:
    """The parameters of a function as Python 2's ArgSpec, which cannot express keyword-only parameters.

    Raises:
        ValueError: the function has keyword-only parameters.
    """
    spec = getfullargspec(obj)
    if spec.kwonlyargs:
        raise ValueError(f"{obj} has keyword-only parameters {spec.kwonlyargs}: use getfullargspec")
    return ArgSpec(spec.args, spec.varargs, spec.varkw, spec.defaults)


def getcallargs(*func_and_positional: Any, **named: Any) -> dict[str, Any]:
    """The value of each parameter in the call `func(*positional, **named)`, defaults included."""
    func, *positional = func_and_positional
    spec = getfullargspec(func)
    owner = getattr(func, "__self__", None)
    if owner is not None and inspect.ismethod(func):
        positional.insert(0, owner)
    defaults = dict(zip(reversed(spec.args), reversed(spec.defaults or ())))
    return {**defaults, **(spec.kwonlydefaults or {}), **dict(zip(spec.args, positional)), **named}


def fn_args(fn: Any) -> tuple[str, ...]:
    """The names of the parameters that a caller passes: without `self`, and without those bound by a partial."""
    if isinstance(fn, functools.partial):
        return tuple(name for name in fn_args(fn.func)[len(fn.args):] if name not in fn.keywords)
    target = _called(fn)
    spec = getfullargspec(target)
    bound = inspect.ismethod(target) or inspect.isclass(target)
    return tuple([*spec.args, *spec.kwonlyargs][1 if bound else 0:])


def has_kwargs(fn: Any) -> bool:
    """Whether a function has a `**kwargs` parameter."""
    return getfullargspec(_called(fn.func if isinstance(fn, functools.partial) else fn)).varkw is not None


def _called(fn: Any) -> Any:
    """The function that a call of the object runs: itself, or its `__call__` method."""
    return fn if inspect.isroutine(fn) or inspect.isclass(fn) else fn.__call__
