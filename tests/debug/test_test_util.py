"""What tests import from tensorflow.python.framework.test_util."""

import gc
import importlib
import sys

import numpy as np
import pytest
from absl.testing import parameterized

import evergraph as tf
from evergraph.debug.graph_checks import first_difference
from evergraph.eager import state

test_util = importlib.import_module("evergraph.python.framework.test_util")


@pytest.fixture(autouse=True)
def graph():
    """None, unlike elsewhere: a TestCase resets the default graph, which nothing may do inside another graph."""


def outcome(body, *bases, name="test_it"):
    """Runs a function as a test of a class: (whether it passed, reasons of skips, what it raised)."""
    case = type("Example", (*bases, tf.test.TestCase), {name: body})
    result = case(name).run()
    return result.wasSuccessful(), [reason for _, reason in result.skipped], [
        text.splitlines()[-1] for _, text in result.failures + result.errors]


PASSED = (True, [], [])


def test_both_modes():
    modes = []

    @test_util.run_in_graph_and_eager_modes(use_gpu=False)
    def body(self):
        modes.append(tf.executing_eagerly())
        self.assertAllEqual(self.evaluate({"sum": tf.constant(1) + 1})["sum"], 2)
        v = tf.get_variable("v", initializer=1.0)
        self.evaluate(tf.global_variables_initializer())
        self.assertAllClose(v, 1.0)
        self.assertAllEqual([[v + 1.0], [3 * v]], [[v + 1.0], [3.0]])

    assert outcome(body) == PASSED and modes == [False, True]
    assert tf.contrib.eager.run_test_in_graph_and_eager_modes is test_util.run_in_graph_and_eager_modes
    with pytest.raises(ValueError, match="only supports test methods"):
        test_util.run_in_graph_and_eager_modes(tf.test.TestCase)


def test_set_up_runs_in_the_mode_and_the_graph_of_the_test():
    seen = []

    class Example(tf.test.TestCase):
        def setUp(self):
            super().setUp()
            tf.reset_default_graph()
            seen.append(tf.executing_eagerly())
            self.x = tf.constant([1.0, 2.0])

        @test_util.run_in_graph_and_eager_modes
        def test_it(self):
            seen.append(tf.executing_eagerly())
            self.assertAllClose(self.x * 2.0, [2.0, 4.0])

        @test_util.run_deprecated_v1
        def test_graph(self):
            self.assertAllClose(self.x, [1.0, 2.0])
            tf.reset_default_graph()  # no block of a graph is around

    assert Example("test_it").run().wasSuccessful() and seen == [False, False, True, True]
    assert Example("test_graph").run().wasSuccessful()


def test_classes_of_tests_in_both_modes():
    modes = []

    class Base(tf.test.TestCase):
        def testInherited(self):
            modes.append(tf.executing_eagerly())

        def testSkipEagerHere(self):
            modes.append(tf.executing_eagerly())

    @test_util.run_all_in_graph_and_eager_modes
    class Example(Base):
        pass

    for name in ("testInherited", "testSkipEagerHere"):
        assert Example(name).run().wasSuccessful()
    assert modes == [False, True, False]


def test_eager_tests_name_layers_anew():
    names = []

    @test_util.run_in_graph_and_eager_modes
    def body(self):
        dense = tf.layers.Dense(2, name="dense")
        dense(tf.ones([1, 1]))
        names.append([dense.kernel.name, tf.layers.Dense(2).name, tf.layers.Dense(2).name])

    assert outcome(body) == PASSED == outcome(body) and names == [["dense/kernel:0", "dense_1", "dense_2"]] * 4


@pytest.mark.parametrize("skips_eager, skips_graph", [(True, False), (False, True), (True, True)])
def test_a_skip_in_one_mode_is_none(skips_eager, skips_graph):
    @test_util.run_in_graph_and_eager_modes
    def body(self):
        if skips_eager if tf.executing_eagerly() else skips_graph:
            self.skipTest("not now")

    assert outcome(body)[1] == (["not now"] if skips_eager and skips_graph else [])


