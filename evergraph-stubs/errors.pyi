# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.errors."""

from evergraph import OpError as _OpError
from types import TracebackType
from typing import Any

ABORTED: int
ALREADY_EXISTS: int

class AbortedError(_OpError):
    """The work was given up because of something that happened beside it; trying again may succeed."""
    def __init__(self, node_def: Any, op: Any, message: str) -> None: ...

class AlreadyExistsError(_OpError):
    """Something to be made is there already, such as a file that must not be overwritten."""
    def __init__(self, node_def: Any, op: Any, message: str) -> None: ...

CANCELLED: int

class CancelledError(_OpError):
    """The work was called off: a queue was closed with its pending operations, or a session while it
    ran."""
    def __init__(self, node_def: Any, op: Any, message: str) -> None: ...

DATA_LOSS: int
DEADLINE_EXCEEDED: int

class DataLossError(_OpError):
    """Data is lost or corrupt: a file ends early or its checksum does not match."""
    def __init__(self, node_def: Any, op: Any, message: str) -> None: ...

class DeadlineExceededError(_OpError):
    """The time allowed for the work ran out before it was done."""
    def __init__(self, node_def: Any, op: Any, message: str) -> None: ...

FAILED_PRECONDITION: int

class FailedPreconditionError(_OpError):
    """The system is not in the state the op needs: most often, a variable was read before it was
    initialized."""
    def __init__(self, node_def: Any, op: Any, message: str) -> None: ...

INTERNAL: int
INVALID_ARGUMENT: int

class InternalError(_OpError):
    """Something the system takes for granted does not hold."""
    def __init__(self, node_def: Any, op: Any, message: str) -> None: ...

class InvalidArgumentError(_OpError):
    """An op received a value that is wrong whatever the state: a shape that does not fit, an index out of
    range."""
    def __init__(self, node_def: Any, op: Any, message: str) -> None: ...

NOT_FOUND: int

class NotFoundError(_OpError):
    """Something asked for is not there: a file, a variable in a checkpoint, an op."""
    def __init__(self, node_def: Any, op: Any, message: str) -> None: ...

OK: int
OUT_OF_RANGE: int
from evergraph import OpError as OpError

class OutOfRangeError(_OpError):
    """The end was passed: a dataset or a closed queue has no more elements, a file no more bytes."""
    def __init__(self, node_def: Any, op: Any, message: str) -> None: ...

PERMISSION_DENIED: int

class PermissionDeniedError(_OpError):
    """The caller may not do this, such as reading a file of another user."""
    def __init__(self, node_def: Any, op: Any, message: str) -> None: ...

RESOURCE_EXHAUSTED: int

class ResourceExhaustedError(_OpError):
    """Memory, disk space or a quota ran out."""
    def __init__(self, node_def: Any, op: Any, message: str) -> None: ...

UNAUTHENTICATED: int
UNAVAILABLE: int
UNIMPLEMENTED: int
UNKNOWN: int

class UnauthenticatedError(_OpError):
    """The request does not say convincingly who makes it."""
    def __init__(self, node_def: Any, op: Any, message: str) -> None: ...

class UnavailableError(_OpError):
    """Another process does not answer at the moment; trying again may succeed."""
    def __init__(self, node_def: Any, op: Any, message: str) -> None: ...

class UnimplementedError(_OpError):
    """The op, or this way of using it, is not supported."""
    def __init__(self, node_def: Any, op: Any, message: str) -> None: ...

class UnknownError(_OpError):
    """An error that says nothing of its kind, as from another system."""
    def __init__(self, node_def: Any, op: Any, message: str, error_code: int = 2) -> None: ...

def error_code_from_exception_type(cls: type[Exception]) -> int:
    """The code of the errors of this class; UNKNOWN, with a warning, for classes that have none."""

def exception_type_from_error_code(error_code: int) -> type[_OpError]:
    """The class of the errors with this code."""

class raise_exception_on_not_ok_status:
    """A context that gives a Status, and at its end raises the error the Status was set to, if any."""
    def __enter__(self) -> Any: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None,
    ) -> None: ...
    status: Any
