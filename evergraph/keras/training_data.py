"""From what programs give to `fit`, `evaluate` and `predict` to batches."""
from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from evergraph.base import nest
from evergraph.data.dataset import DatasetV2
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Tensor
from evergraph.keras import given_arrays, session
from evergraph.keras.batches import (
    ArrayBatches,
    Batch,
    Elements,
    StreamBatches,
    has_tensors,
    len_of,
    tensors_forever,
)
from evergraph.keras.graph_training import is_fed
from evergraph.keras.sequences import Sequence, queued


def settled(model: Any, x: Any, y: Any = None, sample_weight: Any = None, class_weight: Any = None,
            predicting: bool = False) -> tuple[list[Any], list[Any], list[Any]]:
    """The inputs, labels and weights of examples as flat lists of arrays, checked against the model.

    Raises:
        ValueError: arrays are missing, or do not fit.
    """
    x, y, sample_weight = (_with_values(each) for each in (x, y, sample_weight))
    model._know_inputs(x)
    inputs = given_arrays.in_order(x, *model._fed_inputs(), "input")
    if any(each is None for each in inputs):
        raise ValueError(f"model {model.name} has inputs {model.input_names}, but no data was given for them")
    inputs = [given_arrays.in_dtype(each, dtype) for each, dtype in zip(inputs, model._fed_dtypes())]
    if predicting:
        return inputs, [], []
    trained = model._known_compilation().trained
    outputs = [output for output in trained if output.target is None]
    names = [output.name for output in outputs]
    if outputs and y is None:
        raise ValueError(f"the model is trained on labels of {names}, but got y=None")
    if trained and not outputs and y is not None:
        raise ValueError("the model was compiled with target_tensors for all its outputs: labels cannot be given, too")
    is_checked = not (default_graph().is_eager and model.run_eagerly)
    shapes = given_arrays.target_shapes(outputs) if is_checked else [None] * len(outputs)
    targets = given_arrays.in_order(y, names, shapes, "target") if outputs else []
    if is_checked:
        given_arrays.check_targets(targets, outputs)
    targets = [given_arrays.in_dtype(each, output.dtype) for each, output in zip(targets, outputs)]
    names = [output.name for output in trained]
    weights = [given_arrays.weights_of_examples(target, given, classes, output.weight_mode)
               for target, given, classes, output in zip(
                   _for_each(trained, targets), given_arrays.by_output(sample_weight, names, "sample_weight"),
                   given_arrays.by_output(class_weight, names, "class_weight"), trained)]
    given_arrays.check_lengths(inputs, targets, weights)
    return inputs, targets, weights


def _for_each(trained: list[Any], targets: list[Any]) -> list[Any]:
    """The labels of each output, None for one whose labels are a tensor of the program's."""
    given = iter(targets)
    return [next(given) if output.target is None else None for output in trained]


def _with_values(structure: Any) -> Any:
    """Eager tensors as arrays."""
    if structure is None or isinstance(structure, np.ndarray):
        return structure
    return nest.map_structure(
        lambda each: each.numpy() if isinstance(each, Tensor) and each.graph.is_eager else each, structure)


def batch_of(model: Any, x: Any, y: Any = None, sample_weight: Any = None, class_weight: Any = None,
             predicting: bool = False) -> Batch:
    """A single batch; tensors of the graph are evaluated."""
    given = x, y, sample_weight
    if has_tensors(given):
        x, y, sample_weight = session.get_session().run(given) if None not in given else _run_some(given)
    inputs, targets, weights = settled(model, x, y, sample_weight, class_weight, predicting)
    size = next((len_of(each) for each in inputs + targets if np.ndim(each)), 1)
    return Batch(inputs, targets, weights, size)


def _run_some(given: tuple[Any, ...]) -> tuple[Any, ...]:
    present = [each for each in given if each is not None]
    values = iter(session.get_session().run(present))
    return tuple(None if each is None else next(values) for each in given)


def is_stream(x: Any) -> bool:
    """Whether `x` gives whole batches one after the other: a dataset, an iterator, a generator or a Sequence."""
    return isinstance(x, (DatasetV2, Sequence)) or inspect.isgenerator(x) or hasattr(x, "get_next") or (
        hasattr(x, "__next__") and not isinstance(x, (np.ndarray, Tensor)))


def batches_of(model: Any, x: Any, y: Any, sample_weight: Any, class_weight: Any, batch_size: int | None,
               steps: int | None, shuffle: Any = False, steps_name: str = "steps", predicting: bool = False,
               workers: dict[str, Any] | None = None, validating: bool = False) -> Any:
    """The batches that the arguments of a loop describe.

    Args:
        model: the model.
        x, y, sample_weight, class_weight: as for `fit`.
        batch_size: the size of batches of arrays, 32 by default.
        steps: the number of batches in an epoch.
        shuffle: see `ArrayBatches`.
        steps_name: the name of the argument `steps`.
        predicting: whether there are no labels.
        workers: the arguments of `queued`, for generators.
        validating: whether a dataset begins anew each time.

    Raises:
        ValueError: the arguments contradict each other.
    """
    if is_stream(x):
        return _stream(model, x, y, sample_weight, class_weight, batch_size, steps, shuffle, steps_name, predicting,
                       workers or {}, validating)
    given = x, y, sample_weight
    if has_tensors(given) or x is None and not any(is_fed(tensor) for tensor in model.inputs or [None]):
        return _symbolic(model, given, class_weight, steps, steps_name, predicting)
    if x is None and model.inputs is None:
        raise ValueError(f"model {model.name} has no inputs yet, and x=None was given")
    inputs, targets, weights = settled(model, x, y, sample_weight, class_weight, predicting)
    size = _batch_size(model, batch_size)
    if steps is not None:
        return _steps_of_all(inputs, targets, weights, steps, batch_size, steps_name)
    agree = {} if model._strategy is None else {"agree": model._strategy.extended._agreed}
    return ArrayBatches(inputs, targets, weights, size, shuffle, **agree)


