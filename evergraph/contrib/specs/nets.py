"""tf.contrib.specs.python: networks from the text of a specification, and the words inside a `with` block."""

from __future__ import annotations

import re
import sys
from typing import Any

from evergraph.base.export import export
from evergraph.contrib.specs.functions import Composable
from evergraph.contrib.specs.vocabulary import LAYERS, PARAMETERS

_STATEMENTS = re.compile(r"\b(import|while|def|exec|class|for|with|lambda|del|global)\b")
_STRINGS = re.compile(r"'[^']*'|\"[^\"]*\"")


def _values(text: str, words: dict[str, Any], environment: Any) -> dict[str, Any]:
    """What the assignments of a text give their names.

    Raises:
        ValueError: the text has other statements.
    """
    if found := _STATEMENTS.search(_STRINGS.sub("''", text)):
        raise ValueError(f"a specification consists of assignments: {found.group()!r} has no place in it")
    bindings = dict(environment or {})
    exec(text, dict(words), bindings)
    return bindings


@export("contrib.specs.eval_params")
def eval_params(params: str, environment: Any = None) -> dict[str, Any]:
    """The values that `name = expression` statements give, with random numbers by Uf, Ui, Lf, Li and Nt."""
    return _values(params, PARAMETERS, environment)


@export("contrib.specs.eval_spec")
def eval_spec(spec: str, environment: Any = None) -> dict[str, Any]:
    """The functions that the statements of a specification name.

    Args:
        spec: the text.
        environment: more names that it may use.
    """
    return _values(spec, LAYERS, environment)


@export("contrib.specs.create_net_fun")
def create_net_fun(spec: str, environment: Any = None) -> Composable:
    """The function that a specification calls `net`; `funcall` applies it.

    Args:
        spec: the specification.
        environment: further names for it.

    Raises:
        ValueError: it names nothing `net`.
    """
    bindings = eval_spec(spec, environment)
    if "net" not in bindings:
        raise ValueError(f"a specification names its network `net`, and {spec!r} does not")
    return bindings["net"]


@export("contrib.specs.create_net")
def create_net(spec: str, inputs: Any, environment: Any = None) -> Any:
    """The output of the network that a specification calls `net`.

    The arguments are those of `create_net_fun`, and the inputs of the network.
    """
    return create_net_fun(spec, environment).funcall(inputs)


class _Words:
    """Lends the words of specifications to the globals of a `with` block."""

    def __enter__(self) -> None:
        names = sys._getframe(1).f_globals
        self._names, self._hidden = names, {word: names[word] for word in LAYERS if word in names}
        names.update(LAYERS)

    def __exit__(self, *_: Any) -> None:
        for word in LAYERS:
            self._names.pop(word, None)
        self._names.update(self._hidden)


ops = export("contrib.specs.ops")(_Words())
