import types

import pytest

from evergraph.base.devices import DeviceSpec, canonical_name, check_valid, merge_device, merge_names


@pytest.mark.parametrize(
    ("name", "canonical"),
    [
        ("", ""),
        ("/job:w/replica:0/task:1/device:GPU:2", "/job:w/replica:0/task:1/device:GPU:2"),
        ("/gpu:0", "/device:GPU:0"),
        ("cpu:*", "/device:CPU:*"),
        ("/gpu", "/device:GPU:*"),
        ("/tpu:3", "/device:TPU:3"),
        ("/device:MyFunnyDevice:2", "/device:MyFunnyDevice:2"),
        ("/task:1/job:ps", "/job:ps/task:1"),
    ],
)
def test_names(name, canonical):
    spec = DeviceSpec.from_string(name)
    assert spec.to_string() == canonical_name(name) == canonical_name(spec) == canonical
    assert spec == DeviceSpec.from_string(canonical) and hash(spec) == hash(DeviceSpec.from_string(canonical))
    assert DeviceSpec(job="old").parse_from_string(name) == spec


@pytest.mark.parametrize("name", ["/foo:0", "/foo", "/device:GPU", "/device:GPU:x", "/task:*", "/cpu:0/gpu:1"])
def test_invalid_names(name):
    with pytest.raises(ValueError):
        check_valid(name)


def test_fields_convert_and_change():
    spec = DeviceSpec(task="3", device_type="gpu")
    assert (spec.task, spec.device_type, spec.device_index) == (3, "GPU", None)
    spec.job, spec.task, spec.device_index = "ps", None, 1
    assert spec.to_string() == "/job:ps/device:GPU:1"
    assert spec.replace(device_type=None, task=0).to_string() == "/job:ps/task:0"
    with pytest.raises(TypeError):
        spec.replace(color="red")


def test_merging():
    spec = DeviceSpec(job="a", task=1)
    other = DeviceSpec(job="b", device_type="CPU")
    assert spec.make_merged_spec(other).to_string() == "/job:b/task:1/device:CPU:*"
    assert spec.to_string() == "/job:a/task:1"
    spec.merge_from(other)
    assert spec.to_string() == "/job:b/task:1/device:CPU:*"


def test_device_functions_let_the_node_win():
    node = types.SimpleNamespace(device="/job:w/cpu:1")
    assert merge_device("/gpu:0")(node).to_string() == "/job:w/device:CPU:1"
    assert merge_device(DeviceSpec(task=1))(node).to_string() == "/job:w/task:1/device:CPU:1"
    assert merge_device(None)(types.SimpleNamespace(device="")).to_string() == canonical_name(None) == ""
    assert merge_device("/gpu:0") is merge_device("/device:GPU:0") is merge_device(merge_device("/gpu:0"))
    assert merge_names("/job:worker/cpu:0", "/gpu:1") == "/job:worker/device:GPU:1"
