"""Ops that write summaries to event files through a writer resource of the session."""

from __future__ import annotations

import time

import numpy as np

from evergraph import proto
from evergraph.base import errors
from evergraph.formats.event_file import EventFile
from evergraph.formats.tensor_messages import tensor_to_proto
from evergraph.graph.opdef import op
from evergraph.graph.shaping import scalar
from evergraph.ops.state import summaries
from evergraph.proto.wire import from_bytes


class Writer:
    """A writer resource: has an event file after it is created and until it is closed."""

    def __init__(self, name):
        self.name, self._file = name, None

    def create(self, make):
        if self._file is None:
            self._file = make()

    @property
    def file(self):
        if self._file is None:
            raise errors.NotFoundError(None, None, f"The summary writer {self.name} is not there: it was not "
                                       "initialized, or was closed")
        return self._file

    def close(self):
        self.file.close()
        self._file = None

    def cancel(self):
        """Closes the file at the end of the session."""
        if self._file is not None:
            self.close()

    __del__ = cancel


def _number(value):
    return int(np.asarray(value).reshape(-1)[0])


def _bytes(value):
    return bytes(np.asarray(value, object).reshape(-1)[0])


def _text(value):
    return _bytes(value).decode("utf-8", "replace")


def _add(writer, step, **content):
    writer.file.add(proto.event_pb2.Event(wall_time=time.time(), step=_number(step), **content))


def _message(data, message, kind, where=""):
    """Parses a serialized message, named by what TensorFlow calls it.

    Raises (when it runs):
        DataLossError: the bytes are not such a message.
    """
    try:
        return from_bytes(_bytes(data), message)
    except ValueError as error:
        raise errors.DataLossError(None, None, f"Bad {kind} binary proto tensor string{where}: {error}") from None


@op("SummaryWriter(*, shared_name: string = '', container: string = '') -> writer: resource", stateful=True, on="host",
    shape=scalar, outside=True)
def summary_writer(shared, node):
    """A handle to a summary writer, by name."""
    return shared(lambda: Writer(node.attrs["shared_name"] or node.name))


@op("CreateSummaryFileWriter(writer: resource, logdir: string, max_queue: int32, flush_millis: int32, "
    "filename_suffix: string) -> ()", stateful=True, on="host", outside=True)
def create_summary_file_writer(writer, logdir, max_queue, flush_millis, filename_suffix):
    """Opens a new event file in a directory; has no effect on an open writer."""
    suffix = _text(filename_suffix)
    writer.create(lambda: EventFile(_text(logdir), _number(max_queue), _number(flush_millis) / 1000,
                                    suffix if suffix.startswith(".") or not suffix else f".{suffix}", is_numbered=True))


@op("FlushSummaryWriter(writer: resource) -> ()", stateful=True, on="host", outside=True)
def flush_summary_writer(writer):
    """Flushes the writer's buffer to the file."""
    writer.file.flush()


@op("CloseSummaryWriter(writer: resource) -> ()", stateful=True, on="host", outside=True)
def close_summary_writer(writer):
    """Closes the file; the writer can be created again."""
    writer.close()


@op("WriteSummary(writer: resource, step: int64, tensor: T, tag: string, summary_metadata: string, *, T: type) -> ()",
    stateful=True, on="host", outside=True)
def write_summary(writer, step, tensor, tag, summary_metadata, node):
    """Writes a summary with a whole tensor."""
    summary = proto.summary_pb2.Summary()
    value = summary.value.add(tag=_text(tag))
    _message(summary_metadata, value.metadata, "tf.SummaryMetadata")
    if not value.metadata.ByteSize():
        value.ClearField("metadata")
    value.tensor.CopyFrom(tensor_to_proto(tensor, node.attrs["T"]))
    _add(writer, step, summary=summary)


@op("WriteRawProtoSummary(writer: resource, step: int64, tensor: string) -> ()", stateful=True, on="host", outside=True)
def write_raw_proto_summary(writer, step, tensor):
    """Writes Summary messages in one event."""
    summary = proto.summary_pb2.Summary()
    for place, data in enumerate(np.reshape(tensor, -1)):
        part = _message(data, proto.summary_pb2.Summary(), "tf.compat.v1.Summary", f" at index {place}")
        summary.MergeFrom(part)
    _add(writer, step, summary=summary)


@op("WriteScalarSummary(writer: resource, step: int64, tag: string, value: T, *, T: real) -> ()", stateful=True,
    on="host", outside=True)
def write_scalar_summary(writer, step, tag, value):
    """Writes a scalar summary."""
    summary = proto.summary_pb2.Summary()
    summary.value.add(tag=_text(tag), simple_value=float(value))
    _add(writer, step, summary=summary)


@op("WriteHistogramSummary(writer: resource, step: int64, tag: string, values: T, *, T: real = float) -> ()",
    stateful=True, on="host", outside=True)
def write_histogram_summary(writer, step, tag, values):
    """Writes a histogram summary of the values."""
    name = _text(tag)
    _add(writer, step, summary=summaries.histogram_message(name, values, name))


@op("WriteImageSummary(writer: resource, step: int64, tag: string, tensor: T, bad_color: uint8, *, "
    "max_images: int >= 1 = 3, T: {uint8, float, half} = float) -> ()", stateful=True, on="host", outside=True)
def write_image_summary(writer, step, tag, tensor, bad_color, max_images):
    """Writes an image summary of the first images of a batch."""
    _add(writer, step, summary=summaries.image_message(_text(tag), tensor, max_images, bad_color))


@op("WriteAudioSummary(writer: resource, step: int64, tag: string, tensor: float, sample_rate: float, *, "
    "max_outputs: int >= 1 = 3) -> ()", stateful=True, on="host", outside=True)
def write_audio_summary(writer, step, tag, tensor, sample_rate, max_outputs):
    """Writes an audio summary of the first clips of a batch."""
    _add(writer, step, summary=summaries.audio_message(_text(tag), tensor, sample_rate, max_outputs))


@op("WriteGraphSummary(writer: resource, step: int64, tensor: string) -> ()", stateful=True, on="host", outside=True)
def write_graph_summary(writer, step, tensor):
    """Writes a serialized GraphDef."""
    graph = _message(tensor, proto.graph_pb2.GraphDef(), "tf.GraphDef")
    _add(writer, step, graph_def=graph.SerializeToString())


@op("ImportEvent(writer: resource, event: string) -> ()", stateful=True, on="host", outside=True)
def import_event(writer, event):
    """Writes a serialized Event."""
    writer.file.add(_message(event, proto.event_pb2.Event(), "tf.Event"))
