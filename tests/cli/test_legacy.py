"""`evergraph run --legacy`: old names of NumPy, SciPy and Python, lent to one program."""

import os
import pickle
import subprocess
import sys

import numpy as np
import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto

from evergraph.cli.legacy import arrays, images, standard
from evergraph.cli.legacy.hints import explain
from evergraph.cli.legacy.names import FUNCTIONS, LENT, METHODS, WRAPPED, lent_name
from evergraph.cli.legacy.promotion import OPERATIONS
from evergraph.cli.legacy.rewrite import rewritten
from evergraph.cli.legacy.versions import LooseVersion, StrictVersion

PROGRAM = """
from __future__ import print_function
import collections, inspect, pickle, random, time
import numpy as np
import scipy.misc
from collections import Iterable
from distutils.version import LooseVersion
from scipy import ndimage
from scipy.misc import imresize, logsumexp
from scipy.sparse.linalg.eigen.arpack import eigsh
from helper import helped

print(np.float(3), np.int(2.5), np.asfarray([1]).dtype, np.product([2, 3]), np.asscalar(np.array([7])))
print(np.reshape(np.arange(4), newshape=[2, 2]).tolist(), int(np.array([5])), float(np.array([[2.5]])), int("12"))
print(np.arange(3, dtype=np.uint8).tostring(), isinstance(3, int), isinstance([], Iterable), helped(np.array([4])))
print(imresize(np.zeros([4, 4, 3], np.uint8), [2, 2]).shape, inspect.getargspec(helped).args, time.clock() >= 0)
print(pickle.loads(b"S'\\\\xe9'\\np0\\n."), LooseVersion("1.15.0") >= LooseVersion("1.4"), random.sample({1}, 1))
row, found = np.zeros([1, 2]), {}
row[0, 1] = np.array([[6]])
row[:, 0], found["k"] = np.array([5]), np.array([7])
found["x"] = np.array([8])
print(row.tolist(), found["k"].shape, found["x"].shape, np.array([1, 2], copy=False).sum())
print(np.array([128, -1], np.int8), np.uint8(-1), np.ones(None), np.uint8(200) + 100, eval(compile("7", "", "eval")))
exec("total = np.uint8(2) << 8")
exec(compile("total += np.float32(0.1)", "a.py", "exec"))
print(total)
print(ndimage.rotate(np.eye(2), np.array([90])).round().tolist())
print("%.1f of %s" % (np.array([[2.5]]), "five"), "%d" % np.array([3]), "%(a)d" % {"a": 4}, "%s" % [5], 7 % 4)
"""

EXPECTED = """3.0 2 float64 6 7
[[0, 1], [2, 3]] 5 2.5 12
b'\\x00\\x01\\x02' True True 5
(2, 2, 3) ['x'] True
é True [1]
[[5.0, 6.0]] (1,) (1,) 3
[-128   -1] 255 1.0 300 7
512.1000000014901
[[0.0, 1.0], [1.0, 0.0]]
2.5 of five 3 4 [5] 3
"""


GONE = np.lib.NumpyVersion(np.__version__) >= "2.4.0"  # what older ones only warn of


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "helper.py").write_text('"""Helps."""\n\n\ndef helped(x):\n    return int(x) + 1\n')
    return tmp_path


