"""`evergraph convert --to stablehlo` and `--to jax`: what other processes compute, which have JAX and no evergraph."""

import json
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

import evergraph as tf
from evergraph.convert import open_sizes
from evergraph.convert.model import Inconvertible, model_of
from evergraph.convert.stablehlo import exported
from evergraph.convert.writing import Options, write
from evergraph.frontend.variables.freeze import convert_variables_to_constants
from tests.convert.models import MODELS, built, cnn, dense, lstm
from tests.harness.session import started

CALLER = """
import json, pathlib, sys
import numpy as np
from jax import export
for path, values in json.loads(sys.argv[1]).items():
    program = export.deserialize(bytearray(pathlib.Path(path).read_bytes()))
    given = np.load(values)
    for name in given.files:
        if name.startswith("x"):
            found = program.call(x=given[name])["y"]
            np.testing.assert_allclose(found, given["y" + name[1:]], rtol=2e-6, atol=2e-6, err_msg=path)
assert "evergraph" not in sys.modules
print("all equal")
"""


def elsewhere(code, *words, folder=None):
    """What a program prints in a process that has JAX and no evergraph."""
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


def frozen(session, x, y):
    message = convert_variables_to_constants(session, session.graph.as_graph_def(), [y.op.name])
    return model_of(message, {"x": x}, {"y": y.name}, {})


def values(shape, batch, length=7):
    sizes = [batch if axis == 0 and size is None else size or length for axis, size in enumerate(shape)]
    return np.random.RandomState(batch).randn(*sizes).astype(np.float32)


def test_models_run_in_processes_without_evergraph(tmp_path):
    wanted = {}
    for number, (make, shape) in enumerate(MODELS):
        path, given = tmp_path / f"{make.__name__}_{number}.stablehlo", tmp_path / f"{number}.npz"
        with tf.Graph().as_default():
            x, y = built(make, shape)
            with started() as session:
                write(frozen(session, x, y), "stablehlo", str(path), Options())
                batches = [1, 3] if shape[0] is None else [2]
                feeds = {f"x{batch}": values(shape, batch) for batch in batches}
                np.savez(given, **feeds, **{f"y{key[1:]}": session.run(y, {x: feed}) for key, feed in feeds.items()})
        wanted[str(path)] = str(given)
    assert elsewhere(CALLER, json.dumps(wanted), folder=tmp_path) == "all equal\n"


def test_a_module_for_jax(tmp_path):
    x, y = built(cnn, [None, 16, 16, 3])
    with started() as session:
        model = frozen(session, x, y)
        paths = write(model, "jax", str(tmp_path / "small.py"), Options())
        images = values([None, 16, 16, 3], 2)
        np.savez(tmp_path / "known.npz", x=images, y=session.run(y, {x: images}))
        kernel = [v for v in tf.trainable_variables() if v.op.name == "dense/kernel"][0]
        slope = session.run(tf.gradients(y[0, 0], kernel)[0], {x: images})
        np.save(tmp_path / "slope.npy", slope)
    assert [path.rpartition(".")[2] for path in paths] == ["py", "stablehlo", "safetensors"]
    assert elsewhere("""
import sys
import jax, numpy as np, small
known = np.load("known.npz")
np.testing.assert_allclose(small.predict(x=known["x"])["y"], known["y"], rtol=2e-6, atol=2e-6)
gradient = jax.grad(lambda weights: small.apply(weights, {"x": known["x"]})["y"][0, 0])(small.weights())
np.testing.assert_allclose(gradient["dense/kernel"], np.load("slope.npy"), rtol=1e-5, atol=1e-6)
assert "evergraph" not in sys.modules
print(small.INPUTS, small.weights()["dense/kernel"].shape)
""", folder=tmp_path) == "{'x': ([None, 16, 16, 3], 'float32')} (72, 3)\n"


def test_safetensors_of_a_module_are_read_by_their_library(tmp_path):
    safetensors = pytest.importorskip("safetensors.numpy")
    x, y = built(dense, [None, 4])
    with started() as session:
        write(frozen(session, x, y), "jax", str(tmp_path / "small.py"), Options())
        found = safetensors.load_file(tmp_path / "small.safetensors")
        for variable in tf.global_variables():
            np.testing.assert_array_equal(found[variable.op.name], session.run(variable))


