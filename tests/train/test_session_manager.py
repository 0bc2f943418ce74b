"""tf.train.Scaffold and tf.train.SessionManager: graphs that are finished, sessions that are ready."""

import pytest

import evergraph as tf
from evergraph.train import scaffold as scaffolds

# TensorFlow 2.15 makes these nodes, in this order, of a graph without variables.
NODES = [
    ("init", "NoOp"), ("init_1", "NoOp"), ("group_deps", "NoOp"),
    ("report_uninitialized_variables/Const", "Const"), ("report_uninitialized_resources/Const", "Const"),
    ("concat/axis", "Const"), ("concat", "ConcatV2"),
    ("report_uninitialized_variables_1/Const", "Const"), ("report_uninitialized_resources_1/Const", "Const"),
    ("concat_1/axis", "Const"), ("concat_1", "ConcatV2"),
    ("init_2", "NoOp"), ("init_all_tables", "NoOp"), ("init_3", "NoOp"), ("group_deps_1", "NoOp"),
]  # fmt: skip


def local(value, name):
    return tf.Variable(value, trainable=False, collections=[tf.GraphKeys.LOCAL_VARIABLES], name=name)


def ready():
    return tf.report_uninitialized_variables()


# ---- scaffolds


def test_scaffold_makes_tensorflows_nodes(graph):
    tf.train.Scaffold().finalize()
    assert [(node.name, node.type) for node in graph.get_operations()] == NODES
    assert set(graph.get_all_collection_keys()) == {"init_op", "ready_op", "ready_for_local_init_op", "local_init_op",
                                                    "savers"}  # fmt: skip


def test_scaffold_says_what_is_not_initialized():
    tf.Variable(1, name="v")
    local(2, "w")
    scaffold = tf.train.Scaffold().finalize()
    with tf.Session() as sess:
        assert list(sess.run(scaffold.ready_op)) == [b"v", b"w"]
        assert list(sess.run(scaffold.ready_for_local_init_op)) == [b"v"]
        sess.run(scaffold.init_op)
        sess.run(scaffold.local_init_op)
        assert sess.run(scaffold.ready_op).size == 0


def test_scaffolds_of_one_graph_share_their_pieces(graph):
    tf.Variable(1)
    first, second = tf.train.Scaffold().finalize(), tf.train.Scaffold().finalize()
    assert first.init_op is second.init_op and first.saver is second.saver and graph.finalized


def test_scaffold_copies_what_is_not_given():
    first = tf.train.Scaffold(init_op=1, init_fn=lambda scaffold, sess: (scaffold, sess), summary_op=3)
    second = tf.train.Scaffold(init_op=2, copy_from_scaffold=first)
    assert (second.init_op, second.summary_op) == (2, 3)
    assert second.init_fn("session") == (second, "session")
    with pytest.raises(TypeError):
        tf.train.Scaffold(copy_from_scaffold="first")


def test_several_savers_are_one_too_many():
    tf.Variable(1)
    for _ in range(2):
        tf.add_to_collection(tf.GraphKeys.SAVERS, tf.train.Saver())
    with pytest.raises(RuntimeError, match="savers"):
        tf.train.Scaffold().finalize()


# ---- session managers


def test_prepare_by_init_op_and_init_fn():
    fed = tf.placeholder(tf.float32, [3])
    v, w = tf.Variable(fed), tf.Variable(1)
    manager = tf.train.SessionManager(ready_op=ready())
    sess = manager.prepare_session("", init_op=v.initializer, init_feed_dict={fed: [1, 2, 3]},
                                   init_fn=lambda sess: sess.run(w.initializer))
    assert sess.run([tf.reduce_sum(v), w]) == [6, 1]
    assert sess.graph is tf.get_default_graph()


