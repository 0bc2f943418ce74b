"""Nested structures: lists, tuples, namedtuples, dicts and attrs classes of leaves.

Dicts are walked in the order of their sorted keys. Composite tensors (SparseTensor, IndexedSlices, ...) are leaves,
or inner nodes if `expand_composites` is true. A class is composite if it has the methods `_components()` and
`_from_components(parts)`.
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterator, Mapping, MappingView, Sequence
from typing import Any

from evergraph.base.export import export

Path = tuple[Any, ...]


_KINDS: dict[type, str] = {}


def _kind(structure: Any) -> str:
    """How to take a value apart; cached by class."""
    cls = type(structure)
    kind = _KINDS.get(cls)
    if kind is None:
        kind = _KINDS[cls] = _classify(cls)
    return kind


def is_namedtuple(instance: Any, strict: bool = False) -> bool:
    """Whether a value is a namedtuple; strictly, if its class adds nothing to the one that namedtuple made."""
    return _kind(instance) == "namedtuple" and not (strict and type(instance).__base__ is not tuple)


def _classify(cls: type) -> str:
    if issubclass(cls, (str, bytes, bytearray)):
        return "leaf"
    if issubclass(cls, Mapping):
        return "mapping"
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        return "namedtuple"
    if hasattr(cls, "_components") and hasattr(cls, "_from_components"):
        return "composite"
    if hasattr(cls, "__attrs_attrs__"):
        return "attrs"
    return "sequence" if issubclass(cls, (Sequence, MappingView)) else "leaf"


def _attribute_names(structure: Any) -> list[str]:
    return [attribute.name for attribute in type(structure).__attrs_attrs__]


def _sorted_keys(mapping: Mapping[Any, Any]) -> list[Any]:
    try:
        return sorted(mapping)
    except TypeError:
        raise TypeError(f"nest only walks dicts whose keys can be sorted, not {list(mapping)}") from None


def _children(structure: Any, expand: bool) -> list[Any] | None:
    """The direct children of a structure, or None for a leaf."""
    kind = _kind(structure)
    if kind == "leaf" or (kind == "composite" and not expand):
        return None
    if kind == "mapping":
        return [structure[key] for key in _sorted_keys(structure)]
    if kind == "attrs":
        return [getattr(structure, name) for name in _attribute_names(structure)]
    return list(structure._components() if kind == "composite" else structure)


def _keys(structure: Any) -> list[Any]:
    """The last path component (key, index or field name) of each child of a structure."""
    kind = _kind(structure)
    if kind == "mapping":
        return _sorted_keys(structure)
    if kind == "namedtuple":
        return list(structure._fields)
    if kind == "attrs":
        return _attribute_names(structure)
    return list(range(len(structure._components() if kind == "composite" else structure)))


def _rebuild(structure: Any, children: list[Any]) -> Any:
    """Rebuilds a structure of the same type around new children."""
    cls, kind = type(structure), _kind(structure)
    if kind == "mapping":
        return _rebuild_mapping(structure, dict(zip(_sorted_keys(structure), children)))
    if kind == "composite":
        return structure._from_components(children)
    if kind in ("namedtuple", "attrs"):
        return cls(*children)
    if isinstance(structure, (range, MappingView)):
        return children
    return cls(children)


def _rebuild_mapping(mapping: Any, values: dict[Any, Any]) -> Any:
    """Rebuilds a mapping with the same keys in the same order and new values."""
    pairs = [(key, values[key]) for key in mapping]
    if isinstance(mapping, collections.defaultdict):
        return type(mapping)(mapping.default_factory, pairs)
    return type(mapping)(pairs)


@export("nest.is_nested", "contrib.framework.nest.is_nested")
def is_nested(seq: Any) -> bool:
    """Whether a value is a list, tuple, dict or another structure that `tf.nest` traverses; strings are not."""
    return _kind(seq) not in ("leaf", "composite")


is_sequence = export("contrib.framework.nest.is_sequence")(is_nested)


def is_nested_or_composite(seq: Any) -> bool:
    """Whether a value is a structure or a composite tensor."""
    return _kind(seq) != "leaf"


@export("nest.flatten", "contrib.framework.nest.flatten")
def flatten(structure: Any, expand_composites: bool = False) -> list[Any]:
    """Flattens a structure to the list of its leaves, left to right and dicts by sorted key; `[x]` for a leaf x.

    Args:
        structure: any value.
        expand_composites: whether composite tensors are replaced by their components.

    Raises:
        TypeError: a dict has keys that cannot be sorted.

    >>> flatten({"b": 1, "a": [2, (3, 4)]})
    [2, 3, 4, 1]
    """
    leaves: list[Any] = []
    _collect(structure, expand_composites, leaves)
    return leaves


def _collect(structure: Any, expand: bool, leaves: list[Any]) -> None:
    children = _children(structure, expand)
    if children is None:
        leaves.append(structure)
        return
    for child in children:
        _collect(child, expand, leaves)


@export("nest.pack_sequence_as", "contrib.framework.nest.pack_sequence_as")
def pack_sequence_as(structure: Any, flat_sequence: Any, expand_composites: bool = False) -> Any:
    """Packs a flat sequence of leaves, in the order of `flatten`, into a structure like the given one.

    Args:
        structure: the structure to imitate.
        flat_sequence: a list or tuple of the new leaves.
        expand_composites: whether the leaves include the components of composite tensors.

    Raises:
        TypeError: `flat_sequence` is not a sequence.
        ValueError: the number of elements differs from the number of leaves.

    >>> pack_sequence_as({"b": 0, "a": [0, 0]}, [1, 2, 3])
    {'b': 3, 'a': [1, 2]}
    """
    if not is_nested(flat_sequence):
        raise TypeError(f"flat_sequence must be a sequence, not {flat_sequence!r} of {type(flat_sequence)}")
    leaves = list(flat_sequence)
    wanted = len(flatten(structure, expand_composites))
    if wanted != len(leaves):
        raise ValueError(
            f"Could not pack: Structure had {wanted} elements, but flat_sequence had {len(leaves)} "
            f"elements. They are {structure!r} and {flat_sequence!r}"
        )
    return _pack(structure, iter(leaves), expand_composites)


def _pack(structure: Any, leaves: Iterator[Any], expand: bool) -> Any:
    children = _children(structure, expand)
    if children is None:
        return next(leaves)
    return _rebuild(structure, [_pack(child, leaves, expand) for child in children])


@export("nest.map_structure", "contrib.framework.nest.map_structure")
def map_structure(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """Applies a function to the corresponding leaves of one or more structures, and returns a structure of results.

    Args:
        func: a function with one argument per structure.
        *structure: structures that are nested alike.
        **kwargs: `check_types` (True): whether lists, tuples and so on must be of one type in all structures;
            `expand_composites` (False): whether to apply `func` to the components of composite tensors.

    Raises:
        TypeError: `func` is not callable, or the structures' types differ.
        ValueError: there is no structure, or the structures are nested differently.

    >>> map_structure(lambda x, y: x + y, {"a": 1, "b": [2]}, {"a": 10, "b": [20]})
    {'a': 11, 'b': [22]}
    """
    if not callable(func):
        raise TypeError(f"func must be callable, got: {func!r}")
    if not structure:
        raise ValueError("Must provide at least one structure")
    check_types, expand = _options(kwargs)
    for other in structure[1:]:
        assert_same_structure(structure[0], other, check_types=check_types, expand_composites=expand)
    results = [func(*leaves) for leaves in zip(*(flatten(each, expand) for each in structure))]
    return _pack(structure[0], iter(results), expand)


def _options(kwargs: dict[str, Any]) -> tuple[bool, bool]:
    """Pops `check_types` and `expand_composites` from keyword arguments, and rejects any other."""
    check_types, expand = kwargs.pop("check_types", True), kwargs.pop("expand_composites", False)
    if kwargs:
        raise ValueError(f"Only valid keyword arguments: check_types, expand_composites; got {[*kwargs]}")
    return check_types, expand


@export("nest.assert_same_structure", "contrib.framework.nest.assert_same_structure")
def assert_same_structure(nest1: Any, nest2: Any, check_types: bool = True, expand_composites: bool = False) -> None:
    """Raises unless two structures are nested alike; their leaves may differ.

    Args:
        nest1: a structure.
        nest2: another one.
        check_types: whether lists, tuples and so on must be of one type; any two dicts are, and so are namedtuples
            with the same name and fields.
        expand_composites: whether to compare the components of composite tensors as well; such a tensor is then also
            like a tf.TypeSpec that it is compatible with.

    Raises:
        ValueError: the nesting, the lengths or the keys differ.
        TypeError: the structures' types differ.
    """
    try:
        _assert_same(nest1, nest2, check_types, expand_composites)
    except (TypeError, ValueError) as error:
        shapes = f"First structure: {nest1!r}\n\nSecond structure: {nest2!r}"
        raise type(error)(
            f"The two structures don't have the same nested structure.\n\n{shapes}\n\nMore specifically: {error}"
        ) from None


def _assert_same(first: Any, second: Any, check_types: bool, expand: bool) -> None:
    if expand and _kind(first) != _kind(second) and "composite" in (_kind(first), _kind(second)):
        value, spec = (first, second) if _kind(first) == "composite" else (second, first)
        if hasattr(type(spec), "_component_specs") and spec.is_compatible_with(value):
            return
    mine, theirs = _children(first, expand), _children(second, expand)
    if mine is None and theirs is None:
        return
    if mine is None or theirs is None:
        nested, leaf = (first, second) if theirs is None else (second, first)
        raise ValueError(f'Substructure "{nested!r}" is a sequence, while substructure "{leaf!r}" is not')
    if check_types:
        _assert_same_type(first, second)
    if len(mine) != len(theirs):
        raise ValueError(f"the two must have the same number of elements, got {len(mine)} and {len(theirs)}")
    for x, y in zip(mine, theirs):
        _assert_same(x, y, check_types, expand)


def _assert_same_type(first: Any, second: Any) -> None:
    if not _like_types(first, second):
        raise TypeError(
            f"the two are not the same sequence type: {first!r} is a {type(first).__name__}, {second!r} a "
            f"{type(second).__name__}"
        )
    if isinstance(first, Mapping) and set(first) != set(second):
        raise ValueError(
            "The two dictionaries don't have the same set of keys. "
            f"First structure has keys {list(first)}, while second structure has keys {list(second)}"
        )


def _like_types(first: Any, second: Any) -> bool:
    """Whether the types of two structures count as equal."""
    if type(first) is type(second) or (isinstance(first, Mapping) and isinstance(second, Mapping)):
        return True
    if "namedtuple" == _kind(first) == _kind(second):
        return type(first).__name__ == type(second).__name__ and first._fields == second._fields
    return False


@export("contrib.framework.nest.assert_shallow_structure")
def assert_shallow_structure(
    shallow_tree: Any,
    input_tree: Any,
    check_types: bool = True,
    expand_composites: bool = False,
    check_subtrees_length: bool = True,
) -> None:
    """Raises unless `input_tree` is nested like `shallow_tree`, down to the leaves of `shallow_tree`.

    Args:
        shallow_tree: the structure to compare with.
        input_tree: the structure to check; it may be deeper.
        check_types: whether lists, tuples and so on must be of one type.
        expand_composites: whether composite tensors count as structures.
        check_subtrees_length: whether the two must have the same lengths; if not, the input may have more elements.

    Raises:
        TypeError: `input_tree` has a leaf where `shallow_tree` has a structure, or types differ.
        ValueError: lengths or keys differ.
    """
    for _ in _walk_up_to(shallow_tree, input_tree, check_types, expand_composites, check_subtrees_length, ()):
        pass


def _walk_up_to(
    shallow: Any, deep: Any, check_types: bool, expand: bool, check_length: bool, path: Path
) -> Iterator[tuple[Path, Any]]:
    """Yields the path and the part of `deep` at each leaf of `shallow`."""
    mine = _children(shallow, expand)
    if mine is None:
        yield path, deep
        return
    theirs = _matched_children(shallow, deep, check_types, expand, check_length)
    for key, child, part in zip(_keys(shallow), mine, theirs):
        yield from _walk_up_to(child, part, check_types, expand, check_length, (*path, key))


def _matched_children(shallow: Any, deep: Any, check_types: bool, expand: bool, check_length: bool) -> list[Any]:
    """The children of `deep` that correspond to those of `shallow`."""
    theirs = _children(deep, expand)
    if theirs is None:
        raise TypeError(
            f"where the shallow structure is a sequence, the input must be one too, got {type(deep)}"
        )
    if check_types and not _like_types(shallow, deep):
        raise TypeError(
            f"the two are not the same sequence type: the input is {type(deep)}, the shallow structure {type(shallow)}"
        )
    wanted = len(_keys(shallow))
    if len(theirs) < wanted or (check_length and len(theirs) != wanted):
        raise ValueError(
            f"the two are not the same sequence length: the input has {len(theirs)}, the shallow structure {wanted}"
        )
    if not (isinstance(shallow, Mapping) and isinstance(deep, Mapping)):
        return theirs
    missing = [key for key in _sorted_keys(shallow) if key not in deep]
    if missing:
        raise ValueError(
            f"keys of the shallow structure that the input does not have: {missing}"
        )
    return [deep[key] for key in _sorted_keys(shallow)]


@export("contrib.framework.nest.flatten_up_to")
def flatten_up_to(
    shallow_tree: Any,
    input_tree: Any,
    check_types: bool = True,
    expand_composites: bool = False,
    check_subtrees_length: bool = True,
) -> list[Any]:
    """Flattens `input_tree` down to the leaves of `shallow_tree`; arguments as in `assert_shallow_structure`.

    >>> flatten_up_to([0, {"a": 0}], [(1, 2), {"a": [3]}])
    [(1, 2), [3]]
    """
    walk = _walk_up_to(shallow_tree, input_tree, check_types, expand_composites, check_subtrees_length, ())
    return [part for _, part in walk]


def flatten_with_tuple_paths_up_to(
    shallow_tree: Any,
    input_tree: Any,
    check_types: bool = True,
    expand_composites: bool = False,
    check_subtrees_length: bool = True,
) -> list[tuple[Path, Any]]:
    """As `flatten_up_to`, with the path (keys, indices and field names) to each part."""
    return list(_walk_up_to(shallow_tree, input_tree, check_types, expand_composites, check_subtrees_length, ()))


@export("contrib.framework.nest.map_structure_up_to")
def map_structure_up_to(shallow_tree: Any, func: Callable[..., Any], *inputs: Any, **kwargs: Any) -> Any:
    """Applies a function to the parts of the inputs at the leaves of `shallow_tree`; returns a structure like it.

    Args:
        shallow_tree: the structure all inputs share.
        func: a function with one argument per input.
        *inputs: structures, each at least as deep as `shallow_tree`.
        **kwargs: `check_types`, `expand_composites` and `check_subtrees_length` as in `assert_shallow_structure`.

    Raises:
        ValueError: there is no input, or lengths or keys differ.
        TypeError: types differ.

    >>> map_structure_up_to([0, 0], sum, [(1, 2), [3, 4, 5]])
    [3, 12]
    """
    return map_structure_with_tuple_paths_up_to(shallow_tree, lambda _, *parts: func(*parts), *inputs, **kwargs)


def map_structure_with_tuple_paths_up_to(
    shallow_tree: Any, func: Callable[..., Any], *inputs: Any, **kwargs: Any
) -> Any:
    """As `map_structure_up_to`; the function's first argument is the path."""
    if not inputs:
        raise ValueError("Cannot map over no sequences")
    check_length = kwargs.pop("check_subtrees_length", True)
    check_types, expand = _options(kwargs)
    walks = [list(_walk_up_to(shallow_tree, each, check_types, expand, check_length, ())) for each in inputs]
    results = [func(leaves[0][0], *(part for _, part in leaves)) for leaves in zip(*walks)]
    return _pack(shallow_tree, iter(results), expand)


