"""tf.keras.callbacks: what they see, change and write."""

import csv
import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import numpy as np
import pytest

import evergraph as tf

C, K = tf.keras.callbacks, tf.keras.layers
X, Y = np.ones([8, 3], "float32"), np.ones([8, 1], "float32")


def small(**options):
    model = tf.keras.Sequential([K.Dense(1, kernel_initializer="zeros", input_shape=(3,))])
    model.compile(**{"optimizer": tf.keras.optimizers.SGD(0.1), "loss": "mse", **options})
    return model


def fit(model, *callbacks, **options):
    return model.fit(X, Y, **{"batch_size": 4, "epochs": 2, "verbose": 0, **options}, callbacks=list(callbacks))


class Seen(C.Callback):
    """The moments, in order."""

    def __init__(self):
        super().__init__()
        self.moments = []
        for name in dir(C.Callback):
            if name.startswith("on_") and name not in ("on_batch_begin", "on_batch_end"):
                vars(self)[name] = lambda *args, name=name: self.moments.append(name[3:])


def test_moments():
    seen = Seen()
    fit(small(), seen, epochs=1, validation_data=(X[:4], Y[:4]))
    assert seen.moments == [
        "train_begin", "epoch_begin", "train_batch_begin", "train_batch_end", "train_batch_begin", "train_batch_end",
        "test_begin", "test_batch_begin", "test_batch_end", "test_end", "epoch_end", "train_end"]
    seen.moments.clear()
    small().predict(X, callbacks=[seen])
    assert seen.moments == ["predict_begin", "predict_batch_begin", "predict_batch_end", "predict_end"]


def test_logs_and_parameters():
    logs = {}
    watch = C.LambdaCallback(on_batch_begin=lambda batch, got: logs.update(begin=dict(got)),
                             on_batch_end=lambda batch, got: logs.update(end=dict(got)),
                             on_epoch_end=lambda epoch, got: logs.update(epoch=dict(got)))
    model = small(metrics=["mae"])
    fit(model, watch, validation_split=0.5)
    assert logs["begin"] == {"batch": 0, "size": 4}
    assert list(logs["end"]) == ["batch", "size", "loss", "mean_absolute_error"]
    assert list(logs["epoch"]) == ["loss", "mean_absolute_error", "val_loss", "val_mean_absolute_error"]
    assert watch.params == {"batch_size": 4, "epochs": 2, "steps": None, "samples": 4, "verbose": 0,
                            "do_validation": True, "metrics": list(logs["epoch"])}
    assert watch.model is model


def test_early_stopping_restores_the_best_weights():
    model = small(optimizer=tf.keras.optimizers.SGD(1.0))  # diverges
    stop = C.EarlyStopping("loss", patience=2, restore_best_weights=True, verbose=1)
    history = fit(model, stop, epochs=9)
    assert history.epoch == [0, 1, 2] and stop.stopped_epoch == 2
    best = small(optimizer=tf.keras.optimizers.SGD(1.0))
    fit(best, epochs=1)
    np.testing.assert_array_equal(model.get_weights()[0], best.get_weights()[0])


def test_a_missing_metric_is_a_warning(caplog):
    fit(small(), C.EarlyStopping("val_loss"))
    assert "val_loss" in caplog.text and "There are values of: loss" in caplog.text


def test_learning_rates():
    model = small()
    history = fit(model, C.LearningRateScheduler(lambda epoch, rate: rate / 2.0), epochs=3)
    np.testing.assert_allclose(history.history["lr"], [0.05, 0.025, 0.0125], rtol=1e-6)
    plateau = C.ReduceLROnPlateau("loss", factor=0.5, patience=1, min_delta=100.0, min_lr=0.004)
    history = fit(model, plateau, epochs=4)
    np.testing.assert_allclose(history.history["lr"], [0.0125, 0.0125, 0.00625, 0.004], rtol=1e-6)
    with pytest.raises(TypeError, match="unsupported operand"):
        fit(model, C.LearningRateScheduler(lambda epoch, rate: rate / "2"))
    with pytest.raises(ValueError, match="should be float"):
        fit(model, C.LearningRateScheduler(lambda epoch: "fast"))
    with pytest.raises(ValueError, match="factor"):
        C.ReduceLROnPlateau(factor=1.0)


def test_a_loss_that_is_no_number_ends_training(capsys):
    history = small().fit(X * np.inf, Y, batch_size=4, epochs=5, verbose=0, callbacks=[C.TerminateOnNaN()])
    assert history.epoch == [0] and "Batch 0: Invalid loss" in capsys.readouterr().out


