import pytest

from evergraph.base.export import EXPORTS, export


@pytest.fixture(autouse=True)
def unchanged_exports(monkeypatch):
    before = dict(EXPORTS)
    yield
    EXPORTS.clear()
    EXPORTS.update(before)


def test_records_the_calling_module_and_returns_the_object():
    value = object()
    assert export("test.value", "test.alias")(value) is value
    assert EXPORTS["test.value"] == EXPORTS["test.alias"] == (__name__, value)


def test_a_name_belongs_to_one_object():
    value = object()
    export("test.value")(value)
    export("test.value")(value)
    with pytest.raises(ValueError, match="tf.test.value is exported twice"):
        export("test.value")(object())
