import collections
import types

import numpy as np
import pytest

from evergraph.base import nest
from evergraph.base.shapes import TensorShape

Pair = collections.namedtuple("Pair", "a b")
OtherPair = collections.namedtuple("OtherPair", "a b")
TREE = {"b": 1, "a": (2, [3, Pair(4, 5)])}
PATHS = [("a", 0), ("a", 1, 0), ("a", 1, 1, "a"), ("a", 1, 1, "b"), ("b",)]


class Record:
    """Looks like a class decorated by attrs."""

    __attrs_attrs__ = (types.SimpleNamespace(name="x"), types.SimpleNamespace(name="y"))

    def __init__(self, x, y):
        self.x, self.y = x, y


class Composite:
    def __init__(self, parts):
        self.parts = parts

    def _components(self):
        return self.parts

    def _from_components(self, parts):
        return Composite(parts)


@pytest.mark.parametrize(
    ("structure", "leaves"),
    [
        (TREE, [2, 3, 4, 5, 1]),
        (5, [5]),
        ("ab", ["ab"]),
        (None, [None]),
        ([[], ()], []),
        (collections.OrderedDict([("b", 1), ("a", 2)]), [2, 1]),
        (range(3), [0, 1, 2]),
        ({"a": 1}.items(), ["a", 1]),
        (Record(1, [2]), [1, 2]),
        ({1}, [{1}]),
    ],
)
def test_flatten(structure, leaves):
    assert nest.flatten(structure) == leaves


def test_leaves_are_not_nested():
    for leaf in ("a", b"a", {1}, np.zeros(2), TensorShape([1]), iter([1]), Composite([1]), 3):
        assert not nest.is_nested(leaf) and nest.flatten(leaf) == [leaf]
    assert nest.is_sequence({}) and nest.is_nested(()) and nest.is_nested(Record(1, 2))


def test_keys_must_sort():
    with pytest.raises(TypeError):
        nest.flatten({1: 1, "a": 2})


def test_pack_keeps_types_and_the_order_of_keys():
    assert nest.pack_sequence_as(TREE, [1, 2, 3, 4, 5]) == {"b": 5, "a": (1, [2, Pair(3, 4)])}
    ordered = nest.pack_sequence_as(collections.OrderedDict([("b", 0), ("a", 0)]), [1, 2])
    assert list(ordered.items()) == [("b", 2), ("a", 1)] and type(ordered) is collections.OrderedDict
    assert nest.pack_sequence_as(collections.defaultdict(list, {"a": 0}), [1]).default_factory is list
    assert vars(nest.pack_sequence_as(Record(0, 0), [1, 2])) == {"x": 1, "y": 2}
    assert nest.pack_sequence_as(0, [7]) == 7


def test_pack_refuses():
    for leaves in ([1], [1, 2, 3]):
        with pytest.raises(ValueError, match="Could not pack"):
            nest.pack_sequence_as([0, 0], leaves)
    for no_sequence in (5, np.array([1, 2])):
        with pytest.raises(TypeError):
            nest.pack_sequence_as([0, 0], no_sequence)


def test_composites_expand_on_demand():
    tree = [Composite([1, 2]), 3]
    assert nest.flatten(tree, expand_composites=True) == [1, 2, 3]
    doubled = nest.map_structure(lambda x: 2 * x, tree, expand_composites=True)
    assert doubled[0].parts == [2, 4] and doubled[1] == 6
    with pytest.raises(ValueError):
        nest.assert_same_structure(tree, [1, 3], expand_composites=True)
    nest.assert_same_structure(tree, [1, 3])


def test_map_structure():
    assert nest.map_structure(lambda x, y: x + y, [1, (2,)], [10, (20,)]) == [11, (22,)]
    assert nest.map_structure(lambda x, y: x + y, [1, (2,)], [10, [20]], check_types=False) == [11, (22,)]
    assert nest.map_structure(str, None) == "None"
    with pytest.raises(TypeError, match="callable"):
        nest.map_structure(3, [1])
    for misuse in (lambda: nest.map_structure(str), lambda: nest.map_structure(str, [1], check=True)):
        with pytest.raises(ValueError):
            misuse()


