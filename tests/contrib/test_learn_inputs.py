"""What tf.contrib.learn's Estimators are given, and what watches them: feeders, generators, monitors, strategies."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.contrib.learn.feeders import DataFeeder, StreamingDataFeeder, setup_train_data_feeder
from evergraph.contrib.learn.signatures import (
    create_placeholders_from_signatures,
    create_signatures,
    tensors_compatible,
)

learn = tf.contrib.learn


def test_arrays_are_fed_pass_by_pass():
    feeder = DataFeeder({"a": np.arange(3), "b": np.ones([3, 2])}, np.array([0, 2, 1]), n_classes=3, batch_size=2,
                        shuffle=False, epochs=1)
    features, labels = feeder.input_builder()
    assert features["b"].shape.as_list() == [None, 2] and labels.shape.as_list() == [None, 3]
    feed = feeder.get_feed_dict_fn()
    assert feed()[labels.name].tolist() == [[1, 0, 0], [0, 0, 1]] and feed()[features["a"].name].tolist() == [2]
    with pytest.raises(StopIteration):
        feed()


def test_iterators_are_fed_once():
    feeder = setup_train_data_feeder(iter([[1, 2], [3, 4], [5, 6]]), iter([0, 1, 2]), None, 2)
    assert isinstance(feeder, StreamingDataFeeder)
    features, labels = feeder.input_builder()
    feed = feeder.get_feed_dict_fn()
    assert feed()[features.name].tolist() == [[1, 2], [3, 4]] and feed()[labels.name].tolist() == [2]
    with pytest.raises(StopIteration):
        feed()


def test_a_generator_as_input():
    def examples():
        for number in range(3):
            yield {"x": np.full([2], number), "label": np.array(number)}

    features, labels = learn.io.generator_input_fn(examples, "label", batch_size=2, shuffle=False)()
    with tf.train.MonitoredSession() as session:
        assert session.run([features["x"], labels])[1].tolist() == [0, 1]
        assert session.run([features["x"], labels])[1].tolist() == [2, 0]
    with pytest.raises(KeyError, match="target_key"):
        learn.io.generator_input_fn(examples, "other")


def test_inputs_are_like_those_before():
    kept = create_signatures({"x": tf.zeros([4, 2])})
    assert tensors_compatible({"x": tf.ones([7, 2]), "more": tf.ones([])}, kept)
    assert not tensors_compatible({"x": tf.ones([7, 3])}, kept) and not tensors_compatible(tf.ones([7, 2]), kept)
    assert create_placeholders_from_signatures(kept)["x"].shape.as_list() == [None, 2]


def test_monitors_act_in_some_steps():
    class Watch(learn.monitors.EveryN):
        steps = ()

        def every_n_step_end(self, step, outputs):
            self.steps += (step,)

    watch = Watch(every_n_steps=4, first_n_steps=1)
    watch.begin(max_steps=10)
    for step in range(11):
        watch.step_begin(step)
        watch.step_end(step, {})
        watch.post_step(step, None)
    watch.end()
    assert watch.steps == (0, 1, 5, 9, 10)


def test_the_best_model_is_exported(tmp_path):
    class Estimator:
        exported = ()

        def export_savedmodel(self, folder, fn, checkpoint_path=None, **options):
            self.exported += (checkpoint_path,)
            return folder

    estimator = Estimator()
    strategy = learn.utils.make_best_model_export_strategy(None)
    (tmp_path / "out").mkdir()
    for path, loss in (("c-1", 3.0), ("c-2", 4.0), ("c-3", 1.0)):
        strategy.export(estimator, str(tmp_path / "out"), path, {"loss": loss})
    assert estimator.exported == ("c-1", "c-3")


def test_which_exports_stay():
    gc = learn.utils.gc
    paths = [gc.Path("/p", number) for number in range(10)]
    kept = gc.union(gc.largest_export_versions(2), gc.mod_export_version(4))(paths)
    assert [path.export_version for path in kept] == [0, 4, 8, 9]
    assert [path.export_version for path in gc.negation(gc.one_of_every_n_export_versions(5))(paths)] == [
        0, 1, 2, 3, 4, 6, 7, 8]


def test_graph_actions(tmp_path):
    actions = learn.graph_actions
    step = tf.train.create_global_step()
    w = tf.Variable(0.0)
    loss = tf.square(w - 3.0)
    train_op = tf.train.GradientDescentOptimizer(0.25).minimize(loss, step)
    graph = tf.get_default_graph()
    assert actions.train(graph, str(tmp_path), train_op, loss, steps=8) < 0.01
    results, found = actions.evaluate(graph, str(tmp_path / "eval"), tf.train.latest_checkpoint(str(tmp_path)),
                                      {"w": w}, max_steps=1)
    assert found == 8 and results["w"] == pytest.approx(3 - 3 / 256)


def test_categories_of_rows():
    processor = learn.preprocessing.CategoricalProcessor(min_frequency=1)
    rows = [["a", 1], ["b", 1], ["a", float("nan")], ["b", 2]]
    assert [row.tolist() for row in processor.fit_transform(rows)] == [[1, 1], [2, 1], [1, 0], [2, 0]]


# ---- records of files

@pytest.fixture
def records(tmp_path):
    """Two files of Examples with a number, and as many words as it says."""
    for file in range(2):
        with tf.python_io.TFRecordWriter(str(tmp_path / f"part-{file}")) as writer:
            for number in range(file * 5, file * 5 + 5):
                example = tf.train.Example()
                example.features.feature["number"].int64_list.value.append(number)
                example.features.feature["words"].bytes_list.value.extend([b"w"] * number)
                writer.write(example.SerializeToString())
    return str(tmp_path / "part-*")


def batches(tensors):
    """What a session with a monitor gives until the input ends."""
    found = []
    with tf.train.MonitoredSession() as session:
        while not session.should_stop():
            found.append(session.run(tensors))
    return found


SPEC = {"number": tf.FixedLenFeature([1], tf.int64), "words": tf.VarLenFeature(tf.string)}


def test_features_of_files(records):
    features = learn.io.read_batch_features(records, 4, SPEC, tf.TFRecordReader, num_epochs=2, read_batch_size=3)
    assert features["number"].shape.as_list() == [None, 1]
    found = batches(features)
    assert sorted(np.concatenate([each["number"][:, 0] for each in found])) == sorted([*range(10)] * 2)
    assert sum(len(each["words"].values) for each in found) == 90
    assert len(found) == 5


def test_records_of_files_in_order(records):
    keys, examples = learn.read_keyed_batch_examples(records, 5, tf.TFRecordReader, randomize_input=False, num_epochs=1,
                                                     name="files")
    assert examples.name == "files:1" and examples.shape.as_list() == [None]
    found = batches([keys, tf.parse_example(examples, SPEC)["number"]])
    assert [each[1][:, 0].tolist() for each in found] == [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]
    assert b"part-0" in found[0][0][1]
    assert learn.read_batch_record_features(records, 3, SPEC)["number"].shape.as_list() == [3, 1]


def test_what_readers_refuse(records):
    for what, options in {"No files match": {"file_pattern": "nowhere*"}, "Invalid batch_size": {"batch_size": 9999999},
                          "Invalid num_epochs": {"num_epochs": 0}, "Invalid num_threads": {"num_threads": 0}}.items():
        with pytest.raises(ValueError, match=what):
            given = {"file_pattern": records, "batch_size": 2, "reader": tf.TFRecordReader, **options}
            learn.read_batch_examples(**given)
