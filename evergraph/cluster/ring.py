"""Groups of processes that compute together: sums of their arrays, each other's arrays, one's array for all.

The members stand in a ring: each sends to the one on its right and takes from the one on its left. A sum goes round in
parts, so that a member sends about twice what the array has, however many members there are, and all get the same bits.
Beside the data each pair of neighbours exchanges signs of life (`beats.py`), from which a member knows how far all
others are: who waits long is told for whom, and one that is gone or stands still is an error for all.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from socket import socket
from typing import Any

import numpy as np

from evergraph.base import errors, logging
from evergraph.cluster.beats import Beats
from evergraph.cluster.links import Doorway, Gone, Silent, exchange, interface_of, opened, wait_to_call
from evergraph.kernel.patience import deadline, woken

SILENCE_SECONDS = 20.0  # without a sign of life, after which a member counts as gone
GATHERING_SECONDS = 300.0  # that members have to come up in
_HEADER_BYTES = 192
_WARN_SECONDS = 10.0  # after which a wait says whom it waits for
_SMALL_BYTES = 1 << 14  # up to which all send everything to all
_PIECE_BYTES = 1 << 18  # by which a broadcast is handed on

COMBINE: dict[str, Callable[..., Any]] = {"sum": np.add, "min": np.minimum, "max": np.maximum, "product": np.multiply}


class Group:
    """The members of a computation, of which this process is one.

    Args:
        rank: the number of this member.
        addresses: "host:port" of each.
        names: what to call them; by default "rank 0" ...
        door: where this one is reached; by default the port of its address.
        silence: how long a member may give no sign of life, in seconds.
        gathering: how long they have to come up, in seconds.

    Raises:
        UnknownError: the port of this member is in use.
    """

    def __init__(self, rank: int, addresses: Sequence[str], names: Sequence[str] | None = None,
                 door: Doorway | None = None, silence: float | None = None, gathering: float | None = None) -> None:
        self.rank, self.size, self._addresses = rank, len(addresses), list(addresses)
        self.names = list(names or (f"rank {number}" for number in range(self.size)))
        self._silence, self._gathering = _seconds("SILENCE", silence, SILENCE_SECONDS), _seconds(
            "PATIENCE", gathering, GATHERING_SECONDS)
        self._lock, self._count = threading.RLock(), 0
        self._left: socket | None = None
        self._right: socket | None = None
        self._beats: Beats | None = None
        self._has_met = self._is_over = False
        self._door = door if door is not None or self.size == 1 else _doorway(addresses[rank])

    # ---- what members do together

    def all_reduce(self, arrays: Sequence[np.ndarray], how: str = "sum") -> list[np.ndarray]:
        """The sums, or another combination, of the arrays of all members, which have the same shapes.

        Args:
            arrays: those of this member.
            how: "sum", "min", "max" or "product".

        Raises:
            InvalidArgumentError: another member does something else, or has other shapes.
            UnavailableError: a member has ended, or stands still.
            DeadlineExceededError: a member does not come up.
        """
        arrays = [np.asarray(array) for array in arrays]
        if self.size == 1:
            return [array.copy() for array in arrays]
        with self._together(how, arrays):
            found: list[Any] = [None] * len(arrays)
            for places in _by_dtype(arrays):
                flat = np.concatenate([arrays[place].reshape(-1) for place in places])
                total = self._reduced(flat, COMBINE[how])
                for place, piece in zip(places, np.split(total, np.cumsum([arrays[p].size for p in places])[:-1])):
                    found[place] = piece.reshape(arrays[place].shape)
            return found

    def all_gather(self, array: np.ndarray) -> list[np.ndarray]:
        """The arrays of all members, which may differ in their first dimension.

        Raises: as `all_reduce`.
        """
        array = np.asarray(array)
        if self.size == 1:
            return [array.copy()]
        is_text = array.dtype == object
        if is_text:
            array = _as_bytes(array)
        with self._together("gather", [array[:0]] if array.ndim else [array]):
            rows = self._everyones(np.array([len(array) if array.ndim else -1], np.int64))
            found = [np.empty((int(n), *array.shape[1:]) if n >= 0 else (), array.dtype) for (n,) in rows]
            found[self.rank][...] = array
            self._pass_round([_bytes(each) for each in found])
        return [_as_strings(each) for each in found] if is_text else found

    def broadcast(self, arrays: Sequence[np.ndarray], root: int = 0) -> list[np.ndarray]:
        """The arrays of one member for all, which have the same shapes.

        Raises: as `all_reduce`.
        """
        arrays = [np.asarray(array) for array in arrays]
        if self.size == 1:
            return [array.copy() for array in arrays]
        if any(array.dtype == object for array in arrays):
            return [self._strings_of(array, root) if array.dtype == object else self.broadcast([array], root)[0]
                    for array in arrays]
        with self._together(f"broadcast of {root}", arrays):
            flat = np.empty(sum(array.nbytes for array in arrays), np.uint8)
            if self.rank == root:
                flat = np.concatenate([_bytes_of(array) for array in arrays]) if arrays else flat
            self._hand_on(memoryview(flat), root)
            ends = np.cumsum([array.nbytes for array in arrays])
            return [flat[end - array.nbytes : end].copy().view(array.dtype).reshape(array.shape)
                    for array, end in zip(arrays, ends)]

    def _strings_of(self, array: np.ndarray, root: int) -> np.ndarray:
        return self.all_gather(array.reshape(-1))[root].reshape(array.shape)

    def barrier(self) -> None:
        """Waits until all members are here. Raises as `all_reduce`."""
        self.all_reduce([np.zeros(1, np.int32)], "max")

    def close(self) -> None:
        """Leaves the group."""
        self._is_over = True
        self._part()
        if self._door is not None:
            self._door.close()

    # ---- round the ring

    def _reduced(self, flat: np.ndarray, combine: Callable[..., Any]) -> np.ndarray:
        if flat.nbytes <= _SMALL_BYTES:
            parts = self._everyones(flat)
            total = parts[0]
            for part in parts[1:]:
                total = combine(total, part)
            return total
        ends = [len(flat) * (number + 1) // self.size for number in range(self.size)]
        pieces = [flat[start:end] for start, end in zip([0, *ends], ends)]
        taken = np.empty(max(map(len, pieces)), flat.dtype)
        for step in range(self.size - 1):
            mine, theirs = pieces[(self.rank - step) % self.size], pieces[(self.rank - step - 1) % self.size]
            came = taken[: len(theirs)]
            self._exchange([_bytes(mine)], [_bytes(came)])
            combine(theirs, came, out=theirs)
        first = self.rank + 1
        self._pass_round([_bytes(piece) for piece in pieces[first % self.size:] + pieces[: first % self.size]],
                         rank=0)
        return flat

    def _everyones(self, array: np.ndarray) -> list[np.ndarray]:
        """The arrays of all members, which have one shape."""
        found = np.empty((self.size, *array.shape), array.dtype)
        found[self.rank] = array
        self._pass_round([_bytes(each) for each in found])
        return list(found)

    def _pass_round(self, parts: list[memoryview], rank: int | None = None) -> None:
        """Fills the parts of the others: each hands on what it has got last."""
        rank = self.rank if rank is None else rank
        for step in range(self.size - 1):
            self._exchange([parts[(rank - step) % self.size]], [parts[(rank - step - 1) % self.size]])

    def _hand_on(self, content: memoryview, root: int) -> None:
        """From the root to the member on its left, piece by piece."""
        is_last = (self.rank + 1) % self.size == root
        pieces = [content[at : at + _PIECE_BYTES] for at in range(0, len(content), _PIECE_BYTES)]
        before: list[memoryview] = []
        for piece in pieces if self.rank != root else ():
            self._exchange([] if is_last else before, [piece])
            before = [piece]
        if not is_last:
            self._exchange(pieces if self.rank == root else before, [])

    def _exchange(self, outgoing: Sequence[memoryview], incoming: Sequence[memoryview]) -> None:
        exchange(self._right, outgoing, self._left, incoming, self._look)

    # ---- being together

    @contextlib.contextmanager
    def _together(self, what: str, arrays: Sequence[np.ndarray]) -> Iterator[None]:
        """All members do the same thing in this block; one that fails in it leaves the ring, and so do all."""
        with self._lock:
            try:
                self._began = self._warned = time.monotonic()
                with woken(self._part):
                    if self._left is None:
                        self._gather()
                    self._count += 1
                    assert self._beats is not None
                    self._beats.reached(self._count)
                    self._agree(what, arrays)
                    yield
            except (Gone, Silent) as error:
                raise self._unavailable(error) from None
            except BaseException:
                self._part()
                raise

    def _agree(self, what: str, arrays: Sequence[np.ndarray]) -> None:
        """Raises InvalidArgumentError if the neighbours do different things."""
        forms = ", ".join(f"{array.dtype.name}{list(array.shape)}" for array in arrays)
        code = zlib.crc32(f"{what} {forms}".encode())
        text = f"{code:08x} {what} of {len(arrays)}: {forms}"
        mine = text.encode()[:_HEADER_BYTES].ljust(_HEADER_BYTES)
        theirs = bytearray(_HEADER_BYTES)
        self._exchange([memoryview(mine)], [memoryview(theirs)])
        if bytes(theirs) != mine:
            left = self.names[(self.rank - 1) % self.size]
            said = theirs.decode(errors="replace").strip()
            raise errors.InvalidArgumentError(
                None, None, f"the members of a group do different things: {self.names[self.rank]} does "
                f"{text[9:_HEADER_BYTES]}, and {left} does {said[9:]}")

    def _look(self) -> None:
        """Ends a wait that has become pointless; says from time to time whom it is for."""
        now, limit = time.monotonic(), deadline()
        if self._left is None:
            raise Gone(self._beats.reason if self._beats is not None else "")
        if limit is not None and now >= limit:
            raise errors.DeadlineExceededError(None, None, f"waiting for {self._late()}: {self._reason()}")
        if now - self._warned >= _WARN_SECONDS:
            self._warned = now
            logging.warning("%s has waited %d seconds for %s", self.names[self.rank], now - self._began, self._late())

    def _late(self) -> str:
        """The members that are not where this one is."""
        counts = [] if self._beats is None else self._beats.counts()
        return _listed([self._who(number) for number, count in enumerate(counts) if count < self._count]) or "a message"

    def _who(self, number: int) -> str:
        return f"{self.names[number]} ({self._addresses[number]})"

    def _reason(self) -> str:
        return "the time of the step is over"

    def _unavailable(self, error: Exception) -> errors.OpError:
        beats = self._beats
        reason = beats.reason if beats is not None else ""
        self._part()
        left, right = (self._who((self.rank + by) % self.size) for by in (-1, 1))
        near = left if left == right else f"{left} or {right}"
        return errors.UnavailableError(None, None, reason or f"lost the connection to {near}: {error}")

    def _part(self) -> None:
        """Closes the links, by which the neighbours know."""
        beats, self._beats = self._beats, None
        if beats is not None:
            beats.stop()
        for link in (self._left, self._right):
            if link is not None:
                link.close()
        self._left = self._right = None

    # ---- coming together

    def _gather(self) -> None:
        """Links this member to its neighbours when all are there.

        Raises:
            DeadlineExceededError: they are not there in time.
        """
        if self._is_over:
            raise errors.FailedPreconditionError(None, None, "the group was left")
        assert self._door is not None
        end = min(self._began + self._gathering, deadline() or float("inf"))
        met = _Meeting(self._door, self.rank, self._addresses)
        try:
            while not met.is_complete:
                met.go_on()
                self._have_time(end, met)
            self._left, self._right = met.left, met.right
            self._count, marks = 0, []
            self._beats = Beats(met.beats, self.rank, self.size, self._silence, self._who, self._shut)
            while len(marks) < self.size - 1:  # a turn round the ring: all are linked
                came = bytearray(1)
                self._exchange([memoryview(b"!")], [memoryview(came)])
                marks.append(came)
        except BaseException as error:
            met.close()
            self._part()
            if not isinstance(error, Gone):
                raise
            wait_to_call()
            self._have_time(end, met)
            return self._gather()
        self._has_met = True

    def _have_time(self, end: float, met: _Meeting) -> None:
        now = time.monotonic()
        missing = _listed([self._who(number) for number in met.missing()])
        if now >= end:
            raise errors.DeadlineExceededError(
                None, None, f"{self.names[self.rank]} has waited {now - self._began:.0f} seconds for {missing}")
        if now - self._warned >= (1.0 if self._has_met else _WARN_SECONDS) * (1 + (self._warned > self._began) * 9):
            self._warned = now
            logging.warning("%s waits for %s to come up", self.names[self.rank], missing)

    def _shut(self) -> None:
        """Ends what waits for data, when signs of life say that there will be none."""
        for link in (self._left, self._right):
            if link is not None:
                with contextlib.suppress(OSError):
                    link.shutdown(2)


class _Meeting:
    """The links of one member while they are made: data and signs of life, from the left and to the right."""

    def __init__(self, door: Doorway, rank: int, addresses: Sequence[str]) -> None:
        self._door, self._rank, self._addresses = door, rank, addresses
        self.left: socket | None = None
        self.right: socket | None = None
        self._far: dict[str, socket] = {}

    @property
    def beats(self) -> list[tuple[socket, int]]:
        """The links for signs of life, with whom they lead to."""
        size = len(self._addresses)
        return [(self._far["left"], (self._rank - 1) % size), (self._far["right"], (self._rank + 1) % size)]

    @property
    def is_complete(self) -> bool:
        return self.left is not None and self.right is not None and len(self._far) == 2

    def missing(self) -> list[int]:
        size = len(self._addresses)
        return sorted({(self._rank + 1) % size} if self.right is None else {(self._rank - 1) % size})

    def go_on(self) -> None:
        """Takes who has come, and calls the member on the right if it is not linked yet."""
        for link, hello in self._door.accepted(0.02):
            if hello.get("from") != (self._rank - 1) % len(self._addresses) or hello.get("of") != len(self._addresses):
                link.close()
            elif hello.get("for") == "beats":
                self._replace("left", link)
            else:
                if self.left is not None:
                    self.left.close()
                self.left = link
        if self.right is None:
            self._call()

    def _call(self) -> None:
        size = len(self._addresses)
        address, hello = self._addresses[(self._rank + 1) % size], {"from": self._rank, "of": size}
        try:
            self._replace("right", opened(address, {**hello, "for": "beats"}))
            self.right = opened(address, {**hello, "for": "data"})
        except OSError:
            return

    def _replace(self, side: str, link: socket) -> None:
        before = self._far.get(side)
        if before is not None:
            before.close()
        self._far[side] = link

    def close(self) -> None:
        for link in (self.left, self.right, *self._far.values()):
            if link is not None:
                link.close()


def _doorway(address: str) -> Doorway:
    host, _, port = address.rpartition(":")
    try:
        return Doorway(interface_of(host), int(port))
    except OSError as error:
        raise errors.UnknownError(None, None, f"Could not start a server: {error}") from None


def _seconds(name: str, given: float | None, usual: float) -> float:
    return given if given is not None else float(os.environ.get(f"EVERGRAPH_{name}_SECONDS", usual))


def _bytes(array: np.ndarray) -> memoryview:
    """The bytes of an array where they lie."""
    return memoryview(array.reshape(-1).view(np.uint8))


def _bytes_of(array: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def _by_dtype(arrays: Sequence[np.ndarray]) -> list[list[int]]:
    """The places of the arrays of each dtype."""
    places: dict[Any, list[int]] = {}
    for place, array in enumerate(arrays):
        places.setdefault(array.dtype, []).append(place)
    return list(places.values())


def _as_bytes(array: np.ndarray) -> np.ndarray:
    """Strings as rows of one byte each: their count, their lengths and their bytes."""
    values = [bytes(value) for value in array.reshape(-1).tolist()]
    lengths = np.array([len(values), *map(len, values)], np.int64)
    return np.frombuffer(lengths.tobytes() + b"".join(values), np.uint8)


def _as_strings(content: np.ndarray) -> np.ndarray:
    count = int(content[:8].view(np.int64)[0])
    lengths = content[8 : 8 * (count + 1)].view(np.int64)
    found, at = np.empty(count, object), 8 * (count + 1)
    for place, length in enumerate(lengths.tolist()):
        found[place], at = content[at : at + length].tobytes(), at + length
    return found


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names)
