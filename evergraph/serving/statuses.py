"""What errors are called on the wire: HTTP's statuses for the codes of errors."""

from __future__ import annotations

from evergraph.base import errors, logging
from evergraph.proto import error_codes_pb2

OF_CODE = {
    errors.CANCELLED: 499, errors.UNKNOWN: 500, errors.INVALID_ARGUMENT: 400, errors.DEADLINE_EXCEEDED: 504,
    errors.NOT_FOUND: 404, errors.ALREADY_EXISTS: 409, errors.PERMISSION_DENIED: 403, errors.RESOURCE_EXHAUSTED: 429,
    errors.FAILED_PRECONDITION: 400, errors.ABORTED: 409, errors.OUT_OF_RANGE: 400, errors.UNIMPLEMENTED: 501,
    errors.INTERNAL: 500, errors.UNAVAILABLE: 503, errors.DATA_LOSS: 500, errors.UNAUTHENTICATED: 401,
}  # fmt: skip

REASONS = {
    200: "OK", 204: "No Content", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
    405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict", 413: "Content Too Large",
    415: "Unsupported Media Type", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
    499: "Client Closed Request", 500: "Internal Server Error", 501: "Not Implemented", 503: "Service Unavailable",
    504: "Gateway Timeout",
}  # fmt: skip


def as_op_error(error: Exception) -> errors.OpError:
    """An error as one with a code; what is no error of a model is logged, and its text stays here."""
    if isinstance(error, errors.OpError):
        return error
    if isinstance(error, MemoryError):
        return errors.ResourceExhaustedError(None, None, "There is not enough memory for this request")
    logging.error(f"A request failed inside of the server: {error!r}", exc_info=error)
    return errors.InternalError(None, None, "The server failed to answer this request; its log says why")


def code_name(error: errors.OpError | None) -> str:
    """The name of an error's code, such as NOT_FOUND; OK for None."""
    return error_codes_pb2.Code.Name(error.error_code if error is not None else errors.OK)
