"""tf.train.Checkpoint: object-based checkpoints, which identify variables by the object graph instead of by name."""

from __future__ import annotations

import itertools
import os
from collections import defaultdict
from collections.abc import Iterable
from types import MethodType
from typing import Any

from evergraph.base import dtypes, logging
from evergraph.base.export import export
from evergraph.base.text import as_text, path_to_str
from evergraph.frontend import array
from evergraph.frontend.blocks import init_scope, name_scope
from evergraph.frontend.collections import GraphKeys
from evergraph.frontend.control_flow import group
from evergraph.frontend.variables.base import Variable
from evergraph.frontend.variables.deferred import waiting
from evergraph.frontend.variables.saveable import SaveableObject, SaveSpec
from evergraph.graph.function import FuncGraph
from evergraph.graph.graph import Graph, default_graph
from evergraph.graph.node import Tensor
from evergraph.ops.arrays import basic
from evergraph.ops.state.checkpoints import open_checkpoint
from evergraph.run.own_session import session_to_use
from evergraph.save import state
from evergraph.save.builder import BulkSaverBuilder
from evergraph.save.fit import check_shapes
from evergraph.save.object_graph import Item, Matches, attributes, described, listed, matched, saveable
from evergraph.save.object_message import KEY, read_graph
from evergraph.save.saveables import PYTHON_STATE
from evergraph.save.saver import Saver
from evergraph.save.tracking import AutoTrackable, is_trackable


class _Writer:
    """The nodes that write one set of values: the path's placeholder, the object graph's, and the resulting path."""

    def __init__(self, saveables: list[SaveableObject]) -> None:
        with name_scope("checkpoint_save"):
            self.path = basic.placeholder_with_default("", shape=(), name="path")
            self.objects = basic.placeholder_with_default("", shape=(), name="objects")
            spec = SaveSpec(self.objects, "", KEY, dtype=dtypes.string, device="")
            everything = [*saveables, SaveableObject(self.objects, [spec], KEY)]
            self.done = BulkSaverBuilder()._add_save(self.path, everything)


_BOOKS = "_checkpoint_books_of_graphs"


