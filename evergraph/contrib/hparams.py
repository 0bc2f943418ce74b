"""tf.contrib.training.HParams: hyperparameters with types, read from strings, dicts and JSON."""
from __future__ import annotations

import json
import re

from evergraph.base.export import export

_ASSIGNMENT = re.compile(r"""
    (?P<name>[a-zA-Z][\w.]*) (?:\[\s*(?P<index>\d+)\s*\])? \s*=\s*
    (?: \[(?P<list>[^\]]*)\] | (?P<value>[^,\[]*) ) \s*(?:$|,\s*)""", re.VERBOSE)  # fmt: skip


@export("contrib.training.HParams")
class HParams:
    """Hyperparameters, each an attribute of the type of its first value.

    >>> hparams = tf.contrib.training.HParams(rate=0.1, layers=[64, 64])
    >>> hparams.parse("rate=0.5,layers=[128]").rate
    0.5
    """

    def __init__(self, hparam_def=None, model_structure=None, **kwargs):
        if hparam_def is not None:
            raise ValueError("HParams is made from keywords here; HParamDef messages are not supported")
        self._hparam_types = {}
        self._model_structure = model_structure
        for name, value in kwargs.items():
            self.add_hparam(name, value)

    def add_hparam(self, name, value):
        """Adds a hyperparameter; a list has elements of one type.

        Raises:
            ValueError: the name is taken, or the list is empty.
        """
        if getattr(self, name, None) is not None:
            raise ValueError(f"Hyperparameter name is reserved: {name}")
        if isinstance(value, (list, tuple)):
            if not value:
                raise ValueError(f"Multi-valued hyperparameters cannot be empty: {name}")
            self._hparam_types[name] = (type(value[0]), True)
        else:
            self._hparam_types[name] = (type(value), False)
        setattr(self, name, value)

    def set_hparam(self, name, value):
        """Gives a hyperparameter another value of its type.

        Raises:
            KeyError: there is none of that name.
            ValueError: the value does not fit.
        """
        kind, is_list = self._hparam_types[name]
        if isinstance(value, list):
            if not is_list:
                raise ValueError(f"{name} is a single value, got a list")
            setattr(self, name, [_as(name, kind, item) for item in value])
        elif is_list:
            raise ValueError(f"{name} is a list of values, got a single one")
        else:
            setattr(self, name, _as(name, kind, value))

    def del_hparam(self, name):
        """Takes a hyperparameter away."""
        if hasattr(self, name):
            delattr(self, name)
            del self._hparam_types[name]

    def parse(self, values):
        """Sets what a text like "a=1,b=[1,2],c[0]=3" says; returns the object itself.

        Raises:
            ValueError: the text is malformed, names an unknown hyperparameter, or a value does not fit.
        """
        for name, value in _parsed(values, self._hparam_types).items():
            if isinstance(value, dict):
                whole = list(getattr(self, name))
                for index, item in value.items():
                    whole[index] = item
                value = whole
            self.set_hparam(name, value)
        return self

    def override_from_dict(self, values_dict):
        """Sets each named hyperparameter; returns the object itself."""
        for name, value in values_dict.items():
            self.set_hparam(name, value)
        return self

    def parse_json(self, values_json):
        """Sets what a JSON object says; returns the object itself."""
        return self.override_from_dict(json.loads(values_json))

    def to_json(self, indent=None, separators=None, sort_keys=False):
        """The values as a JSON object; functions are left out."""
        plain = {name: value for name, value in self.values().items() if not callable(value)}
        return json.dumps(plain, indent=indent, separators=separators, sort_keys=sort_keys)

    def values(self):
        """Name -> value."""
        return {name: getattr(self, name) for name in self._hparam_types}

    def get(self, key, default=None):
        """The value, or `default` when there is no such hyperparameter.

        Raises:
            ValueError: the default is of another type.
        """
        if key not in self._hparam_types:
            return default
        if default is not None:
            kind, is_list = self._hparam_types[key]
            items = default if isinstance(default, list) else [default]
            if is_list != isinstance(default, list):
                form = "a list" if is_list else "a single value"
                raise ValueError(f"{key} is {form}, the default {default!r} is not")
            for item in items:
                _as(key, kind, item)
        return getattr(self, key)

    def get_model_structure(self):
        return self._model_structure

    def set_model_structure(self, model_structure):
        self._model_structure = model_structure

    def __contains__(self, key):
        return key in self._hparam_types

    def __str__(self):
        return str(sorted(self.values().items()))

    def __repr__(self):
        return f"HParams({sorted(self.values().items())})"


def _as(name, kind, value):
    """`value` as a hyperparameter of type `kind` holds it.

    Raises:
        ValueError: it is of another kind.
    """
    if kind is type(None) or callable(value) or type(value) is kind:
        return value
    if not isinstance(value, _TAKEN.get(kind, kind)) or kind is not bool and isinstance(value, bool) \
            or kind is int and value != int(value):
        raise ValueError(f"hparam '{name}' is of type '{kind}': no value of that type can be made of {value!r}")
    return value if kind in (str, bytes) else kind(value)


_TAKEN = {float: (int, float), int: (int, float), bool: int, str: (str, bytes), bytes: (str, bytes)}
"""What a hyperparameter of a type may be set to, when that is more than the type itself."""


def _parsed(text, types):
    """Name -> value, list, or {index: value}, from the text form."""
    found = {}
    position = 0
    while position < len(text):
        match = _ASSIGNMENT.match(text, position)
        if match is None:
            raise ValueError(f"Malformed hyperparameter value: {text[position:]}")
        position = match.end()
        name = match["name"]
        if name not in types:
            raise ValueError(f"Unknown hyperparameter type for {name}")
        kind, is_list = types[name]
        if match["list"] is not None:
            items = [item for item in re.split(r"\s*,\s*", match["list"].strip()) if item]
            value = [_read(name, kind, item, text) for item in items]
            if match["index"] is not None or not is_list:
                raise ValueError(f"Could not parse hparam '{name}' in '{text}': a list does not fit")
            found[name] = value
        elif match["index"] is not None:
            found.setdefault(name, {})[int(match["index"])] = _read(name, kind, match["value"].strip(), text)
        else:
            value = _read(name, kind, match["value"].strip(), text)
            found[name] = [value] if is_list else value
    return found


def _read(name, kind, item, text):
    try:
        if kind is bool:
            if item in ("true", "True", "1"):
                return True
            if item in ("false", "False", "0"):
                return False
            raise ValueError(item)
        return kind(item) if kind is not type(None) else item
    except ValueError:
        raise ValueError(f"Could not parse {text}: hparam '{name}' is of type '{kind.__name__}', not a fit for "
                         f"{item!r}") \
            from None
