"""DatasetToTFRecord: writes a dataset to a file."""

from __future__ import annotations

from evergraph.base import dtypes
from evergraph.base.errors import invalid
from evergraph.formats.records import TFRecordOptions, TFRecordWriter
from evergraph.graph.opdef import op
from evergraph.ops.data.pipeline import Scope, as_dataset, text
from evergraph.ops.data.reading import compression_of


def _write(context, input_dataset, filename, compression_type):
    """Writes the elements of a dataset of strings to a TFRecord file."""
    dataset = as_dataset(input_dataset)
    if dataset.types != (dtypes.string,):
        raise invalid("TFRecordWriter takes a dataset of scalar strings")
    iterator = dataset.iterate(Scope(context.detached()))
    try:
        with TFRecordWriter(text(filename), TFRecordOptions(compression_of(compression_type))) as writer:
            while (element := iterator.get()) is not None:
                writer.write(element[0].item())
    finally:
        iterator.close()


dataset_to_tf_record, experimental_dataset_to_tf_record = (
    op(f"{name}(input_dataset: variant, filename: string, compression_type: string) -> ()", stateful=True,
       on="host", outside=True)(_write) for name in ("DatasetToTFRecord", "ExperimentalDatasetToTFRecord"))
