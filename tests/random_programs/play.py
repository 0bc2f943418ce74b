"""Runs the text of a program in whichever `tf` it is given, and keeps what the program shows."""

import contextlib

import numpy as np

from tests.random_graphs.play import Outcome

HEAD = "def program(tf, show, attempt, session, data):\n"


def source(statements):
    """The text of a program, given its statements: each is one line or several."""
    return HEAD + "".join(f"    {line}\n" for each in statements for line in each.splitlines()) + "    return\n"


class Stage:
    """What a program is given beside `tf`: `show`, `attempt`, `session` and `data`.

    Attributes:
        shown: arrays, in the order in which the program showed them; texts are arrays of one string.
        messages: of errors.
    """

    def __init__(self, tf, session, shake=None):
        self._tf, self._open, self._shake, self._opened = tf, session, shake, []
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
        self._opened.append(self._open(graph))
        return self._opened[-1]

    def close(self):
        for each in self._opened:
            each.close()

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


def play(tf, text, session, shake=None, around=contextlib.nullcontext):
    """The outcome of a program: what it showed, and the class of the error that ended it as a last text.

    Args:
        text: of `program`, as `source` writes it.
        session: opens a session, given a graph or None for the default one.
        shake: a random generator: changes the last bits of the program's data.
        around: a context for the program, given its graph.
    """
    stage, scope = Stage(tf, session, shake), {"np": np}
    exec(text, scope)
    try:
        with tf.Graph().as_default() as graph, around(graph):
            scope["program"](tf, stage.show, stage.attempt, stage.session, stage.data)
    except Exception as error:
        stage.messages.append(str(error))
        stage.show(f"raised {_class(error)}")
    finally:
        stage.close()
    return Outcome(None, "\n".join(stage.messages), stage.shown)
