"""Summaries and event files, as TensorFlow writes them and TensorBoard reads them."""

import io
import os
import wave

import numpy as np
import pytest

import evergraph as tf

pytestmark = pytest.mark.usefixtures("session")


def value_of(session, summary):
    (value,) = tf.Summary.FromString(session.run(summary)).value
    return value


def test_names_and_tags(session):
    x = tf.constant(1.5)
    first, second = tf.summary.scalar("loss", x), tf.summary.scalar("loss", x)
    family = tf.summary.scalar("a b:c", x, family="fam")
    assert [s.name for s in (first, second, family)] == ["loss:0", "loss_1:0", "fam/a_b_c:0"]
    assert [value_of(session, s).tag for s in (first, second, family)] == ["loss", "loss_1", "fam/fam/a_b_c"]
    assert value_of(session, first).simple_value == 1.5


def test_histogram_has_tensorflows_buckets(session):
    got = value_of(session, tf.summary.histogram("h", tf.constant([-3.0, 0.0, 0.0, 5.0, 1e-13, 7e20]))).histo
    limits = [-3.1665833053880363, -2.8787120958073054, 0, 1e-12, 4.6361946174186253, 5.0998140791604882,
              9.9207756218597835e19, 1.7976931348623157e308]
    np.testing.assert_allclose(got.bucket_limit, limits, rtol=1e-12)
    assert list(got.bucket) == [0, 1, 0, 3, 0, 1, 0, 1]
    assert (got.min, got.num) == (-3, 6)


def test_histogram_of_what_is_no_number(session):
    with pytest.raises(tf.errors.InvalidArgumentError, match="Nan in summary histogram for: h"):
        session.run(tf.summary.histogram("h", tf.constant([np.nan])))


def test_images_are_png(session):
    gray = np.array([[[[-1.0], [0.0]], [[0.5], [np.nan]]]], np.float32)
    value = value_of(session, tf.summary.image("im", gray, max_outputs=1))
    assert value.tag == "im/image" and (value.image.height, value.image.width, value.image.colorspace) == (2, 2, 1)
    assert value.image.encoded_image_string.startswith(b"\x89PNG")
    two = tf.Summary.FromString(session.run(tf.summary.image("two", np.zeros((4, 2, 2, 3), np.uint8), max_outputs=2)))
    assert [v.tag for v in two.value] == ["two/image/0", "two/image/1"]


def test_audio_is_wav(session):
    audio = value_of(session, tf.summary.audio("au", np.zeros((1, 50, 2), np.float32), 8000, max_outputs=1)).audio
    with wave.open(io.BytesIO(audio.encoded_audio_string)) as clip:
        assert (clip.getframerate(), clip.getnchannels(), clip.getnframes()) == (8000, 2, 50)


def test_text(session):
    value = value_of(session, tf.summary.text("tx", tf.constant("**hi**")))
    assert value.metadata.plugin_data.plugin_name == "text" and value.tensor.string_val == [b"**hi**"]
    with pytest.raises(ValueError, match="string"):
        tf.summary.text("tx", tf.constant(1))


def test_merging(session):
    tf.summary.scalar("a", tf.constant(1.0))
    tf.summary.scalar("b", tf.constant(2.0), collections=["others"])
    merged = tf.summary.merge_all()
    assert [v.tag for v in tf.Summary.FromString(session.run(merged)).value] == ["a"]
    assert tf.summary.merge_all("nothing") is None
    twice = tf.summary.merge([tf.get_collection("others")[0]] * 2)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Duplicate tag b"):
        session.run(twice)


def test_event_files(session, tmp_path):
    loss = tf.summary.scalar("loss", tf.constant(0.5))
    with tf.summary.FileWriter(str(tmp_path / "logs"), session.graph) as writer:
        for step in range(3):
            writer.add_summary(session.run(loss), step)
        writer.add_session_log(tf.SessionLog(status=tf.SessionLog.START), 3)
    (name,) = os.listdir(tmp_path / "logs")
    events = list(tf.train.summary_iterator(str(tmp_path / "logs" / name)))
    assert name.startswith("events.out.tfevents.") and events[0].file_version == "brain.Event:2"
    assert tf.GraphDef.FromString(events[1].graph_def).node[-1].op == "ScalarSummary"
    assert [(e.step, e.summary.value[0].simple_value) for e in events[3:6]] == [(0, 0.5), (1, 0.5), (2, 0.5)]
    assert events[6].session_log.status == tf.SessionLog.START


def test_tensorboard_reads_them(session, tmp_path):
    from tensorboard.backend.event_processing.event_file_loader import EventFileLoader

    with tf.summary.FileWriter(str(tmp_path)) as writer:
        writer.add_summary(session.run(tf.summary.histogram("h", tf.zeros([3]))), 7)
    events = list(EventFileLoader(str(writer.path)).Load())
    assert events[-1].step == 7 and events[-1].summary.value[0].tag == "h"


def test_reopening_makes_a_new_file(tmp_path):
    writer = tf.summary.FileWriter(str(tmp_path))
    writer.close()
    writer.reopen()
    writer.close()
    assert len(os.listdir(tmp_path)) == 2
    assert tf.summary.FileWriterCache.get(str(tmp_path)) is tf.summary.FileWriterCache.get(str(tmp_path))
    tf.summary.FileWriterCache.clear()
