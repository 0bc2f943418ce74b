"""Training graphs that TensorFlow 1 wrote, with frames, tensor arrays and stacks, compute here what they did there."""

import numpy as np
import pytest

import evergraph as tf
from tests.harness.goldens import FOLDER
from tests.passes.frame_programs import PROGRAMS


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


@pytest.mark.parametrize("tier", ["xla", "numpy"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_training(recorded, name, tier):
    program = part(recorded, f"{name}//")
    if name == "pieces":  # elements of different shapes: what XLA has no arrays for runs as Python
        tier = "numpy" if tier == "numpy" else None
    with tf.Graph().as_default(), tf.Session(tier=tier) as session:
        session.run(imported(program))
        fetches = {key: tf.get_default_graph().as_graph_element(str(value))
                   for key, value in part(program, "fetch/").items()}
        for feeds, expected in steps(program):
            found = session.run(fetches, feeds)
            for key, value in expected.items():
                np.testing.assert_allclose(found[key], value, rtol=2e-4, atol=1e-5, err_msg=key)
        for variable in tf.global_variables():
            np.testing.assert_allclose(session.run(variable), program[f"after/{variable.op.name}"], rtol=1e-3,
                                       atol=1e-5, err_msg=variable.op.name)