def map_structure_with_tuple_paths(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """As `map_structure`; the function's first argument is the path to the leaf: `("a", 0)` for `s["a"][0]`."""
    if not structure:
        raise ValueError("Must provide at least one structure")
    check_types, expand = kwargs.get("check_types", True), kwargs.get("expand_composites", False)
    for other in structure[1:]:
        assert_same_structure(structure[0], other, check_types=check_types, expand_composites=expand)
    return map_structure_with_tuple_paths_up_to(structure[0], func, *structure, **kwargs)


@export("contrib.framework.nest.map_structure_with_paths")
def map_structure_with_paths(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """As `map_structure`; the function's first argument is the path to the leaf as a string: "a/0" for `s["a"][0]`."""
    return map_structure_with_tuple_paths(
        lambda path, *leaves: func("/".join(map(str, path)), *leaves), *structure, **kwargs
    )


def flatten_with_tuple_paths(structure: Any, expand_composites: bool = False) -> list[tuple[Path, Any]]:
    """The leaves of a structure, each with its path.

    >>> flatten_with_tuple_paths({"a": [1, 2]})
    [(('a', 0), 1), (('a', 1), 2)]
    """
    return flatten_with_tuple_paths_up_to(structure, structure, expand_composites=expand_composites)


@export("contrib.framework.nest.flatten_with_joined_string_paths")
def flatten_with_joined_string_paths(
    structure: Any, separator: str = "/", expand_composites: bool = False
) -> list[tuple[str, Any]]:
    """The leaves of a structure, each with its path as a string.

    >>> flatten_with_joined_string_paths({"a": [1, 2]})
    [('a/0', 1), ('a/1', 2)]
    """
    found = flatten_with_tuple_paths(structure, expand_composites)
    return [(separator.join(map(str, path)), leaf) for path, leaf in found]


def yield_flat_paths(nest: Any, expand_composites: bool = False) -> Iterator[Path]:
    """Yields the path to each leaf, in the order of `flatten`."""
    for path, _ in flatten_with_tuple_paths(nest, expand_composites):
        yield path


@export("contrib.framework.nest.yield_flattened_up_to")
def yield_flattened_up_to(
    shallow_tree: Any, input_tree: Any, check_types: bool = True, expand_composites: bool = False
) -> Iterator[Any]:
    """Yields the elements of `flatten_up_to`, one after the other.

    Args:
        shallow_tree: the structure down to which is flattened.
        input_tree: a structure that is at least as deep.
        check_types: whether sequences must be of one type.
        expand_composites: whether tensors with parts are flattened to these.
    """
    yield from flatten_up_to(shallow_tree, input_tree, check_types, expand_composites)


@export("contrib.framework.nest.flatten_dict_items")
def flatten_dict_items(dictionary: Mapping[Any, Any]) -> dict[Any, Any]:
    """Flattens a dict whose keys and values are structures nested alike, to a dict of their leaves.

    Raises:
        TypeError: the argument is not a dict.
        ValueError: a key and its value are nested differently, or a leaf occurs twice as a key.

    >>> flatten_dict_items({(1, (2, 3)): ("a", ("b", "c"))})
    {1: 'a', 2: 'b', 3: 'c'}
    """
    if not isinstance(dictionary, Mapping):
        raise TypeError(f"dictionary must be a dict, not {type(dictionary).__name__}")
    flat: dict[Any, Any] = {}
    for key, value in dictionary.items():
        keys, values = flatten(key), flatten(value)
        if len(keys) != len(values):
            raise ValueError(
                f"Could not flatten a dictionary with nested keys: Key had {len(keys)} elements, but value had "
                f"{len(values)} elements ({keys} and {values})"
            )
        for leaf, item in zip(keys, values):
            if leaf in flat:
                raise ValueError(f"Could not flatten dictionary: this key is not unique: {leaf}")
            flat[leaf] = item
    return flat


@export("contrib.framework.nest.get_traverse_shallow_structure")
def get_traverse_shallow_structure(
    traverse_fn: Callable[[Any], Any], structure: Any, expand_composites: bool = False
) -> Any:
    """The upper part of a structure, down to where a function stops the traversal, for use as a shallow tree.

    Args:
        traverse_fn: called with a substructure; returns whether to traverse it: a bool, or a structure of bools
            with one for each child.
        structure: the structure.
        expand_composites: whether composite tensors count as structures.

    Returns:
        A structure whose leaves are bools: False where the traversal stopped.

    Raises:
        TypeError: `traverse_fn` returned a value that is not a bool.
        ValueError: `traverse_fn` returned a structure unlike its argument.
    """
    choice = traverse_fn(structure)
    children = _children(structure, expand_composites)
    if children is None or choice is False:
        return _require_bool(choice, structure)
    if choice is True:
        choice = _rebuild(structure, [True] * len(children))
    elif not is_nested(choice):
        raise TypeError(f"traverse_fn returned a non-bool scalar, {choice!r}, where it visited {structure!r}")

    def descend(flag: Any, part: Any) -> Any:
        return _require_bool(flag, structure) and get_traverse_shallow_structure(traverse_fn, part, expand_composites)

    parts = flatten_up_to(choice, structure, expand_composites=expand_composites)
    leaves = [descend(flag, part) for flag, part in zip(flatten(choice, expand_composites), parts)]
    return _pack(choice, iter(leaves), expand_composites)


def _require_bool(flag: Any, structure: Any) -> bool:
    if not isinstance(flag, bool):
        raise TypeError(f"traverse_fn returned a non-bool: {flag!r} for input: {structure!r}")
    return flag