def evergraph(folder, *arguments):
    command = [sys.executable, "-m", "evergraph", "run", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


@pytest.mark.parametrize("how", [["program.py"], ["-m", "program"]])
def test_an_old_program_runs_and_hears_what_it_was_lent(folder, how):
    done = evergraph(folder, "--legacy", *how)
    assert done.stdout == EXPECTED, done.stderr
    last = done.stderr.splitlines()[-1]
    for name in ("numpy.float", "collections.Iterable", "scipy.misc.imresize", "int(array of one element)",
                 "time.clock", "numpy.reshape(newshape=)", "scipy.ndimage.rotate(angle=",
                 "inspect.getargspec", "numpy.array(copy=False)",
                 *(["numpy.ndarray.tostring", "array[i] = array of one element", "'%d' % array of one element"]
                   if GONE else []),
                 "numpy.uint8(integer out of range)", "numpy.ones(None)", "the dtypes that scalars had in arithmetic"):
        assert name in last


def test_a_new_program_is_lent_nothing(folder):
    done = evergraph(folder, "--legacy", "-c", "import numpy as np; print(int(np.ones([])), np.ones(2).tobytes()[:1])")
    assert done.stdout == "1 b'\\x00'\n" and done.stderr == ""


def test_data_sets_of_keras_may_have_rows_of_different_lengths(folder):
    home = folder / "site-packages" / "keras" / "datasets"
    home.mkdir(parents=True)
    (home / "reviews.py").write_text("import numpy as np\nROWS = np.array([[1], [2, 3]])\n")
    code = "import sys; sys.path.insert(0, 'site-packages'); from keras.datasets import reviews; print(reviews.ROWS)"
    assert evergraph(folder, "--legacy", "-c", code).stdout == "[list([1]) list([2, 3])]\n"


def test_without_the_option_an_error_names_it(folder):
    done = evergraph(folder, "-c", "import numpy as np; np.float(3)")
    assert done.returncode == 1
    assert "no longer have numpy.float; `evergraph run --legacy`" in done.stderr


def raised(code):
    with pytest.raises(Exception) as caught:
        exec(code, {"np": np, "pickle": pickle})
    explain(caught.value)
    return "".join(getattr(caught.value, "__notes__", []))


@pytest.mark.parametrize("code, what", [
    ("np.int", "numpy.int"), ("np.mat", "numpy.mat"), ("from collections import Mapping", "collections.Mapping"),
    ("from inspect import getargspec", "inspect.getargspec"), ("import time; time.clock()", "time.clock"),
    ("int(np.array([1]))", "int()"), ("np.reshape(np.ones(2), newshape=[2])", "newshape"),
    ("np.ones(2).tostring()", "tostring"), ("pickle.loads(b\"S'\\\\xe9'\\np0\\n.\")", "pickle"),
    ("np.array([[1], [2, 3]])", "rows of different"), ("np.zeros(2)[0] = np.ones(1)", "array[i] = array of one"),
    ("np.array([1], copy=False)", "copy=False"), ("np.zeros(None)", "zeros(None)"), ("np.uint8(-1)", "wrap around"),
    ("xrange(3)", "--python2"), ("import cPickle", "--python2"), ("compile('print 1', 'a', 'exec')", "--python2"),
])  # fmt: skip
def test_hints(code, what):
    if "np." in code and not GONE and code != "np.int":
        pytest.skip("this NumPy still does some of it")
    assert what in raised(code)


def test_larger_arrays_are_refused_as_ever(folder):
    done = evergraph(folder, "--legacy", "-c", "import numpy as np; np.zeros(2)[0] = np.ones(2)")
    assert "setting an array element with a sequence" in done.stderr


@pytest.mark.parametrize("code", ["np.mystery", "1 / 0", "mystery", "import mystery", "int('a')"])
def test_other_errors_stay_as_they_are(code):
    assert raised(code) == ""


def test_every_lent_name_can_be_had():
    import importlib

    for home in [*LENT.values(), *WRAPPED.values(), *METHODS.values(), *FUNCTIONS.values()]:
        module, _, name = home.partition(":")
        assert hasattr(importlib.import_module(module), name), home


def test_nothing_is_patched_in_processes_that_do_not_ask():
    assert not hasattr(np, "float") and not hasattr(sys.modules["time"], "clock")
    assert lent_name("numpy.float.fromhex") == "numpy.float" and lent_name("numpy.float32") is None


def test_a_rewritten_source_keeps_its_lines():
    with pytest.raises(ZeroDivisionError) as caught:
        exec(rewritten('"""Doc."""\nfrom __future__ import division\nx = int("1")\ny = 1 / 0\n', "a.py"), {})
    assert caught.traceback[-1].lineno == 3


def test_old_functions_of_numpy():
    assert arrays.find_common_type([np.float32], [np.int64, np.float64]) == np.float32
    assert arrays.find_common_type([np.int32], [np.float64]) == np.float64
    assert arrays.cast["int32"]([1.7]).tolist() == [1] and arrays.asfarray([1], int).dtype == np.float64
    assert np.float32 in arrays.sctypes["float"] and arrays.obj2sctype("mystery") is None
    x = np.zeros([2, 2])
    arrays.itemset(x, (1, 0), 3)
    arrays.itemset(x, 1, 2)
    assert x.tolist() == [[0, 2], [3, 0]] and arrays.ptp(x) == 3 and arrays.msort(x).tolist() == [[0, 0], [3, 2]]


def test_rows_of_different_lengths():
    held = {}
    code = "import numpy as np\nx = np.array([[1], [2, 3]])\ny = np.asarray([1.0, 2.0], np.float32)\n"
    exec(rewritten(code, "a.py"), held)
    assert held["x"].dtype == object and held["x"].shape == (2,) and held["y"].dtype == np.float32
    with pytest.raises(ValueError, match="inhomogeneous"):
        exec(rewritten("import numpy as np\nnp.array([[1], [2, 3]], np.float32)", "a.py"), {})


def ran(code):
    held = {"np": np}
    exec(rewritten(code, "a.py"), held)
    return held


def test_a_text_for_a_namespace_without_imports_stays_as_it_is():
    held = ran("names = {'__builtins__': {}}\nexec('def double(x):\\n    return x * 2', names)\n")
    assert held["names"]["double"](4) == 8


def test_integers_wrap_around():
    held = ran("a = np.full(2, 300, np.uint8)\na[0] = -1\nb = np.asarray([2**31], np.int32)\nc = np.full(None, 1)")
    assert held["a"].tolist() == [255, 44] and held["b"].tolist() == [-(2**31)] and held["c"].shape == ()
    for code in ("np.array([2**64], np.uint8)", "np.uint8(2**64)", "np.zeros(2, np.uint8)[0] = 2**64"):
        with pytest.raises(OverflowError):
            ran(code)


# Factors and the dtypes of their products, by NumPy 1.26.
PRODUCTS = [
    (np.ones(2, np.int8), 100, "int8"), (np.ones(2, np.int8), 200, "int16"), (np.ones(2, np.int8), -300, "int16"),
    (np.ones(2, np.int8), 40000, "int32"), (np.ones(2, np.int16), np.int64(3), "int16"),
    (np.ones(2, np.uint8), -1, "int16"), (np.ones(2, np.uint8), 300, "uint16"), (np.ones(2, np.uint8), 2.0, "float64"),
    (np.ones(2, np.float32), np.float64(2), "float32"), (np.ones(2, np.float32), 1e300, "float64"),
    (np.ones(2, np.float32), 40000, "float32"), (np.ones(2, np.float32), 100000, "float64"),
    (np.ones(2, np.float32), np.ones([]), "float32"), (np.ones(2, np.float32), np.ones(1), "float64"),
    (np.ones(2, np.float32), 1j, "complex64"), (np.ones(2, np.bool_), 1, "int64"), (np.uint8(1), 1, "int64"),
    (np.float32(1), 1, "float64"), (np.float32(1), 1.0, "float64"), (np.float16(1), np.float32(1), "float32"),
    (np.complex64(1), 2.0, "complex128"), (np.ones([], np.float32), 2.0, "float64"), (np.bool_(True), True, "bool"),
]  # fmt: skip


@pytest.mark.parametrize("left, right, dtype", PRODUCTS)
def test_dtypes_of_arithmetic(left, right, dtype):
    assert OPERATIONS["mul"](left, right).dtype == OPERATIONS["mul"](right, left).dtype == dtype


def test_arithmetic_of_a_program():
    held = ran("a = np.ma.ones(2, np.float32) * np.float64(2)\nb = np.ones(2, np.float32)\nc = b\nb += 1.5")
    assert isinstance(held["a"], np.ma.MaskedArray) and held["a"].dtype == np.float32
    assert held["b"] is held["c"] and held["c"].tolist() == [2.5, 2.5]
    assert ran("a = [1] + [2]\na *= 2\nb = {1} | {2}\nc = np.array(['a'], object) + 'b'")["c"].tolist() == ["ab"]


def test_old_functions_of_python(tmp_path):
    def f(a, b=2, *c, **d): ...

    assert standard.getargspec(f) == (["a", "b"], "c", "d", (2,))
    assert standard.formatargspec(*standard.getargspec(f)) == "(a, b=2, *c, **d)"
    (tmp_path / "m.py").write_text("x = 3")
    assert standard.load_source("m_of_test", str(tmp_path / "m.py")).x == 3
    del sys.modules["m_of_test"]
    assert LooseVersion("1.10") > "1.9" and LooseVersion("1.0") == "1.0"
    assert StrictVersion("1.2a1") < "1.2" and StrictVersion("1.2") == "1.2.0"


def test_arrays_saved_with_pickles_load(tmp_path):
    np.save(tmp_path / "a.npy", np.array([{"a": 1}]), allow_pickle=True)
    np.savez(tmp_path / "a.npz", a=np.array([{"a": 1}]))
    load = arrays.load_with_pickles(np.load)
    assert load(tmp_path / "a.npy")[0] == {"a": 1}
    with load(tmp_path / "a.npz") as archive:
        assert archive["a"][0] == {"a": 1}


def test_pickles_come_through_pipes(tmp_path):
    """A pipe can tell where it is, but cannot go back; a file is read again if Python 2 wrote it."""
    load = standard.load_old_pickle(pickle.load)
    reader, writer = os.pipe()
    with open(writer, "wb") as file:
        pickle.dump([1, 2], file)
    with open(reader, "rb") as file:
        assert load(file) == [1, 2]
    (tmp_path / "old").write_bytes(b"S'\\xe9'\np0\n.")
    with open(tmp_path / "old", "rb") as file:
        assert load(file) == "\xe9"


def test_images(tmp_path):
    picture = np.arange(48, dtype=np.float64).reshape(4, 4, 3)
    images.imsave(tmp_path / "a.png", picture)
    assert images.imread(tmp_path / "a.png").tolist() == images.bytescale(picture).tolist()
    assert images.imresize(picture, 50).shape == (2, 2, 3) and images.imresize(picture, 2.0).shape == (8, 8, 3)
    assert images.imread(tmp_path / "a.png", flatten=True).dtype == np.float32
    assert images.imrotate(picture, 90).shape == (4, 4, 3)


def test_code_of_old_protocol_compilers(folder):
    described = FileDescriptorProto(name="point.proto", syntax="proto3")
    described.message_type.add(name="Point").field.add(name="x", number=1, type=5, label=1)
    described.enum_type.add(name="Side").value.add(name="LEFT", number=0)
    (folder / "point_pb2.py").write_text(f"""
from google.protobuf import descriptor, message, reflection, symbol_database
DESCRIPTOR = descriptor.FileDescriptor(
    name="point.proto", package="", syntax="proto3", serialized_pb={described.SerializeToString()!r})
_X = descriptor.FieldDescriptor(
    name="x", full_name="Point.x", index=0, number=1, type=5, cpp_type=1, label=1, default_value=0, message_type=None,
    enum_type=None, containing_type=None, is_extension=False, extension_scope=None)
_POINT = descriptor.Descriptor(
    name="Point", full_name="Point", filename=None, containing_type=None, fields=[_X], nested_types=[], enum_types=[],
    extensions=[], file=DESCRIPTOR)
_POINT.fields_by_name["x"].containing_type = _POINT
Point = reflection.GeneratedProtocolMessageType("Point", (message.Message,), dict(DESCRIPTOR=_POINT, __module__=""))
symbol_database.Default().RegisterMessage(Point)
""")
    read = "from point_pb2 import LEFT, Point\nprint(Point.FromString(b'\\x08\\x05').x, LEFT)"
    (folder / "reader.py").write_text(read)
    done = evergraph(folder, "--legacy", "reader.py")
    assert done.stdout == "5 0\n"
    assert "lent the program code of old protocol compilers" in done.stderr
    refused = evergraph(folder, "reader.py")
    assert "no longer have code of old protocol compilers; `evergraph run --legacy`" in refused.stderr


def test_legacy_without_the_command(tmp_path):
    (tmp_path / "helper.py").write_text("import numpy as np\nprint(int(np.array([7])), np.float(2))\n")
    code = "import evergraph.as_tensorflow as tf; tf.legacy(); import numpy as np; print(np.int(3.5)); import helper"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == "3\n7 2.0\n", done.stderr


STOPS = """
def ends(numbers):
    for number in numbers:
        if number > 2:
            raise StopIteration("no more")
        yield number

def ends_in_a_handler(numbers):
    try:
        yield numbers[0]
        yield numbers[9]
    except IndexError:
        raise StopIteration

def catches():
    try:
        raise StopIteration
    except StopIteration:
        yield "caught"

class Iterator:
    def __next__(self):
        raise StopIteration
    __iter__ = lambda self: self

def outer():
    def inner():
        raise StopIteration
    try:
        inner()
    except StopIteration:
        pass
    yield "went on"
"""


def test_generators_end_as_they_did():
    held = {}
    exec(rewritten(STOPS, "a.py"), held)
    assert list(held["ends"]([1, 2, 3, 1])) == [1, 2] and list(held["ends_in_a_handler"]([5])) == [5]
    assert list(held["catches"]()) == ["caught"] and list(held["Iterator"]()) == []
    assert list(held["outer"]()) == ["went on"]
