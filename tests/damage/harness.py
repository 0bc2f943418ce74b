"""Reads damaged files within bounds of time and memory, and tells what came of it."""

import collections
import contextlib
import os
import random
import resource
import signal
import traceback
import warnings

EFFORT = int(os.environ.get("EVERGRAPH_FUZZ", 0))
"""How many inputs to try in each test; 0 for as many as a quick look takes."""

_SECONDS = 20
_BYTES = 1 << 30


class Stuck(BaseException):
    """A read took longer than any may."""


@contextlib.contextmanager
def bounded(memory=_BYTES):
    """Lets nothing in the block run for longer than some seconds, nor take more than so much memory."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    with open("/proc/self/statm") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()

    def stop(*_):
        raise Stuck(f"still busy after {_SECONDS} s")
    previous = signal.signal(signal.SIGALRM, stop)
    resource.setrlimit(resource.RLIMIT_AS, (used + memory, before[1]))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # protobuf's, of escapes that no writer makes
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
        resource.setrlimit(resource.RLIMIT_AS, before)


def damaged(data, tries, seed=0):
    """(what was done, the bytes after it): cut off, and with some bits turned, at as many places as `tries` allows."""
    generator = random.Random(seed)
    places = range(len(data)) if tries >= 2 * len(data) else sorted(generator.sample(range(len(data)), tries // 2))
    for place in places:
        yield f"cut at {place}", data[:place]
        turned = 1 << generator.randrange(8) if generator.random() < 0.7 else generator.randrange(1, 256)
        changed = bytearray(data)
        changed[place] ^= turned
        yield f"byte {place} ^ {turned:#04x}", bytes(changed)


class Tally:
    """What came of many reads: how many gave a value, how many raised what, and what should not have happened."""

    def __init__(self, allowed):
        self.allowed, self.counts, self.wrong = allowed, collections.Counter(), {}

    def attempt(self, what, read, is_right=lambda value: True):
        """Calls `read` and counts what came of it."""
        signal.setitimer(signal.ITIMER_REAL, _SECONDS)
        try:
            value = read()
        except self.allowed as error:
            self.counts[type(error).__name__] += 1
        except (Exception, Stuck) as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{where.filename.rpartition('evergraph/')[2]}:{where.lineno}"
            self._note(f"{type(error).__name__} in {place}", what, error)
        else:
            if is_right(value):
                self.counts["read"] += 1
            else:
                self._note("a wrong value", what, value)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def _note(self, kind, what, detail):
        self.counts[kind] += 1
        self.wrong.setdefault(kind, f"{kind}, first when {what}: {str(detail)[:300]}")

    def check(self):
        """Raises AssertionError when something happened that should not."""
        total = sum(self.counts.values())
        print(f"{total} inputs: {', '.join(f'{count} {name}' for name, count in self.counts.most_common())}")
        assert not self.wrong, "\n".join(self.wrong.values())