def test_conditions():
    def body(self):
        raise RuntimeError("runs")

    runs = (False, [], ["RuntimeError: runs"])
    assert outcome(test_util.run_v1_only("why")(body)) == runs == outcome(test_util.disable_xla("why")(body))
    assert outcome(test_util.skip_dml(body)) == runs == outcome(test_util.skip_if(lambda: False)(body))
    assert outcome(test_util.run_v2_only(body))[1] == ["needs the behaviour of TensorFlow 2"]
    assert outcome(test_util.skip_if(True)(body))[1] == ["the condition of skip_if"]
    skipped = test_util.run_gpu_only(skip_devices=["GPU"])(body)  # no GPU counts, so that there is none
    assert outcome(skipped)[1] == ["Test requires GPU"]
    cls = test_util.for_all_test_methods(test_util.skip_if, True)(type("Case", (tf.test.TestCase,), {"test_a": body}))
    assert len(cls("test_a").run().skipped) == 1


def test_devices():
    assert test_util.gpu_device_name(skip_devices=["GPU"]) == "" == test_util.gpu_device_type(["GPU"])
    assert not tf.test.is_gpu_available(skip_devices=["GPU"], min_cuda_compute_capability=(1, 0))
    assert test_util.gpu_device_type() == ("GPU" if tf.test.is_gpu_available() else "")
    assert tf.test.is_gpu_available() == (state.context().num_gpus() > 0)
    with tf.Graph().as_default():
        with test_util.device(use_gpu=False):
            assert tf.constant(1).device == "/device:CPU:0"
        with test_util.force_gpu():
            assert tf.constant(1).device == "/device:GPU:0"
        with test_util.use_gpu(skip_devices=["GPU"]), test_util.force_cpu():
            assert tf.constant(1).device == "/device:CPU:0"
    assert not test_util.IsBuiltWithDML() and not test_util.should_skip_dml_device("any")


def test_control_flow():
    class Example:
        def test_it(self):
            return tf.control_flow_v2_enabled()

        @test_util.disable_control_flow_v2("why")
        def test_other(self):
            return tf.control_flow_v2_enabled()

    test_util.with_control_flow_v2(Example)
    assert Example().test_itWithControlFlowV2() and not Example().test_it()
    assert not hasattr(Example, "test_otherWithControlFlowV2")


def test_in_functions():
    calls = []

    @test_util.also_run_as_tf_function
    def body(self):
        x = tf.constant([1.0, 2.0]) + 1.0
        self.assertAllClose(x, [2.0, 3.0])
        calls.append(tf.executing_eagerly())

    assert outcome(body) == PASSED and calls == [True, False]

    @test_util.also_run_as_tf_function
    def wrong(self):
        if not tf.executing_eagerly():
            self.assertAllEqual(tf.constant([1.0]) + 1.0, [3.0])

    assert "EagerPyFunc" in outcome(wrong)[2][0]  # of the function, whose call raises

    class Example(parameterized.TestCase, tf.test.TestCase):
        @test_util.build_as_function_and_v1_graph
        def test_it(self):
            calls.append(tf.get_default_graph().building_function)

    del calls[:]
    assert Example("test_it_v1_graph").run().wasSuccessful() and Example("test_it_function").run().wasSuccessful()
    assert calls == [False, True]


def test_combinations():
    made = test_util.generate_combinations_with_testcase_name(mode=["graph", "eager"], api=1)
    assert [dict(c) for c in made] == [
        {"api": 1, "mode": "graph", "testcase_name": "_test_api_1_mode_graph"},
        {"api": 1, "mode": "eager", "testcase_name": "_test_api_1_mode_eager"}]


class Leaks:
    """Tests that keep things, and tests that do not."""

    kept = []

    @test_util.assert_no_new_tensors
    def leaves_a_tensor(self):
        self.kept.append(tf.constant([3.0]))

    @test_util.assert_no_garbage_created
    def leaves_a_circle(self):
        a = []
        a.append(a)

    @test_util.assert_no_new_pyobjects_executing_eagerly
    def leaves_an_object(self):
        self.kept.append([[each] for each in range(100)])  # more than other threads may free or make meanwhile

    @test_util.assert_no_new_tensors
    @test_util.assert_no_garbage_created
    def leaves_nothing(self):
        self.not_kept = [tf.constant([3.0]).shape.as_list() if tf.executing_eagerly() else 1]