@pytest.mark.parametrize(
    ("first", "second", "error"),
    [
        ([1], ["a"], None),
        (1, "a", None),
        ({"a": 1}, collections.OrderedDict(a=1), None),
        (Pair(1, 2), collections.namedtuple("Pair", "a b")(1, 2), None),
        ([1], (1,), TypeError),
        (Pair(1, 2), OtherPair(1, 2), TypeError),
        (Pair(1, 2), (1, 2), TypeError),
        ([1], 1, ValueError),
        (1, [1], ValueError),
        ({"a": 1}, {"b": 1}, ValueError),
        ([1, 2], [1, 2, 3], ValueError),
        ([1, [2]], [[1], 2], ValueError),
    ],
)
def test_assert_same_structure(first, second, error):
    if error is None:
        nest.assert_same_structure(first, second)
    else:
        with pytest.raises(error, match="don't have the same nested structure"):
            nest.assert_same_structure(first, second)
        if error is TypeError:
            nest.assert_same_structure(first, second, check_types=False)


def test_up_to_a_shallow_tree():
    assert nest.flatten_up_to([0, 0], [[1, 2], 3]) == [[1, 2], 3]
    assert nest.flatten_up_to(0, [1, 2]) == [[1, 2]]
    assert nest.flatten_up_to({"a": 0}, {"a": 1, "b": 2}, check_subtrees_length=False) == [1]
    assert list(nest.yield_flattened_up_to([0], [[1]])) == [[1]]
    assert nest.map_structure_up_to([0, 0], lambda x, y: (x, y), [[1], 2], [3, [4]]) == [([1], 3), (2, [4])]
    with pytest.raises(ValueError):
        nest.map_structure_up_to([0], str)


@pytest.mark.parametrize(
    ("shallow", "deep", "error"),
    [
        ([0, [0]], [1, 2], TypeError),
        ([0], (1,), TypeError),
        (Pair(0, 0), OtherPair(1, 2), TypeError),
        ([0, 0], [1], ValueError),
        ([0, 0], [1, 2, 3], ValueError),
        ({"c": 0}, {"a": 1}, ValueError),
    ],
)
def test_assert_shallow_structure(shallow, deep, error):
    with pytest.raises(error):
        nest.assert_shallow_structure(shallow, deep)


def test_paths():
    assert list(nest.yield_flat_paths(TREE)) == PATHS
    assert nest.flatten_with_tuple_paths(TREE) == list(zip(PATHS, nest.flatten(TREE)))
    assert nest.flatten_with_joined_string_paths({"a": [1]}, separator=".") == [("a.0", 1)]
    assert nest.map_structure_with_paths(lambda path, x: (path, x), {"a": [1]}) == {"a": [("a/0", 1)]}
    assert nest.map_structure_with_tuple_paths(lambda path, x, y: (path, x + y), [1], [2]) == [((0,), 3)]
    assert nest.flatten_with_tuple_paths(5) == [((), 5)]


def test_flatten_dict_items():
    assert nest.flatten_dict_items({(4, 5, (6, 8)): ("a", "b", ("c", "d"))}) == {4: "a", 5: "b", 6: "c", 8: "d"}
    for bad in ({(4, 5): ("a",)}, {(4, 4): ("a", "b")}):
        with pytest.raises(ValueError):
            nest.flatten_dict_items(bad)
    with pytest.raises(TypeError):
        nest.flatten_dict_items([1])


def test_get_traverse_shallow_structure():
    tree = {"a": (1, 2), "b": [3, (4,)]}
    shallow = nest.get_traverse_shallow_structure(lambda s: not isinstance(s, tuple), tree)
    assert shallow == {"a": False, "b": [True, False]}
    first = nest.get_traverse_shallow_structure(
        lambda s: [True, False] if isinstance(s, list) else True, [(1, 2), (3, 4)]
    )
    assert first == [(True, True), False]
    for answer, error in (3, TypeError), ([True], ValueError), ([1, 2], TypeError):
        with pytest.raises(error):
            nest.get_traverse_shallow_structure(lambda s, answer=answer: answer, [1, 2])