def test_local_variables_are_initialized_after_global_ones():
    v = tf.Variable(1, name="v")
    w = local(v.initialized_value() * 3, "w")
    of_globals = tf.report_uninitialized_variables(tf.global_variables())
    manager = tf.train.SessionManager(w.initializer, ready(), of_globals)
    assert manager.prepare_session("", init_op=v.initializer).run(w) == 3
    with pytest.raises(RuntimeError, match="local_init_op may not run yet: Variables not initialized: v"):
        manager.prepare_session("", init_fn=lambda sess: None)


def test_a_model_that_is_not_ready_is_an_error():
    v = tf.Variable(1, name="v")
    tf.Variable(1, name="forgotten")
    manager = tf.train.SessionManager(ready_op=ready())
    with pytest.raises(RuntimeError, match="Variables not initialized: forgotten"):
        manager.prepare_session("", init_op=v.initializer)
    with pytest.raises(RuntimeError, match="no init_op or init_fn"):
        manager.prepare_session("")
    assertion = tf.train.SessionManager(ready_op=tf.assert_variables_initialized())
    with pytest.raises(RuntimeError, match="forgotten"):
        assertion.prepare_session("", init_op=v.initializer)


def test_ready_for_local_init_is_for_local_init():
    with pytest.raises(ValueError, match="local_init_op"):
        tf.train.SessionManager(ready_for_local_init_op=tf.constant([]))


@pytest.fixture
def saved(tmp_path):
    """The path of a checkpoint in which v is 7."""
    with tf.Graph().as_default():
        v = tf.Variable(7, name="v")
        with tf.Session() as sess:
            sess.run(v.initializer)
            return tf.train.Saver().save(sess, str(tmp_path / "model.ckpt"), global_step=3)


def test_a_checkpoint_goes_before_initialization(saved, tmp_path):
    v = tf.Variable(1, name="v")
    w = local(v.initialized_value(), "w")
    saver = tf.train.Saver()
    manager = tf.train.SessionManager(local_init_op=w.initializer, ready_op=ready())
    from_folder = manager.prepare_session("", v.initializer, saver, checkpoint_dir=str(tmp_path))
    assert from_folder.run([v, w]) == [7, 7]
    assert saver.last_checkpoints == [saved]
    from_path = manager.prepare_session("", v.initializer, saver, checkpoint_filename_with_path=saved)
    assert from_path.run([v, w]) == [7, 7]
    with pytest.raises(ValueError, match="not both"):
        manager.prepare_session("", v.initializer, saver, str(tmp_path), saved)


def test_recover(saved, tmp_path):
    v = tf.Variable(1, name="v")
    saver = tf.train.Saver()
    manager = tf.train.SessionManager(ready_op=ready())
    sess, is_ready = manager.recover_session("", saver, checkpoint_dir=str(tmp_path))
    assert is_ready and sess.run(v) == 7
    sess, is_ready = manager.recover_session("", saver, checkpoint_dir=str(tmp_path / "empty"))
    assert not is_ready
    with pytest.raises(tf.errors.FailedPreconditionError):
        sess.run(v)


def test_recover_a_model_that_the_checkpoint_leaves_unready(saved, tmp_path):
    v, w = tf.Variable(1, name="v"), local(2, "w")
    manager = tf.train.SessionManager(ready_op=ready())
    sess, is_ready = manager.recover_session("", tf.train.Saver([v]), checkpoint_dir=str(tmp_path))
    assert not is_ready and sess.run(v) == 7
    sess.run(w.initializer)


def test_wait_for_a_checkpoint(tmp_path):
    v = tf.Variable(7, name="v")
    saver, looks = tf.train.Saver(), []

    class Manager(tf.train.SessionManager):
        """Whose waiting is the time in which another process saves."""

        def _checkpoint_state(self, folder, max_wait_secs):
            looks.append(max_wait_secs)
            with tf.Session() as sess:
                sess.run(v.initializer)
                saver.save(sess, str(tmp_path / "model.ckpt"))
            return super()._checkpoint_state(folder, max_wait_secs)

    sess = Manager(ready_op=ready()).prepare_session("", saver=saver, checkpoint_dir=str(tmp_path),
                                                     wait_for_checkpoint=True, max_wait_secs=9)
    assert sess.run(v) == 7 and looks == [9]