@export("train.Checkpoint", "contrib.eager.Checkpoint")
class Checkpoint(AutoTrackable):
    """Saves and restores objects: variables, layers, optimizers, modules, lists and dictionaries of them.

    >>> w = tf.get_variable("w", initializer=1.0)
    >>> checkpoint = tf.train.Checkpoint(weight=w)
    >>> with tf.Session() as sess:
    ...     sess.run(w.initializer)
    ...     path = checkpoint.save("/tmp/evergraph_objects", session=sess)
    >>> with tf.Session() as sess:
    ...     checkpoint.restore(path).assert_consumed().run_restore_ops(sess)
    ...     float(sess.run(w))
    1.0

    Values are matched by the names of the attributes that lead to them. Objects may be added after `restore`, as
    attributes of the checkpoint or of its objects: a method of the status that `restore` returned restores the objects
    that exist when it is called.

    Args:
        **kwargs: the objects by name.

    Raises:
        ValueError: a checkpoint cannot track one of them.
    """

    def __init__(self, **kwargs: Any) -> None:
        for name, value in sorted(kwargs.items()):
            if not is_trackable(value):
                raise ValueError(f"A checkpoint holds variables, layers, optimizers and collections of them; {name} is "
                                 f"{value!r}")  # fmt: skip
            setattr(self, name, value)

    @property
    def _checkpoint_books(self) -> dict[Any, Any]:
        """The counter of each graph, and the nodes created in it; also where a subclass calls no `__init__`."""
        return vars(self).setdefault(_BOOKS, {})

    def _checkpoint_children(self) -> dict[str, Any]:
        own = ((name, value) for name, value in vars(self).items() if name != _BOOKS)
        found = {name: value for name, value in own if is_trackable(value)}
        counter = self._checkpoint_books.get(("counter", default_graph()))
        return found if counter is None else {**found, "save_counter": counter}

    @property
    def save_counter(self) -> Variable:
        """The variable that counts the calls of `save`; it is part of the checkpoint."""
        return self._counter()[0]

    def _counter(self) -> tuple[Variable, bool]:
        """(the variable, whether it was just created)."""
        books, key = self._checkpoint_books, ("counter", default_graph())
        if key in books:
            return books[key], False
        with init_scope():
            books[key] = Variable(
                initial_value=array.constant(0, dtypes.int64), trainable=False, name="save_counter", use_resource=True,
                collections=[GraphKeys.GLOBAL_VARIABLES])  # fmt: skip
        return books[key], True

    # ---- saving

    def write(self, file_prefix: Any, session: Any = None) -> Any:
        """Writes the objects to a checkpoint of exactly this name; returns its path.

        Changes neither the counter nor the `checkpoint` file of the directory.

        Args:
            file_prefix: the prefix of the file names.
            session: the session with the values; by default the default session, else the one that
                `tf.keras.backend.get_session` gives.

        In a function the result is a tensor: each call of the function writes the values of that time.
        """
        prefix = as_text(path_to_str(file_prefix))
        if default_graph().is_eager:
            return as_text(_written(listed(self), prefix).numpy())
        if session is None and isinstance(default_graph(), FuncGraph):
            return _written(listed(self), prefix)
        session = _session(session, "save")
        with session.graph.as_default():
            items = listed(self)
            targets = [(key, target) for item in items for _, key, target in attributes(item)]
            writer = self._writer(session.graph, targets)
        feeds = {writer.path: prefix, writer.objects: described(items).SerializeToString()}
        return as_text(session.run(writer.done, feeds))

    def _writer(self, graph: Graph, targets: list[tuple[str, Any]]) -> _Writer:
        books = self._checkpoint_books
        lasting = tuple((key, id(target) if isinstance(target, Variable) else target) for key, target in targets
                        if isinstance(target, (Variable, MethodType)))
        place = ("writer", graph, lasting, len(targets))
        if place not in books or len(lasting) < len(targets):  # other objects may have new saveables each time
            books[place] = _Writer([saveable(target, key) for key, target in targets])
        return books[place]

    def save(self, file_prefix: Any, session: Any = None) -> str:
        """Writes the objects to a checkpoint `<file_prefix>-<number>`, the latest of its directory.

        Args:
            file_prefix: the prefix of the file names.
            session: the session with the values; by default the default session, else the one that
                `tf.keras.backend.get_session` gives.

        Returns:
            The path to pass to `restore`.
        """
        if not default_graph().is_eager:
            session = _session(session, "save")
        path = f"{as_text(path_to_str(file_prefix))}-{self._count(session)}"
        written = self.write(path, session)
        state.write_state(os.path.dirname(written), written, [written], relative=True)
        return written

    def _count(self, session: Any) -> int:
        """Increments the counter, and returns it."""
        if default_graph().is_eager:
            return int(self.save_counter.assign_add(1))
        with session.graph.as_default():
            counter, is_new = self._counter()
            if is_new:
                session.run(counter.initializer)
            books, key = self._checkpoint_books, ("count", session.graph)
            if key not in books:
                books[key] = counter.assign_add(1)
            return int(session.run(books[key]))

    # ---- restoring

    def read(self, save_path: Any) -> Any:
        """Prepares to restore the objects from a checkpoint of `write`; see `restore`, which includes the counter."""
        if save_path is None:
            return InitializationOnlyStatus(self)
        path = as_text(path_to_str(save_path))
        message = read_graph(path)
        if message is None:
            logging.warning(f"{path} holds variables by name and not objects: they are matched by their names")
            return NameBasedSaverStatus(self, path)
        return CheckpointLoadStatus(self, path, message)

    def restore(self, save_path: Any) -> Any:
        """Prepares to restore the objects. Values are restored by a method of the result.

        With eager execution values are restored at once; those of variables that do not exist yet, such as an
        optimizer's slots, when they are made.

        Args:
            save_path: a path that `save` returned, the path of a `tf.train.Saver`'s checkpoint, or None, such as
                `tf.train.latest_checkpoint` may return.

        Returns:
            A status with the methods `run_restore_ops(session)`, which restores; `initialize_or_restore(session)`,
            which also initializes what is not in the checkpoint; and, to be called before, `assert_consumed()`,
            `assert_existing_objects_matched()`, `assert_nontrivial_match()` and `expect_partial()`.

        Raises:
            NotFoundError: the checkpoint does not exist.
            DataLossError: the checkpoint is corrupt.
        """
        status = self.read(save_path)
        counter = self.save_counter  # included in the restore
        if isinstance(status, NameBasedSaverStatus):
            status.optional.add(counter)
        if default_graph().is_eager:
            status.restore_at_once()
        elif isinstance(status, CheckpointLoadStatus):
            status.restore_python_states()
        return status


def write_at_once(items: list[Item], prefix: str) -> str:
    """Writes a checkpoint of objects as they are now, with eager execution; returns its path."""
    return as_text(_written(items, prefix).numpy())


