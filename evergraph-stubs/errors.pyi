# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.errors."""

from evergraph import OpError as _OpError
from types import TracebackType
from typing import Any

ABORTED: int
ALREADY_EXISTS: int

class AbortedError(_OpError):
    """A concurrent operation aborted this one; a retry may succeed."""
    def __init__(self, node_def: Any, op: Any, message: str) -> None: ...

class AlreadyExistsError(_OpError):
    """The object to create exists already, such as a file that must not be overwritten."""
    def __init__(self, node_def: Any, op: Any, message: str) -> None: ...

CANCELLED: int

class CancelledError(_OpError):
    """The operation was cancelled: a queue was closed with pending operations, or a session during a
    step."""
    def __init__(self, node_def: Any, op: Any, message: str) -> None: ...

DATA_LOSS: int
DEADLINE_EXCEEDED: int

class DataLossError(_OpError):
    """Data is lost or corrupt: a file ends early or its checksum does not match."""
    def __init__(self, node_def: Any, op: Any, message: str) -> None: ...

class DeadlineExceededError(_OpError):
    """A timeout expired before the operation completed."""
    def __init__(self, node_def: Any, op: Any, message: str) -> None: ...

FAILED_PRECONDITION: int

class FailedPreconditionError(_OpError):
    """The state does not allow this operation: most often, a variable was read before it was
    initialized."""
    def __init__(self, node_def: Any, op: Any, message: str) -> None: ...

INTERNAL: int
INVALID_ARGUMENT: int

class InternalError(_OpError):
    """An invariant of the system is broken: a bug."""
    def __init__(self, node_def: Any, op: Any, message: str) -> None: ...

class InvalidArgumentError(_OpError):
    """An op received an argument that is invalid in every state: an incompatible shape, an index out of
    range."""
    def __init__(self, node_def: Any, op: Any, message: str) -> None: ...

NOT_FOUND: int

class NotFoundError(_OpError):
    """The requested object does not exist: a file, a variable in a checkpoint, an op."""
    def __init__(self, node_def: Any, op: Any, message: str) -> None: ...

OK: int
OUT_OF_RANGE: int
from evergraph import OpError as OpError

class OutOfRangeError(_OpError):
    """The end of the data was reached: of a dataset, a closed queue or a file."""
    def __init__(self, node_def: Any, op: Any, message: str) -> None: ...

PERMISSION_DENIED: int

class PermissionDeniedError(_OpError):
    """The caller lacks the permission for this operation, such as reading another user's file."""
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
    """The request has no valid credentials."""
    def __init__(self, node_def: Any, op: Any, message: str) -> None: ...

class UnavailableError(_OpError):
    """A service is unreachable at the moment; a retry may succeed."""
    def __init__(self, node_def: Any, op: Any, message: str) -> None: ...

class UnimplementedError(_OpError):
    """The op, or this way of using it, is not supported."""
    def __init__(self, node_def: Any, op: Any, message: str) -> None: ...

class UnknownError(_OpError):
    """An error of unknown kind, for example from another system."""
    def __init__(self, node_def: Any, op: Any, message: str, error_code: int = 2) -> None: ...

def error_code_from_exception_type(cls: type[Exception]) -> int:
    """The error code of an exception class; UNKNOWN, with a warning, for a class that has none."""

def exception_type_from_error_code(error_code: int) -> type[_OpError]:
    """The exception class for an error code."""

class raise_exception_on_not_ok_status:
    """Context manager that yields a Status and, at its end, raises the error that the Status was set to, if
    any."""
    def __enter__(self) -> Any: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None,
    ) -> None: ...
    status: Any
