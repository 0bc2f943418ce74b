"""A session's store behind a boundary of messages: all that crosses it is bytes, and other threads own the values.

`EVERGRAPH_TEST_STORE=remote pytest tests/run` runs the tests of that room against it. Session objects, such as queues,
stay on the side of the session, as they do where steps run on another machine than that of their variables.
"""

import contextlib
import itertools
import os
import pickle
import queue
import threading
import weakref

import numpy as np

from evergraph.compile.early import Early
from evergraph.run import session
from evergraph.run.shutdown import shutdown
from evergraph.run.store import Store, _cancel

IS_ON = os.environ.get("EVERGRAPH_TEST_STORE") == "remote"


def use(patch=setattr):
    """Has sessions keep their values in such stores."""
    patch(session, "Store", RemoteStore)


class Owner:
    """Serves the store to one thread of a session: answers a request after the other.

    Args:
        store: the store.
    """

    def __init__(self, store):
        self.requests, self.replies = queue.SimpleQueue(), queue.SimpleQueue()
        self._store, self._blocks, self._last = store, {}, 0
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while (message := self.requests.get()) is not None:
            number, verb, arguments = pickle.loads(message)
            try:
                answer = (getattr(self, verb, None) or getattr(self._store, verb))(*arguments)
            except Exception as error:
                answer = error
            self._last = number
            self.replies.put(pickle.dumps((number, answer)))

    def enter(self, keys, changed):
        block = self._store.using(keys, changed)
        block.__enter__()
        self._blocks[block.number] = block
        return block.number

    def leave(self, number):
        self._blocks.pop(number).__exit__()

    def commit(self, keys, values):
        self._store.commit(keys, iter((values,)), {})

    def restore(self, replaced, mark):
        self._store.restore(replaced, mark)
        self._blocks = {number: block for number, block in self._blocks.items() if number <= mark}

    def number(self):
        """That of the last request that was answered."""
        return self._last

    def attribute(self, name):
        return getattr(self._store, name)


class RemoteStore:
    """The session's side; see `Storage` and `Values`."""

    packs = False

    def __init__(self, timeout=None, returns_early=None):
        self.early, self._timeout = Early(returns_early), timeout
        self._store, self._owners, self._numbers = Store(), threading.local(), itertools.count(1)
        self._objects = {}
        shutdown.stores.add(self)

    # ---- messages

    def _owner(self):
        owner = getattr(self._owners, "owner", None)
        if owner is None:
            owner = self._owners.owner = Owner(self._store)
            weakref.finalize(self, owner.requests.put, None)
        return owner

    def _ask(self, verb, *arguments, number=None):
        owner, number = self._owner(), number or next(self._numbers)
        owner.requests.put(pickle.dumps((number, verb, arguments)))
        found = None
        while found != number:  # after an interrupt there are answers that nobody has waited for
            found, answer = pickle.loads(owner.replies.get())
        if isinstance(answer, Exception):
            raise answer
        return answer

    layout = property(lambda self: self._ask("attribute", "layout"))
    mark = property(lambda self: self._ask("attribute", "mark"))

    # ---- the verbs

    @contextlib.contextmanager
    def using(self, keys, changed):
        number = self._ask("enter", keys, changed)
        try:
            yield
        finally:
            self._ask("leave", number)

    def forms(self, keys):
        return self._ask("forms", list(keys))

    def get_all(self, keys):
        return self._ask("get_all", list(keys))

    def snapshot(self, keys):
        return self._ask("snapshot", list(keys))

    def shared(self, key, make):
        with self._store.lock:
            if key not in self._objects:
                self._objects[key] = make()
                if hasattr(self._objects[key], "timeout"):
                    self._objects[key].timeout = self._timeout
            return self._objects[key]

    def prepare(self, keys, changes_layout=False, donated=False):
        return self._ask("prepare", list(keys), changes_layout)

    def commit(self, keys, program, ran):
        (found,) = program
        values = [np.asarray(v) if type(v).__module__.startswith("jax") else v for v in found[:len(keys)]]
        number = next(self._numbers)
        try:
            self._ask("commit", list(keys), values, number=number)
        except BaseException:
            if self._ask("number") == number:  # interrupted while the owner answered
                ran["found"] = found
            raise
        ran["found"] = found

    def restore(self, replaced, mark):
        self._ask("restore", dict(replaced), mark)

    def forget(self):
        self._ask("forget")
        self.cancel()

    def cancel(self):
        _cancel(list(self._objects.values()))