def _written(items: list[Item], prefix: str) -> Tensor:
    """Adds the nodes that write a checkpoint of objects, or writes it now; gives its path."""
    saveables = [saveable(target, key) for item in items for _, key, target in attributes(item)]
    objects = array.constant(described(items).SerializeToString())
    everything = [*saveables, SaveableObject(objects, [SaveSpec(objects, "", KEY, dtype=dtypes.string)], KEY)]
    return BulkSaverBuilder()._add_save(array.constant(prefix), everything)


def write_in_session(items: list[Item], prefix: str, session: Any) -> str:
    """Writes a checkpoint of objects with the values of a session; returns its path."""
    with session.graph.as_default():
        targets = [(key, target) for item in items for _, key, target in attributes(item)]
        writer = _Writer([saveable(target, key) for key, target in targets])
    feeds = {writer.path: prefix, writer.objects: described(items).SerializeToString()}
    return as_text(session.run(writer.done, feeds))


def _session(session: Any, doing: str) -> Any:
    graph = default_graph() if session is None else session.graph
    return session_to_use(session, graph, doing)


# ---------------------------------------------------------------- statuses


_numbers = itertools.count(1)


class _Restored(defaultdict[Variable, int]):
    """The number of the last status that restored each variable of a graph; 0 for none."""

    def __init__(self) -> None:
        super().__init__(int)


class _Status:
    """The result of `restore`. Statuses are numbered: one does not initialize what a later one has restored."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        self._checkpoint, self._number = checkpoint, next(_numbers)

    def _claim(self, values: Iterable[Any]) -> None:
        """Records that this status has restored variables."""
        for value in values:
            if isinstance(value, Variable):
                restored = value.graph.memo(_Restored)
                restored[value] = max(self._number, restored[value])

    def _initialize(self, variables: Iterable[Variable], session: Any) -> None:
        todo = [variable.initializer for variable in variables
                if variable.graph.memo(_Restored)[variable] <= self._number]
        if todo:
            with session.graph.as_default():
                session.run(group(*todo))

    def _variables(self) -> list[Variable]:
        return [item.value for item in listed(self._checkpoint) if isinstance(item.value, Variable)]

    def restore_at_once(self) -> None:
        """Restores what exists, with eager execution."""

    def expect_partial(self) -> Any:
        """Declares that the checkpoint may contain more. evergraph never warns about that."""
        return self


class InitializationOnlyStatus(_Status):
    """The status without a checkpoint: variables can only be initialized."""

    def _refuse(self) -> Any:
        raise AssertionError("There is no checkpoint (save_path is None) that anything could be restored from")

    assert_consumed = assert_existing_objects_matched = assert_nontrivial_match = _refuse

    def run_restore_ops(self, session: Any = None) -> None:
        """Raises: there is nothing to restore.

        Raises:
            AssertionError: always.
        """
        self._refuse()

    def initialize_or_restore(self, session: Any = None) -> None:
        """Initializes all variables; with eager execution they are."""
        if default_graph().is_eager:
            return
        self._initialize(self._variables(), _session(session, "initialize"))


class CheckpointLoadStatus(_Status):
    """How a restore from a checkpoint of objects went: its objects matched with the program's."""

    def __init__(self, checkpoint: Checkpoint, path: str, message: Any) -> None:
        super().__init__(checkpoint)
        self._path, self._message = path, message
        self._made: dict[Any, Any] = {}

    def _matches(self) -> Matches:
        return matched(self._checkpoint, self._message)

    def restore_at_once(self) -> None:
        """Restores the matched objects, and waits for the others."""
        if self._restore_new():
            waiting.add(self._restore_new)

    def restore_python_states(self) -> None:
        """Restores what is kept in Python alone, and needs no session."""
        matches, reader = self._matches(), None
        for number, item in matches.pairs.items():
            for stored in matches.message.nodes[number].attributes:
                if stored.name == PYTHON_STATE and hasattr(item.value, "deserialize"):
                    reader = reader or open_checkpoint(self._path)
                    item.value.deserialize(reader.read(stored.checkpoint_key).item())

    def _restore_new(self) -> bool:
        """Restores the objects that were not restored before; returns whether the checkpoint has more."""
        matches = self._matches()
        pairs = [(target, key) for target, key in matches.restorable() if (id(target), key) not in self._made]
        if pairs:
            self._made.update({(id(target), key): target for target, key in pairs})
            with init_scope():  # the variable may be made, and first read, while a function is traced
                saveables = [saveable(target, key) for target, key in pairs]
                BulkSaverBuilder()._add_restore(array.constant(self._path), saveables, False, False)
        return bool(matches.not_in_program())

    def assert_consumed(self) -> CheckpointLoadStatus:
        """Checks that every object has a value in the checkpoint, and every value an object.

        Raises:
            AssertionError: there is one without a counterpart.
        """
        self.assert_existing_objects_matched()
        missing = self._matches().not_in_program()
        if missing:
            raise AssertionError(f"{len(missing)} values of {self._path} belong to no object: {_few(missing)}")
        return self

    def assert_existing_objects_matched(self) -> CheckpointLoadStatus:
        """Checks that every existing object has a value in the checkpoint.

        Raises:
            AssertionError: an object has none.
        """
        missing = self._matches().not_in_checkpoint()
        if missing:
            raise AssertionError(f"{len(missing)} objects have no value in {self._path}: {_few(missing)}")
        return self

    def assert_nontrivial_match(self) -> CheckpointLoadStatus:
        """Checks that at least one object, besides the root, matches.

        Raises:
            AssertionError: no object matches.
        """
        matches = self._matches()
        if len(matches.pairs) <= 1:
            found = "Nothing except the root object matched" if len(matches.items) > 1 else "Nothing to load"
            raise AssertionError(f"{found}: no other object of the program is in {self._path}")
        return self

    def run_restore_ops(self, session: Any = None) -> None:
        """Restores the matched objects.

        Args:
            session: the session to restore into; by default the default session, else the one that
                `tf.keras.backend.get_session` gives.

        Raises:
            InvalidArgumentError: a variable's shape or dtype differs.
        """
        if default_graph().is_eager:
            self._restore_new()
            return
        session = _session(session, "restore")
        with session.graph.as_default():
            pairs = list(self._matches().restorable())
        place = session.graph, tuple((key, id(target)) for target, key in pairs)
        if pairs and place not in self._made:
            with session.graph.as_default(), name_scope("checkpoint_restore"):
                saveables = [saveable(target, key) for target, key in pairs]
                self._made[place] = BulkSaverBuilder()._add_restore(array.constant(self._path), saveables, False, False)
        if pairs:
            check_shapes(session.graph, self._made[place].name, self._path)
            session.run(self._made[place])
            self._claim(target for target, _ in pairs)

    def initialize_or_restore(self, session: Any = None) -> None:
        """Restores the matched objects, and initializes the other variables."""
        if default_graph().is_eager:
            self._restore_new()
            return
        session = _session(session, "restore")
        with session.graph.as_default():
            missing = self._matches().not_in_checkpoint()
        self._initialize([value for value in missing if isinstance(value, Variable)], session)
        self.run_restore_ops(session)


