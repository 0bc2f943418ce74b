"""What editors and type checkers are told is what is there: evergraph-stubs describes every public name."""

import ast
import functools
import inspect
import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import jedi
import pytest

from evergraph.api import namespace
from evergraph.api.names import NAMES
from evergraph.api.stubs.files import FOLDER
from evergraph.api.stubs.page import summary
from evergraph.api.stubs.public import Public, is_message, is_op

ROOT = Path(__file__).resolve().parent.parent
KINDS = inspect.Parameter


@functools.cache
def file_of(module):
    """The stub of "evergraph.nn"."""
    base = FOLDER.joinpath(*module.split(".")[1:])
    return base / "__init__.pyi" if base.is_dir() else base.with_suffix(".pyi")


@functools.cache
def names_in(module):
    """Name -> what a stub says of it: a definition, or (module, name) for another name of a thing."""
    names = {}
    for node in ast.parse(file_of(module).read_text()).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names[node.name] = node
        elif isinstance(node, ast.AnnAssign):
            names[node.target.id] = node
        elif isinstance(node, ast.Assign):
            names[node.targets[0].id] = (module, node.value.id)
        elif isinstance(node, ast.ImportFrom):
            names.update({each.asname or each.name: (node.module, each.name) for each in node.names})
    return names


def found(module, name):
    """The definition behind a name in a stub; None when another package has it."""
    said = names_in(module)[name]
    while isinstance(said, tuple):
        module, name = said
        if not module.startswith("evergraph"):
            return None
        said = names_in(module)[name]
    return said


def shown(node):
    """(kind, name, default) of each parameter of a function in a stub; a default is its literal, or None for "..."."""
    arguments = node.args
    placed = [*arguments.posonlyargs, *arguments.args]
    defaults = [ast.Constant(KINDS.empty)] * (len(placed) - len(arguments.defaults)) + arguments.defaults
    for position, (argument, default) in enumerate(zip(placed, defaults)):
        only = position < len(arguments.posonlyargs)
        yield KINDS.POSITIONAL_ONLY if only else KINDS.POSITIONAL_OR_KEYWORD, argument.arg, default
    if arguments.vararg:
        yield KINDS.VAR_POSITIONAL, arguments.vararg.arg, ast.Constant(KINDS.empty)
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults):
        yield KINDS.KEYWORD_ONLY, argument.arg, default or ast.Constant(KINDS.empty)
    if arguments.kwarg:
        yield KINDS.VAR_KEYWORD, arguments.kwarg.arg, ast.Constant(KINDS.empty)


def differences(node, function, skip=0, own=0):
    """How the parameters in a stub (after `skip`) differ from an object's own (after `own`)."""
    mine = list(shown(node))[skip:]
    theirs = list(inspect.signature(function).parameters.values())[own:]
    if [(kind, name) for kind, name, _ in mine] != [(each.kind, each.name) for each in theirs]:
        yield f"{node.name}: the stub has {ast.unparse(node.args)}, the object {inspect.signature(function)}"
        return
    for (_, name, default), each in zip(mine, theirs):
        value = ast.literal_eval(default) if not isinstance(default, ast.Constant) else default.value
        if (value is KINDS.empty) != (each.default is KINDS.empty) or value is not ... and value != each.default:
            yield f"{node.name}: {name} is {ast.unparse(default)} in the stub, {each.default!r} in the object"


def maker(module, node):
    """The constructor of a class in a stub, its own or that of a base."""
    order = reversed(dict.fromkeys(reversed(list(lineage(module, node)))))  # a base comes after all that are made of it
    return next((each for cls in order for each in cls.body
                 if isinstance(each, ast.FunctionDef) and each.name in ("__init__", "__new__")), None)


def lineage(module, node):
    """A class in a stub and its bases, each with its own bases behind it."""
    yield node
    for base in (found(module, base.id) for base in node.bases if base.id in names_in(module)):
        if base is not None:
            yield from lineage(home_of(base), base)


@functools.cache
def home_of(node):
    """The module of a class in a stub."""
    return next(module for module in modules() if node in names_in(module).values())


@functools.cache
def modules():
    return sorted({namespace_of(name) for name in NAMES})


def namespace_of(name):
    return f"evergraph.{name.rpartition('.')[0]}".rstrip(".")


PUBLIC = Public({name: namespace.load(name) for name in NAMES})
BY_KIND = {kind: [name for name, value in PUBLIC.objects.items() if PUBLIC.home(value) == name and is_kind(value)]
           for kind, is_kind in {
               "function": lambda value: inspect.isfunction(value) or is_op(value) or isinstance(value, partial),
               "class": lambda value: isinstance(value, type) and not is_message(value),
               "message": is_message}.items()}  # fmt: skip


def test_every_public_name_is_in_its_stub():
    missing = [name for name in NAMES if name.rpartition(".")[2] not in names_in(namespace_of(name))]
    assert missing == []


def test_every_namespace_is_in_the_stub_above_it():
    below = {module for name in NAMES for module in [namespace_of(name)] if module != "evergraph"}
    missing = [module for module in below if module.rpartition(".")[2] not in names_in(module.rpartition(".")[0])]
    assert missing == []


def test_every_stub_parses_and_fits_the_page():
    long = [path for path in FOLDER.rglob("*.pyi") if max(map(len, path.read_text().splitlines())) > 120]
    assert long == []
    for path in FOLDER.rglob("*.pyi"):
        ast.parse(path.read_text())


def test_parameters_of_functions():
    wrong = []
    for name in BY_KIND["function"]:
        node = found(namespace_of(name), name.rpartition(".")[2])
        wrong += [] if node is None else [f"{name}: {text}" for text in differences(node, PUBLIC.objects[name])]
    assert len(BY_KIND["function"]) > 2000 and wrong == []


