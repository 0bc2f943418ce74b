"""Training graphs that TensorFlow 1 wrote, with frames, tensor arrays and stacks, compute here what they did there."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.graph.registry import lookup
from tests.harness.goldens import FOLDER
from tests.passes.imported import wild_programs
from tests.passes.imported.control_flow import while_loop
from tests.passes.imported.frame_programs import PROGRAMS


@pytest.fixture(scope="module")
def recorded():
    with np.load(FOLDER / "frames.npz") as file:
        return {key: file[key] for key in file.files}


def part(recorded, prefix):
    return {key[len(prefix):]: value for key, value in recorded.items() if key.startswith(prefix)}


def steps(recorded):
    """[(feeds, results)] of each step."""
    count = 1 + max(int(key.split("/")[1]) for key in recorded if key.startswith("result/"))
    return [(part(recorded, f"feed/{i}/"), part(recorded, f"result/{i}/")) for i in range(count)]


def imported(program):
    """The MetaGraph in the default graph, and the operations that set its variables to what they were at the start."""
    meta = tf.MetaGraphDef.FromString(program["meta"].tobytes())
    tf.train.import_meta_graph(meta)
    return [tf.assign(v, program[f"variable/{v.op.name}"]) for v in tf.global_variables()]


def tier_of(name, tier):
    """Elements of different shapes, which XLA has no arrays for, are for Python in any case."""
    return None if name == "pieces" and tier == "xla" else tier


def assert_trains(session, program, fetches):
    """The steps, and the variables after them, are those of TensorFlow."""
    for feeds, expected in steps(program):
        found = session.run(fetches, feeds)
        for key, value in found.items():
            if value is not None:
                np.testing.assert_allclose(value, expected[key], rtol=2e-4, atol=1e-5, err_msg=key)
    for variable in tf.trainable_variables():
        np.testing.assert_allclose(session.run(variable), program[f"after/{variable.op.name}"], rtol=1e-3, atol=1e-5,
                                   err_msg=variable.op.name)


@pytest.mark.parametrize("name", wild_programs.PROGRAMS)
def test_kinds_of_networks_in_public_repositories(name):
    with np.load(FOLDER / "wild.npz") as file:
        program = part({key: file[key] for key in file.files if key.startswith(f"{name}//")}, f"{name}//")
    with tf.Graph().as_default() as graph, tf.Session() as session:
        start = imported(program)
        session.run(tf.global_variables_initializer())
        session.run(start)
        assert_trains(session, program, {key: graph.as_graph_element(str(value))
                                         for key, value in part(program, "fetch/").items()})


@pytest.mark.parametrize("tier", ["xla", "numpy"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_training(recorded, name, tier):
    program = part(recorded, f"{name}//")
    with tf.Graph().as_default() as graph, tf.Session(tier=tier_of(name, tier)) as session:
        session.run(imported(program))
        assert_trains(session, program, {key: graph.as_graph_element(str(value))
                                         for key, value in part(program, "fetch/").items()})


def without_training(program):
    """The MetaGraph with nothing in it but the loss and the variables that it depends on."""
    meta = tf.MetaGraphDef.FromString(program["meta"].tobytes())
    with tf.Graph().as_default():
        tf.train.import_meta_graph(meta)
        protos = [v.to_proto() for v in tf.trainable_variables()]
    kept = [name for v in protos for name in (v.initializer_name, v.snapshot_name)] + [str(program["fetch/loss"])]
    graph = tf.graph_util.extract_sub_graph(meta.graph_def, [name.split(":")[0] for name in kept])
    meta.graph_def.CopyFrom(graph)
    meta.collection_def["variables"].CopyFrom(meta.collection_def["trainable_variables"])
    for key in set(meta.collection_def) - {"variables", "trainable_variables"}:
        del meta.collection_def[key]
    return program | {"meta": np.frombuffer(meta.SerializeToString(), np.uint8)}


@pytest.mark.parametrize("tier", ["xla", "numpy"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients_of_imported_loops(recorded, name, tier):
    program = without_training(part(recorded, f"{name}//"))
    with tf.Graph().as_default() as graph, tf.Session(tier=tier_of(name, tier)) as session:
        start = imported(program)
        assert not any("StackPush" in node.type for node in graph.get_operations())
        loss = graph.as_graph_element(str(program["fetch/loss"]))
        train = PROGRAMS[name].optimizer(tf).minimize(loss)
        session.run(tf.global_variables_initializer())
        session.run(start)
        assert_trains(session, program, {"loss": loss, "train": train})


def test_a_flow_that_is_fetched_stays_a_number(recorded):
    program = part(recorded, "accumulated//")
    with tf.Graph().as_default(), tf.Session() as session:
        session.run(imported(program))
        feeds, expected = steps(program)[0]
        flow, stacked = session.run(["while/Exit_2:0", str(program["fetch/stacked"])], feeds)
        assert flow == 0
        np.testing.assert_allclose(stacked, expected["stacked"], rtol=1e-5)
        before = session.run("w:0")
        session.run(["while/Exit_2:0", str(program["fetch/train"])], feeds)  # the gradient pops from stacks
        assert np.all(session.run("w:0") != before)


def test_an_array_of_texts():
    with tf.Graph().as_default(), tf.Session() as session:
        array = lookup("TensorArrayV3")(3, dtype=tf.string)
        handle = lookup("Enter")(array.handle, frame_name="loop", is_constant=True)
        _, flow = while_loop(lambda i, _, n: i < n,
                             lambda i, f, n: (i + 1, lookup("TensorArrayWriteV3")(handle, i, tf.as_string(i), f)),
                             [tf.constant(0), array.flow], [tf.constant(3)])
        texts = lookup("TensorArrayGatherV3")(array.handle, [2, 0, 1], flow, dtype=tf.string)
        assert session.run(texts).tolist() == [b"2", b"0", b"1"]
