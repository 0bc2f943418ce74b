"""tf.Module: an object that knows the variables it holds."""
from __future__ import annotations

import functools
import re

from evergraph.base import nest
from evergraph.base.export import export
from evergraph.base.no_dependency import Unwrapping
from evergraph.base.spelling import snake_case
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.variables.base import Variable

_IDENTIFIER = re.compile(r"^[a-zA-Z_]\w*$")


@export("Module")
class Module(Unwrapping):
    """A base class for objects made of variables and of other modules.

    >>> class Dense(tf.Module):
    ...     def __init__(self, inputs, outputs, name=None):
    ...         super().__init__(name=name)
    ...         with self.name_scope:
    ...             self.w = tf.Variable(tf.zeros([inputs, outputs]), name="w")
    >>> [v.name for v in Dense(3, 2).variables]
    ['dense/w:0']

    Args:
        name: a Python identifier; by default the name of the class in lower case with underscores.

    Raises:
        ValueError: the name is not an identifier.
    """

    _TF_MODULE_IGNORED_PROPERTIES = frozenset()
    """The attributes in which variables and modules are not looked for: TensorFlow's name, which subclasses extend."""

    def __init__(self, name=None):
        name = snake_case(type(self).__name__) if name is None else name
        if not _IDENTIFIER.match(name):
            raise ValueError(f"{name!r} is not a valid module name: it must be a Python identifier")
        self._name = name
        with name_scope(name) as scope:
            self._scope = scope

    @property
    def name(self):
        """The name, without the scopes around it."""
        return self._name

    @property
    def name_scope(self):
        """A block in which operations are named after this module."""
        if not hasattr(self, "_scope"):
            with name_scope(self.name) as scope:
                self._scope = scope
        return name_scope(self._scope)

    @property
    def variables(self):
        """The variables of this module and of those below it, each once, in the order of the attributes' names."""
        return tuple(each for each in _held(self) if isinstance(each, Variable))

    @property
    def trainable_variables(self):
        """Those of the variables that are to be trained."""
        return tuple(each for each in self.variables if each.trainable)

    @property
    def submodules(self):
        """The modules below this one."""
        return tuple(each for each in _held(self) if isinstance(each, Module))

    @classmethod
    def with_name_scope(cls, method):
        """Decorator: the method adds its operations inside the module's `name_scope`."""
        @functools.wraps(method)
        def scoped(self, *args, **kwargs):
            with self.name_scope:
                return method(self, *args, **kwargs)
        return scoped


def _held(module, seen=None):
    """The variables and modules found in the attributes of a module and, after them, in those of its submodules."""
    seen = {id(module)} if seen is None else seen
    found = []
    for name in sorted(vars(module).keys() - module._TF_MODULE_IGNORED_PROPERTIES):
        for leaf in nest.flatten(vars(module)[name]):
            if isinstance(leaf, (Variable, Module)) and id(leaf) not in seen:
                seen.add(id(leaf))
                found.append(leaf)
    below = [each for leaf in found if isinstance(leaf, Module) for each in _held(leaf, seen)]
    return found + below