def test_csv_files(tmp_path):
    path = tmp_path / "log.csv"
    model = small(metrics=["mae"])
    fit(model, C.CSVLogger(str(path)))
    fit(model, C.CSVLogger(str(path), append=True), initial_epoch=2, epochs=3)
    rows = list(csv.reader(path.read_text().splitlines()))
    assert rows[0] == ["epoch", "loss", "mean_absolute_error"] and [row[0] for row in rows[1:]] == ["0", "1", "2"]
    fit(model, C.CSVLogger(str(path), separator=";"), validation_data=(X, Y), validation_freq=2)
    lines = path.read_text().splitlines()
    assert lines[0] == "epoch;loss;mean_absolute_error;val_loss;val_mean_absolute_error"
    assert lines[1].endswith("NA;NA") and "NA" not in lines[2]


class Kept(tf.keras.Sequential):
    """A model that remembers where it would have been saved."""

    paths = []

    def save(self, path, overwrite):
        self.paths.append(path)

    save_weights = save


def test_checkpoints(tmp_path, capsys):
    model = Kept([K.Dense(1, kernel_initializer="zeros", input_shape=(3,))])
    model.compile(tf.keras.optimizers.SGD(0.1), "mse")
    Kept.paths = []
    fit(model, C.ModelCheckpoint("{epoch:02d}-{loss:.1f}", period=2), epochs=4)
    assert [path[:3] for path in Kept.paths] == ["02-", "04-"]
    Kept.paths = []
    fit(model, C.ModelCheckpoint("best", "val_loss", save_best_only=True, verbose=1), validation_data=(X, X[:, :1]))
    out = capsys.readouterr().out
    assert "Epoch 00001: val_loss improved from inf to" in out and Kept.paths[0] == "best"
    Kept.paths = []
    fit(model, C.ModelCheckpoint("{epoch}", save_freq=12, save_weights_only=True), epochs=3)
    assert Kept.paths == ["2", "3"]
    with pytest.raises(ValueError, match="save_freq"):
        C.ModelCheckpoint("x", save_freq="often")
    with pytest.raises(KeyError, match="other"):
        fit(model, C.ModelCheckpoint("{other}"))


def events(folder):
    """The values in the event files of a folder, by tag."""
    found = {}
    for path in sorted(folder.glob("events.*")):
        for event in tf.train.summary_iterator(str(path)):
            for value in event.summary.value:
                found.setdefault(value.tag, []).append((event.step, value.WhichOneof("value")))
    return found


def test_tensorboard(tmp_path):
    model = tf.keras.Sequential([K.Dense(4, activation="relu", input_shape=(3,), name="first"),
                                 K.Dense(1, name="last")])
    model.compile("sgd", "mse", metrics=["mae"])
    fit(model, C.TensorBoard(str(tmp_path), histogram_freq=1, write_grads=True, write_images=True, update_freq="batch"),
        validation_data=(X, Y))
    found = events(tmp_path)
    assert [step for step, _ in found["batch_loss"]] == [0, 1, 2, 3]
    assert [kind for _, kind in found["epoch_val_mean_absolute_error"]] == ["simple_value"] * 2
    assert [name for name in found if not name.startswith(("batch_", "epoch_"))] == [
        *(f"{layer}{tag}" for layer in ("first", "last") for tag in (
            "/kernel_0", "/kernel_0_1/image/0", "/kernel_0_grad", "/bias_0", "/bias_0_1/image/0", "/bias_0_grad",
            "_out"))]
    with pytest.raises(ValueError, match="validation_data"):
        fit(model, C.TensorBoard(str(tmp_path), histogram_freq=1))


def test_embeddings_for_the_projector(tmp_path):
    model = tf.keras.Sequential([K.Embedding(5, 2, input_length=3, name="words"), K.Flatten(), K.Dense(1)])
    model.compile("sgd", "mse")
    data = np.arange(12).reshape(4, 3) % 5
    model.fit(data, Y[:4], verbose=0, callbacks=[C.TensorBoard(
        str(tmp_path), embeddings_freq=1, embeddings_data=data, embeddings_metadata="names.tsv")])
    reader = tf.train.load_checkpoint(str(tmp_path))
    assert reader.get_tensor("words_embedding").shape == (4, 6)
    assert "names.tsv" in (tmp_path / "projector_config.pbtxt").read_text()


def test_a_server_gets_the_metrics():
    got = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):  # noqa: N802 - the library's name
            got.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *args):
            pass

    with HTTPServer(("localhost", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        fit(small(), C.RemoteMonitor(f"http://localhost:{server.server_port}", send_as_json=True))
        server.shutdown()
        thread.join()
    assert [each["epoch"] for each in got] == [0, 1] and "loss" in got[0]


def test_an_unreachable_server_is_a_warning(caplog):
    fit(small(), C.RemoteMonitor("http://localhost:9"), epochs=1)
    assert "Could not reach RemoteMonitor root server" in caplog.text