def _batch_size(model: Any, batch_size: int | None) -> int:
    fixed = model._fixed_batch_size()
    if batch_size is None:
        return fixed or 32
    if fixed is not None and fixed != batch_size:
        raise ValueError(f"`batch_size={batch_size}` is incompatible with the specified batch size: the inputs of the "
                         f"model have {fixed}")
    return batch_size


def _steps_of_all(inputs: list[Any], targets: list[Any], weights: list[Any], steps: int, batch_size: int | None,
                  name: str) -> Any:
    """Arrays with a number of steps: cut into as many batches."""
    samples = len_of(inputs[0])
    if batch_size is not None and batch_size * steps != samples and -(-samples // batch_size) < steps:
        raise ValueError(f"{name}={steps} batches of {batch_size} need more than the {samples} samples that were given")
    size = batch_size or -(-samples // steps)
    whole = ArrayBatches(inputs, targets, weights, size)
    return StreamBatches(whole.epoch, lambda batch: batch, steps, restarts=True)


def _symbolic(model: Any, given: tuple[Any, ...], class_weight: Any, steps: int | None, steps_name: str,
              predicting: bool) -> StreamBatches:
    if model.inputs is None and has_tensors(given[0]):
        model._adopt(*given[:2])
        given = None, None, given[2]
    if steps is None:
        raise ValueError(f"With tensors as data, you should specify the `{steps_name}` argument: a tensor gives batch "
                         f"after batch, and no end.")
    present = [each is not None for each in given]

    def settle(values: list[Any]) -> Batch:
        found = iter(values)
        x, y, weights = (next(found) if is_there else None for is_there in present)
        return batch_of(model, x, y, weights, class_weight, predicting)
    wanted = [each for each in given if each is not None]
    forever = (lambda: tensors_forever(wanted)) if has_tensors(wanted) else (lambda: iter(lambda: wanted, None))
    return _told_as_one(StreamBatches(forever, settle, steps, restarts=False))


def _stream(model: Any, x: Any, y: Any, sample_weight: Any, class_weight: Any, batch_size: int | None,
            steps: int | None, shuffle: Any, steps_name: str, predicting: bool, workers: dict[str, Any],
            validating: bool) -> Any:
    kind = "dataset" if isinstance(x, DatasetV2) or hasattr(x, "get_next") else \
        "Sequence" if isinstance(x, Sequence) else "generator"
    if y is not None:
        raise ValueError(f"`y` argument is not supported with a {kind} as `x`, which gives the labels, too: you should "
                         f"not specify a target")
    if sample_weight is not None:
        raise ValueError(f"`sample_weight` argument is not supported with a {kind} as `x`, which gives weights, too")
    if batch_size is not None:
        raise ValueError(f"The `batch_size` argument must not be specified with a {kind} as `x`, which gives batches; "
                         f"got {batch_size}")

    def settle(element: Any) -> Batch:
        return batch_of(model, *_parts(element, predicting, kind), class_weight, predicting)
    if kind == "dataset":
        restarts = isinstance(x, DatasetV2) and (validating or steps is None)
        return _told_as_one(StreamBatches(Elements(x), settle, steps, restarts))
    if kind == "Sequence":
        steps = len(x) if steps is None else steps
    elif steps is None:
        raise ValueError(f"`{steps_name}=None` is only valid for a generator based on the `keras.utils.Sequence` "
                         f"class. Please specify `{steps_name}` or use the `keras.utils.Sequence` class.")
    made = StreamBatches(lambda: queued(x, shuffle=bool(shuffle), **workers), settle, steps, restarts=False)
    if kind == "Sequence" and len(x):
        made.batch_size = len_of(nest.flatten(x[0])[0])
    return made


def _told_as_one(batches: StreamBatches) -> StreamBatches:
    """Batches of tensors, whose size TensorFlow does not ask for in graphs: each counts as one in means."""
    batches.told_size = None if default_graph().is_eager else 1
    return batches


def _parts(element: Any, predicting: bool, kind: str) -> tuple[Any, Any, Any]:
    """(inputs, labels, weights) of an element of a dataset or generator.

    Raises:
        ValueError: the element has none of the forms that are allowed.
    """
    if not isinstance(element, tuple):
        return element, None, None
    if len(element) not in (1, 2, 3):
        raise ValueError(f"Output of {kind} should be a tuple of 1 or 2 or 3 elements, for inputs, labels and "
                         f"weights; got {len(element)}: {str(element)[:200]}")
    return (element[0], None, None) if predicting else (*element, None, None)[:3]
