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
        return tuple(self._flatten(predicate=_is_variable))

    @property
    def trainable_variables(self):
        """Those of the variables that are to be trained."""
        return tuple(self._flatten(predicate=lambda each: _is_variable(each) and each.trainable))

    @property
    def submodules(self):
        """The modules below this one."""
        return tuple(self._flatten(predicate=lambda each: isinstance(each, Module)))

    def _flatten(self, recursive=True, predicate=None, attribute_traversal_key=None, with_path=False):
        """Yields what the attributes hold, then what those of the modules found there hold, each object once.

        The name is TensorFlow's: subclasses call it to look for objects of other kinds.

        Args:
            recursive: whether to look into modules.
            predicate: which objects to yield; by default all.
            attribute_traversal_key: the sort key of the names of attributes.
            with_path: whether to yield pairs (path, object), and an object for each path that leads to it.
        """
        for path, value in _found(self, recursive, attribute_traversal_key, None if with_path else {id(self)}):
            if predicate is None or predicate(value):
                yield (path, value) if with_path else value

    @classmethod
    def with_name_scope(cls, method):
        """Decorator: the method adds its operations inside the module's `name_scope`."""
        @functools.wraps(method)
        def scoped(self, *args, **kwargs):
            with self.name_scope:
                return method(self, *args, **kwargs)
        return scoped


def _is_variable(value):
    return isinstance(value, Variable)


def _found(module, recursive, key, seen, path=(), around=()):
    """Yields (path, object) of what is below a module.

    Args:
        module: where to look.
        recursive: whether to look into modules.
        key: the sort key of the names of attributes.
        seen: the ids of the objects that were found, or None to follow every path.
        path: that of the module.
        around: the ids of the modules on the path, which are not entered again.
    """
    attributes, inner = vars(module), []
    for name in sorted(attributes.keys() - module._TF_MODULE_IGNORED_PROPERTIES, key=key):
        for steps, leaf in nest.flatten_with_tuple_paths_up_to(attributes[name], attributes[name]):
            if seen is not None:
                if id(leaf) in seen:
                    continue
                seen.add(id(leaf))
            here = (*path, name, *steps)
            yield here, leaf
            if isinstance(leaf, Module) and id(leaf) not in around and leaf is not module:
                inner.append((here, leaf))
    for here, leaf in inner if recursive else ():
        yield from _found(leaf, recursive, key, seen, here, (*around, id(module)))
