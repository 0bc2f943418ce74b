"""Models as StableHLO: files of `jax.export`, and MLIR."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from evergraph.compile import backend
from evergraph.convert import open_sizes
from evergraph.convert.model import Inconvertible, Input, Model
from evergraph.convert.tracing import Function, traceable
from evergraph.kernel import fence

PLATFORMS = ("cpu", "cuda", "rocm", "tpu")
"""For which a file of `jax.export` is made by default."""

Maker = Callable[[Function, Sequence[Any]], Any]
"""Makes an export of a function that JAX can trace, and of the shapes of its arguments."""

_FEW, _MORE = open_sizes.CHOICES
_TRIES = ((_FEW, 1), (_MORE, 1), (_MORE, 4), (_MORE, 16))
"""Numbers to trace with, and how large open sizes but the first have to be, as where windows are laid over them."""


def exported(model: Model, platforms: Sequence[str]) -> Any:
    """The `jax.export.Exported` of a model: `call(x=array)` returns a dictionary of the outputs.

    Sizes of inputs that are not known stay open: the first one is called `batch` and is the same for all inputs.

    Raises:
        Inconvertible: nodes have no counterpart, or sizes have to be known.
    """
    inputs, outputs = list(model.inputs.values()), dict(model.outputs)
    function = traceable(model.message, inputs, list(outputs.values()))
    names = list(model.inputs)

    def called(run: Function, specs: Sequence[Any]) -> Any:
        def call(**arguments: Any) -> dict[str, Any]:
            return dict(zip(outputs, run(*(arguments[name] for name in names))))

        return export(call, platforms, (), dict(zip(names, specs)))

    return with_open_sizes(function, inputs, called)


def export(function: Callable[..., Any], platforms: Sequence[str], specs: Sequence[Any], named: dict[str, Any]) -> Any:
    """The export of a function of such arguments.

    Raises:
        Inconvertible: an operation is not there on one of the platforms.
    """
    from jax import export as jax_export

    try:
        with without_paths():
            return jax_export.export(backend.jax().jit(function), platforms=list(platforms))(*specs, **named)
    except NotImplementedError as error:
        raise Inconvertible(f"an operation exists on other platforms alone (--platforms): {error}") from error


@contextlib.contextmanager
def without_paths() -> Iterator[None]:
    """Programs made in the block do not name files of this machine."""
    config = backend.jax().config
    shown = config.jax_traceback_in_locations_limit
    config.update("jax_traceback_in_locations_limit", 0)
    try:
        yield
    finally:
        config.update("jax_traceback_in_locations_limit", shown)


def with_open_sizes(function: Function, inputs: Sequence[Input], made_of: Maker) -> Any:
    """What `made_of` makes of a function that JAX can trace, and of the shapes of its arguments, which may be symbolic.

    Raises:
        Inconvertible: some sizes have to be known.
    """
    jax = backend.jax()
    with fence.portable():
        if not any(None in each.shape for each in inputs):
            return made_of(function, [jax.ShapeDtypeStruct(each.shape, each.dtype.np) for each in inputs])
        reason: Exception | None = None
        latest: Exception | None = None
        for places, (choice, least) in itertools.product(_ways(inputs), _TRIES):
            if least > 1 and not isinstance(latest, jax.errors.InconclusiveDimensionOperation):
                continue  # it is not that a size may be too small
            try:
                return _with_choice(function, inputs, places, choice, least, made_of)
            except (open_sizes.Differs, Inconvertible, jax.errors.InconclusiveDimensionOperation) as error:
                latest = error
                reason = reason or error
    raise _needs_sizes(inputs, reason)


def _needs_sizes(inputs: Sequence[Input], reason: Exception | None) -> Exception:
    if isinstance(reason, Inconvertible):
        return reason
    shown = [f"{each.node} {['?' if size is None else size for size in each.shape]}" for each in inputs
             if None in each.shape]
    text = " ".join(str(reason).split())[:400] if reason else f"more than {open_sizes.MOST} sizes are open"
    return Inconvertible(f"the program depends on open sizes ({text}): say those of {', '.join(shown)} "
                         "(--shape NAME=SIZE,SIZE or --batch SIZE)")


def _ways(inputs: Sequence[Input]) -> Iterator[dict[tuple[int, int], int]]:
    """(input, axis) -> the number of its open size: each axis but the first by itself, or the same for all inputs."""
    open_axes = [(n, axis) for n, each in enumerate(inputs) for axis, size in enumerate(each.shape) if size is None]
    own = dict.fromkeys((-1 if axis == 0 else n, axis) for n, axis in open_axes)
    shared = dict.fromkeys(axis for _, axis in open_axes)
    if len(own) <= open_sizes.MOST:
        yield {(n, axis): list(own).index((-1 if axis == 0 else n, axis)) for n, axis in open_axes}
    if len(shared) < len(own) and len(shared) <= open_sizes.MOST:
        yield {(n, axis): list(shared).index(axis) for n, axis in open_axes}


def _with_choice(function: Function, inputs: Sequence[Input], places: dict[tuple[int, int], int],
                 choice: Sequence[Sequence[int]], least: int, made_of: Maker) -> Any:
    """The export by traces with certain numbers for the open sizes."""
    from jax import export as jax_export

    jax = backend.jax()
    count = len(set(places.values()))

    def specs(sizes: Sequence[Any]) -> list[Any]:
        shapes = [tuple(sizes[places[n, axis]] if size is None else size for axis, size in enumerate(each.shape))
                  for n, each in enumerate(inputs)]
        return [jax.ShapeDtypeStruct(shape, each.dtype.np) for shape, each in zip(shapes, inputs)]

    points = open_sizes.points(choice, count)
    general = open_sizes.General([jax.make_jaxpr(function)(*specs(point)) for point in points], points)
    axes = {place: axis for (_, axis), place in places.items()}
    words = ["batch" if axes[place] == 0 else f"size{place}" for place in range(count)]
    limits = [f"{word} >= {least}" for word in words if word != "batch" and least > 1]
    symbols = jax_export.symbolic_shape(", ".join(words), constraints=limits)
    return made_of(lambda *values: general.run(_sizes_of(values, places), values), specs(symbols))


def _sizes_of(values: Sequence[Any], places: dict[tuple[int, int], int]) -> list[Any]:
    """The open sizes, from the shapes of arguments."""
    found = {place: values[n].shape[axis] for (n, axis), place in places.items()}
    return [found[place] for place in sorted(found)]


def mlir(made: Any) -> bytes:
    """The text of an export's module."""
    return f"{made.mlir_module()}\n".encode()