class NameBasedSaverStatus(_Status):
    """The status of a checkpoint of `tf.train.Saver`, whose variables are matched by name."""

    def __init__(self, checkpoint: Checkpoint, path: str) -> None:
        super().__init__(checkpoint)
        self._path = path
        self.optional: set[Variable] = set()

    def restore_at_once(self) -> None:
        """Restores the variables that exist."""
        wanted = self._wanted()
        if wanted:
            Saver(wanted).restore(None, self._path)

    def _wanted(self) -> list[Variable]:
        return [variable for variable in self._variables() if variable not in self.optional]

    def assert_consumed(self) -> NameBasedSaverStatus:
        """Checks that every variable is in the checkpoint, by name.

        Raises:
            AssertionError: a variable is missing.
        """
        there = set(open_checkpoint(self._path).names())
        missing = [variable for variable in self._wanted() if variable._shared_name not in there]
        if missing:
            raise AssertionError(f"{len(missing)} variables are not in {self._path}: {_few(missing)}")
        return self

    assert_existing_objects_matched = assert_consumed

    def assert_nontrivial_match(self) -> NameBasedSaverStatus:
        """Checks that at least one variable is in the checkpoint, by name.

        Raises:
            AssertionError: no variable matches.
        """
        there = set(open_checkpoint(self._path).names())
        if not any(variable._shared_name in there for variable in self._wanted()):
            raise AssertionError(f"No variable of the program is in {self._path}")
        return self

    def run_restore_ops(self, session: Any = None) -> None:
        """Restores the variables.

        Raises:
            NotFoundError: a variable is not in the checkpoint.
        """
        if default_graph().is_eager:
            self.restore_at_once()
            return
        session = _session(session, "restore")
        with session.graph.as_default():
            wanted = self._wanted()
            if wanted:
                Saver(wanted).restore(session, self._path)
                self._claim(wanted)
            self._initialize([variable for variable in self.optional if variable.graph is session.graph], session)

    def initialize_or_restore(self, session: Any = None) -> None:
        """The same as `run_restore_ops`."""
        self.run_restore_ops(session)


def _few(values: list[Any]) -> str:
    shown = ", ".join(str(value) for value in values[:10])
    return shown if len(values) <= 10 else f"{shown}, ..."