def test_names_of_a_model_are_no_code(tmp_path):
    x, y = built(dense, [None, 4])
    name = '"""\nraise SystemExit(1)\n"""\\'
    with started() as session:
        model = frozen(session, x, y)
        write(replace(model, inputs={name: model.inputs["x"]}), "jax", str(tmp_path / "small.py"), Options())
    code = "import small, numpy as np; print(small.predict(**dict.fromkeys(small.INPUTS, np.ones([1, 4])))['y'].shape)"
    assert elsewhere(code, folder=tmp_path) == "(1, 3)\n"


def test_mlir_is_for_one_platform(tmp_path):
    x, y = built(dense, [None, 4])
    with started() as session:
        model = frozen(session, x, y)
    write(model, "stablehlo", str(tmp_path / "m.mlir"), Options())
    text = (tmp_path / "m.mlir").read_text()
    assert "func.func public @main" in text and "tensor<?x4xf32>" in text and str(tmp_path) not in text
    write(model, "stablehlo", str(tmp_path / "m.mlirbc"), Options())
    assert (tmp_path / "m.mlirbc").read_bytes().startswith(b"ML\xefR")
    with pytest.raises(Inconvertible, match="for one platform"):
        write(model, "stablehlo", str(tmp_path / "m.mlir"), Options(platforms=["cpu", "tpu"]))


@pytest.mark.parametrize("make, said", [
    (lambda x: tf.strings.length(tf.as_string(x, name="texts")), "nodes need Python or strings.*AsString 'texts'"),
    (lambda x: x + tf.random.normal([4], name="noise"), "nodes have state, such as random numbers: noise"),
    (lambda x: tf.boolean_mask(x, x > 0), "Where 'boolean_mask/Where'"),
    (lambda x: tf.image.resize_bilinear(x[None, :, :, None], [2 * tf.shape(x)[0], 8]), "on open sizes.*--batch"),
], ids=["strings", "random", "sizes by values", "open sizes"])  # fmt: skip
def test_what_cannot_be_exported_is_told(make, said):
    x, y = built(make, [None, 4])
    with started() as session, pytest.raises(Inconvertible, match=said):
        exported(frozen(session, x, y), ["cpu"])


def test_an_export_ends_no_session_from_calling_c():
    x, y = built(lstm, [None, 5, 4])
    with started("xla") as session:
        before = session.run(y, {x: values([None, 5, 4], 3)})
        exported(frozen(session, x, y), ["cpu"])
        np.testing.assert_array_equal(session.run(y, {x: values([None, 5, 4], 3)}), before)


# ---- open sizes


def general(function, *shapes, count=1):
    """A function of arrays by the programs of `function` for several sizes; shapes are functions of the sizes."""
    import jax

    points = open_sizes.points(open_sizes.CHOICES[0], count)
    specs = lambda point: [jax.ShapeDtypeStruct(shape(*point), np.float32) for shape in shapes]
    programs = [jax.make_jaxpr(function)(*specs(point)) for point in points]
    return lambda sizes, *arguments: open_sizes.General(programs, points).run(sizes, arguments)


@pytest.mark.parametrize("function", [
    lambda x: x * x.shape[0],
    lambda x: x + np.arange(x.shape[0], dtype=np.float32)[:, None],
    lambda x: x + np.arange(x.shape[0], dtype=np.float32)[::-1, None].copy(),
    lambda x: x.reshape(-1) + np.full(3 * x.shape[0], x.shape[0], np.float32),
    lambda x: x[np.stack([np.arange(x.shape[0]), np.ones(x.shape[0], int)], 1)[:, 0]],
], ids=["number", "range", "descending", "full", "rows"])  # fmt: skip
def test_constants_grow_with_the_sizes(function):
    x = np.random.RandomState(0).randn(4, 3).astype(np.float32)
    np.testing.assert_allclose(general(function, lambda n: (n, 3))([4], x)[0], function(x), rtol=1e-6)


def test_sizes_multiply():
    found = general(lambda x: x.reshape(x.shape[0] * x.shape[1]), lambda n, m: (n, m), count=2)
    assert found([2, 9], np.ones([2, 9], np.float32))[0].shape == (18,)


@pytest.mark.parametrize("function", [
    lambda x: x[: x.shape[0] // 2], lambda x: x * x if x.shape[0] > 6 else x,
    lambda x: x + np.random.RandomState(0).rand(*x.shape).astype(np.float32),
], ids=["half", "another way", "no rule"])  # fmt: skip
def test_other_numbers_are_refused(function):
    with pytest.raises(open_sizes.Differs):
        general(function, lambda n: (n, 3))([4], np.ones([4, 3], np.float32))
