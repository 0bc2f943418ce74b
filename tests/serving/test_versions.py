"""Versions come, go and fail while requests are answered."""

import shutil
import threading

import numpy as np
import pytest

import evergraph as tf
from evergraph import proto
from evergraph.base import errors
from evergraph.serving.changes import Changes
from evergraph.serving.config import Source, every, latest, read_model_config, specific
from evergraph.serving.core import Core
from evergraph.serving.options import Options
from evergraph.serving.servable import Loading
from tests.serving.harness import DATA, Client, export, serving


def times(factor):
    def build():
        x = tf.placeholder(tf.float32, [None], name="x")
        w = tf.get_variable("w", initializer=float(factor))
        return {"x": x}, {"y": w * x}

    return build


def make(folder, *versions):
    """Versions of a model that multiplies by their number; returns the folder."""
    for version in versions:
        export(folder / f"{version}.new", times(version))
        (folder / f"{version}.new").rename(folder / str(version))
    return folder


def core_of(source):
    core = Core([source], Loading(), warms_up=False)
    core.models.update()
    return core


def said(core, version=None, label=None):
    servable = core.models.find("m", version, label)
    return servable.signatures["serving_default"].run([np.ones(1, np.float32)], ("y",))[0].tolist()


def states(core):
    return {number: fate.state for number, fate in core.models.model("m").versions.items()}


def test_the_latest_version_takes_over(tmp_path):
    core = core_of(Source("m", str(make(tmp_path, 1, 2))))
    assert said(core) == [2] and states(core) == {2: "AVAILABLE"}
    make(tmp_path, 10)
    held = core.models.find("m")
    core.models.update()
    assert said(core) == [10] and states(core) == {2: "UNLOADING", 10: "AVAILABLE"}
    assert held.signatures["serving_default"].run([np.ones(1, np.float32)], ("y",)) == [[2]]  # a request under way
    del held
    assert states(core) == {2: "END", 10: "AVAILABLE"}
    with pytest.raises(errors.NotFoundError, match=r"Specific\(m, 2\)"):
        said(core, 2)


def test_policies_and_labels(tmp_path):
    make(tmp_path, 1, 2, 3)
    assert states(core_of(Source("m", str(tmp_path), every))).keys() == {1, 2, 3}
    assert states(core_of(Source("m", str(tmp_path), latest(2)))).keys() == {2, 3}
    core = core_of(Source("m", str(tmp_path), specific([1, 3, 9]), {"old": 1, "gone": 2}))
    assert said(core) == [3] and said(core, label="old") == [1]
    with pytest.raises(errors.NotFoundError):
        said(core, label="gone")
    with pytest.raises(errors.InvalidArgumentError):
        said(core, label="nobody")


