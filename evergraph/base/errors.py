"""Errors at run time: TensorFlow's exception classes and their codes.

Exception
 └ OpError                      node_def, op, message, error_code
    ├ CancelledError        1   the operation was cancelled, as by closing a queue
    ├ UnknownError          2   an error of unknown kind, as from another system
    ├ InvalidArgumentError  3   an argument that is invalid in every state of the program
    ├ DeadlineExceededError 4   a timeout expired
    ├ NotFoundError         5   a file, a variable in a checkpoint or an op does not exist
    ├ AlreadyExistsError    6   the object to create exists already
    ├ PermissionDeniedError 7   the caller lacks the permission
    ├ ResourceExhaustedError 8  out of memory, disk or quota
    ├ FailedPreconditionError 9 the state forbids the operation: an uninitialized variable
    ├ AbortedError         10   aborted by a concurrent operation; may be retried
    ├ OutOfRangeError      11   past the end of a file, a dataset, a closed queue
    ├ UnimplementedError   12   not supported
    ├ InternalError        13   an invariant of the system is broken
    ├ UnavailableError     14   the service does not answer; may be retried
    ├ DataLossError        15   lost or corrupt data: a checksum mismatch
    └ UnauthenticatedError 16   the caller is not authenticated
"""

from __future__ import annotations

import warnings
from types import TracebackType
from typing import Any

from evergraph.base.export import export

OK = export("errors.OK")(0)
CANCELLED = export("errors.CANCELLED")(1)
UNKNOWN = export("errors.UNKNOWN")(2)
INVALID_ARGUMENT = export("errors.INVALID_ARGUMENT")(3)
DEADLINE_EXCEEDED = export("errors.DEADLINE_EXCEEDED")(4)
NOT_FOUND = export("errors.NOT_FOUND")(5)
ALREADY_EXISTS = export("errors.ALREADY_EXISTS")(6)
PERMISSION_DENIED = export("errors.PERMISSION_DENIED")(7)
RESOURCE_EXHAUSTED = export("errors.RESOURCE_EXHAUSTED")(8)
FAILED_PRECONDITION = export("errors.FAILED_PRECONDITION")(9)
ABORTED = export("errors.ABORTED")(10)
OUT_OF_RANGE = export("errors.OUT_OF_RANGE")(11)
UNIMPLEMENTED = export("errors.UNIMPLEMENTED")(12)
INTERNAL = export("errors.INTERNAL")(13)
UNAVAILABLE = export("errors.UNAVAILABLE")(14)
DATA_LOSS = export("errors.DATA_LOSS")(15)
UNAUTHENTICATED = export("errors.UNAUTHENTICATED")(16)

_CLASS_OF_CODE: dict[int, type[OpError]] = {}


@export("OpError", "errors.OpError")
class OpError(Exception):
    """An error while running an op.

    Args:
        node_def: the NodeDef of the op that failed, or None.
        op: the Operation that failed, or None if it is not known or was made by the runtime.
        message: the description of the error.
        error_code: the error's code, one of the constants in `tf.errors`.
    """

    failed_node: Any = None  # the operation whose check failed in a compiled program, before it becomes `op`

    def __init__(self, node_def: Any, op: Any, message: str, error_code: int) -> None:
        super().__init__(message)
        self._node_def = node_def
        self._op = op
        self._message = message
        self._error_code = error_code

    @property
    def node_def(self) -> Any:
        """The NodeDef of the op that failed, if known."""
        return self._node_def

    @property
    def op(self) -> Any:
        """The Operation that failed, if known."""
        return self._op

    @property
    def message(self) -> str:
        """The description of the error."""
        return self._message

    @property
    def error_code(self) -> int:
        """The error's code, one of the constants in `tf.errors`."""
        return self._error_code

    def __str__(self) -> str:
        made_at = _made_at(self._op)
        return self._message if made_at is None else f"{self._message}\n\n{made_at}"

    def __reduce__(self) -> Any:
        # An Operation cannot be pickled; the other arguments can.
        extra = (self._error_code,) if type(self) in (OpError, UnknownError) else ()
        return type(self), (self._node_def, None, self._message, *extra)


def _made_at(op: Any) -> str | None:
    """The file and line at which the program created an op: the innermost frame of its traceback."""
    frames = getattr(op, "traceback", None)
    if not frames:
        return None
    file, line, *_ = frames[-1]
    return f"Op '{op.name}' was made at {file}:{line}"


class _KindOfError(OpError):
    """An OpError whose class determines its code: `class CancelledError(_KindOfError, code=CANCELLED)`."""

    _code: int

    def __init_subclass__(cls, code: int | None = None) -> None:
        if code is not None:
            cls._code = code
            _CLASS_OF_CODE[code] = cls

    def __init__(self, node_def: Any, op: Any, message: str) -> None:
        super().__init__(node_def, op, message, self._code)


@export("errors.CancelledError")
class CancelledError(_KindOfError, code=CANCELLED):
    """The operation was cancelled: a queue was closed with pending operations, or a session during a step."""


