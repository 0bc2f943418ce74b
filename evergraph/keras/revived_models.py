"""Subclassed models of SavedModels, whose class the file does not hold: they compute what their signature does."""
from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from evergraph.base import errors, nest
from evergraph.base.no_dependency import NoDependency
from evergraph.eager.saved.read import load_v2
from evergraph.frontend.variables.base import Variable
from evergraph.keras.model import Model
from evergraph.save import saved_model_constants as constants
from evergraph.save.tracking import children_of


class RevivedModel(Model):
    """A subclassed model without its class: a call runs the graph that servers run, as for predictions.

    Args:
        folder: the SavedModel.
        name: the name of the model.

    Raises:
        UnimplementedError: the SavedModel has no signature to serve it by.
    """

    def __init__(self, folder: str, name: str | None) -> None:
        super().__init__(name=name)
        loaded = load_v2(folder)
        serve = loaded.signatures.get(constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY)
        if serve is None:
            raise errors.UnimplementedError(
                None, None, f"the model {name} of {folder} is subclassed and has no signature that says what it "
                f"computes: make it from its class, and load its weights from {constants.VARIABLES_DIRECTORY}")
        self._serve = NoDependency(serve)
        self.restored = list(dict.fromkeys(_variables(loaded)))
        self.built = True

    def call(self, inputs: Any) -> Any:
        """The outputs: a tensor, or a list of them in the order of their numbers."""
        names = sorted(self._serve.structured_input_signature[1], key=_in_numbers)
        given = inputs if isinstance(inputs, dict) else dict(zip(names, nest.flatten(inputs), strict=True))
        found = self._serve(**given)
        outputs = [found[name] for name in sorted(found, key=_in_numbers)]
        return outputs[0] if len(outputs) == 1 else outputs


def _in_numbers(name: str) -> list[Any]:
    """The key by which "input_2" comes before "input_10"."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]


def _variables(value: Any) -> Iterator[Any]:
    """The variables below an object, without those of an optimizer, and of the metrics that TensorFlow 2 adds."""
    seen, waiting = set(), [value]
    while waiting:
        item = waiting.pop(0)
        if isinstance(item, Variable):
            yield item
        elif id(item) not in seen:
            seen.add(id(item))
            waiting += [child for name, child in children_of(item).items()
                        if name not in ("optimizer", "signatures", "keras_api")]
