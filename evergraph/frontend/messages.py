"""The public protocol message classes: tf.GraphDef, tf.ConfigProto, tf.Summary, tf.train.Example, ...

This module, and protobuf with it, is imported only when a program accesses one of them. Nested messages
(tf.Summary.Value) are attributes of their class.
"""

from evergraph import proto
from evergraph.base.export import export

_PUBLIC = {  # module of messages: the public names of its classes
    "attr_value_pb2": "AttrValue NameAttrList",
    "cluster_pb2": "train.ClusterDef train.JobDef",
    "config_pb2": "ConfigProto GPUOptions GraphOptions OptimizerOptions RunMetadata RunOptions",
    "event_pb2": "Event LogMessage SessionLog summary.Event summary.SessionLog summary.TaggedRunMetadata",
    "example_pb2": "train.Example train.SequenceExample",
    "feature_pb2": "train.BytesList train.Feature train.FeatureList train.FeatureLists train.Features "
                   "train.FloatList train.Int64List",
    "graph_pb2": "GraphDef",
    "meta_graph_pb2": "MetaGraphDef TensorInfo",
    "node_def_pb2": "NodeDef",
    "saver_pb2": "train.SaverDef",
    "summary_pb2": "HistogramProto Summary SummaryMetadata summary.Summary summary.SummaryDescription",
    "tensorflow_server_pb2": "train.ServerDef",
    "tfprof_log_pb2": "profiler.OpLogProto",
    "tfprof_output_pb2": "profiler.AdviceProto profiler.GraphNodeProto profiler.MultiGraphNodeProto",
}  # fmt: skip

for _module, _names in _PUBLIC.items():
    for _name in _names.split():
        _short = _name.rpartition(".")[2]
        globals()[_short] = export(_name)(getattr(getattr(proto, _module), _short))
