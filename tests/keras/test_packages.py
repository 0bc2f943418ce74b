"""Pictures, texts and known models by the packages of Keras, data sets from files, and private names for Keras 2."""

import gzip
import io
import json
import pickle
import subprocess
import sys
import tarfile
import textwrap

import numpy as np
import pytest

import evergraph as tf
from evergraph.keras import internals, plain_pickles

K, L = tf.keras.backend, tf.keras.layers
pytest.importorskip("keras_preprocessing")
pytest.importorskip("keras_applications")


# ---- pictures and texts

def test_pictures_are_changed_at_random():
    images = np.random.RandomState(0).rand(4, 8, 8, 3) * 255
    generator = tf.keras.preprocessing.image.ImageDataGenerator(
        rotation_range=90, zoom_range=0.2, shear_range=0.5, width_shift_range=0.1, brightness_range=(0.5, 1.5),
        horizontal_flip=True, featurewise_center=True, zca_whitening=True, validation_split=0.5)
    generator.fit(images, augment=True)
    batches = generator.flow(images, np.array([0, 1, 0, 1]), batch_size=2, shuffle=False, subset="training")
    assert isinstance(batches, tf.keras.utils.Sequence) and len(batches) == 1
    x, y = batches[0]
    assert x.shape == (2, 8, 8, 3) and x.dtype == np.float32 and y.tolist() == [0, 1]


def test_pictures_in_folders(tmp_path):
    for kind in ("cats", "dogs"):
        (tmp_path / kind).mkdir()
        for number in range(2):
            tf.keras.preprocessing.image.save_img(tmp_path / kind / f"{number}.png", np.full([5, 6, 3], 9.0 * number))
    generator = tf.keras.preprocessing.image.ImageDataGenerator(rescale=1 / 255)
    batches = generator.flow_from_directory(str(tmp_path), target_size=(4, 4), batch_size=4, shuffle=False)
    x, y = next(batches)
    assert x.shape == (4, 4, 4, 3) and batches.class_indices == {"cats": 0, "dogs": 1} and y.sum(0).tolist() == [2, 2]
    model = tf.keras.Sequential([L.Flatten(input_shape=(4, 4, 3)), L.Dense(2, "softmax")])
    model.compile("sgd", "categorical_crossentropy")
    assert len(model.fit_generator(batches, steps_per_epoch=1, epochs=2, verbose=0).history["loss"]) == 2


def test_layouts_are_those_of_the_backend():
    K.set_image_data_format("channels_first")
    try:
        picture = tf.keras.preprocessing.image.array_to_img(np.ones([3, 4, 5]))
        assert picture.size == (5, 4) and tf.keras.preprocessing.image.img_to_array(picture).shape == (3, 4, 5)
    finally:
        K.set_image_data_format("channels_last")


def test_texts_and_sequences():
    tokens = tf.keras.preprocessing.text.Tokenizer(num_words=5)
    tokens.fit_on_texts(["the cat sat", "the dog sat down"])
    numbers = tokens.texts_to_sequences(["the dog"])
    assert tf.keras.preprocessing.sequence.pad_sequences(numbers, 4).shape == (1, 4)
    again = tf.keras.preprocessing.text.tokenizer_from_json(tokens.to_json())
    assert again.texts_to_sequences(["the dog"]) == numbers
    windows = tf.keras.preprocessing.sequence.TimeseriesGenerator(np.arange(10), np.arange(10), 3, batch_size=2)
    assert isinstance(windows, tf.keras.utils.Sequence) and windows[0][1].tolist() == [3, 4]


# ---- known models

@pytest.mark.parametrize("name, count", [("MobileNetV2", 3538984), ("ResNet50", 25636712), ("DenseNet121", 8062504)])
def test_known_models(name, count):
    assert getattr(tf.keras.applications, name)(weights=None).count_params() == count


