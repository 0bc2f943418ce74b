"""`evergraph inspect` on files made to deceive: what they say never reaches the terminal as a command."""

import re
import shutil

import numpy as np
import pytest

import evergraph as tf
from evergraph import proto
from evergraph.cli import main
from evergraph.cli.plain import plain
from evergraph.formats.bundle import Part, write_bundle
from tests.damage.kinds import KINDS

EVIL = "a\x1b]0;owned\x07\x1b[2J\x9b31m\x7f\u202egnp.exe\u2066\u200f\u061c\u2028[red]b\r\nc\x08\t"
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")


def graph():
    message = tf.GraphDef()
    node = message.node.add(name=EVIL, op=EVIL, device=EVIL, input=[EVIL])
    node.attr[EVIL].s = EVIL.encode()
    node.attr["dtype"].type = 1
    message.library.function.add().signature.name = EVIL
    return message


def write_graph(folder):
    (folder / "graph.pb").write_bytes(graph().SerializeToString())
    return folder / "graph.pb"


def write_graph_text(folder):
    tf.train.write_graph(graph(), str(folder), "graph.pbtxt")
    return folder / "graph.pbtxt"


def meta_graph():
    meta = tf.MetaGraphDef(graph_def=graph())
    meta.meta_info_def.tags.append(EVIL)
    meta.meta_info_def.tensorflow_version = EVIL
    meta.collection_def[EVIL].node_list.value.append(EVIL)
    signature = meta.signature_def[EVIL]
    signature.method_name = EVIL
    for side in (signature.inputs, signature.outputs):
        side[EVIL].name, side[EVIL].dtype = EVIL, 1
    return meta


def write_meta_graph(folder):
    (folder / "model.meta").write_bytes(meta_graph().SerializeToString())
    return folder / "model.meta"


def write_saved_model(folder):
    model = proto.saved_model_pb2.SavedModel(saved_model_schema_version=1)
    model.meta_graphs.add().CopyFrom(meta_graph())
    (folder / "saved_model.pb").write_bytes(model.SerializeToString())
    return folder


def write_examples(folder):
    with tf.python_io.TFRecordWriter(str(folder / "records")) as writer:
        feature = tf.train.Feature(bytes_list=tf.train.BytesList(value=[EVIL.encode(), b"\x1b\xff"]))
        writer.write(tf.train.Example(features=tf.train.Features(feature={EVIL: feature})).SerializeToString())
    return folder / "records"


def write_events(folder):
    with tf.summary.FileWriter(str(folder)) as writer:
        value = tf.Summary.Value(tag=EVIL, simple_value=1.0)
        value.metadata.plugin_data.plugin_name = EVIL
        writer.add_summary(tf.Summary(value=[value]), 3)
    return folder


def write_checkpoint(folder):
    value = np.array([EVIL.encode(), b"\x1b[2J"], object)
    write_bundle(str(folder / "model"), [Part(EVIL, value, tf.string), Part("w", np.ones(2, np.float32), tf.float32)])
    return folder / "model"


def write_state(folder):
    state = 'model_checkpoint_path: "\\033]0;owned\\007"\nall_model_checkpoint_paths: "\\302\\233"\n'
    (folder / "checkpoint").write_text(state)
    return folder


MAKERS = [write_graph, write_graph_text, write_meta_graph, write_saved_model, write_examples, write_events,
          write_checkpoint, write_state]


def inspected(capfd, *words):
    """Everything that reaches the terminal, or a pipe."""
    main(["inspect", *map(str, words)])
    told = capfd.readouterr()
    return told.out + told.err


@pytest.mark.parametrize("as_json", [False, True], ids=["text", "json"])
@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_files_that_are_sound_and_hostile(make, as_json, tmp_path, capfd):
    told = inspected(capfd, make(tmp_path), *["--json"] * as_json)
    assert told and not OBEYED.findall(told)


@pytest.mark.parametrize("make", MAKERS[:-1], ids=lambda make: make.__name__)
def test_names_are_shown_as_text(make, tmp_path, capfd):
    assert r"\x1b]0;owned\x07" in inspected(capfd, make(tmp_path))


def test_tensors_of_a_checkpoint(tmp_path, capfd):
    told = inspected(capfd, write_checkpoint(tmp_path), "--tensor", EVIL)
    assert told and not OBEYED.findall(told)


@pytest.mark.parametrize("kind", KINDS)
def test_damaged_files_with_hostile_bytes(kind, tmp_path, capfd):
    path = KINDS[kind].make(tmp_path)
    sound = path.read_bytes()
    evil = EVIL.encode()
    for at in range(0, len(sound), max(len(sound) // 12, 1)):
        path.write_bytes(sound[:at] + evil + sound[at + len(evil):])
        for target in (path, path.parent):
            assert not OBEYED.findall(inspected(capfd, target))


def test_a_hostile_path(tmp_path, capfd):
    path = tmp_path / EVIL.replace("/", "")
    assert not OBEYED.findall(inspected(capfd, path))
    path.mkdir()
    shutil.copy(write_examples(tmp_path), path / "records")
    assert not OBEYED.findall(inspected(capfd, path))


def test_other_writing_systems_stay_as_they_are():
    assert plain("größe 大きさ גודל") == "größe 大きさ גודל"
    assert plain("a\x1b\x9b\u202e\U000e0001") == r"a\x1b\x9b\u202e\U000e0001"