def test_parameters_of_classes_and_methods():
    wrong = []
    for name in BY_KIND["class"]:
        module, cls = namespace_of(name), PUBLIC.objects[name]
        node = found(module, name.rpartition(".")[2])
        if node is None:
            continue
        made = maker(module, node)
        wrong += [f"{name}: {text}" for text in (differences(made, cls, skip=1) if made else ())]
        for method in (each for each in node.body if isinstance(each, ast.FunctionDef) and each.name[0] != "_"):
            value = inspect.getattr_static(cls, method.name)
            if inspect.isfunction(value):
                wrong += [f"{name}: {text}" for text in differences(method, value, skip=1, own=1)]
    assert len(BY_KIND["class"]) > 400 and wrong == []


def test_classes_have_the_public_methods_and_bases_of_the_object():
    node = found("evergraph.train", "AdamOptimizer")
    assert [ast.unparse(base) for base in node.bases] == ["Optimizer"]
    methods = {each.name for each in found("evergraph", "Session").body if isinstance(each, ast.FunctionDef)}
    assert {"run", "close", "as_default", "make_callable", "__enter__", "__exit__"} <= methods


def test_fields_of_messages():
    node = found("evergraph", "ConfigProto")
    fields = {each.target.id: ast.unparse(each.annotation) for each in node.body if isinstance(each, ast.AnnAssign)}
    assert fields["allow_soft_placement"].endswith("bool") and fields["gpu_options"] == "GPUOptions"
    assert fields["device_count"] == "ScalarMap[str, int]"


def test_constants_have_their_types():
    says = {name: ast.unparse(found("evergraph", name).annotation) for name in ("float32", "VERSION", "newaxis")}
    assert says == {"float32": "DType", "VERSION": "str", "newaxis": "None"}


@pytest.mark.parametrize("doc, sentence", [
    ("One thing. Another.", "One thing."), ("One thing\n    in two lines.\n\n    More.", "One thing in two lines."),
    ("About 1.5 of it, e.g. This.", "About 1.5 of it, e.g. This."), ("", None), (None, None),
])  # fmt: skip
def test_the_first_sentence(doc, sentence):
    assert summary(doc) == sentence


def jedi_script(code, folder):
    """An editor's view of a program elsewhere; a fresh interpreter looks for the modules, as in an editor."""
    project = jedi.Project(folder, added_sys_path=[str(ROOT)])
    environment = jedi.create_environment(sys.prefix, safe=False)
    return jedi.Script(f"import evergraph as tf\n{code}", path=folder / "program.py", project=project,
                       environment=environment)  # fmt: skip


def completed(code, folder):
    return {each.name for each in jedi_script(code, folder).complete()}


def test_jedi_completes_namespaces(tmp_path):
    assert {"dense", "Dense", "conv2d"} <= completed("tf.layers.", tmp_path)
    assert {"AdamOptimizer", "Saver"} <= completed("tf.train.", tmp_path)
    assert {"relu", "rnn_cell"} <= completed("tf.nn.", tmp_path)
    assert {"GRUCell"} <= completed("tf.nn.rnn_cell.", tmp_path)
    assert {"fully_connected"} <= completed("tf.contrib.layers.", tmp_path)
    assert {"dense"} <= completed("tf.compat.v1.layers.", tmp_path)
    assert {"dense"} <= completed("from evergraph.compat.v1.layers import ", tmp_path)
    assert {"get_shape", "set_shape"} <= completed("tf.placeholder(tf.float32).", tmp_path)


def test_jedi_offers_no_rooms(tmp_path):
    rooms = {path.name for path in (ROOT / "evergraph").iterdir() if (path / "__init__.py").exists()}
    public = {name.partition(".")[0] for name in NAMES}
    assert completed("tf.", tmp_path) & (rooms - public) == set()
    assert {"passes", "compile", "kernel", "graph"} <= rooms - public
    assert "convolution" not in completed("tf.layers.", tmp_path)


@pytest.mark.parametrize("call, parameters", [
    ("tf.layers.dense", {"inputs", "units", "activation", "name"}),
    ("tf.train.AdamOptimizer", {"learning_rate", "beta1", "beta2"}),
    ("tf.Session().run", {"fetches", "feed_dict"}),
    ("tf.compat.v1.nn.softmax", {"logits", "axis"}),
])  # fmt: skip
def test_jedi_shows_signatures(call, parameters, tmp_path):
    signature = jedi_script(f"{call}(", tmp_path).get_signatures()[0]
    assert parameters <= {each.name for each in signature.params}


PROGRAM = """\
import evergraph as tf
from evergraph.compat.v1 import nn

x = tf.placeholder(tf.float32, [None, 3])
y = tf.layers.dense(x, 4, activation=tf.nn.relu)
reveal_type(y * 2)
reveal_type(tf.reduce_sum(y))
reveal_type(nn.top_k(y).indices)
reveal_type(tf.train.AdamOptimizer(0.1).minimize(y))
with tf.Session() as session, tf.variable_scope("a"):
    reveal_type(session)
tf.layers.dense(x)
tf.layers.dense(x, 4, activaton=None)
tf.passes
"""


def test_pyright_sees_types_and_finds_mistakes(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, "program.py"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    said = json.loads(done.stdout)["generalDiagnostics"]
    types = [each["message"].rpartition(" is ")[2] for each in said if each["severity"] == "information"]
    assert types == ['"Tensor"', '"Tensor"', '"Tensor"', '"Operation"', '"Session"']
    mistakes = {each["range"]["start"]["line"] + 1: each["message"] for each in said if each["severity"] == "error"}
    assert mistakes.keys() == {12, 13, 14}
    assert "units" in mistakes[12] and "activaton" in mistakes[13] and "passes" in mistakes[14]
