# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.errors."""

ABORTED: int
ALREADY_EXISTS: int
from evergraph.errors import AbortedError as AbortedError
from evergraph.errors import AlreadyExistsError as AlreadyExistsError
CANCELLED: int
from evergraph.errors import CancelledError as CancelledError
DATA_LOSS: int
DEADLINE_EXCEEDED: int
from evergraph.errors import DataLossError as DataLossError
from evergraph.errors import DeadlineExceededError as DeadlineExceededError
FAILED_PRECONDITION: int
from evergraph.errors import FailedPreconditionError as FailedPreconditionError
INTERNAL: int
INVALID_ARGUMENT: int
from evergraph.errors import InternalError as InternalError
from evergraph.errors import InvalidArgumentError as InvalidArgumentError
NOT_FOUND: int
from evergraph.errors import NotFoundError as NotFoundError
OK: int
OUT_OF_RANGE: int
from evergraph import OpError as OpError
from evergraph.errors import OutOfRangeError as OutOfRangeError
PERMISSION_DENIED: int
from evergraph.errors import PermissionDeniedError as PermissionDeniedError
RESOURCE_EXHAUSTED: int
from evergraph.errors import ResourceExhaustedError as ResourceExhaustedError
UNAUTHENTICATED: int
UNAVAILABLE: int
UNIMPLEMENTED: int
UNKNOWN: int
from evergraph.errors import UnauthenticatedError as UnauthenticatedError
from evergraph.errors import UnavailableError as UnavailableError
from evergraph.errors import UnimplementedError as UnimplementedError
from evergraph.errors import UnknownError as UnknownError
