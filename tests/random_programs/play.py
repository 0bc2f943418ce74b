"""Runs the text of a program in whichever `tf` it is given, and keeps what the program shows."""

import contextlib
import linecache
import os
import tempfile
import zlib

import numpy as np

from tests.random_graphs.play import Outcome

HEAD = "def program(tf, show, attempt, session, data):\n"


def source(statements):
    """The text of a program, given its statements: each is one line or several."""
    return HEAD + "".join(f"    {line}\n" for each in statements for line in each.splitlines()) + "    return\n"


class Stage:
    """What a program is given beside `tf`: the public methods from `show` to `spoil`.

    Attributes:
        shown: arrays, in the order in which the program showed them; texts are arrays of one string.
        messages: of errors.
    """

    def __init__(self, tf, session, eagerly, shake=None, folder=None, source=None, spoils=True):
        self._tf, self._open, self._eagerly, self._shake, self._spoils = tf, session, eagerly, shake, spoils
        self._opened = contextlib.ExitStack()
        self._folder = folder or self._opened.enter_context(tempfile.TemporaryDirectory())
        self._source = source or self._folder
        self.shown, self.messages = [], []

    def show(self, *values):
        """Keeps values: tensors that were fetched, names, shapes, dtypes, and structures of these."""
        for value in values:
            self.shown.extend(map(_array, self._leaves(value)))

    def attempt(self, function):
        """Shows what the function returns, or the class of its error. Returns whether there was none."""
        try:
            self.show(function())
        except Exception as error:
            self.messages.append(str(error))
            self.show(_class(error))
            return False
        return True

    def session(self, graph=None):
        """Opens a session, which lives as long as the program."""
        return self._opened.enter_context(contextlib.closing(self._open(graph)))

    def eager(self):
        """Turns eager execution on for the rest of the program."""
        self._opened.enter_context(self._eagerly())

    def anew(self):
        """Makes a new graph the default one for the rest of the program."""
        self._opened.enter_context(self._tf.Graph().as_default())

    def written(self, name):
        """The path of a file that the program writes."""
        return os.path.join(self._folder, name)

    def given(self, name):
        """The path of a file that the program, or another package that ran it, has written."""
        return os.path.join(self._source, name)

    def spoil(self, arrays):
        """Writes into arrays that were fed or fetched, unless results may be views of feeds, as TensorFlow's may."""
        for each in arrays if self._spoils else ():
            if isinstance(each, np.ndarray) and each.flags.writeable:
                each[...] = 77

    def close(self):
        self._opened.close()
        self._tf.disable_control_flow_v2()

    def data(self, seed, shape, low=-1.0, high=1.0, dtype="float32"):
        """Random numbers. When noise is measured, they differ in the last bits."""
        random = np.random.RandomState(seed)
        numbers = random.uniform(low, high, shape)
        if dtype.startswith("int"):
            return numbers.astype(dtype)
        if self._shake is not None:
            numbers = numbers * (1 + 2 * np.finfo(dtype).eps * self._shake.choice([-1, 1], shape))
        return numbers.astype(dtype)

    def _leaves(self, value):
        if isinstance(value, dict):
            for key in sorted(value):
                yield from (key, *self._leaves(value[key]))
        elif isinstance(value, self._tf.TensorShape):
            yield str(value.as_list() if value.ndims is not None else None)
        elif hasattr(value, "row_splits"):
            yield from (*self._leaves(value.values), value.row_splits)
        elif isinstance(value, (list, tuple)):
            for each in value:
                yield from self._leaves(each)
        else:
            yield value


def _array(leaf):
    if hasattr(leaf, "as_numpy_dtype") and hasattr(leaf, "name"):
        leaf = leaf.name
    elif leaf is None or isinstance(leaf, type):
        leaf = getattr(leaf, "__name__", "None")
    elif hasattr(leaf, "op") and hasattr(leaf, "name"):
        leaf = leaf.name
    if isinstance(leaf, str):
        leaf = leaf.encode()
    found = np.asarray(leaf)
    return found.astype(object) if found.dtype.kind in "SU" else found


def _class(error):
    """The name of an error's class; shapes that do not fit may be found when the graph is built or when it runs."""
    name = type(error).__name__
    return "ValueError" if name == "InvalidArgumentError" else name


def _compiled(text):
    """The code of a program. AutoGraph finds the text of programs that use it."""
    file = f"<random program {zlib.crc32(text.encode())}>"
    if "@tf.function" in text:
        linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    return compile(text, file, "exec")


def play(tf, text, session, eagerly, shake=None, around=contextlib.nullcontext, spoils=True, **folders):
    """The outcome of a program: what it showed, and the class of the error that ended it as a last text.

    Args:
        text: of `program`, as `source` writes it.
        session: opens a session, given a graph or None for the default one.
        eagerly: a context with eager execution.
        shake: a random generator: changes the last bits of the program's data.
        around: a context for the program, given its graph.
        folders: `folder` for the files that it writes, and `source` with those that it reads.
        spoils: whether the program may write into arrays that it fed or fetched.
    """
    stage = Stage(tf, session, eagerly, shake, spoils=spoils, **folders)
    scope = {"np": np, "eager": stage.eager, "anew": stage.anew, "written": stage.written, "given": stage.given,
             "spoil": stage.spoil}
    exec(_compiled(text), scope)
    try:
        with tf.Graph().as_default() as graph, around(graph), contextlib.closing(stage):
            scope["program"](tf, stage.show, stage.attempt, stage.session, stage.data)
    except Exception as error:
        stage.messages.append(str(error))
        stage.show(f"raised {_class(error)}")
    return Outcome(None, "\n".join(stage.messages), stage.shown)
