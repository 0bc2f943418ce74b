"""What is computed once and wholly, in a thread of its own."""

import threading

import pytest

from evergraph.base.aside import Once, aside


def test_many_threads_have_one_result():
    computed, start, found = [], threading.Barrier(8), []

    def compute():
        computed.append(threading.current_thread())
        return object()

    once = Once(compute)

    def ask():
        start.wait()
        found.append(once())

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(computed) == 1 and computed[0] not in threads and len(found) == 8 and len(set(map(id, found))) == 1


def test_a_caller_that_was_interrupted_waits_for_the_same_result(monkeypatch):
    begun, go_on, computed = threading.Event(), threading.Event(), []

    def compute():
        begun.set()
        assert go_on.wait(30)
        computed.append(1)
        return "result"

    once = Once(compute)
    first = threading.Thread(target=lambda: pytest.raises(Interrupt, interrupted, once, monkeypatch))
    first.start()
    assert begun.wait(30)
    first.join()
    assert once.is_under_way and once.has_begun
    go_on.set()
    assert once() == "result" and computed == [1] and not once.is_under_way and once.has_begun


class Interrupt(BaseException):
    """Stands for KeyboardInterrupt, which pytest would take for its own."""


def interrupted(once, monkeypatch):
    """Calls, where the wait for the thread ends by an interrupt."""

    class Answers:
        def put(self, answer):
            pass

        def get(self):
            raise Interrupt

    with monkeypatch.context() as patched:
        patched.setattr("evergraph.base.aside.queue.SimpleQueue", Answers)
        once()


def test_an_error_is_raised_and_the_next_call_tries_again():
    results = [ValueError("first"), "second"]

    def compute():
        result = results.pop(0)
        if isinstance(result, Exception):
            raise result
        return result

    once = Once(compute)
    with pytest.raises(ValueError, match="first"):
        once()
    assert not once.has_begun and once() == once() == "second" and not results


def test_the_function_has_a_thread_of_its_own_and_raises_here():
    assert aside(threading.current_thread) is not threading.current_thread()
    with pytest.raises(ZeroDivisionError):
        aside(divmod, 1, 0)
