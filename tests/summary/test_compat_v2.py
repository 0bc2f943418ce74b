"""tf.compat.v2.summary: the events are those that TensorFlow 2.15 writes."""

import glob
import weakref

import numpy as np
import pytest
from tensorboard.backend.event_processing.event_file_loader import RawEventFileLoader
from tensorboard.compat.proto import event_pb2

import evergraph as tf
from evergraph.eager.modes import eager_mode
from evergraph.formats.tensor_messages import proto_to_array

later = tf.compat.v2.summary
PICTURES = np.linspace(0, 1, 2 * 3 * 4 * 3).reshape(2, 3, 4, 3).astype("f")


def make():
    with tf.name_scope("outer"):
        made = [later.scalar("lo ss!", 1.5, step=3, description="falls"),
                later.histogram("spread", np.arange(10.0), step=3, buckets=4),
                later.histogram("one", [2.0, 2.0], step=3, buckets=2), later.histogram("none", np.zeros([0]), step=4)]
    made += [later.image("pictures", PICTURES, step=5, max_outputs=1), later.text("table", [["a", "b"]], step=6),
             later.audio("clips", np.zeros([1, 10, 1], "f"), 44100, step=7)]
    with later.record_if(False):
        made.append(later.scalar("unwanted", 2.0, step=1))
    later.experimental.set_step(9)
    try:
        return [*made, later.scalar("set", 4), later.write("raw", [1, 2], step=2)]
    finally:
        later.experimental.set_step(None)


def found(folder):
    (path,) = glob.glob(f"{folder}/*.v2")
    events = [event_pb2.Event.FromString(record) for record in RawEventFileLoader(path).Load()]
    return {value.tag: (event.step, value) for event in events for value in event.summary.value}


@pytest.mark.parametrize("is_eager", [False, True])
def test_what_is_written(tmp_path, is_eager):
    if is_eager:
        with eager_mode():
            writer = later.create_file_writer(str(tmp_path))
            with writer.as_default():
                written = [bool(each) for each in make()]
            writer.close()
    else:
        writer = later.create_file_writer(str(tmp_path))
        with writer.as_default():
            made = make()
        with tf.Session() as session:
            session.run(writer.init())
            written = [bool(each) for each in session.run(made)]
            session.run(writer.close())
    values = found(tmp_path)
    assert written == [True] * 7 + [False] + [True] * 2 and len(values) == 9
    arrays = {tag: proto_to_array(value.tensor) for tag, (_, value) in values.items()}
    plugins = {tag: value.metadata.plugin_data.plugin_name for tag, (_, value) in values.items()}
    assert {tag: step for tag, (step, _) in values.items()} == {
        "outer/lo ss!": 3, "outer/spread": 3, "outer/one": 3, "outer/none": 4, "pictures": 5, "table": 6, "clips": 7,
        "set": 9, "raw": 2}
    assert plugins == {
        "outer/lo ss!": "scalars", "outer/spread": "histograms", "outer/one": "histograms", "outer/none": "histograms",
        "pictures": "images", "table": "text", "clips": "audio", "set": "scalars", "raw": ""}
    assert values["outer/lo ss!"][1].metadata.summary_description == "falls"
    assert arrays["outer/lo ss!"] == np.float32(1.5) and arrays["outer/lo ss!"].dtype == np.float32
    assert arrays["outer/spread"].tolist() == [[0, 2.25, 3], [2.25, 4.5, 2], [4.5, 6.75, 2], [6.75, 9, 3]]
    assert arrays["outer/one"].tolist() == [[2, 2, 0], [2, 2, 2]] and not arrays["outer/none"].any()
    width, height, picture = arrays["pictures"].tolist()
    assert (width, height, picture[1:4]) == (b"4", b"3", b"PNG")
    assert arrays["table"].tolist() == [[b"a", b"b"]] and arrays["clips"].shape == (1, 2)
    assert arrays["raw"].tolist() == [1, 2]


def test_without_a_writer_or_a_step(tmp_path):
    with eager_mode():
        assert not later.scalar("x", 1.0)
        with later.create_noop_writer().as_default():
            assert not later.scalar("x", 1.0, step=1)
        with later.create_file_writer(str(tmp_path)).as_default(), pytest.raises(ValueError, match="No step set"):
            later.scalar("x", 1.0)
    with pytest.raises(ValueError, match="needs a directory"):
        later.create_file_writer(None)
    with pytest.raises(ValueError, match="encoding"):
        later.audio("x", np.zeros([1, 1, 1], "f"), 1, encoding="mp3")


def test_conditions(tmp_path):
    """A function is asked whenever a summary is made; what was said for one kind of summaries holds for the other."""
    asked = []
    with eager_mode(), later.create_file_writer(str(tmp_path)).as_default():
        with later.record_if(lambda: asked.append(1) or len(asked) == 2):
            assert [bool(later.scalar("x", 1.0, step=1)) for _ in range(3)] == [False, True, False]
        assert later.scalar("x", 1.0, step=1) and not tf.contrib.summary.scalar("x", 1.0, step=1)
        with tf.contrib.summary.never_record_summaries():
            assert not later.scalar("x", 1.0, step=1)


def events_of(path):
    return [event_pb2.Event.FromString(record) for record in RawEventFileLoader(str(path)).Load()]


def test_writers_of_functions_share_nothing_and_end_when_they_are_dropped(tmp_path):
    with eager_mode():
        first, second = (later.create_file_writer(str(tmp_path)) for _ in range(2))
        step = tf.Variable(0, dtype=tf.int64)

        @tf.function
        def write(writer):
            def due():
                step.assign_add(1)
                return tf.equal(step % 2, 0)

            with writer.as_default(), later.record_if(due):
                return [later.scalar("x", 1.0, step=step) for _ in range(2)]

        assert [bool(each) for each in write(first)] == [False, True]
        assert [[bool(each) for each in write(second)] for _ in range(2)] == [[False, True]] * 2
        found = sorted(([event.step for event in events_of(path)] for path in tmp_path.iterdir()), key=len)
        assert found == [[0, 2], [0, 4, 6]]  # leaving as_default() has flushed, and the step is that of the condition
        first.close()
        first.close()
        first.flush()
        for use in (first.init, first.set_as_default):
            with pytest.raises(RuntimeError, match="already closed"):
                use()


def test_a_dropped_writer_closes_its_file(tmp_path):
    with eager_mode():
        writer = later.create_file_writer(tf.constant(str(tmp_path)))
        with writer.as_default():
            later.scalar("x", 1.0, step=1)
        resource = weakref.ref(writer._resource.held)
        del writer
        assert resource() is None


def test_a_function_opens_a_writer_once(tmp_path):
    with eager_mode():
        made = []

        @tf.function
        def write(step):
            if not made:
                made.append(later.create_file_writer(str(tmp_path)))
            with made[0].as_default():
                later.scalar("x", 1.0, step=step)

        for step in (1, 2):
            write(tf.constant(step, tf.int64))
        (path,) = tmp_path.iterdir()
        assert [event.step for event in events_of(path)] == [0, 1, 2]
        with pytest.raises(ValueError, match="Invalid graph Tensor argument.*logdir"):
            tf.function(lambda: later.create_file_writer(tf.constant(str(tmp_path))))()
