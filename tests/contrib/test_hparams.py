"""tf.contrib.training.HParams."""

import pytest

import evergraph as tf


@pytest.fixture
def hparams():
    return tf.contrib.training.HParams(rate=0.1, steps=10, name="net", layers=[64, 32], bias=True)


def test_values(hparams):
    assert hparams.rate == 0.1 and "steps" in hparams and "other" not in hparams
    assert hparams.values() == {"rate": 0.1, "steps": 10, "name": "net", "layers": [64, 32], "bias": True}
    assert hparams.get("steps") == 10 and hparams.get("other", 3) == 3


def test_parsing(hparams):
    hparams.parse("rate=1,layers=[8, 4,2],bias=false, name=x/y")
    assert hparams.rate == 1.0 and isinstance(hparams.rate, float) and hparams.layers == [8, 4, 2]
    assert hparams.bias is False and hparams.name == "x/y"
    assert hparams.parse("layers[1]=7").layers == [8, 7, 2]


@pytest.mark.parametrize("text", ["unknown=1", "steps=abc", "steps=[1,2]", "steps", "bias=maybe", "steps=1.5"])
def test_what_cannot_be_parsed(hparams, text):
    with pytest.raises(ValueError):
        hparams.parse(text)


def test_json_and_overrides(hparams):
    again = tf.contrib.training.HParams(rate=0.0, steps=0, name="", layers=[0], bias=False)
    assert again.parse_json(hparams.to_json()).values() == hparams.values()
    with pytest.raises(ValueError, match="list"):
        hparams.override_from_dict({"layers": 3})
    with pytest.raises(KeyError):
        hparams.set_hparam("other", 1)
    hparams.del_hparam("steps")
    assert "steps" not in hparams


def test_names_are_not_taken_twice(hparams):
    with pytest.raises(ValueError, match="reserved"):
        hparams.add_hparam("rate", 1)
