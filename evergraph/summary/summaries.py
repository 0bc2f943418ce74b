"""tf.summary.scalar and its siblings: nodes that make Summary messages."""
from __future__ import annotations

import contextlib
import re

from evergraph import proto
from evergraph.base import logging
from evergraph.base.export import export
from evergraph.frontend import replicas
from evergraph.frontend.blocks import name_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.graph import default_graph
from evergraph.ops.state import summaries as ops
from evergraph.proto.json import from_json

SUMMARIES = "summaries"
_ILLEGAL = re.compile(r"[^-/\w.]")


def clean_tag(name):
    """A summary's name in characters that node names may have."""
    clean = _ILLEGAL.sub("_", str(name)).lstrip("/")
    if clean != name:
        logging.info("Summary name %s is illegal; using %s instead.", name, clean)
    return clean


@contextlib.contextmanager
def summary_scope(name, family=None, default_name=None, values=None):
    """Gives (the tag, the scope): with a family, TensorBoard groups by it whatever the scopes around.

    Args:
        name: the summary's name; None for `default_name`.
        family: what TensorBoard groups it under.
        default_name: a name where there is none.
        values: tensors of the summary, which must be of the default graph.
    """
    name = clean_tag(default_name if name is None else name)
    family = clean_tag(family) if family is not None else None
    with name_scope(None, f"{family}/{name}" if family else name, values or []) as scope:
        tag = scope.rstrip("/")
        yield f"{family}/{tag}" if family else tag, scope


def skip_summary():
    """Whether summaries are left to another replica of a distribution strategy: the first one makes them."""
    inside = replicas.current()
    return inside is not None and inside.replica is not None and inside.replica.number > 0


def collect(summary, collections, default_collections=(SUMMARIES,)):
    """Adds a summary to collections, or to the default ones where None are given, and returns it."""
    if not skip_summary():
        default_graph().add_to_collections(default_collections if collections is None else collections, summary)
    return summary


@export("summary.scalar")
def scalar(name, tensor, collections=None, family=None):
    """A summary of one number.

    Args:
        name: the name in TensorBoard, and of the node.
        tensor: a tensor with one element.
        collections: where to add it; by default the SUMMARIES that `merge_all` merges.
        family: what TensorBoard groups it under.

    >>> tf.summary.scalar("loss", tf.constant(0.5)).name
    'loss:0'
    """
    with summary_scope(name, family) as (tag, scope):
        return collect(ops.scalar_summary(tag, convert_to_tensor(tensor, name="values"), name=scope), collections)


@export("summary.histogram")
def histogram(name, values, collections=None, family=None):
    """A summary of the distribution of the values."""
    with summary_scope(name, family) as (tag, scope):
        return collect(ops.histogram_summary(tag, convert_to_tensor(values, name="values"), name=scope), collections)


@export("summary.image")
def image(name, tensor, max_outputs=3, collections=None, family=None):
    """A summary of the first images of a batch: [batch, height, width, channels] with 1, 3 or 4 channels."""
    with summary_scope(name, family) as (tag, scope):
        tensor = convert_to_tensor(tensor, name="tensor")
        return collect(ops.image_summary(tag, tensor, max_images=max_outputs, name=scope), collections)


@export("summary.audio")
def audio(name, tensor, sample_rate, max_outputs=3, collections=None, family=None):
    """A summary of the first clips of a batch: [batch, frames] or [batch, frames, channels], samples in [-1, 1]."""
    with summary_scope(name, family) as (tag, scope):
        rate = convert_to_tensor(sample_rate, "float32", name="sample_rate")
        tensor = convert_to_tensor(tensor, "float32", name="tensor")
        return collect(ops.audio_summary_v2(tag, tensor, rate, max_outputs=max_outputs, name=scope), collections)


@export("summary.text")
def text(name, tensor, collections=None):
    """A summary of strings, which TensorBoard shows as Markdown.

    Raises:
        ValueError: `tensor` is not of strings.
    """
    tensor = convert_to_tensor(tensor)
    if tensor.dtype.name != "string":
        raise ValueError(f"Expected tensor {tensor.name} to have dtype string, got {tensor.dtype.name}")
    metadata = proto.summary_pb2.SummaryMetadata(
        plugin_data=proto.summary_pb2.SummaryMetadata.PluginData(plugin_name="text"))
    return tensor_summary(name, tensor, summary_metadata=metadata, collections=collections)


@export("summary.tensor_summary")
def tensor_summary(name, tensor, summary_description=None, collections=None, summary_metadata=None, family=None,
                   display_name=None):
    """A summary of a whole tensor.

    Args:
        name: the name in TensorBoard, unless `display_name` is given.
        tensor: any tensor.
        summary_description: what TensorBoard says about it.
        collections: where to add it; by default SUMMARIES.
        summary_metadata: a SummaryMetadata message that says which plugin shows it.
        family: what TensorBoard groups it under.
        display_name: how TensorBoard calls it.
    """
    metadata = proto.summary_pb2.SummaryMetadata()
    if summary_metadata is not None:
        metadata.CopyFrom(summary_metadata)
    if display_name is not None:
        metadata.display_name = display_name
    if summary_description is not None:
        metadata.summary_description = str(summary_description)
    with summary_scope(name, family) as (tag, scope):
        tensor = convert_to_tensor(tensor, name="tensor")
        made = ops.tensor_summary_v2(tag, tensor, metadata.SerializeToString(), name=scope)
        return collect(made, collections)


def _require_graph():
    if default_graph().is_eager:
        raise RuntimeError("Merging tf.summary.* ops is not compatible with eager execution; tf.contrib.summary works "
                           "there.")


@export("summary.merge")
def merge(inputs, collections=None, name=None):
    """One summary out of several; tags must differ."""
    _require_graph()
    inputs = [convert_to_tensor(item, "string") for item in inputs]
    with default_graph().name_scope(name or "Merge"):
        merged = ops.merge_summary(inputs, name=name)
    return collect(merged, collections or [])


@export("summary.merge_all")
def merge_all(key=SUMMARIES, scope=None, name=None):
    """One summary out of all that a collection holds; None when it holds none."""
    _require_graph()
    found = default_graph().get_collection(key, scope=scope)
    return merge(found, name=name) if found else None


@export("summary.get_summary_description")
def get_summary_description(node_def):
    """The description in a TensorSummary node, as a SummaryDescription message.

    Raises:
        ValueError: the node is of another type.
    """
    if node_def.op != ops.tensor_summary.name:
        raise ValueError(f"Can't get_summary_description on {node_def.op}")
    return from_json(node_def.attr["description"].s, proto.summary_pb2.SummaryDescription())