def test_no_checkpoint_in_time(tmp_path):
    tf.Variable(7, name="v")
    manager = tf.train.SessionManager(ready_op=ready(), recovery_wait_secs=0.01)
    _, is_ready = manager.recover_session("", tf.train.Saver(), str(tmp_path), wait_for_checkpoint=True,
                                          max_wait_secs=0.03)
    assert not is_ready


def test_waiting_for_another_process_ends():
    tf.Variable(1, name="v")
    manager = tf.train.SessionManager(ready_op=ready(), recovery_wait_secs=0.01)
    with pytest.raises(tf.errors.DeadlineExceededError, match="Variables not initialized: v"):
        manager.wait_for_session("", max_wait_secs=0.03)


def test_a_session_that_is_ready_is_not_waited_for():
    v = local(1, "v")
    manager = tf.train.SessionManager(local_init_op=v.initializer, ready_op=ready())
    assert manager.wait_for_session("").run(v) == 1

# ---- what a session knows without a run


@pytest.fixture
def runs(monkeypatch):
    """What sessions run from here on."""
    seen, run = [], tf.Session.run
    monkeypatch.setattr(tf.Session, "run", lambda self, fetches, *args, **kwargs:
                        (seen.append(fetches), run(self, fetches, *args, **kwargs))[1])
    return seen


@pytest.mark.parametrize("use_resource", [False, True])
def test_variables_are_looked_up_without_a_run(runs, use_resource):
    with tf.variable_scope("scope", use_resource=use_resource):
        v, w = tf.get_variable("v", [2]), tf.get_variable("w", [], collections=["local_variables"])
    scaffold = tf.train.Scaffold().finalize()
    asked = (scaffold.ready_op, scaffold.ready_for_local_init_op)
    with tf.Session() as sess:
        for missing in (b"scope/v", b"scope/w"), (b"scope/w",), ():
            assert [scaffolds._missing(op, sess) for op in asked] == \
                [words(sess.run(op)) for op in asked] == [words(missing), words([m for m in missing if m[-1:] == b"v"])]
            sess.run(v.initializer if missing[:1] == (b"scope/v",) else w.initializer)
    runs.clear()
    manager = tf.train.SessionManager(scaffold.local_init_op, scaffold.ready_op, scaffold.ready_for_local_init_op)
    with manager.prepare_session("", init_op=scaffold.init_op):
        assert runs == [scaffold.init_op, scaffold.local_init_op]


def words(names):
    return "Variables not initialized: " + ", ".join(name.decode() for name in names) if len(names) else None


def test_reports_that_wait_or_were_changed_are_run(runs):
    v, ran = tf.get_variable("v", []), tf.get_variable("ran", [], initializer=tf.zeros_initializer())
    with tf.control_dependencies([tf.assign_add(ran, 1)]):
        waits = tf.report_uninitialized_variables([v])
    changed = tf.report_uninitialized_variables([v])
    with tf.Session() as sess:
        sess.run(ran.initializer)
        assert scaffolds._missing(changed, sess) == scaffolds._missing(waits, sess) == "Variables not initialized: v"
        assert sess.run(ran) == 1 and changed not in runs
        test = next(op for op in tf.get_default_graph().get_operations() if op.type == "IsVariableInitialized"
                    and op.name.startswith("report_uninitialized_variables_1"))
        test._update_input(0, ran._ref())
        assert scaffolds._missing(changed, sess) is None and changed in runs


def test_a_report_in_a_closed_session(runs):
    report = tf.report_uninitialized_variables([tf.get_variable("v", [])])
    sess = tf.Session()
    sess.close()
    with pytest.raises(RuntimeError, match="closed"):
        scaffolds._missing(report, sess)