def test_leaks():
    flags = gc.get_debug()
    for name, said in (("a_tensor", "1 Tensors not deallocated"), ("a_circle", "reference cycles"),
                       ("an_object", "new objects")):
        with pytest.raises(AssertionError, match=said):
            getattr(Leaks(), f"leaves_{name}")()
    Leaks().leaves_nothing()
    assert gc.get_debug() == flags and gc.isenabled() and not gc.garbage
    Leaks.kept.clear()

    @test_util.run_in_graph_and_eager_modes(assert_no_eager_garbage=True)
    def body(self):
        if tf.executing_eagerly():
            a = [tf.constant(1.0)]
            a.append(a)

    assert "reference cycles" in outcome(body)[2][0]


def test_layouts():
    assert test_util.NHWCToNCHW([1, 2, 3, 4]) == [1, 4, 2, 3] and test_util.NCHWToNHWC([1, 4, 2, 3]) == [1, 2, 3, 4]
    assert test_util.NHWCToNCHW([1, 2, 3, 4, 5]) == [1, 5, 2, 3, 4]
    assert test_util.NHWCToNCHW_VECT_C([1, 2, 3, 8]) == [1, 2, 2, 3, 4]
    assert test_util.NCHW_VECT_CToNHWC([1, 2, 2, 3, 4]) == [1, 2, 3, 8]
    x = np.arange(48.0, dtype=np.float32).reshape([1, 2, 3, 8])
    with tf.Graph().as_default(), tf.Session() as session:
        there = test_util.NHWCToNCHW_VECT_C(tf.constant(x))
        assert session.run(there)[0, 1, 1, 2, 3] == x[0, 1, 2, 7]
        np.testing.assert_array_equal(session.run(test_util.NCHW_VECT_CToNHWC(there)), x)
        np.testing.assert_array_equal(session.run(test_util.NCHWToNHWC(test_util.NHWCToNCHW(tf.constant(x)))), x)
    for convert, sizes in ((test_util.NHWCToNCHW_VECT_C, [1, 2, 3, 6]), (test_util.NCHW_VECT_CToNHWC, [1, 1, 2, 3, 6]),
                           (test_util.NHWCToNCHW, [1, 2])):
        with pytest.raises(ValueError):
            convert(sizes)


def test_graph_defs():
    with tf.Graph().as_default() as graph:
        empty = graph.as_graph_def()
        tf.constant(5, name="five")
        meta = tf.train.export_meta_graph()
    one = graph.as_graph_def()
    found = test_util.assert_ops_in_graph({"five": "Const"}, graph)
    assert found["five"].op == "Const"
    for wrong in ({"six": "Const"}, {"five": "Add"}):
        with pytest.raises(ValueError):
            test_util.assert_ops_in_graph(wrong, graph)
    with pytest.raises(AssertionError, match="^Found unexpected node '{{node five}}"):
        test_util.assert_equal_graph_def(one, empty)
    with pytest.raises(AssertionError, match="^Did not find expected node '{{node five}}"):
        test_util.assert_equal_graph_def_v2(one, empty)
    assert first_difference(one.SerializeToString(), one.SerializeToString()) == b""
    assert first_difference(one.SerializeToString(), empty.SerializeToString()).startswith(b"Found unexpected node")
    assert test_util.get_node_def_from_graph("five", one) is one.node[0]
    assert test_util.get_node_def_from_graph("six", one) is None
    test_util.set_producer_version(graph, 20)
    assert graph.graph_def_versions.producer == 20
    test_util.assert_meta_graph_protos_equal(tf.test.TestCase(), meta, meta)
    other = type(meta)()
    other.CopyFrom(meta)
    other.meta_info_def.meta_graph_version = "2"
    with pytest.raises(AssertionError):
        test_util.assert_meta_graph_protos_equal(tf.test.TestCase(), meta, other)


