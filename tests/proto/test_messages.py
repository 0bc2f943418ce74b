"""The messages of evergraph.proto have TensorFlow's fields, and TensorFlow's bytes."""

import json
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from google.protobuf import text_format

import evergraph.proto as protos
from evergraph.proto import schema

DATA = Path(__file__).parents[1] / "data"
# TensorFlow 2.15 lacks what messages_removed.json holds; that was read from the descriptors of TensorFlow 1.15.
RECORDED = {**json.loads((DATA / "messages.json").read_text()),
            **json.loads((DATA / "messages_removed.json").read_text())}  # fmt: skip


def describe(descriptor, found):
    """The fields of a message as tests/record_codec.py records TensorFlow's, package names left out."""

    def short(kind):
        return kind and kind.full_name.removeprefix("evergraph.").removeprefix("tensorboard.")

    found[short(descriptor)] = {
        field.name: [field.number, field.type, field.is_repeated, short(field.message_type or field.enum_type),
                     field.containing_oneof and field.containing_oneof.name]
        for field in descriptor.fields
    }  # fmt: skip
    for enum in descriptor.enum_types:
        found[short(enum)] = {value.name: value.number for value in enum.values}
    for nested in descriptor.nested_types:
        describe(nested, found)


@pytest.mark.parametrize("module", RECORDED)
def test_fields_are_tensorflows(module):
    file, found = getattr(protos, module).DESCRIPTOR, {}
    for descriptor in file.message_types_by_name.values():
        describe(descriptor, found)
    for enum in file.enum_types_by_name.values():
        found[enum.name] = {value.name: value.number for value in enum.values}
    assert found == RECORDED[module]
    assert file.package.startswith(("evergraph", "tensorflow.serving")) or module not in protos.OURS


def test_every_table_is_compared():
    assert protos.OURS <= RECORDED.keys()


def test_parts_of_examples_have_the_wire_form_of_examples():
    """The numbers and the nesting are the same; only the lists of values are bytes."""
    parts, whole = {}, {}
    for name, found in (("example_parts_pb2", parts), ("example_pb2", whole), ("feature_pb2", whole)):
        for descriptor in getattr(protos, name).DESCRIPTOR.message_types_by_name.values():
            describe(descriptor, found)
    for name, fields in parts.items():
        recorded = whole[name.replace("Parts", "")]
        assert {key: (field[0], field[2]) for key, field in fields.items()} == {
            key: (field[0], field[2]) for key, field in recorded.items()}  # fmt: skip


def test_messages_serialize_pickle_and_print():
    example = protos.example_pb2.Example()
    example.features.feature["a"].int64_list.value.extend([1, 300])
    assert example.SerializeToString() == b"\n\x0e\n\x0c\n\x01a\x12\x07\x1a\x05\n\x03\x01\xac\x02"
    assert pickle.loads(pickle.dumps(example)) == example
    state = protos.checkpoint_state_pb2.CheckpointState(model_checkpoint_path="m-1", all_model_checkpoint_paths=["m-1"])
    text = 'model_checkpoint_path: "m-1"\nall_model_checkpoint_paths: "m-1"\n'
    assert text_format.MessageToString(state) == text


def test_a_length_of_zero_is_not_an_absent_length():
    message = protos.tensor_slice_pb2.TensorSliceProto
    whole, nothing = message.Extent(), message.Extent(length=0)
    assert whole.WhichOneof("has_length") is None and nothing.WhichOneof("has_length") == "length"


def test_unknown_names_are_attribute_errors():
    for name in "nothing_pb2", "nothing":
        with pytest.raises(AttributeError, match="nothing"):
            getattr(protos, name)
    with pytest.raises(ValueError, match="name: type = number"):
        schema.define({"__name__": "broken_pb2"}, {"Broken": "value int32"})


def test_the_package_loads_protobuf_only_when_asked():
    code = "import sys, evergraph.proto, evergraph.graph.codec; print(any(m.startswith('google') for m in sys.modules))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "False"
