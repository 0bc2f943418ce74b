"""tf.contrib.framework: initializers that read matrices from checkpoints with other vocabularies."""

import numpy as np
import pytest

import evergraph as tf

framework = tf.contrib.framework


@pytest.fixture
def files(tmp_path):
    (tmp_path / "old").write_text("knitting\neminem\nMIT\n")
    (tmp_path / "new").write_text("MIT\nknitting\nfootball\neminem\n")
    (tmp_path / "columns").write_text("b\na\nz\n")
    (tmp_path / "old_columns").write_text("a\nb\n")
    with tf.Graph().as_default(), tf.Session() as session:
        tf.Variable(np.array([[0.0], [1.0], [2.0]], np.float32), name="bias")
        tf.Variable(np.array([[0.0, 1], [10, 11], [20, 21]], np.float32), name="table")
        session.run(tf.global_variables_initializer())
        tf.train.Saver().save(session, str(tmp_path / "model"), write_meta_graph=False)
    return {name: str(tmp_path / name) for name in ("old", "new", "columns", "old_columns", "model")}


def test_biases_in_parts(session, files):
    start = framework.load_linear_multiclass_bias_initializer(
        [files["model"]], "bias", 4, files["old"], files["new"], num_class_oov_buckets=1,
        initializer=tf.constant_initializer(42.0))
    bias = tf.get_variable("new_bias", [5, 1], initializer=start, partitioner=tf.fixed_size_partitioner(3))
    session.run(tf.global_variables_initializer())
    assert session.run(bias.as_tensor())[:, 0].tolist() == [2, 0, 42, 1, 42]


def test_rows_and_columns_change_places(session, files):
    start = framework.load_and_remap_matrix_initializer(
        files["model"], "table", 4, 3, old_row_vocab_file=files["old"], new_row_vocab_file=files["new"],
        old_col_vocab_file=files["old_columns"], new_col_vocab_file=files["columns"], num_col_oov_buckets=1,
        initializer=tf.constant_initializer(-1.0))
    table = tf.get_variable("new_table", [4, 4], initializer=start)
    session.run(tf.global_variables_initializer())
    assert session.run(table).tolist() == [[21, 20, -1, -1], [1, 0, -1, -1], [-1] * 4, [11, 10, -1, -1]]
    with pytest.raises(ValueError, match="another shape"):
        tf.get_variable("wrong", [4, 3], initializer=start)
    with pytest.raises(ValueError, match="old vocabulary"):
        framework.load_and_remap_matrix_initializer(files["model"], "table", 4, 3, new_row_vocab_file=files["new"])


def test_embeddings_and_slots_of_parts(session, files):
    start = framework.load_embedding_initializer(files["model"], "table", 4, 2, files["old"], files["new"])
    table = tf.get_variable("embedding", [4, 2], initializer=start)
    info = tf.python.ops.variable_scope._PartitionInfo(full_shape=[5, 1], var_offset=[3, 0])
    slot = framework.load_variable_slot_initializer(
        files["model"], "bias", info, 4, 1, files["old"], files["new"], num_row_oov_buckets=1)
    part = tf.get_variable("part", [2, 1], initializer=slot)
    session.run(tf.global_variables_initializer())
    found = session.run(table)
    assert found[[0, 1, 3]].tolist() == [[20, 21], [0, 1], [10, 11]] and 0 < np.abs(found[2]).max() < 2
    assert session.run(part)[:, 0].tolist() == [1, 0]
