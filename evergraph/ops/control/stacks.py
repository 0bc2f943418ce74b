"""Stacks, in which TensorFlow 1's gradient loops store values of the forward loop.

Programs built here use tensor lists instead; stacks come with imported graphs, and passes/imported/arrays_to_lists.py
converts them to lists before such a graph runs. A stack that is not converted lives for one step.
"""

from evergraph.base import errors
from evergraph.graph.opdef import op


class Stack:
    """A LIFO stack of at most `limit` values, or unlimited for None."""

    def __init__(self, limit):
        self.limit, self.items = limit, []

    def push(self, value, name):
        if self.limit is not None and len(self.items) >= self.limit:
            raise errors.InvalidArgumentError(None, None, f"Stack[{name}] overflowed its max_size ({self.limit})")
        self.items.append(value)
        return value

    def pop(self, name):
        if not self.items:
            raise errors.InvalidArgumentError(None, None, f"Stack[{name}] is empty when calling Pop().")
        return self.items.pop()


@op("StackV2(max_size: int32, *, elem_type: type, stack_name: string = '') -> handle: resource", stateful=True,
    on="host", shape=lambda: (2,))
def stack_v2(max_size):
    """Creates a stack of at most `max_size` values, or unlimited if negative."""
    return Stack(int(max_size) if max_size >= 0 else None)


@op("StackPushV2(handle: resource, elem: T, *, T: type, swap_memory: bool = False) -> output: T", stateful=True,
    on="host", shape=lambda elem: elem)
def stack_push_v2(handle, elem, node):
    """Pushes a value and forwards it. Stacks are in host memory whatever `swap_memory` is."""
    return handle.push(elem, node.name)


@op("StackPopV2(handle: resource, *, elem_type: type) -> elem: elem_type", stateful=True, on="host", shape=lambda: None)
def stack_pop_v2(handle, node):
    """Pops the last value."""
    return handle.pop(node.name)


@op("StackCloseV2(handle: resource) -> ()", stateful=True, on="host")
def stack_close_v2(handle):
    """Clears a stack."""
    handle.items.clear()


@op("Stack(*, elem_type: type, stack_name: string = '') -> handle: Ref(string)", stateful=True, on="host",
    shape=lambda: (2,))
def stack():
    """Creates a stack."""
    return Stack(None)


@op("StackPush(handle: Ref(string), elem: T, *, T: type, swap_memory: bool = False) -> output: T", on="host",
    shape=lambda elem: elem)
def stack_push(handle, elem, node):
    """Pushes a value and forwards it. Stacks are in host memory whatever `swap_memory` is."""
    return handle.push(elem, node.name)


@op("StackPop(handle: Ref(string), *, elem_type: type) -> elem: elem_type", on="host", shape=lambda: None)
def stack_pop(handle, node):
    """Pops the last value."""
    return handle.pop(node.name)


@op("StackClose(handle: Ref(string)) -> ()", on="host")
def stack_close(handle):
    """Clears a stack."""
    handle.items.clear()
