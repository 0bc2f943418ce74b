"""What C does around a step is what Python does."""

import collections
import itertools

import numpy as np
import pytest

import evergraph as tf
from evergraph import native
from evergraph.compile.executable import _are_alike
from evergraph.estimator import prediction
from evergraph.run.session import _ELEMENTS, _form
from evergraph.run.store import Store

pytestmark = pytest.mark.skipif(native.steps is None, reason="the C code was not built here, or is turned off")

Pair = collections.namedtuple("Pair", ["a", "b"])


@pytest.mark.parametrize("fetches", [
    "x:0", [], (), {}, ["x:0", "y"], ("x:0", ["y", "x:0"]), {"a": "x:0", 2: ("y",)}, Pair("x:0", {"b": []}),
    None, ["x:0", None], {"a": 1}, {1, 2}, [["x:0"], [object()]], collections.OrderedDict(a="x:0")])
def test_forms(without, fetches):
    assert _form(fetches) == without(_form, fetches)


@pytest.mark.parametrize("use_resource", [False, True])
def test_forms_of_variables(without, use_resource):
    v = tf.get_variable("v", [2], use_resource=use_resource)
    assert _form([v, "x:0"]) == without(_form, [v, "x:0"]) == (list, (type(v), v._as_graph_element()), "x:0")


def test_forms_tell_structures_apart():
    several = [["x", "y"], ("x", "y"), Pair("x", "y"), {"x": "y"}, {"a": "x", "b": "y"}, {"b": "x", "a": "y"},
               [["x", "y"]]]
    assert len({_form(fetches) for fetches in several}) == len(several)


def test_fetches_inside_themselves():
    endless = []
    endless.append(endless)
    with pytest.raises(RecursionError):
        _form(endless)


def test_forms_need_a_set_of_types():
    with pytest.raises(TypeError):
        native.steps.form([], list(_ELEMENTS))


def stored(**values):
    store = Store()
    store._values.update(values)
    return store


@pytest.mark.parametrize("keys", [(), ("a",), ["a", "b"], ("b", "a"), ("a", "none"), ("a", "missing"), ("a",) * 2])
def test_stored_values(without, keys):
    store = stored(a=[1], b=(2,), none=None)
    found = store.get_all(keys)
    assert found == without(store.get_all, keys) == [store._values.get(key) for key in keys]


@pytest.mark.parametrize("values, wanted", [([], True), ([[1]], True), ([[1], [1]], True), ([[1], (2,)], False)])
def test_values_of_a_type(without, values, wanted):
    assert _are_alike(values, list) == without(_are_alike, values, list) == wanted
    assert not _are_alike([values, values], list) and not without(_are_alike, [values, values], list)


def test_values_that_stand_for_others():
    assert native.steps.values({"a": 1, "b": "x"}, ("a", "b"), str) is None
    with pytest.raises(TypeError):
        native.steps.values({}, ([],), str)
    with pytest.raises(TypeError):
        native.steps.values({}, 1, str)
    with pytest.raises(TypeError):
        native.steps.are_alike((), str)


@pytest.mark.parametrize("keys", [[], ["a"], ["b", "a"]])
def test_results_are_stored(without, keys):
    def commit():
        store, ran = stored(a=1), {}
        store.commit(keys, itertools.starmap(divmod, ((7, 2),)), ran)
        return store._values, ran
    assert commit() == without(commit)


def test_a_program_that_fails_stores_nothing():
    store, ran = stored(a=1), {}
    with pytest.raises(ZeroDivisionError):
        store.commit(["a"], itertools.starmap(divmod, ((7, 0),)), ran)
    assert store._values == {"a": 1} and ran == {}


def test_fewer_results_than_keys_are_an_error():
    store, ran = stored(), {}
    with pytest.raises(IndexError):
        store.commit(["a", "b"], iter([(1,)]), ran)


def test_a_program_is_an_iterator():
    with pytest.raises(TypeError):
        stored().commit(["a"], [(1,)], {})


@pytest.mark.parametrize("count", [0, 1, 5, 600])
def test_rows_of_predictions(without, count):
    batch = {"number": np.arange(count), "vector": np.arange(3.0 * count).reshape(count, 3),
             "text": np.array([b"%d" % place for place in range(count)], object)}
    found, other = list(prediction.rows(batch)), without(lambda: list(prediction.rows(batch)))
    assert len(found) == len(other) == count
    for row, twin in zip(found, other, strict=True):
        assert list(row) == list(twin) == list(batch)
        assert [type(value) for value in row.values()] == [type(value) for value in twin.values()]
        assert all(np.array_equal(value, twin[key]) for key, value in row.items())


@pytest.mark.parametrize("keys, columns, start, stop, error", [
    (("a",), (), 0, 0, ValueError), (("a",), ([1],), -1, 1, ValueError), (("a",), ([1],), 1, 0, ValueError),
    (("a",), ([1],), 0, 2, IndexError), ((["a"],), ([1],), 0, 1, TypeError), (("a",), (1,), 0, 1, TypeError),
    (["a"], ([1],), 0, 1, TypeError)])
def test_what_has_no_rows_is_refused(keys, columns, start, stop, error):
    with pytest.raises(error):
        native.steps.rows(keys, columns, start, stop)