def test_known_models_without_a_connection(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("urllib.request.urlopen", _refused)
    with pytest.raises(Exception, match="Without a connection, put the file at .*mobilenet"):
        tf.keras.applications.mobilenet.MobileNet(input_shape=(128, 128, 3))
    assert tf.keras.applications.vgg16.preprocess_input(np.ones([1, 2, 2, 3])).shape == (1, 2, 2, 3)


def _refused(*args, **kwargs):
    raise OSError("no network")


# ---- data sets

def cached(monkeypatch, tmp_path, name, content):
    """Puts a file into the cache of data sets, whatever its hash."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("evergraph.keras.cached_files._has_hash", lambda *args: True)
    folder = tmp_path / ".keras" / "datasets"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)
    return folder


def npz(**arrays):
    content = io.BytesIO()
    np.savez(content, **arrays)
    return content.getvalue()


def ragged(lists):
    found = np.empty(len(lists), object)
    found[:] = lists
    return found


def test_texts_of_data_sets(monkeypatch, tmp_path):
    words = [[1, 5], [2], [3, 4, 6], [1, 2, 3]]
    cached(monkeypatch, tmp_path, "imdb.npz", npz(x_train=ragged(words), y_train=[0, 1, 0, 1],
                                                  x_test=ragged(words), y_test=[1, 0, 1, 0]))
    (x, y), (x_test, y_test) = tf.keras.datasets.imdb.load_data(num_words=7)
    assert sorted(map(len, x)) == [2, 3, 4, 4] and {text[0] for text in x} == {1} and len(y_test) == 4
    assert max(max(text) for text in x) == 6 and any(2 in text for text in x)
    (short, _), _ = tf.keras.datasets.imdb.load_data(maxlen=3, start_char=None, index_from=0, oov_char=None)
    assert all(len(text) < 3 for text in short)
    with pytest.raises(TypeError, match="Unrecognized"):
        tf.keras.datasets.imdb.load_data(words=3)
    cached(monkeypatch, tmp_path, "reuters.npz", npz(x=ragged(words), y=[0, 1, 2, 3]))
    (x, _), (x_test, _) = tf.keras.datasets.reuters.load_data(test_split=0.5)
    assert len(x) == len(x_test) == 2
    cached(monkeypatch, tmp_path, "imdb_word_index.json", json.dumps({"the": 1}).encode())
    assert tf.keras.datasets.imdb.get_word_index() == {"the": 1}


def test_numbers_and_pictures_of_data_sets(monkeypatch, tmp_path):
    cached(monkeypatch, tmp_path, "boston_housing.npz", npz(x=np.ones([10, 13]), y=np.arange(10.0)))
    (x, y), (x_test, _) = tf.keras.datasets.boston_housing.load_data()
    assert x.shape == (8, 13) and len(x_test) == 2 and y.tolist() != sorted(y)
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w:gz") as file:
        for name in ("train", "test"):
            content = pickle.dumps({"data": np.zeros([2, 3072], np.uint8), "fine_labels": [4, 5],
                                    "coarse_labels": [0, 1]}, protocol=2)
            entry = tarfile.TarInfo(f"cifar-100-python/{name}")
            entry.size = len(content)
            file.addfile(entry, io.BytesIO(content))
    cached(monkeypatch, tmp_path, "cifar-100-python.tar.gz", archive.getvalue())
    (x, y), _ = tf.keras.datasets.cifar100.load_data()
    assert x.shape == (2, 32, 32, 3) and y.tolist() == [[4], [5]]
    with pytest.raises(ValueError, match="label_mode"):
        tf.keras.datasets.cifar100.load_data("rough")


def test_pickles_run_no_code(tmp_path):
    class Harmful:
        def __reduce__(self):
            return (print, ("harm",))

    with pytest.raises(pickle.UnpicklingError, match="builtins.print"):
        plain_pickles.load(pickle.dumps(Harmful()))
    value = {"a": np.arange(3), "b": ["x", 1.5]}
    found = plain_pickles.load(pickle.dumps(value))
    assert found["a"].tolist() == [0, 1, 2] and found["b"] == ["x", 1.5]
    with gzip.open(tmp_path / "x", "wb") as file:
        file.write(pickle.dumps(ragged([Harmful()])))
    with pytest.raises(pickle.UnpicklingError):
        plain_pickles.load(gzip.open(tmp_path / "x").read())


# ---- what standalone Keras takes from inside

def test_what_follows_from_inputs():
    x = K.placeholder((2,))
    y, other = x * 2.0, tf.constant(1.0)
    reached = internals.get_reachable_from_inputs([x], targets=[y])
    assert y in reached and y.op in reached and other not in reached
    assert internals.is_keras_tensor(tf.keras.Input([2])) and not internals.is_keras_tensor(x)
    with pytest.raises(ValueError):
        internals.is_keras_tensor(3)
    assert isinstance(x, internals.TensorLike) and internals.get_graph() is x.graph
    assert internals.as_graph_element(tf.Variable(1.0)) is not None and internals.as_graph_element("x") is None


def test_the_device_around_is_told():
    class Seen:
        device = None

        def _set_device(self, device):
            self.device = device

    seen, nowhere = Seen(), Seen()
    with tf.device("/cpu:0"):
        tf.get_default_graph()._apply_device_functions(seen)
    tf.get_default_graph()._apply_device_functions(nowhere)
    assert seen.device == "/device:CPU:0" and nowhere.device is None


def test_attributes_of_files_as_older_programs_read_them(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent(f"""
        import h5py
        with h5py.File("{tmp_path}/x.h5") as file:  # made, as h5py 2 did
            file.attrs["name"] = b"ascii"
            file.attrs["names"] = [b"a", b"bc"]
            file.attrs["none"] = []
            file.attrs["text"] = "utf-8"
            print(file.attrs["name"], file.attrs["names"].tolist(), file.attrs["none"].tolist(), file.attrs["text"])
    """))
    done = subprocess.run([sys.executable, "-m", "evergraph", "run", "--legacy", str(program)], capture_output=True,
                          text=True)
    assert done.stdout.splitlines() == ["b'ascii' [b'a', b'bc'] [] utf-8"], done.stderr
    assert "h5py.AttributeManager" in done.stderr