@export("errors.UnknownError")
class UnknownError(OpError):
    """An error of unknown kind, for example from another system."""

    def __init__(self, node_def: Any, op: Any, message: str, error_code: int = UNKNOWN) -> None:
        super().__init__(node_def, op, message, error_code)


@export("errors.InvalidArgumentError")
class InvalidArgumentError(_KindOfError, code=INVALID_ARGUMENT):
    """An op received an argument that is invalid in every state: an incompatible shape, an index out of range."""


@export("errors.DeadlineExceededError")
class DeadlineExceededError(_KindOfError, code=DEADLINE_EXCEEDED):
    """A timeout expired before the operation completed."""


@export("errors.NotFoundError")
class NotFoundError(_KindOfError, code=NOT_FOUND):
    """The requested object does not exist: a file, a variable in a checkpoint, an op."""


@export("errors.AlreadyExistsError")
class AlreadyExistsError(_KindOfError, code=ALREADY_EXISTS):
    """The object to create exists already, such as a file that must not be overwritten."""


@export("errors.PermissionDeniedError")
class PermissionDeniedError(_KindOfError, code=PERMISSION_DENIED):
    """The caller lacks the permission for this operation, such as reading another user's file."""


@export("errors.ResourceExhaustedError")
class ResourceExhaustedError(_KindOfError, code=RESOURCE_EXHAUSTED):
    """Memory, disk space or a quota ran out."""


@export("errors.FailedPreconditionError")
class FailedPreconditionError(_KindOfError, code=FAILED_PRECONDITION):
    """The state does not allow this operation: most often, a variable was read before it was initialized."""


@export("errors.AbortedError")
class AbortedError(_KindOfError, code=ABORTED):
    """A concurrent operation aborted this one; a retry may succeed."""


@export("errors.OutOfRangeError")
class OutOfRangeError(_KindOfError, code=OUT_OF_RANGE):
    """The end of the data was reached: of a dataset, a closed queue or a file."""


@export("errors.UnimplementedError")
class UnimplementedError(_KindOfError, code=UNIMPLEMENTED):
    """The op, or this way of using it, is not supported."""


@export("errors.InternalError")
class InternalError(_KindOfError, code=INTERNAL):
    """An invariant of the system is broken: a bug."""


@export("errors.UnavailableError")
class UnavailableError(_KindOfError, code=UNAVAILABLE):
    """A service is unreachable at the moment; a retry may succeed."""


@export("errors.DataLossError")
class DataLossError(_KindOfError, code=DATA_LOSS):
    """Data is lost or corrupt: a file ends early or its checksum does not match."""


@export("errors.UnauthenticatedError")
class UnauthenticatedError(_KindOfError, code=UNAUTHENTICATED):
    """The request has no valid credentials."""


_CLASS_OF_CODE[UNKNOWN] = UnknownError


@export("errors.exception_type_from_error_code")
def exception_type_from_error_code(error_code: int) -> type[OpError]:
    """The exception class for an error code.

    Raises:
        KeyError: no class has this code.
    """
    return _CLASS_OF_CODE[error_code]


@export("errors.error_code_from_exception_type")
def error_code_from_exception_type(cls: type[Exception]) -> int:
    """The error code of an exception class; UNKNOWN, with a warning, for a class that has none."""
    for code, known in _CLASS_OF_CODE.items():
        if known is cls:
            return code
    warnings.warn(f"{cls.__name__} has no error code")
    return UNKNOWN


def make_error(error_code: int, message: str, op: Any = None) -> OpError:
    """An exception with this code: of the code's class, or an UnknownError if the code has no class."""
    cls = _CLASS_OF_CODE.get(error_code)
    node_def = getattr(op, "node_def", None)
    if cls is None or cls is UnknownError:
        return UnknownError(node_def, op, message, error_code)
    return cls(node_def, op, message)  # type: ignore[call-arg]


class Status:
    """The code and message of an operation's outcome."""

    def __init__(self) -> None:
        self.code = OK
        self.message = ""

    def set(self, code: int, message: str) -> None:
        """Records an outcome."""
        self.code, self.message = code, message


@export("errors.raise_exception_on_not_ok_status")
class raise_exception_on_not_ok_status:  # noqa: N801 (TensorFlow's name)
    """Context manager that yields a Status and, at its end, raises the error that the Status was set to, if any.

    >>> with raise_exception_on_not_ok_status() as status:
    ...     status.set(NOT_FOUND, "no such file")
    Traceback (most recent call last):
    evergraph.base.errors.NotFoundError: no such file
    """

    def __enter__(self) -> Status:
        self.status = Status()
        return self.status

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None and self.status.code != OK:
            raise make_error(self.status.code, self.status.message)


def invalid(message: str) -> InvalidArgumentError:
    """The InvalidArgumentError of a kernel; the step adds the node."""
    return InvalidArgumentError(None, None, message)