def test_sessions_of_tests():
    def body(test):
        with test.test_session() as shared, test.cached_session(use_gpu=True) as again:
            test.assertIs(shared, again)
        with test.test_session(config=tf.ConfigProto(allow_soft_placement=True)) as other:
            test.assertIsNot(shared, other)
        with test.assertRaisesRegex(ValueError, "another force_gpu"), test.cached_session(force_gpu=True):
            raise RuntimeError("not reached")
        with tf.contrib.eager.EagerVariableStore().as_default():
            test.assertIs(test.evaluate(lambda: tf.constant(1)).dtype.type, np.int32)

    assert outcome(body) == PASSED

    @test_util.run_in_graph_and_eager_modes
    def eager(test):
        if tf.executing_eagerly():
            with test.cached_session() as session:
                test.assertAllEqual(session.run(tf.constant([1]), feed_dict={}), [1])
                with test.assertRaisesRegex(RuntimeError, "fetches alone"):
                    session.run(tf.constant(1), feed_dict={"x": 1})
            with test.session() as session, test.assertRaisesRegex(AttributeError, "eager execution is on"):
                session.run(tf.constant(1))
            with test.test_session() as session:
                test.assertIsNone(session)

    assert outcome(eager) == PASSED


def test_values_of_composite_tensors():
    @test_util.run_in_graph_and_eager_modes
    def body(test):
        rows = tf.ragged.constant([[1, 2], [3]])
        test.assertAllEqual(rows, [[1, 2], [3]])
        test.assertAllEqual(test.evaluate(rows), rows)
        test.assertAllClose(tf.cast(rows, tf.float32), [[1.0, 2.0], [3.0]])
        with test.assertRaises(AssertionError):
            test.assertAllEqual(rows, [[1, 2], [4]])
        with test.assertRaises(AssertionError):
            test.assertAllEqual(rows, tf.ragged.constant([[[1], [2]], [[3]]]))
        sparse = test.evaluate(tf.SparseTensor([[0]], [7], [2]))
        test.assertIsInstance(sparse, tf.SparseTensorValue)
        test.assertAllEqual(sparse.values, [7])
        slices = test.evaluate(tf.IndexedSlices(tf.constant([1.0]), tf.constant([3])))
        test.assertAllEqual(slices.indices, [3])

    assert outcome(body) == PASSED


def test_messages_of_assertions():
    def body(test):
        with tf.Graph().as_default(), tf.Session() as session:
            failing = tf.Assert(tf.constant(False), ["limit"], name="checked")
            with test.assertRaisesOpError("Caused by: .*checked"):
                session.run(failing)
            with test.assertRaisesRegex(AssertionError, "Exception of type"), test.assertRaisesOpError("other"):
                session.run(failing)
        with test.assertRaisesRegex(AssertionError, "not raised"), test.assertRaisesOpError("other"):
            test.assertStartsWith("abc", "ab")
        with test.assertRaises(AssertionError):
            test.assertStartsWith("abc", "b")
        with test.assertRaises(TypeError):
            test.assertShapeEqual([1], tf.constant([1]))

    assert outcome(body) == PASSED


def test_captured_writes_and_threads(capfd):
    def body(test):
        with test.captureWritesToStream(sys.stderr) as captured:
            print("inside", file=sys.stderr)
        test.assertEqual(captured.contents(), "inside\n")

    with capfd.disabled():
        assert outcome(body) == PASSED

    def forgets(test):
        test.checkedThread(lambda: None).start()

    assert outcome(forgets)[2] == ["AssertionError: A checked thread was not joined."]


def test_the_state_of_eager_execution():
    with tf.Graph().as_default() as graph:
        assert not state.context().executing_eagerly() and state.context().scope_name == ""
        with state.device("/cpu:0"), tf.name_scope("a"):
            assert (state.context().device_name, state.context().scope_name) == ("/device:CPU:0", "a/")
        graph_mode = importlib.import_module("evergraph.python.eager.context").graph_mode
        with graph_mode():
            assert tf.get_default_graph() is graph
        state.set_global_seed(3)
        assert state.global_seed() == 3 == graph.seed
    with state.execution_mode(state.ASYNC):
        assert state.is_async() and state.context().execution_mode == state.ASYNC
    assert not state.is_async()
    with pytest.raises(ValueError):
        state.set_execution_mode(7)