def test_a_damaged_version_leaves_the_old_one(tmp_path):
    core = core_of(Source("m", str(make(tmp_path, 1))))
    make(tmp_path, 2)
    whole = (tmp_path / "2/saved_model.pb").read_bytes()
    (tmp_path / "2/saved_model.pb").write_bytes(whole[: len(whole) // 2])
    core.models.update()
    assert said(core) == [1] and states(core) == {1: "AVAILABLE", 2: "END"}
    first = core.models.model("m").versions[2]
    core.models.update()
    assert core.models.model("m").versions[2] is first  # not tried again
    (tmp_path / "2/saved_model.pb").write_bytes(whole)
    core.models.update()
    assert said(core) == [2] and states(core) == {1: "END", 2: "AVAILABLE"}


def test_deleted_versions(tmp_path):
    core = core_of(Source("m", str(make(tmp_path, 1, 2))))
    shutil.rmtree(tmp_path / "2")
    core.models.update()
    assert said(core) == [1]
    shutil.rmtree(tmp_path / "1")
    core.models.update()
    assert said(core) == [1]  # nothing could take its place


def test_a_version_is_warmed_up_before_it_takes_over(tmp_path):
    core = core_of(Source("m", str(make(tmp_path, 1))))
    core._warms_up = True
    make(tmp_path, 2, 3)
    log = proto.serving_pb2.PredictionLog()
    log.predict_log.request.model_spec.name = "m"
    log.predict_log.request.inputs["x"].dtype = 1
    log.predict_log.request.inputs["x"].tensor_shape.dim.add(size=1)
    for version, record in ((2, log.SerializeToString()), (3, b"\xff")):
        (tmp_path / f"{version}/assets.extra").mkdir()
        with tf.io.TFRecordWriter(str(tmp_path / f"{version}/assets.extra/tf_serving_warmup_requests")) as writer:
            writer.write(record)
    core.models.update()
    assert said(core) == [1] and states(core)[3] == "END"  # what it was to be warmed up with is no request
    shutil.rmtree(tmp_path / "3")
    core.models.update()
    assert said(core) == [2]


def test_the_configuration_file(tmp_path):
    sources = read_model_config(str(DATA / "good_model_config.txt"))
    assert [source.name for source in sources] == ["half_plus_two", "half_plus_three"]
    text = (f'model_config_list {{ config {{ name: "m" base_path: "{make(tmp_path / "m", 1, 2)}" '
            'model_version_policy { specific { versions: 1 } } version_labels { key: "stable" value: 1 } } }')
    (tmp_path / "config").write_text(text)
    (source,) = read_model_config(str(tmp_path / "config"))
    core = core_of(source)
    assert said(core) == said(core, label="stable") == [1]
    for odd in ("improper", 'model_config_list { config { name: "m" } }', "custom_model_config {}",
                'model_config_list { config { name: "m" base_path: "/" model_platform: "caffe" } }', text + text):
        (tmp_path / "config").write_text(odd)
        with pytest.raises(errors.InvalidArgumentError):
            read_model_config(str(tmp_path / "config"))


def test_another_configuration(tmp_path):
    core = core_of(Source("m", str(make(tmp_path / "a", 1))))
    core.models.reconfigure([Source("m", str(make(tmp_path / "b", 5))), Source("n", str(tmp_path / "a"))])
    assert said(core) == [5] and core.models.find("n").version == 1
    core.models.reconfigure([Source("n", str(tmp_path / "a"))])
    assert list(core.models.by_name) == ["n"]


def test_a_configuration_file_that_changes(tmp_path):
    path, model = tmp_path / "config", make(tmp_path / "a", 1)

    def write(name):
        path.write_text(f'model_config_list {{ config {{ name: "{name}" base_path: "{model}" }} }}')

    write("m")
    options = Options(model_config_file=str(path), config_poll_seconds=1e-9, poll_seconds=0)
    core = core_of(*read_model_config(str(path)))
    changes = Changes(core, options)
    changes.look()
    assert list(core.models.by_name) == ["m"]
    write("n")
    changes.look()
    assert list(core.models.by_name) == ["n"] and core.models.find("n").version == 1
    path.write_text("improper")
    changes.look()
    assert list(core.models.by_name) == ["n"]


def test_no_request_fails_while_versions_change(tmp_path):
    """A new version, a damaged one and a deleted one under load."""
    make(tmp_path, 1)
    answers, ends = [], threading.Event()

    def load(server):
        client = Client(server)
        while not ends.is_set():
            answers.append(client.ask("m", instances=[1.0]))
        client.close()

    with serving(Source("m", str(tmp_path)), warms_up=False) as server:
        threads = [threading.Thread(target=load, args=(server,)) for _ in range(2)]
        for thread in threads:
            thread.start()
        make(tmp_path, 2)
        server.core.models.update()
        (tmp_path / "3").mkdir()
        (tmp_path / "3/saved_model.pb").write_bytes(b"damaged")
        server.core.models.update()
        shutil.rmtree(tmp_path / "2")
        server.core.models.update()
        ends.set()
        for thread in threads:
            thread.join()
    assert len(answers) > 2
    assert all(status == 200 and said["predictions"] in ([1.0], [2.0]) for status, said in answers), answers


def test_models_elsewhere(tmp_path):
    export("memory://served/models/4", times(4))
    core = core_of(Source("m", "memory://served/models"))
    assert said(core) == [4] and core.models.find("m").version == 4
