"""tf.contrib.training.HParams: hyperparameters with types, read from strings, dicts and JSON."""
from __future__ import annotations

import json
import numbers
import re

from evergraph.base.export import export
from evergraph.proto import hparam_pb2

_ASSIGNMENT = re.compile(r"""
    (?P<name>[a-zA-Z][\w.]*) (?:\[\s*(?P<index>\d+)\s*\])? \s*=\s*
    (?: \[(?P<list>[^\]]*)\] | (?P<value>[^,\[]*) ) \s*(?:$|,\s*)""", re.VERBOSE)  # fmt: skip


@export("contrib.training.HParams")
class HParams:
    """Hyperparameters, each an attribute of the type of its first value.

    >>> hparams = tf.contrib.training.HParams(rate=0.1, layers=[64, 64])
    >>> hparams.parse("rate=0.5,layers=[128]").rate
    0.5

    Args:
        hparam_def: a HParamDef message with the values, which `to_proto` makes.
        model_structure: a message that describes the model, kept for the program.
        kwargs: the values by name.
    """

    def __init__(self, hparam_def=None, model_structure=None, **kwargs):
        """Takes values from keywords, or from a HParamDef message that `to_proto` made.

        Raises:
            AssertionError: `hparam_def` is of another kind.
        """
        self._hparam_types = {}
        self._model_structure = model_structure
        if hparam_def is not None:
            if not isinstance(hparam_def, hparam_pb2.HParamDef):
                raise AssertionError(f"hparam_def has to be a HParamDef message, got {hparam_def!r}")
            kwargs = _from_message(hparam_def)
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
                raise ValueError(f"Must not pass a list: {name} is a single value, got {value!r}")
            setattr(self, name, [_as(name, kind, item) for item in value])
        elif is_list:
            raise ValueError(f"Must pass a list: {name} has several values, got {value!r}")
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
        for name, value in parse_values(values, {name: kind for name, (kind, _) in self._hparam_types.items()}).items():
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
        """What `set_model_structure` was given."""
        return self._model_structure

    def set_model_structure(self, model_structure):
        """Keeps a message that describes a model."""
        self._model_structure = model_structure

    def __contains__(self, key):
        return key in self._hparam_types

    def to_proto(self):
        """The values as a HParamDef message, from which `HParams(hparam_def=...)` makes the same ones."""
        message = hparam_pb2.HParamDef()
        for name, value in self.values().items():
            kind, is_list = self._hparam_types[name]
            field = _field(name, kind)
            coded = [item.encode() if kind is str else item for item in (value if is_list else [value])]
            if is_list:
                getattr(message.hparam[name], f"{field}_list").value.extend(coded)
            else:
                setattr(message.hparam[name], f"{field}_value", coded[0])
        return message

    def __str__(self):
        """The form that `parse` reads."""
        return ",".join(f"{name}={value}" for name, value in self.values().items())

    def __repr__(self):
        return f"HParams({sorted(self.values().items())})"


def _field(name, kind):
    """The word for a type in the fields of HParamDef.

    Raises:
        ValueError: there is none.
    """
    for type_, word in ((bool, "bool"), (int, "int64"), (float, "float"), ((str, bytes), "bytes")):
        if issubclass(kind, type_):
            return word
    raise ValueError(f"hparam '{name}' is of type '{kind.__name__}', which a HParamDef message cannot hold")


def _from_message(message):
    """Name -> value, of what a HParamDef says. Bytes become text."""
    found = {}
    for name, value in message.hparam.items():
        kind = value.WhichOneof("kind")
        held = getattr(value, kind)
        items = [item.decode() if isinstance(item, bytes) else item for item in
                 (held.value if kind.endswith("_list") else [held])]
        found[name] = items if kind.endswith("_list") else items[0]
    return found


def _as(name, kind, value):
    """`value` as a hyperparameter of type `kind` holds it.

    Raises:
        ValueError: it is of another kind.
    """
    if kind is type(None) or callable(value) or type(value) is kind:
        return value
    if not isinstance(value, _TAKEN.get(kind, kind)) or isinstance(value, bool):
        raise ValueError(f"hparam '{name}' is of type '{kind}': no value of that type can be made of {value!r}")
    return value if kind in (str, bytes) else kind(value)


_TAKEN = {float: numbers.Real, int: numbers.Integral, str: (str, bytes), bytes: (str, bytes)}
"""What a hyperparameter of a type may be set to, when that is more than the type itself."""


def parse_values(values, type_map, ignore_unknown=False):
    """What a text like "a=1,b=[1,2],c[0]=3" says: name -> value, list, or {index: value}.

    Args:
        values: the text.
        type_map: name -> the type of the value, or of the elements of a list.
        ignore_unknown: leaves out names that `type_map` does not have; otherwise they are an error.

    Raises:
        ValueError: the text is malformed, or assigns twice, or a value does not fit its type.
    """
    found = {}
    position = 0
    while position < len(values):
        match = _ASSIGNMENT.match(values, position)
        if match is None:
            raise ValueError(f"Malformed hyperparameter value: {values[position:]}")
        position = match.end()
        if match["name"] in type_map:
            _assign(found, match, type_map[match["name"]], values)
        elif not ignore_unknown:
            raise ValueError(f"Unknown hyperparameter type for {match['name']}")
    return found


def _assign(found, match, kind, text):
    """Adds one assignment of the text to what is found."""
    name, index = match["name"], match["index"]
    if index is None:
        if name in found:
            raise ValueError(f"Multiple assignments to variable '{name}' in {text}")
        if match["list"] is None:
            found[name] = _read(name, kind, match["value"].strip(), text)
        else:
            items = re.split(r"\s*,\s*", match["list"].strip())
            found[name] = [_read(name, kind, item, text) for item in items if item]
        return
    if match["list"] is not None:
        raise ValueError(f"Assignment of a list to a list index: {name}[{index}] in {text}")
    items = found.setdefault(name, {})
    if not isinstance(items, dict):
        raise ValueError(f"Multiple assignments to variable '{name}' in {text}")
    if int(index) in items:
        raise ValueError(f"Multiple assignments to variable '{name}[{index}]' in {text}")
    items[int(index)] = _read(name, kind, match["value"].strip(), text)


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
