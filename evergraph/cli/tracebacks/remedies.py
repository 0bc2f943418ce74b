"""What a user does about an error whose remedy is known, as one line."""

from __future__ import annotations

import re

from evergraph.api.nearest import nearest

_KNOWN: tuple[tuple[str, str, str], ...] = (
    ("FailedPreconditionError", r"uninitialized value (?P<name>[\w./]+)|reading resource variable (?P<other>[\w./]+)",
     "run tf.global_variables_initializer() in this session first (tf.local_variables_initializer() for what "
     "tf.metrics counts in), or restore a checkpoint"),
    ("FailedPreconditionError", "Table not initialized", "run tf.tables_initializer() in this session first"),
    ("OutOfRangeError", "End of sequence",
     "the dataset has ended: catch tf.errors.OutOfRangeError, or make it longer by dataset.repeat()"),
    ("InvalidArgumentError", r"feed a value for placeholder tensor '(?P<name>[^']+)'",
     "give it a value: session.run(..., feed_dict={{{name}: value}})"),
    ("TypeError", r"has type (?P<name>\w+) that does not match type (?P<other>\w+)",
     "make both the same dtype, such as by tf.cast(x, tf.{other})"),
    ("ValueError", r"requested dtype (?P<name>\w+) for Tensor with dtype",
     "convert it first: tf.cast(x, tf.{name})"),
    ("ValueError", r"Variable (?P<name>\S+) already exists",
     "where the graph is built a second time, as when a notebook's cell runs again, call tf.reset_default_graph() "
     "first; "
     "to share the variable, open its scope with reuse=tf.AUTO_REUSE"),
    ("RuntimeError", "Session graph is empty",
     "the tensors were made in another graph: tf.Session(graph=graph), or build them under graph.as_default()"),
    ("ValueError", "is not an element of this graph",
     "it was made in another graph: tf.Session(graph=graph), or build it under graph.as_default()"),
    ("RuntimeError", "closed Session", "a `with tf.Session()` block closes its session at the end: run inside it"),
    ("RuntimeError", "Graph is finalized",
     "make all ops before the MonitoredSession, Supervisor or loop that runs them; each op made in a loop makes the "
     "graph larger"),
    ("NotFoundError", "not found in checkpoint",
     "`evergraph inspect PREFIX` lists the names that a checkpoint holds; tf.train.Saver(var_list) takes some of them, "
     "or other names"),
    ("InvalidArgumentError", "requires shapes of both tensors to match",
     "`evergraph inspect PREFIX` lists the shapes that a checkpoint holds"),
    ("ValueError", "not a valid checkpoint",
     "a checkpoint is named by its prefix, such as model.ckpt-1000 without .index; tf.train.latest_checkpoint(folder) "
     "finds it"),
    ("ValueError", "no session to evaluate|Cannot evaluate tensor|Cannot execute operation using",
     "evaluate it inside `with tf.Session():`, or by session.run(tensor)"),
    ("ValueError", "^Only call `.*` with named arguments",
     "name them, or `evergraph run --allow-removed-names` takes logits and labels by place, as before TensorFlow 1.0"),
    ("TypeError", r"\w+\(\) got an unexpected keyword argument '(?:concat_dim|split_dim|num_split|dims|new_height)'",
     "`evergraph run --allow-removed-names` takes the arguments of before TensorFlow 1.0"),
    ("ValueError", r"Dimensions must be equal.*multi_rnn_cell/cell_\d",
     "one cell in several layers has one set of weights since TensorFlow 1.1: make a cell for each layer, such as "
     "MultiRNNCell([make() for _ in range(n)])"),
    ("ValueError", r"Cannot feed value of shape",
     "give the array the placeholder's rank, such as by value[np.newaxis] or np.reshape"),
    ("NotImplementedError", "Cannot convert a symbolic Tensor",
     "use TensorFlow's function in the place of NumPy's, or session.run(tensor) to get its value"),
    ("AttributeError", "'Tensor' object has no attribute 'numpy'",
     "in a graph, session.run(tensor) gives the value; tf.enable_eager_execution() at the start gives tensors one; "
     "for TensorFlow 2 it is `import tensorflow.compat.v2 as tf` and tf.enable_v2_behavior()"),
    ("TypeError", "'Tensor' object does not support item assignment",
     "tensors do not change: tf.tensor_scatter_nd_update or tf.where makes another one; a tf.Variable has assign"),
    ("TypeError", "(float|int|complex)\\(\\) argument must be .* not 'Tensor'",
     "in a graph, session.run(tensor) gives the value"),
    ("InvalidArgumentError", "Cannot assign a device for operation",
     "tf.ConfigProto(allow_soft_placement=True) uses the devices that there are; "
     "`evergraph run --cpus=2` makes two of them"),
    ("ResourceExhaustedError|XlaRuntimeError|JaxRuntimeError", "(?i)out of memory|RESOURCE_EXHAUSTED",
     "a smaller batch needs less memory"),
    ("NotFoundError", r"\.so: ",
     "ops in C++ cannot be loaded: compute it with TensorFlow's ops, or in Python by tf.py_func"),
)  # fmt: skip
"""(class, a part of the message, the remedy), the first that fits; a remedy may name groups of the match."""


def remedy(error: BaseException) -> str | None:
    """What to do about an error; None where that is not known."""
    kinds = {kind.__name__ for kind in type(error).__mro__}
    text = str(error)
    for kind, part, advice in _KNOWN:
        if kinds & set(kind.split("|")) and (found := re.search(part, text)):
            return advice.format(**{key: value or "" for key, value in found.groupdict().items()})
    return _other_names(text) if isinstance(error, (ImportError, AttributeError)) else None


_MISSING = re.compile(r"cannot import name '(?P<name>\w+)' from '(?P<module>(?:tensorflow|evergraph)[\w.]*)'"
                      r"|module '(?P<of>(?:tensorflow|evergraph)[\w.]*)' has no attribute '(?P<attribute>\w+)'"
                      r"|No module named '(?P<package>tensorflow[\w.]*)\.(?P<last>\w+)'")


def _other_names(text: str) -> str | None:
    """Where evergraph has the name that a program asked for in vain, or names like it."""
    if not (found := _MISSING.search(text)):
        return None
    module = found["module"] or found["of"] or found["package"]
    if not (names := nearest(module, found["name"] or found["attribute"] or found["last"])):
        return "`evergraph audit FILE` lists all names that a program uses and evergraph does not have"
    return f"evergraph has {' and '.join([', '.join(names[:-1]), names[-1]] if names[1:] else names)}"


def explain(error: BaseException) -> None:
    """Adds the remedy to an error as a note, once."""
    if (advice := remedy(error)) and not any(note.startswith("hint: ") for note in getattr(error, "__notes__", ())):
        error.add_note(f"hint: {advice}")
