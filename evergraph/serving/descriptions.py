"""What a server says of its models: the state of versions and the signatures, as messages and as JSON."""

from __future__ import annotations

from typing import Any

from google.protobuf import json_format

from evergraph import proto
from evergraph.base import errors
from evergraph.serving.json_text import written
from evergraph.serving.models import Model
from evergraph.serving.servable import Servable

SIGNATURES = "signature_def"
SIGNATURES_TYPE = "type.googleapis.com/tensorflow.serving.SignatureDefMap"


def status(model: Model, version: int | None, label: str | None) -> Any:
    """The GetModelStatusResponse of a model: of one version, or of all.

    Raises:
        NotFoundError: the version was never asked for.
    """
    if label is not None:
        version = model.find(None, label).version
    fates = model.versions if version is None else {version: model.versions.get(version)}
    if None in fates.values():
        raise errors.NotFoundError(
            None, None, f"Could not find version {version} of model {model.source.name}")
    if not fates:
        raise errors.NotFoundError(None, None, f"Could not find any versions of model {model.source.name}")
    response = proto.serving_pb2.GetModelStatusResponse()
    for number, fate in sorted(fates.items(), reverse=True):
        told = response.model_version_status.add(version=number, state=fate.state)  # type: ignore[union-attr]
        told.status.CopyFrom(status_of(fate.error))  # type: ignore[union-attr]
    return response


def status_of(error: errors.OpError | None) -> Any:
    """The StatusProto of an error; OK for None."""
    if error is None:
        return proto.serving_pb2.StatusProto()
    return proto.serving_pb2.StatusProto(error_code=error.error_code, error_message=error.message)


def status_json(model: Model, version: int | None, label: str | None) -> bytes:
    """As `status`, in JSON."""
    told = status(model, version, label)
    for each in told.model_version_status:
        each.status.SetInParent()
    return written(_as_json(told))


def signature_map(servable: Servable) -> Any:
    """The SignatureDefMap of a version."""
    message = proto.serving_pb2.SignatureDefMap()
    for key, signature in servable.signature_def.items():
        message.signature_def[key].CopyFrom(signature)
    return message


def metadata(servable: Servable) -> Any:
    """The GetModelMetadataResponse of a version."""
    response = proto.serving_pb2.GetModelMetadataResponse()
    response.model_spec.name, response.model_spec.version.value = servable.name, servable.version
    packed = response.metadata[SIGNATURES]
    packed.type_url, packed.value = SIGNATURES_TYPE, signature_map(servable).SerializeToString()
    return response


def metadata_json(servable: Servable) -> bytes:
    """As `metadata`, in JSON."""
    spec = {"name": servable.name, "signature_name": "", "version": str(servable.version)}
    return written({"model_spec": spec, "metadata": {SIGNATURES: _as_json(signature_map(servable))}})


def _as_json(message: Any) -> Any:
    return json_format.MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)
