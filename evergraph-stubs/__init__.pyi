# Written by `python -m evergraph.api.generate`; not edited by hand.
"""TensorFlow 1's programming system, computed by XLA."""

from builtins import bool as _bool, tuple as _tuple, type as _type
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from enum import Enum
from evergraph import name_scope as _name_scope
from evergraph.data.experimental import Optional
from evergraph.keras.initializers import Initializer
from evergraph.linalg import LinearOperator
from evergraph.ragged import RaggedTensorValue
from evergraph.raw_ops import (
    _FakeQuantWithMinMaxVarsGradient, _FakeQuantWithMinMaxVarsPerChannelGradient, _ListDiff, _Qr,
    _QuantizeV2, _QuantizedConcat, _ReaderReadUpToV2, _ReaderReadV2, _SparseAccumulatorTakeGradient,
    _Unique, _UniqueWithCounts,
)
from evergraph.summary import TaggedRunMetadata
from evergraph.train import ClusterDef, SaverDef
from google.protobuf.internal.containers import (
    MessageMap, RepeatedCompositeFieldContainer, RepeatedScalarFieldContainer, ScalarMap,
)
from google.protobuf.message import Message
from logging import Logger
from numpy import dtype as _dtype, ndarray
from traceback import FrameSummary
from typing import Any, NamedTuple, NoReturn, Self, overload
from evergraph import (
    app as app, audio as audio, autograph as autograph, bitwise as bitwise, compat as compat,
    config as config, contrib as contrib, data as data, debugging as debugging, distribute as distribute,
    distributions as distributions, dtypes as dtypes, errors as errors, estimator as estimator,
    examples as examples, experimental as experimental, feature_column as feature_column, flags as flags,
    gfile as gfile, graph_util as graph_util, image as image, initializers as initializers, io as io,
    keras as keras, layers as layers, linalg as linalg, lite as lite, logging as logging, lookup as lookup,
    losses as losses, manip as manip, math as math, metrics as metrics, nest as nest, nn as nn,
    profiler as profiler, python_io as python_io, quantization as quantization, queue as queue,
    ragged as ragged, random as random, raw_ops as raw_ops, resource_loader as resource_loader,
    saved_model as saved_model, sets as sets, signal as signal, sparse as sparse, spectral as spectral,
    strings as strings, summary as summary, sysconfig as sysconfig, test as test, tpu as tpu,
    train as train, version as version, xla as xla,
)

import sys
if sys.platform == "":
    del (
        api, as_tensorflow, base, cli, cluster, compile, convert, debug, eager, feature, formats, frontend,
        graph, horovod, kernel, native, ops, passes, proto, run, save, serving, tools,
    )

AUTO_REUSE: Any

class AggregationMethod:
    """How gradients that meet are summed."""
    ADD_N: int
    DEFAULT: int
    EXPERIMENTAL_TREE: int
    EXPERIMENTAL_ACCUMULATE_N: int

def Assert(condition: Any, data: Any, summarize: Any = None, name: str | None = None) -> Operation:
    """An operation that fails unless `condition` is true."""

class AttrValue(Message):
    class ListValue(Message):
        s: RepeatedScalarFieldContainer[bytes]
        i: RepeatedScalarFieldContainer[int]
        f: RepeatedScalarFieldContainer[float]
        b: RepeatedScalarFieldContainer[_bool]
        type: RepeatedScalarFieldContainer[int]
        shape: RepeatedCompositeFieldContainer[Any]
        tensor: RepeatedCompositeFieldContainer[Any]
        func: RepeatedCompositeFieldContainer[NameAttrList]
        def __init__(
            self, *, s: Any = ..., i: Any = ..., f: Any = ..., b: Any = ..., type: Any = ..., shape: Any = ...,
            tensor: Any = ..., func: Any = ...,
        ) -> None: ...
    s: bytes
    i: int
    f: float
    b: _bool
    type: int
    shape: Any
    tensor: Any
    list: Any
    func: NameAttrList
    placeholder: str
    def __init__(
        self, *, s: Any = ..., i: Any = ..., f: Any = ..., b: Any = ..., type: Any = ..., shape: Any = ...,
        tensor: Any = ..., list: Any = ..., func: Any = ..., placeholder: Any = ...,
    ) -> None: ...

COMPILER_VERSION: str
CXX11_ABI_FLAG: int

class ConditionalAccumulator(ConditionalAccumulatorBase):
    """Aggregates dense gradients, for synchronous training with several workers."""
    def apply_grad(self, grad: Any, local_step: Any = 0, name: str | None = None) -> Operation:
        """An operation that adds a gradient, unless it is stale."""
    def take_grad(self, num_required: Any, name: str | None = None) -> Tensor:
        """The mean (or sum) of the gradients; blocks until `num_required` have arrived."""
    def __init__(
        self, dtype: Any, shape: Any = None, shared_name: Any = None, name: str = 'conditional_accumulator',
        reduction_type: Any = 'MEAN',
    ) -> None: ...

class ConditionalAccumulatorBase:
    """Aggregates gradients between steps, until enough have arrived: the base of accumulators."""
    @property
    def accumulator_ref(self) -> Any: ...
    @property
    def name(self) -> Any: ...
    @property
    def dtype(self) -> Any: ...
    def num_accumulated(self, name: str | None = None) -> Tensor:
        """The number of gradients since the last `take_grad`."""
    def set_global_step(self, new_global_step: Any, name: str | None = None) -> Operation:
        """An operation that sets the accumulator's step: gradients of older steps are then dropped as stale."""
    def __init__(self, dtype: Any, shape: Any, accumulator_ref: Any) -> None: ...

class ConfigProto(Message):
    class Experimental(Message):
        MlirBridgeRollout: Any
        MLIR_BRIDGE_ROLLOUT_UNSPECIFIED: int
        MLIR_BRIDGE_ROLLOUT_ENABLED: int
        MLIR_BRIDGE_ROLLOUT_DISABLED: int
        collective_group_leader: str
        executor_type: str
        recv_buf_max_chunk: int
        use_numa_affinity: _bool
        collective_deterministic_sequential_execution: _bool
        collective_nccl: _bool
        share_session_state_in_clusterspec_propagation: _bool
        disable_thread_spinning: _bool
        share_cluster_devices_in_session: _bool
        session_metadata: Any
        optimize_for_static_graph: _bool
        enable_mlir_bridge: _bool
        mlir_bridge_rollout: int
        enable_mlir_graph_optimization: _bool
        disable_output_partition_graphs: _bool
        xla_fusion_autotuner_thresh: int
        use_tfrt: _bool
        enable_multi_host: _bool
        tfrt_use_ifrt: _bool
        backend_server_port: int
        target_tpu: _bool
        target_gpu: _bool
        stream_merge_threshold: int
        disable_functional_ops_lowering: _bool
        xla_prefer_single_graph_cluster: _bool
        coordination_config: Any
        disable_optimize_for_static_graph: _bool
        disable_eager_executor_streaming_enqueue: _bool
        finalize_function_library_runtime: _bool
        finalize_resource_manager: _bool
        tf2xla_dump_dir: str
        online_cost_analysis: _bool
        def __init__(
            self, *, collective_group_leader: Any = ..., executor_type: Any = ..., recv_buf_max_chunk: Any = ...,
            use_numa_affinity: Any = ..., collective_deterministic_sequential_execution: Any = ...,
            collective_nccl: Any = ..., share_session_state_in_clusterspec_propagation: Any = ...,
            disable_thread_spinning: Any = ..., share_cluster_devices_in_session: Any = ...,
            session_metadata: Any = ..., optimize_for_static_graph: Any = ..., enable_mlir_bridge: Any = ...,
            mlir_bridge_rollout: Any = ..., enable_mlir_graph_optimization: Any = ...,
            disable_output_partition_graphs: Any = ..., xla_fusion_autotuner_thresh: Any = ..., use_tfrt: Any = ...,
            enable_multi_host: Any = ..., tfrt_use_ifrt: Any = ..., backend_server_port: Any = ...,
            target_tpu: Any = ..., target_gpu: Any = ..., stream_merge_threshold: Any = ...,
            disable_functional_ops_lowering: Any = ..., xla_prefer_single_graph_cluster: Any = ...,
            coordination_config: Any = ..., disable_optimize_for_static_graph: Any = ...,
            disable_eager_executor_streaming_enqueue: Any = ..., finalize_function_library_runtime: Any = ...,
            finalize_resource_manager: Any = ..., tf2xla_dump_dir: Any = ..., online_cost_analysis: Any = ...,
        ) -> None: ...
    device_count: ScalarMap[str, int]
    intra_op_parallelism_threads: int
    inter_op_parallelism_threads: int
    use_per_session_threads: _bool
    session_inter_op_thread_pool: RepeatedCompositeFieldContainer[Any]
    placement_period: int
    device_filters: RepeatedScalarFieldContainer[str]
    gpu_options: GPUOptions
    pluggable_device_options: GPUOptions
    allow_soft_placement: _bool
    log_device_placement: _bool
    graph_options: GraphOptions
    operation_timeout_in_ms: int
    rpc_options: Any
    cluster_def: ClusterDef
    isolate_session_state: _bool
    share_cluster_devices_in_session: _bool
    experimental: Any
    def __init__(
        self, *, device_count: Any = ..., intra_op_parallelism_threads: Any = ...,
        inter_op_parallelism_threads: Any = ..., use_per_session_threads: Any = ...,
        session_inter_op_thread_pool: Any = ..., placement_period: Any = ..., device_filters: Any = ...,
        gpu_options: Any = ..., pluggable_device_options: Any = ..., allow_soft_placement: Any = ...,
        log_device_placement: Any = ..., graph_options: Any = ..., operation_timeout_in_ms: Any = ...,
        rpc_options: Any = ..., cluster_def: Any = ..., isolate_session_state: Any = ...,
        share_cluster_devices_in_session: Any = ..., experimental: Any = ...,
    ) -> None: ...

class CriticalSection:
    """Runs functions one at a time, even when several threads run steps of a session."""
    @property
    def name(self) -> Any:
        """The name of its operation."""
    def execute(self, fn: Any, exclusive_resource_access: Any = True, name: str | None = None) -> Any:
        """What `fn()` returns, run while nothing else runs in this section."""
    def __init__(
        self, name: str | None = None, shared_name: Any = None, critical_section_def: Any = None,
        import_scope: Any = None,
    ) -> None: ...

class DType:
    """The type of a tensor's elements."""
    @property
    def as_numpy_dtype(self) -> Any:
        """The NumPy scalar type, such as `np.float32`; for quantized types a dtype with one named field."""
    @property
    def as_datatype_enum(self) -> int:
        """The number of the type in GraphDefs and checkpoints."""
    @property
    def real_dtype(self) -> DType:
        """The type of the real part: float32 for complex64, float64 for complex128, else the type itself."""
    @property
    def size(self) -> int:
        """Bytes per element; 1 for resources and variants, a pointer's size for strings."""
    @property
    def min(self) -> Any:
        """The lowest finite value."""
    @property
    def max(self) -> Any:
        """The highest finite value."""
    @property
    def limits(self) -> _tuple[Any, Any]:
        """The range of intensities in images: (0, 1) for floats, (0, the maximum) for integers."""
    def is_compatible_with(self, other: Any) -> _bool:
        """Whether a value of type `other` can be used as a value of this type; a reference counts as its base
        type."""
    def __eq__(self, other: object) -> _bool: ...
    def __hash__(self) -> int: ...
    def __ne__(self, other: object) -> _bool: ...
    def __new__(cls, type_enum: int) -> Self: ...
    name: str
    enum: int
    np: _dtype[Any]
    base_dtype: DType
    ref: DType
    is_ref: _bool
    is_bool: _bool
    is_complex: _bool
    is_floating: _bool
    is_integer: _bool
    is_unsigned: _bool
    is_quantized: _bool
    is_numpy_compatible: _bool

class DeviceSpec:
    """A full or partial device name; a field that is None is unspecified."""
    @property
    def job(self) -> str | None:
        """The name of the job."""
    @job.setter
    def job(self, value: Any) -> None: ...
    @property
    def replica(self) -> int | None:
        """The number of the replica."""
    @replica.setter
    def replica(self, value: Any) -> None: ...
    @property
    def task(self) -> int | None:
        """The number of the task."""
    @task.setter
    def task(self, value: Any) -> None: ...
    @property
    def device_type(self) -> str | None:
        """The type of the device: "CPU", "GPU", ..."""
    @device_type.setter
    def device_type(self, value: Any) -> None: ...
    @property
    def device_index(self) -> int | None:
        """The number of the device among those of its type."""
    @device_index.setter
    def device_index(self, value: Any) -> None: ...
    @classmethod
    def from_string(cls, spec: str) -> DeviceSpec:
        """Parses a name made of parts of "/job:<name>/replica:<n>/task:<n>/device:<type>:<n>", in any order."""
    def parse_from_string(self, spec: str) -> DeviceSpec:
        """Parses a device name into this spec, and returns the spec."""
    def merge_from(self, dev: DeviceSpec) -> None:
        """Overwrites the fields that the other spec specifies."""
    def make_merged_spec(self, dev: DeviceSpec) -> DeviceSpec:
        """A new spec with the other spec's fields, and this spec's where the other leaves them unspecified."""
    def replace(self, **kwargs: Any) -> DeviceSpec:
        """A new spec with some fields changed; None makes a field unspecified."""
    def to_string(self) -> str:
        """The canonical name; "" if no field is specified."""
    def __eq__(self, other: object) -> _bool: ...
    def __hash__(self) -> int: ...
    def __init__(
        self, job: str | None = None, replica: int | None = None, task: int | None = None,
        device_type: str | None = None, device_index: int | None = None,
    ) -> None: ...

class Dimension:
    """The size of one dimension of a shape, which may be unknown."""
    @property
    def value(self) -> int | None:
        """The size, or None if it is unknown."""
    def is_compatible_with(self, other: Any) -> _bool:
        """Whether the two sizes are equal or either is unknown."""
    def assert_is_compatible_with(self, other: Any) -> None:
        """Raises ValueError unless the two sizes are equal or either is unknown."""
    def merge_with(self, other: Any) -> Dimension:
        """The known one of two compatible sizes."""
    def __add__(self, other: Any) -> Dimension: ...
    def __bool__(self) -> _bool: ...
    def __eq__(self, other: object) -> _bool | None: ...
    def __floordiv__(self, other: Any) -> Dimension: ...
    def __ge__(self, other: Any) -> _bool | None: ...
    def __gt__(self, other: Any) -> _bool | None: ...
    def __index__(self) -> int: ...
    def __int__(self) -> int: ...
    def __le__(self, other: Any) -> _bool | None: ...
    def __lt__(self, other: Any) -> _bool | None: ...
    def __mod__(self, other: Any) -> Dimension: ...
    def __mul__(self, other: Any) -> Dimension: ...
    def __ne__(self, other: object) -> _bool | None: ...
    def __radd__(self, other: Any) -> Dimension: ...
    def __rfloordiv__(self, other: Any) -> Dimension: ...
    def __rmod__(self, other: Any) -> Dimension: ...
    def __rmul__(self, other: Any) -> Dimension: ...
    def __rsub__(self, other: Any) -> Dimension: ...
    def __rtruediv__(self, other: Any) -> Any: ...
    def __sub__(self, other: Any) -> Dimension: ...
    def __truediv__(self, other: Any) -> Any: ...
    def __init__(self, value: Any) -> None: ...

class Event(Message):
    wall_time: float
    step: int
    file_version: str
    graph_def: bytes
    summary: Summary
    log_message: LogMessage
    session_log: SessionLog
    tagged_run_metadata: TaggedRunMetadata
    meta_graph_def: bytes
    source_metadata: Any
    def __init__(
        self, *, wall_time: Any = ..., step: Any = ..., file_version: Any = ..., graph_def: Any = ...,
        summary: Any = ..., log_message: Any = ..., session_log: Any = ..., tagged_run_metadata: Any = ...,
        meta_graph_def: Any = ..., source_metadata: Any = ...,
    ) -> None: ...

class FIFOQueue(QueueBase):
    """A first-in, first-out queue."""
    def __init__(
        self, capacity: Any, dtypes: Any, shapes: Any = None, names: Any = None, shared_name: Any = None,
        name: str = 'fifo_queue',
    ) -> None: ...

class _FixedLenFeature(NamedTuple):
    shape: Any
    dtype: Any
    default_value: Any

class FixedLenFeature(_FixedLenFeature):
    """A fixed-length feature, parsed to a dense tensor."""
    def __new__(cls, shape: Any, dtype: Any, default_value: Any = None) -> Self: ...

class _FixedLenSequenceFeature(NamedTuple):
    shape: Any
    dtype: Any
    allow_missing: Any
    default_value: Any

class FixedLenSequenceFeature(_FixedLenSequenceFeature):
    """A variable-length sequence of rows of one shape, parsed to a dense tensor."""
    def __new__(cls, shape: Any, dtype: Any, allow_missing: Any = False, default_value: Any = None) -> Self: ...

class FixedLengthRecordReader(ReaderBase):
    """A reader of fixed-length records; the key is "file:number"."""
    def __init__(
        self, record_bytes: int, header_bytes: int | None = None, footer_bytes: int | None = None,
        hop_bytes: int | None = None, name: str | None = None, encoding: str | None = None,
    ) -> None: ...

GIT_VERSION: str

class GPUOptions(Message):
    class Experimental(Message):
        class VirtualDevices(Message):
            memory_limit_mb: RepeatedScalarFieldContainer[float]
            priority: RepeatedScalarFieldContainer[int]
            device_ordinal: RepeatedScalarFieldContainer[int]
            def __init__(
                self, *, memory_limit_mb: Any = ..., priority: Any = ..., device_ordinal: Any = ...,
            ) -> None: ...
        class StreamMergeOptions(Message):
            merge_host_to_device_stream: _bool
            merge_device_to_host_stream: _bool
            merge_device_to_device_stream: _bool
            def __init__(
                self, *, merge_host_to_device_stream: Any = ..., merge_device_to_host_stream: Any = ...,
                merge_device_to_device_stream: Any = ...,
            ) -> None: ...
        virtual_devices: RepeatedCompositeFieldContainer[Any]
        num_virtual_devices_per_gpu: int
        use_unified_memory: _bool
        num_dev_to_dev_copy_streams: int
        collective_ring_order: str
        timestamped_allocator: _bool
        kernel_tracker_max_interval: int
        kernel_tracker_max_bytes: int
        kernel_tracker_max_pending: int
        internal_fragmentation_fraction: float
        use_cuda_malloc_async: _bool
        disallow_retry_on_allocation_failure: _bool
        gpu_host_mem_limit_in_mb: float
        gpu_host_mem_disallow_growth: _bool
        gpu_system_memory_size_in_mb: int
        populate_pjrt_gpu_client_creation_info: _bool
        node_id: int
        stream_merge_options: Any
        def __init__(
            self, *, virtual_devices: Any = ..., num_virtual_devices_per_gpu: Any = ...,
            use_unified_memory: Any = ..., num_dev_to_dev_copy_streams: Any = ..., collective_ring_order: Any = ...,
            timestamped_allocator: Any = ..., kernel_tracker_max_interval: Any = ...,
            kernel_tracker_max_bytes: Any = ..., kernel_tracker_max_pending: Any = ...,
            internal_fragmentation_fraction: Any = ..., use_cuda_malloc_async: Any = ...,
            disallow_retry_on_allocation_failure: Any = ..., gpu_host_mem_limit_in_mb: Any = ...,
            gpu_host_mem_disallow_growth: Any = ..., gpu_system_memory_size_in_mb: Any = ...,
            populate_pjrt_gpu_client_creation_info: Any = ..., node_id: Any = ..., stream_merge_options: Any = ...,
        ) -> None: ...
    per_process_gpu_memory_fraction: float
    allow_growth: _bool
    allocator_type: str
    deferred_deletion_bytes: int
    visible_device_list: str
    polling_active_delay_usecs: int
    polling_inactive_delay_msecs: int
    force_gpu_compatible: _bool
    experimental: Any
    def __init__(
        self, *, per_process_gpu_memory_fraction: Any = ..., allow_growth: Any = ..., allocator_type: Any = ...,
        deferred_deletion_bytes: Any = ..., visible_device_list: Any = ...,
        polling_active_delay_usecs: Any = ..., polling_inactive_delay_msecs: Any = ...,
        force_gpu_compatible: Any = ..., experimental: Any = ...,
    ) -> None: ...

GRAPH_DEF_VERSION: int
GRAPH_DEF_VERSION_MIN_CONSUMER: int
GRAPH_DEF_VERSION_MIN_PRODUCER: int

class GradientTape:
    """Records operations in a with-block for automatic differentiation."""
    def watch(self, tensor: Any) -> None:
        """Records what depends on `tensor`: a tensor, a variable, or a structure of them."""
    def stop_recording(self) -> AbstractContextManager[None]:
        """Operations inside the block are not recorded."""
    def reset(self) -> None:
        """Forgets everything recorded and watched."""
    def watched_variables(self) -> _tuple[Any, ...]:
        """The variables that the tape watches, or watched, in the order of their creation."""
    def gradient(
        self, target: Any, sources: Any, output_gradients: Any = None, unconnected_gradients: Any = ...,
    ) -> Any:
        """The gradient of the sum of `target` by each of `sources`, in the structure of `sources`."""
    def jacobian(
        self, target: Any, sources: Any, unconnected_gradients: Any = ...,
        parallel_iterations: int | None = None, experimental_use_pfor: _bool = True,
    ) -> Any:
        """The derivative of each element of `target` by each of `sources`: shape(target) + shape(source)."""
    def batch_jacobian(
        self, target: Any, source: Any, unconnected_gradients: Any = ...,
        parallel_iterations: int | None = None, experimental_use_pfor: _bool = True,
    ) -> Any:
        """The Jacobian of each row of `target` by the same row of `source`: [b, ...target, ...source]."""
    def __enter__(self) -> GradientTape: ...
    def __exit__(self, *error: Any) -> None: ...
    def __init__(self, persistent: _bool = False, watch_accessed_variables: _bool = True) -> None: ...

class Graph:
    """A computation: operations, and the tensors that flow between them."""
    is_function: _bool
    is_eager: _bool
    is_description: _bool
    has_descriptions: _bool
    def add_node(
        self, opdef: Any, name: str, inputs: list[Tensor], attrs: dict[str, Any], infer_shapes: _bool = True,
    ) -> Operation:
        """Adds an operation under a name that `claim_name` returned, in the current scopes."""
    def add_copy(
        self, node: Operation, inputs: list[Tensor], attrs: Mapping[str, Any] | None = None,
        outputs: Sequence[Tensor] | None = None,
    ) -> Operation:
        """Adds an operation that stands for one of another graph, possibly with other attrs, or with some
        outputs only."""
    def touch(self) -> None:
        """Invalidates plans and caches after a change of existing operations."""
    def place_before(self, nodes: Iterable[Operation], op: Operation) -> None:
        """Makes operations run as if they had been created just before `op`."""
    def place_last(self, first: int) -> None:
        """Makes the operations from number `first` on run in the order of their creation, after all others."""
    def create_op(
        self, op_type: str, inputs: Iterable[Tensor], dtypes: Any = None, input_types: Any = None,
        name: str | None = None, attrs: dict[str, Any] | None = None, op_def: Any = None,
        compute_shapes: _bool = True, compute_device: _bool = True,
    ) -> Operation:
        """Adds an operation from its type, inputs and AttrValue messages."""
    def capture(self, tensor: Tensor) -> Tensor:
        """The tensor of this graph that carries the value of a tensor of another graph."""
    def memo(self, kind: Callable[[], Any]) -> Any:
        """The one `kind()` of this graph, created by the first call."""
    def cache(self, kind: Callable[[], Any]) -> Any:
        """Like `memo`, for values computed from the operations: any change of the graph invalidates them."""
    def unique_name(self, name: str, mark_as_used: _bool = True) -> str:
        """`name` in the current name scope, with the suffix _1, _2, ... when it is in use."""
    def claim_name(self, name: str | bytes) -> str:
        """The unique full name for a new operation; a `name` that ends in a slash is the full name already."""
    def name_scope(self, name: str | None) -> AbstractContextManager[str]:
        """Operations created inside get the prefix `name/`; None or "" leaves all scopes, "a/" re-enters scope
        a."""
    def get_name_scope(self) -> str:
        """The current name scope, without a trailing slash."""
    def control_dependencies(self, control_inputs: Sequence[Any] | None) -> AbstractContextManager[None]:
        """Operations created inside run after `control_inputs`; None clears those of enclosing blocks."""
    def switch_to_thread_local(self) -> None:
        """Has no effect: scopes are always thread-local."""
    def device(self, device_name_or_function: Any) -> AbstractContextManager[None]:
        """Operations created inside request this device."""
    def colocate_with(self, op: Any, ignore_existing: _bool = False) -> AbstractContextManager[None]:
        """Operations created inside run on the device of `op`."""
    def container(self, container_name: str) -> AbstractContextManager[str]:
        """Variables, queues and tables created inside live in this resource container."""
    def gradient_override_map(self, op_type_map: dict[str, str]) -> AbstractContextManager[None]:
        """Operations created inside use other gradients: `op_type_map` maps an op type to a registered name."""
    def as_default(self) -> Any:
        """A context manager that makes this the default graph of the thread."""
    def as_plain(self) -> Graph:
        """The graph that programs see as the default one while this one is."""
    def forget_plain(self) -> None:
        """Replaces the graph that `as_plain` returns, if it is another one, by an empty one."""
    def as_default_if_needed(self) -> Any:
        """Like `as_default`, but costs nothing when this already is the default graph."""
    def get_operations(self) -> list[Operation]:
        """All operations, in the order of their creation."""
    def get_operation_by_name(self, name: str) -> Operation:
        """The operation of that name."""
    def get_tensor_by_name(self, name: str) -> Tensor:
        """The tensor of that name, such as "add:0"."""
    def as_graph_element(self, obj: Any, allow_tensor: _bool = True, allow_operation: _bool = True) -> Any:
        """The tensor or operation that `obj` is, names, or converts to."""
    def add_to_collection(self, name: Any, value: Any) -> None:
        """Adds `value` to the named collection."""
    def add_to_collections(self, names: Any, value: Any) -> None:
        """Adds `value` to each of the named collections once."""
    def get_collection_ref(self, name: Any) -> list[Any]:
        """The list that holds the collection: changing it changes the collection."""
    def get_collection(self, name: Any, scope: str | None = None) -> list[Any]:
        """A copy of the collection."""
    def get_all_collection_keys(self) -> list[Any]:
        """The names of all collections that have a string for a name."""
    def clear_collection(self, name: Any) -> None:
        """Removes all items of the named collection."""
    @property
    def collections(self) -> list[Any]:
        """The names of all collections."""
    def is_feedable(self, tensor: Any) -> _bool:
        """Whether a session run may feed the tensor."""
    def is_fetchable(self, tensor_or_op: Any) -> _bool:
        """Whether a session run may fetch the tensor or operation."""
    def prevent_feeding(self, tensor: Any) -> None:
        """Forbids session runs to feed the tensor."""
    def prevent_fetching(self, op: Any) -> None:
        """Forbids session runs to fetch the operation or its outputs."""
    def finalize(self) -> None:
        """Makes the graph read-only."""
    @property
    def finalized(self) -> _bool:
        """Whether `finalize` has made the graph read-only."""
    @property
    def library(self) -> dict[str, Any]:
        """The functions that operations of this graph can call, by name."""
    def add_function(self, function: Any) -> Any:
        """Adds a FuncGraph to the library and returns what the attr of a node that calls it holds."""
    def function(self, name: str) -> Any:
        """The FuncGraph of that name."""
    def op_def(self, opdef: Any) -> Any:
        """The declaration of an op as an OpDef message."""
    def public_attr(self, kind: str, value: Any) -> Any:
        """The value of an attr as `Operation.get_attr` returns it."""
    def node_def(self, node: Operation) -> NodeDef:
        """An operation as a NodeDef message."""
    def as_graph_def(self, from_version: int | None = None, add_shapes: _bool = False) -> Any:
        """The graph as a GraphDef message, which TensorFlow can import."""
    @property
    def version(self) -> int:
        """The number of operations."""
    @property
    def graph_def_versions(self) -> Any:
        """The VersionDef of the GraphDef that `as_graph_def` returns."""
    @property
    def building_function(self) -> _bool:
        """Whether this graph is the body of a function."""
    def next_op_seed(self) -> int:
        """The second seed of a random op that is given none, where `seed` is set."""
    def __init__(self) -> None: ...
    stand_ins: dict[Tensor, Tensor]
    home: Graph | None
    seed: int | None
    scopes: Any
    seeds_given: Any

class GraphDef(Message):
    node: RepeatedCompositeFieldContainer[NodeDef]
    versions: Any
    version: int
    library: Any
    debug_info: Any
    def __init__(
        self, *, node: Any = ..., versions: Any = ..., version: Any = ..., library: Any = ...,
        debug_info: Any = ...,
    ) -> None: ...

class GraphKeys:
    """The names of the collections that the library itself reads and fills."""
    GLOBAL_VARIABLES: str
    LOCAL_VARIABLES: str
    METRIC_VARIABLES: str
    MODEL_VARIABLES: str
    TRAINABLE_VARIABLES: str
    SUMMARIES: str
    QUEUE_RUNNERS: str
    TABLE_INITIALIZERS: str
    ASSET_FILEPATHS: str
    MOVING_AVERAGE_VARIABLES: str
    REGULARIZATION_LOSSES: str
    CONCATENATED_VARIABLES: str
    SAVERS: str
    WEIGHTS: str
    BIASES: str
    ACTIVATIONS: str
    UPDATE_OPS: str
    LOSSES: str
    SAVEABLE_OBJECTS: str
    RESOURCES: str
    LOCAL_RESOURCES: str
    TRAINABLE_RESOURCE_VARIABLES: str
    INIT_OP: str
    LOCAL_INIT_OP: str
    READY_OP: str
    READY_FOR_LOCAL_INIT_OP: str
    SUMMARY_OP: str
    GLOBAL_STEP: str
    EVAL_STEP: str
    TRAIN_OP: str
    COND_CONTEXT: str
    WHILE_CONTEXT: str
    VARIABLES: str

class GraphOptions(Message):
    enable_recv_scheduling: _bool
    optimizer_options: OptimizerOptions
    build_cost_model: int
    build_cost_model_after: int
    infer_shapes: _bool
    place_pruned_graph: _bool
    enable_bfloat16_sendrecv: _bool
    timeline_step: int
    rewrite_options: Any
    def __init__(
        self, *, enable_recv_scheduling: Any = ..., optimizer_options: Any = ..., build_cost_model: Any = ...,
        build_cost_model_after: Any = ..., infer_shapes: Any = ..., place_pruned_graph: Any = ...,
        enable_bfloat16_sendrecv: Any = ..., timeline_step: Any = ..., rewrite_options: Any = ...,
    ) -> None: ...

class HistogramProto(Message):
    min: float
    max: float
    num: float
    sum: float
    sum_squares: float
    bucket_limit: RepeatedScalarFieldContainer[float]
    bucket: RepeatedScalarFieldContainer[float]
    def __init__(
        self, *, min: Any = ..., max: Any = ..., num: Any = ..., sum: Any = ..., sum_squares: Any = ...,
        bucket_limit: Any = ..., bucket: Any = ...,
    ) -> None: ...

class IdentityReader(ReaderBase):
    """A reader that returns the queued strings as both keys and values."""
    def __init__(self, name: str | None = None) -> None: ...

class IndexedSlices:
    """Some rows of a dense tensor: `dense[indices[i]] = values[i]`, zero elsewhere; the form of
    `tf.gather`'s gradient."""
    @property
    def name(self) -> str:
        """The name of the values."""
    @property
    def device(self) -> str:
        """The device of the values."""
    def __neg__(self) -> IndexedSlices: ...
    @property
    def values(self) -> Any: ...
    @property
    def indices(self) -> Any: ...
    @property
    def dense_shape(self) -> Any: ...
    @property
    def op(self) -> Operation:
        """The operation that makes the values."""
    @property
    def dtype(self) -> DType:
        """The dtype of the values."""
    @property
    def graph(self) -> Graph:
        """The graph of the values."""
    @property
    def shape(self) -> TensorShape:
        """The static shape of the dense tensor; dimensions may be unknown."""
    def consumers(self) -> list[Operation]:
        """The operations with one of the component tensors as an input."""
    def __init__(self, values: Tensor, indices: Tensor, dense_shape: Tensor | None = None) -> None: ...

class IndexedSlicesSpec(TypeSpec):
    """The dense shape of IndexedSlices and the dtypes of their components."""
    value_type: _type
    @classmethod
    def from_value(cls, value: Any) -> IndexedSlicesSpec:
        """The spec that this value has."""
    def __init__(
        self, shape: Any = None, dtype: Any = ..., indices_dtype: Any = ..., dense_shape_dtype: Any = None,
        indices_shape: Any = None,
    ) -> None: ...

class InteractiveSession:
    """A session that makes itself the default when it is made: for a shell, where with-blocks are in the
    way."""
    def close(self) -> None: ...
    @property
    def graph(self) -> Graph:
        """The graph that this session runs."""
    @property
    def graph_def(self) -> Any:
        """The graph as a GraphDef, with shapes where the configuration says `infer_shapes`."""
    @property
    def sess_str(self) -> str:
        """The target that the session was given."""
    def list_devices(self) -> list[Any]:
        """The devices of this session."""
    def as_default(self) -> Any:
        """A with-block in which this is the default session; it does not close the session."""
    def run(
        self, fetches: Any, feed_dict: dict[Any, Any] | None = None, options: Any = None,
        run_metadata: Any = None,
    ) -> Any:
        """Runs what `fetches` need and gives back their values in the same structure."""
    def run_shown(self, fetches: Any, feed_dict: dict[Any, Any] | None, shown: Callable[..., None]) -> Any:
        """Runs node by node on NumPy, and calls `shown` with each node and its outputs; otherwise as `run`
        does."""
    def make_callable(
        self, fetches: Any, feed_list: Any = None, accept_options: _bool = False,
    ) -> Callable[..., Any]:
        """A function that runs `fetches`, taking values for `feed_list` in order."""
    def partial_run_setup(self, fetches: Any, feeds: Any = None) -> Any:
        """Sets up a run whose feeds arrive in several steps; the handle goes to `partial_run`."""
    def partial_run(self, handle: Any, fetches: Any, feed_dict: dict[Any, Any] | None = None) -> Any:
        """Runs a part of what was set up, with the feeds given so far; nothing is computed twice."""
    def __init__(self, target: str = '', graph: Graph | None = None, config: Any = None) -> None: ...

class LMDBReader(ReaderBase):
    """A reader of LMDB files; keys and values are those of the database, in the order of keys."""
    def __init__(self, name: str | None = None, options: Any = None) -> None: ...

class LogMessage(Message):
    Level: Any
    UNKNOWN: int
    DEBUGGING: int
    INFO: int
    WARN: int
    ERROR: int
    FATAL: int
    level: int
    message: str
    def __init__(self, *, level: Any = ..., message: Any = ...) -> None: ...

MONOLITHIC_BUILD: int

class MetaGraphDef(Message):
    class MetaInfoDef(Message):
        meta_graph_version: str
        stripped_op_list: Any
        any_info: Any
        tags: RepeatedScalarFieldContainer[str]
        tensorflow_version: str
        tensorflow_git_version: str
        stripped_default_attrs: _bool
        function_aliases: ScalarMap[str, str]
        def __init__(
            self, *, meta_graph_version: Any = ..., stripped_op_list: Any = ..., any_info: Any = ...,
            tags: Any = ..., tensorflow_version: Any = ..., tensorflow_git_version: Any = ...,
            stripped_default_attrs: Any = ..., function_aliases: Any = ...,
        ) -> None: ...
    meta_info_def: Any
    graph_def: GraphDef
    saver_def: SaverDef
    collection_def: MessageMap[str, Any]
    signature_def: MessageMap[str, Any]
    asset_file_def: RepeatedCompositeFieldContainer[Any]
    object_graph_def: Any
    def __init__(
        self, *, meta_info_def: Any = ..., graph_def: Any = ..., saver_def: Any = ...,
        collection_def: Any = ..., signature_def: Any = ..., asset_file_def: Any = ...,
        object_graph_def: Any = ...,
    ) -> None: ...

class Module:
    """A base class for objects made of variables and of other modules."""
    @property
    def name(self) -> Any:
        """The name, without the scopes around it."""
    @property
    def name_scope(self) -> _name_scope:
        """A block in which operations are named after this module."""
    @property
    def variables(self) -> Any:
        """The variables of this module and of those below it, each once, in the order of the attributes'
        names."""
    @property
    def trainable_variables(self) -> Any:
        """Those of the variables that are to be trained."""
    @property
    def submodules(self) -> Any:
        """The modules below this one."""
    @classmethod
    def with_name_scope(cls, method: Any) -> Any:
        """Decorator: the method adds its operations inside the module's `name_scope`."""
    def __setattr__(self, name: str, value: Any) -> None: ...
    def __init__(self, name: str | None = None) -> None: ...

class NameAttrList(Message):
    name: str
    attr: MessageMap[str, AttrValue]
    def __init__(self, *, name: Any = ..., attr: Any = ...) -> None: ...

NoGradient = no_gradient

class NodeDef(Message):
    class ExperimentalDebugInfo(Message):
        original_node_names: RepeatedScalarFieldContainer[str]
        original_func_names: RepeatedScalarFieldContainer[str]
        def __init__(self, *, original_node_names: Any = ..., original_func_names: Any = ...) -> None: ...
    name: str
    op: str
    input: RepeatedScalarFieldContainer[str]
    device: str
    attr: MessageMap[str, AttrValue]
    experimental_debug_info: Any
    experimental_type: Any
    def __init__(
        self, *, name: Any = ..., op: Any = ..., input: Any = ..., device: Any = ..., attr: Any = ...,
        experimental_debug_info: Any = ..., experimental_type: Any = ...,
    ) -> None: ...

NotDifferentiable = no_gradient

class OpError(Exception):
    """An error while running an op."""
    failed_node: Any
    @property
    def node_def(self) -> Any:
        """The NodeDef of the op that failed, if known."""
    @property
    def op(self) -> Any:
        """The Operation that failed, if known."""
    @property
    def message(self) -> str:
        """The description of the error."""
    @property
    def error_code(self) -> int:
        """The error's code, one of the constants in `tf.errors`."""
    def __init__(self, node_def: Any, op: Any, message: str, error_code: int) -> None: ...

class Operation:
    """A node of a graph: one op applied to input tensors."""
    @property
    def type(self) -> str:
        """The name of the op, such as "MatMul"."""
    @property
    def device(self) -> str:
        """The requested device string, or ""."""
    @property
    def inputs(self) -> Any:
        """The input tensors, a read-only sequence."""
    @property
    def control_inputs(self) -> list[Operation]:
        """The operations that run before this one without giving it a value."""
    @property
    def traceback(self) -> list[FrameSummary]:
        """The user's stack frames that created the operation, outermost first."""
    @property
    def where(self) -> str:
        """The user's source line that created the operation, such as "model.py:41"."""
    @property
    def node_def(self) -> Any:
        """The operation as a NodeDef message."""
    @property
    def op_def(self) -> Any:
        """The declaration of its op as an OpDef message."""
    def take_place_of(self, original: Operation) -> None:
        """Makes this operation run, and fail, where `original` would: copies its age and its source line."""
    def values(self) -> _tuple[Tensor, ...]:
        """The outputs, as a tuple."""
    def get_attr(self, name: str) -> Any:
        """The value of an attr: a dtype as DType, a string as bytes, a shape or tensor as a message."""
    def colocation_groups(self) -> list[bytes]:
        """The names of its colocation groups; a group of its own when it has no other."""
    def run(self, feed_dict: dict[Any, Any] | None = None, session: Any = None) -> None:
        """Runs the operation in `session`, or in the default session."""
    def __init__(
        self, graph: Graph, opdef: Any, name: str, inputs: list[Tensor], attrs: dict[str, Any], age: float,
    ) -> None: ...
    outputs: list[Tensor]
    extra: dict[str, Any]
    graph: Any
    opdef: Any
    name: Any
    attrs: Any
    age: Any

class OptimizerOptions(Message):
    Level: Any
    L1: int
    L0: int
    GlobalJitLevel: Any
    DEFAULT: int
    OFF: int
    ON_1: int
    ON_2: int
    do_common_subexpression_elimination: _bool
    do_constant_folding: _bool
    max_folded_constant_in_bytes: int
    do_function_inlining: _bool
    opt_level: int
    global_jit_level: int
    cpu_global_jit: _bool
    def __init__(
        self, *, do_common_subexpression_elimination: Any = ..., do_constant_folding: Any = ...,
        max_folded_constant_in_bytes: Any = ..., do_function_inlining: Any = ..., opt_level: Any = ...,
        global_jit_level: Any = ..., cpu_global_jit: Any = ...,
    ) -> None: ...

class OptionalSpec(TypeSpec):
    """The spec of an `Optional`."""
    value_type: _type
    @property
    def shape(self) -> TensorShape:
        """The shape of an optional: it is a scalar."""
    @staticmethod
    def from_value(value: Optional) -> OptionalSpec:
        """The spec of an optional."""
    def is_compatible_with(self, spec_or_value: Any) -> _bool:
        """Whether the other is an optional, or the spec of one, with a value that fits."""
    def most_specific_compatible_type(self, other: TypeSpec) -> TypeSpec: ...
    def __eq__(self, other: object) -> _bool: ...
    def __hash__(self) -> int: ...
    def __init__(self, value_structure: Any) -> None: ...

class PaddingFIFOQueue(QueueBase):
    """A FIFO queue that pads batches: components may have dimensions of None, which differ between
    elements."""
    def __init__(
        self, capacity: Any, dtypes: Any, shapes: Any, names: Any = None, shared_name: Any = None,
        name: str = 'padding_fifo_queue',
    ) -> None: ...

def Print(
    input_: Any, data: Any, message: str | None = None, first_n: Any = None, summarize: Any = None,
    name: str | None = None,
) -> Tensor:
    """Returns `input_` unchanged, and prints `data` to stderr whenever it is computed."""

class PriorityQueue(QueueBase):
    """A queue that dequeues the element with the smallest priority, its first component, an int64."""
    def __init__(
        self, capacity: Any, types: Any, shapes: Any = None, names: Any = None, shared_name: Any = None,
        name: str = 'priority_queue',
    ) -> None: ...

QUANTIZED_DTYPES: frozenset[DType]

class QueueBase:
    """The base of queues, which pass tensors between steps and threads."""
    @staticmethod
    def from_list(index: Any, queues: Any) -> QueueBase:
        """The queue queues[index], where index is a tensor."""
    @property
    def queue_ref(self) -> Any: ...
    @property
    def name(self) -> Any: ...
    @property
    def dtypes(self) -> Any: ...
    @property
    def shapes(self) -> Any: ...
    @property
    def names(self) -> Any: ...
    def enqueue(self, vals: Any, name: str | None = None) -> Operation:
        """An operation that enqueues one element; blocks while the queue is full."""
    def enqueue_many(self, vals: Any, name: str | None = None) -> Operation:
        """An operation that enqueues the rows of the components, one element per row."""
    def dequeue(self, name: str | None = None) -> Any:
        """The components of one dequeued element; blocks while the queue is empty."""
    def dequeue_many(self, n: Any, name: str | None = None) -> Any:
        """The components of `n` dequeued elements, stacked; blocks until there are `n`."""
    def dequeue_up_to(self, n: Any, name: str | None = None) -> Any:
        """As `dequeue_many`, but returns the rest, fewer than `n`, if the queue is closed."""
    def close(self, cancel_pending_enqueues: Any = False, name: str | None = None) -> Operation:
        """An operation that closes the queue for enqueues; `cancel_pending_enqueues` also cancels blocked
        ones."""
    def is_closed(self, name: str | None = None) -> Tensor:
        """A tensor that is true when the queue has been closed."""
    def size(self, name: str | None = None) -> Tensor:
        """The number of elements in the queue."""
    def __init__(self, dtypes: Any, shapes: Any, names: Any, queue_ref: Any) -> None: ...

class RaggedTensor:
    """Rows of different lengths, held as all their values and the places where the rows begin."""
    @classmethod
    def from_row_splits(
        cls, values: Any, row_splits: Any, name: str | None = None, validate: _bool = True,
    ) -> RaggedTensor:
        """The tensor whose row i is values[row_splits[i]:row_splits[i + 1]]."""
    @classmethod
    def from_row_lengths(
        cls, values: Any, row_lengths: Any, name: str | None = None, validate: _bool = True,
    ) -> RaggedTensor:
        """The tensor whose rows have these lengths, which add up to the number of values."""
    @classmethod
    def from_value_rowids(
        cls, values: Any, value_rowids: Any, nrows: Any = None, name: str | None = None, validate: _bool = True,
    ) -> RaggedTensor:
        """The tensor in which each value is in the row with its number."""
    @classmethod
    def from_row_starts(
        cls, values: Any, row_starts: Any, name: str | None = None, validate: _bool = True,
    ) -> RaggedTensor:
        """The tensor whose rows begin at these values; each ends where the next begins, the last with the
        values."""
    @classmethod
    def from_row_limits(
        cls, values: Any, row_limits: Any, name: str | None = None, validate: _bool = True,
    ) -> RaggedTensor:
        """The tensor whose rows end before these values; each begins where the one before ends, the first at
        0."""
    @classmethod
    def from_nested_row_splits(
        cls, flat_values: Any, nested_row_splits: Any, name: str | None = None, validate: _bool = True,
    ) -> Any:
        """`flat_values` in rows in rows: the splits of each ragged axis, the outermost first."""
    @classmethod
    def from_nested_row_lengths(
        cls, flat_values: Any, nested_row_lengths: Any, name: str | None = None, validate: _bool = True,
    ) -> Any:
        """`flat_values` in rows in rows: the lengths along each ragged axis, the outermost first."""
    @classmethod
    def from_nested_value_rowids(
        cls, flat_values: Any, nested_value_rowids: Any, nested_nrows: Any = None, name: str | None = None,
        validate: _bool = True,
    ) -> Any:
        """`flat_values` in rows in rows: the row numbers along each ragged axis, the outermost first."""
    @classmethod
    def from_tensor(
        cls, tensor: Any, lengths: Any = None, padding: Any = None, ragged_rank: int = 1,
        name: str | None = None, row_splits_dtype: Any = ...,
    ) -> RaggedTensor:
        """A dense tensor as a ragged one."""
    @classmethod
    def from_sparse(
        cls, st_input: Any, name: str | None = None, row_splits_dtype: Any = ...,
    ) -> RaggedTensor:
        """A sparse matrix whose rows are filled from the left as a ragged tensor."""
    @property
    def values(self) -> Any:
        """The values of all rows, one after the other."""
    @property
    def row_splits(self) -> Any:
        """Where each row begins, and where the last ends."""
    @property
    def dtype(self) -> DType:
        """The dtype of the values."""
    @property
    def shape(self) -> TensorShape:
        """The static shape; ragged axes have no size."""
    def get_shape(self) -> TensorShape:
        """The static shape."""
    @property
    def ragged_rank(self) -> int:
        """How many axes are ragged."""
    @property
    def flat_values(self) -> Tensor:
        """The innermost values."""
    @property
    def nested_row_splits(self) -> _tuple[Tensor, ...]:
        """The splits of every ragged axis, the outermost first."""
    @property
    def graph(self) -> Graph:
        """The graph of the values."""
    @property
    def op(self) -> Operation:
        """The operation that makes the values."""
    def consumers(self) -> list[Operation]:
        """The operations that take any of the parts."""
    def value_rowids(self, name: str | None = None) -> Tensor:
        """For each value the row that it is in."""
    def nested_value_rowids(self, name: str | None = None) -> _tuple[Tensor, ...]:
        """The row ids along every ragged axis, the outermost first."""
    def nrows(self, out_type: Any = None, name: str | None = None) -> Tensor:
        """How many rows there are."""
    def row_starts(self, name: str | None = None) -> Tensor:
        """Where each row begins among the values."""
    def row_limits(self, name: str | None = None) -> Tensor:
        """Where each row ends among the values."""
    def row_lengths(self, axis: int = 1, name: str | None = None) -> Any:
        """The length of each row along an axis; of a deeper one as a ragged tensor."""
    def nested_row_lengths(self, name: str | None = None) -> _tuple[Tensor, ...]:
        """The lengths of the rows along every ragged axis, the outermost first."""
    def bounding_shape(self, axis: Any = None, name: str | None = None, out_type: Any = None) -> Tensor:
        """The smallest dense shape that holds the tensor, or its size along one axis or several."""
    def with_values(self, new_values: Any) -> RaggedTensor:
        """The same rows with other values."""
    def with_flat_values(self, new_values: Any) -> RaggedTensor:
        """The same rows with other innermost values."""
    def with_row_splits_dtype(self, dtype: Any) -> RaggedTensor:
        """The same tensor with splits of int32 or int64."""
    def to_tensor(self, default_value: Any = None, name: str | None = None) -> Tensor:
        """The dense tensor with short rows filled up with `default_value`, which is zero or the empty
        string."""
    def to_sparse(self, name: str | None = None) -> SparseTensor:
        """The values with their coordinates."""
    def to_list(self) -> list[Any]:
        """The rows as nested lists, with eager execution."""
    def eval(self, feed_dict: dict[Any, Any] | None = None, session: Any = None) -> RaggedTensorValue:
        """The value in `session`, or in the default session."""
    def __abs__(self, function: Any = ...) -> Any: ...
    def __add__(self, y: Any) -> Any: ...
    def __and__(self, y: Any) -> Any: ...
    def __bool__(self) -> _bool: ...
    def __div__(self, y: Any) -> Any: ...
    def __floordiv__(self, y: Any) -> Any: ...
    def __ge__(self, y: Any, function: Any = ...) -> Any: ...
    def __getitem__(self, key: Any) -> Any: ...
    def __gt__(self, y: Any, function: Any = ...) -> Any: ...
    def __invert__(self, function: Any = ...) -> Any: ...
    def __le__(self, y: Any, function: Any = ...) -> Any: ...
    def __len__(self) -> int: ...
    def __lt__(self, y: Any, function: Any = ...) -> Any: ...
    def __mod__(self, y: Any) -> Any: ...
    def __mul__(self, y: Any) -> Any: ...
    def __neg__(self, function: Any = ...) -> Any: ...
    def __or__(self, y: Any) -> Any: ...
    def __pow__(self, y: Any) -> Any: ...
    def __radd__(self, x: Any) -> Any: ...
    def __rand__(self, x: Any) -> Any: ...
    def __rdiv__(self, x: Any) -> Any: ...
    def __rfloordiv__(self, x: Any) -> Any: ...
    def __rmod__(self, x: Any) -> Any: ...
    def __rmul__(self, x: Any) -> Any: ...
    def __ror__(self, x: Any) -> Any: ...
    def __rpow__(self, x: Any) -> Any: ...
    def __rsub__(self, x: Any) -> Any: ...
    def __rtruediv__(self, x: Any) -> Any: ...
    def __rxor__(self, x: Any) -> Any: ...
    def __sub__(self, y: Any) -> Any: ...
    def __truediv__(self, y: Any) -> Any: ...
    def __xor__(self, y: Any) -> Any: ...
    def __init__(
        self, values: Any, row_splits: Any, cached_row_lengths: Any = None, cached_value_rowids: Any = None,
        cached_nrows: Any = None, internal: _bool = False,
    ) -> None: ...

class RaggedTensorSpec(TypeSpec):
    """The shape, dtype and number of ragged axes of a ragged tensor."""
    value_type: _type
    @classmethod
    def from_value(cls, value: Any) -> RaggedTensorSpec:
        """The spec of a RaggedTensor or RaggedTensorValue."""
    def __init__(
        self, shape: Any = None, dtype: Any = ..., ragged_rank: int | None = None, row_splits_dtype: Any = ...,
    ) -> None: ...
    shape: Any

class RandomShuffleQueue(QueueBase):
    """A queue that dequeues its elements in random order."""
    def __init__(
        self, capacity: Any, min_after_dequeue: Any, dtypes: Any, shapes: Any = None, names: Any = None,
        seed: Any = None, shared_name: Any = None, name: str = 'random_shuffle_queue',
    ) -> None: ...

class ReaderBase:
    """The base of readers, which return the records of files, one per step."""
    @property
    def reader_ref(self) -> Any: ...
    @property
    def supports_serialize(self) -> Any: ...
    def read(self, queue: Any, name: str | None = None) -> _ReaderReadV2:
        """(key, value) of the next record; dequeues the next file name at the end of a file."""
    def read_up_to(self, queue: Any, num_records: Any, name: str | None = None) -> _ReaderReadUpToV2:
        """(keys, values) of at most `num_records` next records; fewer at the end of a file."""
    def num_records_produced(self, name: str | None = None) -> Tensor:
        """The number of records produced so far."""
    def num_work_units_completed(self, name: str | None = None) -> Tensor:
        """The number of files read to the end."""
    def serialize_state(self, name: str | None = None) -> Tensor:
        """The serialized state; only identity and whole file readers have one."""
    def restore_state(self, state: Any, name: str | None = None) -> Operation:
        """An operation that restores a serialized state."""
    def reset(self, name: str | None = None) -> Operation:
        """An operation that resets the reader to its initial state."""
    def __init__(self, reader_ref: Tensor, supports_serialize: _bool = False) -> None: ...

class RegisterGradient:
    """Decorator that registers a gradient function for an op type, or for a name in
    `gradient_override_map`."""
    def __call__(self, f: Any) -> Any: ...
    def __init__(self, op_type: Any) -> None: ...

class RunMetadata(Message):
    class FunctionGraphs(Message):
        partition_graphs: RepeatedCompositeFieldContainer[GraphDef]
        pre_optimization_graph: GraphDef
        post_optimization_graph: GraphDef
        def __init__(
            self, *, partition_graphs: Any = ..., pre_optimization_graph: Any = ...,
            post_optimization_graph: Any = ...,
        ) -> None: ...
    step_stats: Any
    cost_graph: Any
    partition_graphs: RepeatedCompositeFieldContainer[GraphDef]
    function_graphs: RepeatedCompositeFieldContainer[Any]
    session_metadata: Any
    def __init__(
        self, *, step_stats: Any = ..., cost_graph: Any = ..., partition_graphs: Any = ...,
        function_graphs: Any = ..., session_metadata: Any = ...,
    ) -> None: ...

class RunOptions(Message):
    class Experimental(Message):
        class RunHandlerPoolOptions(Message):
            priority: int
            def __init__(self, *, priority: Any = ...) -> None: ...
        collective_graph_key: int
        use_run_handler_pool: _bool
        run_handler_pool_options: Any
        def __init__(
            self, *, collective_graph_key: Any = ..., use_run_handler_pool: Any = ...,
            run_handler_pool_options: Any = ...,
        ) -> None: ...
    TraceLevel: Any
    NO_TRACE: int
    SOFTWARE_TRACE: int
    HARDWARE_TRACE: int
    FULL_TRACE: int
    trace_level: int
    timeout_in_ms: int
    inter_op_thread_pool: int
    output_partition_graphs: _bool
    debug_options: Any
    report_tensor_allocations_upon_oom: _bool
    experimental: Any
    def __init__(
        self, *, trace_level: Any = ..., timeout_in_ms: Any = ..., inter_op_thread_pool: Any = ...,
        output_partition_graphs: Any = ..., debug_options: Any = ...,
        report_tensor_allocations_upon_oom: Any = ..., experimental: Any = ...,
    ) -> None: ...

class Session:
    """A session to use in a with-block, where it is the default session and its graph the default graph."""
    @staticmethod
    def reset(target: str, containers: Any = None, config: Any = None) -> None:
        """Clears the resource containers of a server, all by default, and ends its sessions with
        AbortedError."""
    def __enter__(self) -> Session: ...
    def __exit__(self, kind: Any, value: Any, trace: Any) -> None: ...
    @property
    def graph(self) -> Graph:
        """The graph that this session runs."""
    @property
    def graph_def(self) -> Any:
        """The graph as a GraphDef, with shapes where the configuration says `infer_shapes`."""
    @property
    def sess_str(self) -> str:
        """The target that the session was given."""
    def list_devices(self) -> list[Any]:
        """The devices of this session."""
    def close(self) -> None:
        """Frees everything that the session holds."""
    def as_default(self) -> Any:
        """A with-block in which this is the default session; it does not close the session."""
    def run(
        self, fetches: Any, feed_dict: dict[Any, Any] | None = None, options: Any = None,
        run_metadata: Any = None,
    ) -> Any:
        """Runs what `fetches` need and gives back their values in the same structure."""
    def run_shown(self, fetches: Any, feed_dict: dict[Any, Any] | None, shown: Callable[..., None]) -> Any:
        """Runs node by node on NumPy, and calls `shown` with each node and its outputs; otherwise as `run`
        does."""
    def make_callable(
        self, fetches: Any, feed_list: Any = None, accept_options: _bool = False,
    ) -> Callable[..., Any]:
        """A function that runs `fetches`, taking values for `feed_list` in order."""
    def partial_run_setup(self, fetches: Any, feeds: Any = None) -> Any:
        """Sets up a run whose feeds arrive in several steps; the handle goes to `partial_run`."""
    def partial_run(self, handle: Any, fetches: Any, feed_dict: dict[Any, Any] | None = None) -> Any:
        """Runs a part of what was set up, with the feeds given so far; nothing is computed twice."""
    def __init__(
        self, target: str = '', graph: Graph | None = None, config: Any = None, *, tier: str | None = None,
    ) -> None: ...

class SessionLog(Message):
    SessionStatus: Any
    STATUS_UNSPECIFIED: int
    START: int
    STOP: int
    CHECKPOINT: int
    status: int
    checkpoint_path: str
    msg: str
    def __init__(self, *, status: Any = ..., checkpoint_path: Any = ..., msg: Any = ...) -> None: ...

class SparseConditionalAccumulator(ConditionalAccumulatorBase):
    """Aggregates sparse gradients (IndexedSlices); the mean of a row is over the gradients that contain
    it."""
    def apply_indexed_slices_grad(self, grad: Any, local_step: Any = 0, name: str | None = None) -> Any:
        """An operation that adds IndexedSlices; see `apply_grad`."""
    def apply_grad(
        self, grad_indices: Any, grad_values: Any, grad_shape: Any = None, local_step: Any = 0,
        name: str | None = None,
    ) -> Operation:
        """An operation that adds a sparse gradient, unless it is stale."""
    def take_grad(self, num_required: Any, name: str | None = None) -> _SparseAccumulatorTakeGradient:
        """(indices, rows, shape) of the aggregate; blocks until `num_required` gradients have arrived."""
    def take_indexed_slices_grad(self, num_required: Any, name: str | None = None) -> IndexedSlices:
        """As `take_grad`, as IndexedSlices."""
    def num_accumulated(self, name: str | None = None) -> Tensor:
        """The number of gradients since the last `take_grad`."""
    def set_global_step(self, new_global_step: Any, name: str | None = None) -> Operation:
        """An operation that sets the accumulator's step: gradients of older steps are then dropped as stale."""
    def __init__(
        self, dtype: Any, shape: Any = None, shared_name: Any = None,
        name: str = 'sparse_conditional_accumulator', reduction_type: Any = 'MEAN',
    ) -> None: ...

class _SparseFeature(NamedTuple):
    index_key: Any
    value_key: Any
    dtype: Any
    size: Any
    already_sorted: Any

class SparseFeature(_SparseFeature):
    """A SparseTensor stored as two or more features of an Example: its indices and its values."""
    def __new__(
        cls, index_key: Any, value_key: Any, dtype: Any, size: Any, already_sorted: Any = False,
    ) -> Self: ...

class SparseTensor:
    """A sparse tensor in coordinate (COO) format: `values[i]` at `indices[i]`, zero elsewhere."""
    @classmethod
    def from_value(cls, sparse_tensor_value: Any) -> SparseTensor:
        """A SparseTensor of constants from a SparseTensorValue."""
    def get_shape(self) -> TensorShape:
        """The static shape of the dense tensor; dimensions may be unknown."""
    def eval(self, feed_dict: dict[Any, Any] | None = None, session: Any = None) -> SparseTensorValue:
        """Runs `session`, or the default session, and returns the value as a SparseTensorValue."""
    def __div__(self, dense: Any) -> SparseTensor: ...
    def __mul__(self, dense: Any) -> SparseTensor: ...
    def __truediv__(self, dense: Any) -> SparseTensor: ...
    @property
    def values(self) -> Any: ...
    @property
    def indices(self) -> Any: ...
    @property
    def dense_shape(self) -> Any: ...
    @property
    def op(self) -> Operation:
        """The operation that makes the values."""
    @property
    def dtype(self) -> DType:
        """The dtype of the values."""
    @property
    def graph(self) -> Graph:
        """The graph of the values."""
    @property
    def shape(self) -> TensorShape:
        """The static shape of the dense tensor; dimensions may be unknown."""
    def consumers(self) -> list[Operation]:
        """The operations with one of the component tensors as an input."""
    def __init__(self, indices: Any, values: Any, dense_shape: Any) -> None: ...

class SparseTensorSpec(TypeSpec):
    """The dense shape and dtype of a sparse tensor."""
    value_type: _type
    @property
    def shape(self) -> Any: ...
    @property
    def dtype(self) -> Any: ...
    @classmethod
    def from_value(cls, value: Any) -> SparseTensorSpec:
        """The spec of a SparseTensor or SparseTensorValue."""
    def __init__(self, shape: Any = None, dtype: Any = ...) -> None: ...

class SparseTensorValue(NamedTuple):
    indices: Any
    values: Any
    dense_shape: Any

class Summary(Message):
    class Image(Message):
        height: int
        width: int
        colorspace: int
        encoded_image_string: bytes
        def __init__(
            self, *, height: Any = ..., width: Any = ..., colorspace: Any = ..., encoded_image_string: Any = ...,
        ) -> None: ...
    class Audio(Message):
        sample_rate: float
        num_channels: int
        length_frames: int
        encoded_audio_string: bytes
        content_type: str
        def __init__(
            self, *, sample_rate: Any = ..., num_channels: Any = ..., length_frames: Any = ...,
            encoded_audio_string: Any = ..., content_type: Any = ...,
        ) -> None: ...
    class Value(Message):
        node_name: str
        tag: str
        metadata: SummaryMetadata
        simple_value: float
        obsolete_old_style_histogram: bytes
        image: Any
        histo: HistogramProto
        audio: Any
        tensor: Any
        def __init__(
            self, *, node_name: Any = ..., tag: Any = ..., metadata: Any = ..., simple_value: Any = ...,
            obsolete_old_style_histogram: Any = ..., image: Any = ..., histo: Any = ..., audio: Any = ...,
            tensor: Any = ...,
        ) -> None: ...
    value: RepeatedCompositeFieldContainer[Any]
    def __init__(self, *, value: Any = ...) -> None: ...

class SummaryMetadata(Message):
    class PluginData(Message):
        plugin_name: str
        content: bytes
        def __init__(self, *, plugin_name: Any = ..., content: Any = ...) -> None: ...
    plugin_data: Any
    display_name: str
    summary_description: str
    data_class: int
    def __init__(
        self, *, plugin_data: Any = ..., display_name: Any = ..., summary_description: Any = ...,
        data_class: Any = ...,
    ) -> None: ...

class TFRecordReader(ReaderBase):
    """A reader of TFRecord files; the key is "file:offset"."""
    def __init__(self, name: str | None = None, options: Any = None) -> None: ...

class Tensor:
    """One output of an operation."""
    OVERLOADABLE_OPERATORS: set[str]
    @property
    def source(self) -> Operation:
        """The operation as evergraph's own code sees it: a tensor of eager execution has one here, but no
        `op`."""
    @property
    def label(self) -> str:
        """What messages call the tensor."""
    @property
    def graph(self) -> Graph:
        """The graph that the tensor belongs to."""
    @property
    def dtype(self) -> DType:
        """The dtype of the elements."""
    @property
    def name(self) -> str:
        """The name: that of its operation, a colon and its position among the outputs."""
    @property
    def device(self) -> str:
        """The requested device string of its operation, or ""."""
    @property
    def shape(self) -> TensorShape:
        """The static shape; dimensions may be unknown."""
    def get_shape(self) -> TensorShape:
        """The static shape; dimensions may be unknown."""
    def set_shape(self, shape: Any) -> None:
        """Merges `shape` into the static shape."""
    def consumers(self) -> list[Operation]:
        """The operations with this tensor as an input; one that takes it twice is listed twice."""
    def experimental_ref(self) -> Any:
        """A hashable reference to this tensor; its `deref()` returns the tensor."""
    def eval(self, feed_dict: dict[Any, Any] | None = None, session: Any = None) -> Any:
        """The value of this tensor in `session`, or in the default session."""
    def __abs__(self, name: str | None = None) -> Tensor: ...
    def __add__(self, y: Any) -> Tensor: ...
    def __and__(self, y: Any) -> Tensor: ...
    def __array__(self, *_: Any, **__: Any) -> Any: ...
    def __bool__(self) -> _bool: ...
    def __div__(self, y: Any) -> Tensor: ...
    def __eq__(self, other: object) -> _bool: ...
    def __floordiv__(self, y: Any) -> Tensor: ...
    def __ge__(self, y: Any) -> Tensor: ...
    def __getitem__(self, spec: Any, var: Any = None) -> Tensor: ...
    def __gt__(self, y: Any) -> Tensor: ...
    def __hash__(self) -> int: ...
    def __invert__(self) -> Tensor: ...
    def __iter__(self) -> Any: ...
    def __le__(self, y: Any) -> Tensor: ...
    def __len__(self) -> int: ...
    def __lt__(self, y: Any) -> Tensor: ...
    def __matmul__(self, y: Any) -> Tensor: ...
    def __mod__(self, y: Any) -> Tensor: ...
    def __mul__(self, y: Any) -> Tensor: ...
    def __neg__(self) -> Tensor: ...
    def __or__(self, y: Any) -> Tensor: ...
    def __pow__(self, y: Any) -> Tensor: ...
    def __radd__(self, x: Any) -> Tensor: ...
    def __rand__(self, x: Any) -> Tensor: ...
    def __rdiv__(self, x: Any) -> Tensor: ...
    def __rfloordiv__(self, x: Any) -> Tensor: ...
    def __rmatmul__(self, x: Any) -> Tensor: ...
    def __rmod__(self, x: Any) -> Tensor: ...
    def __rmul__(self, x: Any) -> Tensor: ...
    def __ror__(self, x: Any) -> Tensor: ...
    def __rpow__(self, x: Any) -> Tensor: ...
    def __rsub__(self, x: Any) -> Tensor: ...
    def __rtruediv__(self, x: Any) -> Tensor: ...
    def __rxor__(self, x: Any) -> Tensor: ...
    def __sub__(self, y: Any) -> Tensor: ...
    def __truediv__(self, y: Any) -> Tensor: ...
    def __xor__(self, y: Any) -> Tensor: ...
    def __init__(
        self, op: Operation, value_index: int, dtype: DType, shape: _tuple[int | None, ...] | None = None,
    ) -> None: ...
    op: Any
    value_index: Any

class TensorArray:
    """A list of tensors of one dtype, to be read and written by index, also inside `tf.while_loop`."""
    @property
    def dtype(self) -> Any:
        """The elements' dtype."""
    @property
    def dynamic_size(self) -> Any:
        """Whether writing behind the end makes the array longer."""
    @property
    def element_shape(self) -> TensorShape:
        """What is known of the elements' shape."""
    @property
    def flow(self) -> Any:
        """The tensor that stands for the array's elements."""
    @property
    def handle(self) -> Any:
        """The same as `flow`."""
    def read(self, index: Any, name: str | None = None) -> Tensor:
        """The element at `index`."""
    def write(self, index: Any, value: Any, name: str | None = None) -> Any:
        """The array with `value` at `index`."""
    def stack(self, name: str | None = None) -> Any:
        """All elements as one tensor."""
    def gather(self, indices: Any, name: str | None = None) -> Any:
        """The elements at `indices` as one tensor."""
    def unstack(self, value: Any, name: str | None = None) -> Any:
        """The array with the rows of `value` as its elements."""
    def scatter(self, indices: Any, value: Any, name: str | None = None) -> Any:
        """The array with the rows of `value` at `indices`."""
    def concat(self, name: str | None = None) -> Any:
        """The elements one after another along their first dimension."""
    def split(self, value: Any, lengths: Any, name: str | None = None) -> Any:
        """The array with consecutive pieces of `value`, of `lengths` rows, as its elements."""
    def size(self, name: str | None = None) -> Tensor:
        """The number of elements."""
    def identity(self) -> Any:
        """The same array, which waits for the control dependencies in force."""
    def close(self, name: str | None = None) -> Operation:
        """Does nothing: an array lives no longer than the step that uses it."""
    def grad(self, source: Any, flow: Any = None, name: str | None = None) -> Any:
        """Not available: gradients pass through the array's own operations."""
    def __init__(
        self, dtype: Any, size: Any = None, dynamic_size: Any = None, clear_after_read: Any = None,
        tensor_array_name: Any = None, handle: Any = None, flow: Any = None, infer_shape: Any = True,
        element_shape: Any = None, colocate_with_first_write_call: Any = True, name: str | None = None,
    ) -> None: ...

class TensorArraySpec(TypeSpec):
    """The shape and dtype of the elements of a tf.TensorArray."""
    value_type: _type
    @staticmethod
    def from_value(value: Any) -> TensorArraySpec:
        """The spec of a TensorArray."""
    def is_compatible_with(self, other: Any) -> Any:
        """Whether a TensorArray, or the spec of one, fits."""
    def __init__(
        self, element_shape: Any = None, dtype: Any = ..., dynamic_size: Any = False, infer_shape: Any = True,
    ) -> None: ...

class TensorInfo(Message):
    class CooSparse(Message):
        values_tensor_name: str
        indices_tensor_name: str
        dense_shape_tensor_name: str
        def __init__(
            self, *, values_tensor_name: Any = ..., indices_tensor_name: Any = ...,
            dense_shape_tensor_name: Any = ...,
        ) -> None: ...
    class CompositeTensor(Message):
        type_spec: Any
        components: RepeatedCompositeFieldContainer[TensorInfo]
        def __init__(self, *, type_spec: Any = ..., components: Any = ...) -> None: ...
    name: str
    coo_sparse: Any
    composite_tensor: Any
    dtype: int
    tensor_shape: Any
    def __init__(
        self, *, name: Any = ..., coo_sparse: Any = ..., composite_tensor: Any = ..., dtype: Any = ...,
        tensor_shape: Any = ...,
    ) -> None: ...

class TensorShape:
    """The static shape of a tensor, which may be partially or fully unknown."""
    @property
    def dims(self) -> list[Dimension] | None:
        """The sizes as Dimensions, or None if the rank is unknown."""
    @property
    def rank(self) -> int | None:
        """The number of dimensions, or None if it is unknown."""
    @property
    def ndims(self) -> int | None:
        """The same as `rank`."""
    def as_list(self) -> list[int | None]:
        """The sizes as integers, None for the unknown ones."""
    def as_proto(self) -> Message:
        """This shape as a TensorShapeProto, with -1 for an unknown size."""
    def num_elements(self) -> int | None:
        """The product of the sizes, or None unless all are known."""
    def is_fully_defined(self) -> _bool:
        """Whether the rank and every size are known."""
    def is_compatible_with(self, other: Any) -> _bool:
        """Whether one tensor could have both shapes."""
    def merge_with(self, other: Any) -> TensorShape:
        """Combines the known sizes of two compatible shapes."""
    def most_specific_compatible_shape(self, other: Any) -> TensorShape:
        """The most specific shape that is compatible with every shape that either of the two is compatible
        with."""
    def concatenate(self, other: Any) -> TensorShape:
        """The sizes of this shape followed by the other's; unknown if either rank is."""
    def with_rank(self, rank: int) -> TensorShape:
        """This shape, or a shape of this rank with unknown sizes if the rank is unknown."""
    def with_rank_at_least(self, rank: int) -> TensorShape:
        """This shape, if it has at least this rank or its rank is unknown."""
    def with_rank_at_most(self, rank: int) -> TensorShape:
        """This shape, if it has at most this rank or its rank is unknown."""
    def assert_has_rank(self, rank: int) -> None:
        """Raises ValueError if the rank is known and differs."""
    def assert_same_rank(self, other: Any) -> None:
        """Raises ValueError if both ranks are known and differ."""
    def assert_is_compatible_with(self, other: Any) -> None:
        """Raises ValueError if the two shapes are incompatible."""
    def assert_is_fully_defined(self) -> None:
        """Raises ValueError unless the rank and every size are known."""
    def __add__(self, other: Any) -> TensorShape: ...
    def __bool__(self) -> _bool: ...
    def __eq__(self, other: object) -> _bool: ...
    def __getitem__(self, key: Any) -> Any: ...
    def __hash__(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __len__(self) -> int: ...
    def __radd__(self, other: Any) -> TensorShape: ...
    def __init__(self, dims: Any) -> None: ...
    tuple: _tuple[int | None, ...] | None

class TensorSpec(TypeSpec):
    """The shape, dtype and optional name of a tensor."""
    value_type: _type
    @property
    def shape(self) -> Any: ...
    @property
    def dtype(self) -> Any: ...
    @property
    def name(self) -> Any: ...
    @classmethod
    def from_spec(cls, spec: Any, name: str | None = None) -> TensorSpec:
        """A TensorSpec of the shape, dtype and name of another one."""
    @classmethod
    def from_tensor(cls, tensor: Any, name: str | None = None) -> TensorSpec:
        """The spec of a tensor; the name defaults to that of its operation, which a tensor with a value has
        not."""
    def is_compatible_with(self, spec_or_tensor: Any) -> _bool:
        """Whether dtype and shape are compatible; names are ignored."""
    def most_specific_compatible_type(self, other: Any) -> TensorSpec: ...
    def __init__(self, shape: Any, dtype: Any = ..., name: str | None = None) -> None: ...

class TextLineReader(ReaderBase):
    """A reader of text lines, without newlines; the key is "file:line"."""
    def __init__(self, skip_header_lines: int | None = None, name: str | None = None) -> None: ...

class TypeSpec:
    """The base of specs, which describe values without holding one."""
    value_type: Any
    def is_compatible_with(self, spec_or_value: Any) -> _bool:
        """Whether a value matches the spec, or every value of another spec does; unknown parts match
        anything."""
    def most_specific_compatible_type(self, other: TypeSpec) -> TypeSpec:
        """The most specific spec that both are compatible with."""
    def __eq__(self, other: object) -> _bool: ...
    def __hash__(self) -> int: ...
    def __ne__(self, other: object) -> _bool: ...

class UnconnectedGradients(Enum):
    """What `tf.gradients` gives for an x that no y depends on."""
    NONE = 'none'
    ZERO = 'zero'
    def __new__(
        cls, value: Any, names: Any = None, *, module: Any = None, qualname: Any = None, type: Any = None,
        start: Any = 1, boundary: Any = None,
    ) -> Self: ...

VERSION: str

class _VarLenFeature(NamedTuple):
    dtype: Any

class VarLenFeature(_VarLenFeature):
    """A variable-length feature, parsed to a SparseTensor."""

class Variable:
    """A tensor that keeps its value from step to step."""
    SaveSliceInfo: _type
    def value(self) -> Tensor:
        """The tensor that holds the value as it is read by other operations."""
    def read_value(self) -> Tensor:
        """A new tensor with the value at the time it runs, so that control dependencies can order it."""
    def assign(
        self, value: Any, use_locking: _bool = False, name: str | None = None, read_value: _bool = True,
    ) -> Any:
        """Makes `value` the variable's value."""
    def assign_add(
        self, delta: Any, use_locking: _bool = False, name: str | None = None, read_value: _bool = True,
    ) -> Any:
        """Adds `delta`; see `assign`."""
    def assign_sub(
        self, delta: Any, use_locking: _bool = False, name: str | None = None, read_value: _bool = True,
    ) -> Any:
        """Subtracts `delta`; see `assign`."""
    def count_up_to(self, limit: int) -> Tensor:
        """Adds one and gives the value before; at `limit` the run ends with an OutOfRangeError."""
    @property
    def name(self) -> str:
        """The name of the variable, such as "w:0"."""
    @property
    def op(self) -> Operation:
        """The operation that holds the value."""
    @property
    def graph(self) -> Graph:
        """The graph that has the variable."""
    @property
    def device(self) -> str:
        """The device that the program asked for."""
    @property
    def dtype(self) -> DType:
        """The dtype of the values."""
    @property
    def shape(self) -> TensorShape:
        """The static shape."""
    def get_shape(self) -> TensorShape:
        """The static shape."""
    def set_shape(self, shape: Any) -> None:
        """Adds what is known about the static shape."""
    @property
    def initial_value(self) -> Tensor:
        """The tensor that the initializer assigns."""
    @property
    def initializer(self) -> Operation:
        """The operation that sets the variable to its initial value."""
    @property
    def trainable(self) -> _bool:
        """Whether optimizers change it by default."""
    @property
    def constraint(self) -> Callable[..., Any] | None:
        """A function that is applied after each update, or None."""
    @property
    def synchronization(self) -> VariableSynchronization:
        """When copies of it are brought together."""
    @property
    def aggregation(self) -> VariableAggregation:
        """How updates of its copies are combined."""
    def initialized_value(self) -> Tensor:
        """The value, or the initial value while the variable has none."""
    def numpy(self) -> Any:
        """The value as an array, with eager execution."""
    def eval(self, session: Any = None) -> Any:
        """The value in `session`, or in the default session."""
    def load(self, value: Any, session: Any = None) -> None:
        """Sets the value in `session`, or in the default session, without adding to the graph."""
    def experimental_ref(self) -> Any:
        """A key for dictionaries and sets that stands for this variable."""
    def ref(self) -> Any:
        """A key for dictionaries and sets that stands for this variable."""
    def scatter_add(
        self, sparse_delta: IndexedSlices, use_locking: _bool = False, name: str | None = None,
    ) -> Any:
        """Adds the rows of `sparse_delta`."""
    def scatter_sub(
        self, sparse_delta: IndexedSlices, use_locking: _bool = False, name: str | None = None,
    ) -> Any:
        """Subtracts the rows of `sparse_delta`."""
    def scatter_mul(
        self, sparse_delta: IndexedSlices, use_locking: _bool = False, name: str | None = None,
    ) -> Any:
        """Multiplies by the rows of `sparse_delta`."""
    def scatter_div(
        self, sparse_delta: IndexedSlices, use_locking: _bool = False, name: str | None = None,
    ) -> Any:
        """Divides by the rows of `sparse_delta`."""
    def scatter_min(
        self, sparse_delta: IndexedSlices, use_locking: _bool = False, name: str | None = None,
    ) -> Any:
        """Keeps the smaller of each element and the rows of `sparse_delta`."""
    def scatter_max(
        self, sparse_delta: IndexedSlices, use_locking: _bool = False, name: str | None = None,
    ) -> Any:
        """Keeps the larger of each element and the rows of `sparse_delta`."""
    def scatter_update(
        self, sparse_delta: IndexedSlices, use_locking: _bool = False, name: str | None = None,
    ) -> Any:
        """Assigns the rows of `sparse_delta`."""
    def scatter_nd_add(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Adds `updates` at the places that `indices` names."""
    def scatter_nd_sub(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Subtracts `updates` at the places that `indices` names."""
    def scatter_nd_update(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Assigns `updates` at the places that `indices` names."""
    def batch_scatter_update(
        self, sparse_delta: IndexedSlices, use_locking: _bool = False, name: str | None = None,
    ) -> Any:
        """Assigns the rows of `sparse_delta`, whose indices count within each batch entry; see
        `tf.batch_scatter_update`."""
    def sparse_read(self, indices: Any, name: str | None = None) -> Tensor:
        """The rows that `indices` names."""
    def gather_nd(self, indices: Any, name: str | None = None) -> Tensor:
        """The slices at the places that `indices` names."""
    def to_proto(self, export_scope: str | None = None) -> Any:
        """The variable as a VariableDef message, or None when it is not in `export_scope`."""
    @staticmethod
    def from_proto(variable_def: Any, import_scope: str | None = None) -> Variable:
        """The variable that a VariableDef describes; its nodes must be in the default graph."""
    def __abs__(self, *args: Any) -> Tensor: ...
    def __add__(self, *args: Any) -> Tensor: ...
    def __and__(self, *args: Any) -> Tensor: ...
    def __array__(self, dtype: Any = None, copy: Any = None) -> Any: ...
    def __bool__(self) -> _bool: ...
    def __div__(self, *args: Any) -> Tensor: ...
    def __eq__(self, other: object) -> _bool: ...
    def __float__(self) -> float: ...
    def __floordiv__(self, *args: Any) -> Tensor: ...
    def __ge__(self, *args: Any) -> Tensor: ...
    def __getitem__(self, spec: Any) -> Tensor: ...
    def __gt__(self, *args: Any) -> Tensor: ...
    def __hash__(self) -> int: ...
    def __int__(self) -> int: ...
    def __invert__(self, *args: Any) -> Tensor: ...
    def __iter__(self) -> Any: ...
    def __le__(self, *args: Any) -> Tensor: ...
    def __lt__(self, *args: Any) -> Tensor: ...
    def __matmul__(self, *args: Any) -> Tensor: ...
    def __mod__(self, *args: Any) -> Tensor: ...
    def __mul__(self, *args: Any) -> Tensor: ...
    def __neg__(self, *args: Any) -> Tensor: ...
    def __or__(self, *args: Any) -> Tensor: ...
    def __pow__(self, *args: Any) -> Tensor: ...
    def __radd__(self, *args: Any) -> Tensor: ...
    def __rand__(self, *args: Any) -> Tensor: ...
    def __rdiv__(self, *args: Any) -> Tensor: ...
    def __rfloordiv__(self, *args: Any) -> Tensor: ...
    def __rmatmul__(self, *args: Any) -> Tensor: ...
    def __rmod__(self, *args: Any) -> Tensor: ...
    def __rmul__(self, *args: Any) -> Tensor: ...
    def __ror__(self, *args: Any) -> Tensor: ...
    def __rpow__(self, *args: Any) -> Tensor: ...
    def __rsub__(self, *args: Any) -> Tensor: ...
    def __rtruediv__(self, *args: Any) -> Tensor: ...
    def __rxor__(self, *args: Any) -> Tensor: ...
    def __sub__(self, *args: Any) -> Tensor: ...
    def __truediv__(self, *args: Any) -> Tensor: ...
    def __xor__(self, *args: Any) -> Tensor: ...
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    serial: Any

class VariableAggregation(Enum):
    """How the updates of the copies of a distributed variable are combined."""
    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3
    ONLY_FIRST_TOWER = 3
    def __new__(
        cls, value: Any, names: Any = None, *, module: Any = None, qualname: Any = None, type: Any = None,
        start: Any = 1, boundary: Any = None,
    ) -> Self: ...

class VariableScope:
    """The defaults that `tf.get_variable` uses, and the prefix it gives to names."""
    @property
    def name(self) -> Any: ...
    @property
    def original_name_scope(self) -> Any: ...
    @property
    def reuse(self) -> Any: ...
    @property
    def initializer(self) -> Any: ...
    @property
    def regularizer(self) -> Any: ...
    @property
    def caching_device(self) -> Any: ...
    @property
    def partitioner(self) -> Any: ...
    @property
    def custom_getter(self) -> Any: ...
    @property
    def dtype(self) -> Any: ...
    @property
    def use_resource(self) -> Any: ...
    @property
    def constraint(self) -> Any: ...
    def reuse_variables(self) -> None:
        """From now on variables of this scope are shared, never made."""
    def set_initializer(self, initializer: Any) -> None:
        """Sets the initializer of variables that name none."""
    def set_dtype(self, dtype: Any) -> None:
        """Sets the dtype of variables that name none."""
    def set_use_resource(self, use_resource: _bool | None) -> None:
        """Sets whether variables are resource variables."""
    def set_regularizer(self, regularizer: Any) -> None:
        """Sets the regularizer of variables that name none."""
    def set_caching_device(self, caching_device: Any) -> None:
        """Sets where variables that do not say are cached."""
    def set_partitioner(self, partitioner: Any) -> None:
        """Sets the partitioner of variables that name none."""
    def set_custom_getter(self, custom_getter: Any) -> None:
        """Sets the function through which variables are made."""
    def get_collection(self, name: Any) -> list[Any]:
        """The items of a collection that belong to this scope."""
    def trainable_variables(self) -> list[Any]:
        """The trainable variables of this scope."""
    def global_variables(self) -> list[Any]:
        """The global variables of this scope."""
    def local_variables(self) -> list[Any]:
        """The local variables of this scope."""
    def get_variable(
        self, var_store: Any, name: str, shape: Any = None, dtype: Any = None, initializer: Any = None,
        regularizer: Any = None, reuse: Any = None, trainable: _bool | None = None, collections: Any = None,
        caching_device: Any = None, partitioner: Any = None, validate_shape: _bool = True,
        use_resource: _bool | None = None, custom_getter: Any = None, constraint: Any = None,
        synchronization: Any = ..., aggregation: Any = ...,
    ) -> Any:
        """The variable called `name` in this scope; see `tf.get_variable`."""
    def __init__(
        self, reuse: Any, name: str = '', initializer: Any = None, regularizer: Any = None,
        caching_device: Any = None, partitioner: Any = None, custom_getter: Any = None, name_scope: str = '',
        dtype: Any = ..., use_resource: _bool | None = None, constraint: Any = None,
    ) -> None: ...

class VariableSynchronization(Enum):
    """When the copies of a distributed variable are brought together."""
    AUTO = 0
    NONE = 1
    ON_WRITE = 2
    ON_READ = 3
    def __new__(
        cls, value: Any, names: Any = None, *, module: Any = None, qualname: Any = None, type: Any = None,
        start: Any = 1, boundary: Any = None,
    ) -> Self: ...

class WholeFileReader(ReaderBase):
    """A reader of whole files: the key is the file name, the value the content."""
    def __init__(self, name: str | None = None) -> None: ...

__compiler_version__: str
__git_version__: str
__version__: str

@overload
def abs(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """Computes the absolute value |x|; of complex numbers the modulus, of a SparseTensor that of its
    values."""
@overload
def abs(x: Any, name: str | None = None) -> Any:
    """Computes the absolute value |x|; of complex numbers the modulus, of a SparseTensor that of its
    values."""

def accumulate_n(
    inputs: Any, shape: Any = None, tensor_dtype: Any = None, name: str | None = None,
) -> Any:
    """The sum of tensors of one shape and dtype."""

@overload
def acos(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """The angle between 0 and pi whose cosine is x."""
@overload
def acos(x: Any, name: str | None = None) -> Tensor:
    """The angle between 0 and pi whose cosine is x."""

@overload
def acosh(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """The inverse hyperbolic cosine."""
@overload
def acosh(x: Any, name: str | None = None) -> Tensor:
    """The inverse hyperbolic cosine."""

@overload
def add(x: RaggedTensor | RaggedTensorValue, y: Any, name: str | None = None) -> Any:
    """x + y, elementwise; strings are concatenated."""
@overload
def add(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x + y, elementwise; strings are concatenated."""

def add_check_numerics_ops() -> Operation:
    """An operation that fails when any floating point tensor made so far holds NaN or infinity."""

@overload
def add_n(inputs: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """Adds a list of tensors of one shape and dtype element by element; IndexedSlices become dense."""
@overload
def add_n(inputs: Any, name: str | None = None) -> Any:
    """Adds a list of tensors of one shape and dtype element by element; IndexedSlices become dense."""

def add_to_collection(name: Any, value: Any) -> None:
    """Appends a value to a named collection (list) of the default graph."""

def add_to_collections(names: Any, value: Any) -> None:
    """Appends `value` to each of the collections of the default graph, once."""

def all_variables() -> list[Any]:
    """The older name of `tf.global_variables()`."""

@overload
def angle(input: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """The angle of each number in the complex plane; 0 for real numbers."""
@overload
def angle(input: Any, name: str | None = None) -> Tensor:
    """The angle of each number in the complex plane; 0 for real numbers."""

def arg_max(input: Any, dimension: Any, output_type: Any = ..., name: str | None = None) -> Tensor:
    """The index of the first maximum along an axis."""

def arg_min(input: Any, dimension: Any, output_type: Any = ..., name: str | None = None) -> Tensor:
    """The index of the first minimum along an axis."""

def argmax(
    input: Any, axis: Any = None, name: str | None = None, dimension: Any = None, output_type: Any = ...,
) -> Any:
    """Returns the index of the maximum along an axis, the first of equal ones."""

def argmin(
    input: Any, axis: Any = None, name: str | None = None, dimension: Any = None, output_type: Any = ...,
) -> Any:
    """Returns the index of the minimum along an axis, the first of equal ones."""

def argsort(
    values: Any, axis: int = -1, direction: str = 'ASCENDING', stable: _bool = False,
    name: str | None = None,
) -> Tensor:
    """Returns the indices that would sort a tensor along an axis."""

def as_dtype(type_value: Any) -> DType:
    """Converts a value to a DType."""

def as_string(
    input: Any, precision: Any = -1, scientific: Any = False, shortest: Any = False, width: Any = -1,
    fill: Any = '', name: str | None = None,
) -> Any:
    """Formats numbers as strings."""

@overload
def asin(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """The angle between -pi / 2 and pi / 2 whose sine is x."""
@overload
def asin(x: Any, name: str | None = None) -> Tensor:
    """The angle between -pi / 2 and pi / 2 whose sine is x."""

@overload
def asinh(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """The inverse hyperbolic sine."""
@overload
def asinh(x: Any, name: str | None = None) -> Tensor:
    """The inverse hyperbolic sine."""

def assert_equal(
    x: Any, y: Any, data: Any = None, summarize: Any = None, message: str | None = None,
    name: str | None = None,
) -> Operation:
    """An operation that fails unless x == y elementwise, with broadcasting."""

def assert_greater(
    x: Any, y: Any, data: Any = None, summarize: Any = None, message: str | None = None,
    name: str | None = None,
) -> Operation:
    """An operation that fails unless x > y elementwise, with broadcasting."""

def assert_greater_equal(
    x: Any, y: Any, data: Any = None, summarize: Any = None, message: str | None = None,
    name: str | None = None,
) -> Operation:
    """An operation that fails unless x >= y elementwise, with broadcasting."""

def assert_integer(x: Any, message: str | None = None, name: str | None = None) -> Operation:
    """Checks statically that a tensor has an integer dtype; returns a no-op."""

def assert_less(
    x: Any, y: Any, data: Any = None, summarize: Any = None, message: str | None = None,
    name: str | None = None,
) -> Operation:
    """An operation that fails unless x < y elementwise, with broadcasting."""

def assert_less_equal(
    x: Any, y: Any, data: Any = None, summarize: Any = None, message: str | None = None,
    name: str | None = None,
) -> Operation:
    """An operation that fails unless x <= y elementwise, with broadcasting."""

def assert_near(
    x: Any, y: Any, rtol: Any = None, atol: Any = None, data: Any = None, summarize: Any = None,
    message: str | None = None, name: str | None = None,
) -> Operation:
    """An operation that fails unless |x - y| <= atol + rtol * |y| for all elements."""

def assert_negative(
    x: Any, data: Any = None, summarize: Any = None, message: str | None = None, name: str | None = None,
) -> Operation:
    """An operation that fails unless all elements of x are less than zero."""

def assert_non_negative(
    x: Any, data: Any = None, summarize: Any = None, message: str | None = None, name: str | None = None,
) -> Operation:
    """An operation that fails unless all elements of x are zero or greater."""

def assert_non_positive(
    x: Any, data: Any = None, summarize: Any = None, message: str | None = None, name: str | None = None,
) -> Operation:
    """An operation that fails unless all elements of x are zero or less."""

def assert_none_equal(
    x: Any, y: Any, data: Any = None, summarize: Any = None, message: str | None = None,
    name: str | None = None,
) -> Operation:
    """An operation that fails unless x != y elementwise, with broadcasting."""

def assert_positive(
    x: Any, data: Any = None, summarize: Any = None, message: str | None = None, name: str | None = None,
) -> Operation:
    """An operation that fails unless all elements of x are greater than zero."""

def assert_proper_iterable(values: Any) -> None:
    """Checks that `values` is a proper iterable: not a tensor, an array, a string or a sparse tensor."""

def assert_rank(
    x: Any, rank: Any, data: Any = None, summarize: Any = None, message: str | None = None,
    name: str | None = None,
) -> Operation:
    """An operation that fails unless x has this rank."""

def assert_rank_at_least(
    x: Any, rank: Any, data: Any = None, summarize: Any = None, message: str | None = None,
    name: str | None = None,
) -> Operation:
    """An operation that fails unless x has at least this rank; see `tf.assert_rank`."""

def assert_rank_in(
    x: Any, ranks: Any, data: Any = None, summarize: Any = None, message: str | None = None,
    name: str | None = None,
) -> Operation:
    """An operation that fails unless x has one of these ranks; see `tf.assert_rank`."""

def assert_same_float_dtype(tensors: Any = None, dtype: Any = None) -> Any:
    """The common floating-point dtype of `tensors` and `dtype`; float32 if none is given."""

def assert_scalar(tensor: Any, name: str | None = None, message: str | None = None) -> Tensor:
    """Checks that a tensor is statically a scalar, and returns it."""

def assert_type(
    tensor: Any, tf_type: Any, message: str | None = None, name: str | None = None,
) -> Operation:
    """Checks statically that a tensor has this dtype; returns a no-op."""

def assert_variables_initialized(var_list: Sequence[Any] | None = None) -> Tensor | None:
    """A tensor that cannot be computed while one of the variables has no value."""

def assign(
    ref: Any, value: Any, validate_shape: _bool | None = None, use_locking: _bool | None = None,
    name: str | None = None,
) -> Any:
    """Assigns a value to a variable when the returned tensor or operation runs."""

def assign_add(ref: Any, value: Any, use_locking: _bool | None = None, name: str | None = None) -> Any:
    """Adds to a variable when the returned tensor or operation runs: ref += value."""

def assign_sub(ref: Any, value: Any, use_locking: _bool | None = None, name: str | None = None) -> Any:
    """Subtracts from a variable when the returned tensor or operation runs: ref -= value."""

@overload
def atan(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """The angle between -pi / 2 and pi / 2 whose tangent is x."""
@overload
def atan(x: Any, name: str | None = None) -> Tensor:
    """The angle between -pi / 2 and pi / 2 whose tangent is x."""

@overload
def atan2(y: RaggedTensor | RaggedTensorValue, x: Any, name: str | None = None) -> Any:
    """The angle of the point (x, y) in [-pi, pi]."""
@overload
def atan2(y: Any, x: Any, name: str | None = None) -> Tensor:
    """The angle of the point (x, y) in [-pi, pi]."""

@overload
def atanh(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """The inverse hyperbolic tangent."""
@overload
def atanh(x: Any, name: str | None = None) -> Tensor:
    """The inverse hyperbolic tangent."""

@overload
def batch_gather(
    params: RaggedTensor | RaggedTensorValue, indices: Any, name: str | None = None,
) -> Any:
    """`tf.gather` in which all axes but the last of `indices` are in common."""
@overload
def batch_gather(params: Any, indices: Any, name: str | None = None) -> Tensor:
    """`tf.gather` in which all axes but the last of `indices` are in common."""

def batch_scatter_update(
    ref: Any, indices: Any, updates: Any, use_locking: _bool = True, name: str | None = None,
) -> Any:
    """Assigns rows of each batch entry of a variable."""

def batch_to_space(
    input: Any, crops: Any, block_size: int, name: str | None = None, block_shape: Any = None,
) -> Tensor:
    """Moves square blocks of images out of the batch and crops: the inverse of `tf.space_to_batch`."""

def batch_to_space_nd(input: Any, block_shape: Any, crops: Any, name: str | None = None) -> Tensor:
    """BatchToSpace, the inverse of SpaceToBatch: moves the batch dimension back into spatial blocks, then
    crops."""

def betainc(a: Any, b: Any, x: Any, name: str | None = None) -> Tensor:
    """The regularized incomplete beta function I_x(a, b)."""

bfloat16: DType

def bincount(
    arr: Any, weights: Any = None, minlength: Any = None, maxlength: Any = None, dtype: Any = ...,
) -> Tensor:
    """How often each integer from 0 to the largest occurs in `arr`, or the sum of the weights where it
    does."""

def bitcast(input: Any, type: Any, name: str | None = None) -> Tensor:
    """Reinterprets the bytes as another dtype: a larger one drops the last dimension, a smaller one adds
    one."""

bool: DType

def boolean_mask(tensor: Any, mask: Any, name: str = 'boolean_mask', axis: int | None = None) -> Tensor:
    """Selects the elements, or slices, of a tensor at which a boolean mask is true; their number depends on
    the mask."""

def broadcast_dynamic_shape(shape_x: Any, shape_y: Any) -> Tensor:
    """The shape that tensors of two shapes broadcast to, all as 1-D int tensors."""

def broadcast_static_shape(shape_x: Any, shape_y: Any) -> TensorShape:
    """The static shape that tensors of two shapes broadcast to."""

def broadcast_to(input: Any, shape: Any, name: str | None = None) -> Tensor:
    """Broadcasts `input` to `shape`: repeats it along dimensions of size 1."""

def case(
    pred_fn_pairs: Any, default: Any = None, exclusive: Any = False, strict: Any = False,
    name: str = 'case',
) -> Any:
    """Builds a chain of conditionals: runs the function of the first predicate that is true at run time."""

@overload
def cast(x: RaggedTensor | RaggedTensorValue, dtype: Any, name: str | None = None) -> Any:
    """Converts a tensor, SparseTensor or IndexedSlices to another dtype; floats that become integers are
    truncated."""
@overload
def cast(x: Any, dtype: Any, name: str | None = None) -> Any:
    """Converts a tensor, SparseTensor or IndexedSlices to another dtype; floats that become integers are
    truncated."""

@overload
def ceil(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """Rounds up to an integer."""
@overload
def ceil(x: Any, name: str | None = None) -> Tensor:
    """Rounds up to an integer."""

@overload
def check_numerics(
    tensor: RaggedTensor | RaggedTensorValue, message: str, name: str | None = None,
) -> Any:
    """Forwards its input; fails if it contains NaN or infinity."""
@overload
def check_numerics(tensor: Any, message: str, name: str | None = None) -> Tensor:
    """Forwards its input; fails if it contains NaN or infinity."""

@overload
def cholesky(input: LinearOperator, name: str | None = None) -> Any:
    """The Cholesky decomposition: the lower triangular L with input = L L^H, for positive definite
    input."""
@overload
def cholesky(input: Any, name: str | None = None) -> Tensor:
    """The Cholesky decomposition: the lower triangular L with input = L L^H, for positive definite
    input."""

def cholesky_solve(chol: Any, rhs: Any, name: str | None = None) -> Tensor:
    """The solution of A x = rhs where A is known by its Cholesky factor."""

def clip_by_average_norm(t: Any, clip_norm: Any, name: str | None = None) -> Tensor:
    """`t`, scaled so that its norm divided by its number of elements is at most `clip_norm`."""

def clip_by_global_norm(
    t_list: Any, clip_norm: Any, use_norm: Any = None, name: str | None = None,
) -> _tuple[Any, Any]:
    """Clips gradients by their joint L2 norm: all are scaled by clip_norm / max(global_norm, clip_norm)."""

def clip_by_norm(t: Any, clip_norm: Any, axes: Any = None, name: str | None = None) -> Any:
    """Clips a tensor to an L2 norm: t * clip_norm / norm(t) where the norm is larger, else t itself."""

@overload
def clip_by_value(
    t: RaggedTensor | RaggedTensorValue, clip_value_min: Any, clip_value_max: Any, name: str | None = None,
) -> Any:
    """Clips elements to an interval: min(max(t, clip_value_min), clip_value_max)."""
@overload
def clip_by_value(t: Any, clip_value_min: Any, clip_value_max: Any, name: str | None = None) -> Any:
    """Clips elements to an interval: min(max(t, clip_value_min), clip_value_max)."""

def colocate_with(op: Any, ignore_existing: _bool = False) -> Any:
    """Places the operations made inside the block on the device of another operation."""

@overload
def complex(real: RaggedTensor | RaggedTensorValue, imag: Any, name: str | None = None) -> Any:
    """The complex numbers with these parts: complex64 from float32, complex128 from float64."""
@overload
def complex(real: Any, imag: Any, name: str | None = None) -> Tensor:
    """The complex numbers with these parts: complex64 from float32, complex128 from float64."""

complex128: DType
complex64: DType

@overload
def concat(values: RaggedTensor | RaggedTensorValue, axis: Any, name: str = 'concat') -> Any:
    """Concatenates tensors along an existing axis; their other sizes must be equal."""
@overload
def concat(values: Any, axis: Any, name: str = 'concat') -> Tensor:
    """Concatenates tensors along an existing axis; their other sizes must be equal."""

def cond(
    pred: Any, true_fn: Any = None, false_fn: Any = None, strict: Any = False, name: str | None = None,
    fn1: Any = None, fn2: Any = None,
) -> Any:
    """Builds a conditional: runs the operations of `true_fn` when `pred` is true at run time, else those of
    `false_fn`."""

def confusion_matrix(
    labels: Any, predictions: Any, num_classes: Any = None, dtype: Any = ..., name: str | None = None,
    weights: Any = None,
) -> Tensor:
    """A matrix whose element [i, j] says how often label i was predicted as j."""

@overload
def conj(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """The conjugate; real numbers are their own."""
@overload
def conj(x: Any, name: str | None = None) -> Any:
    """The conjugate; real numbers are their own."""

def constant(
    value: Any, dtype: Any = None, shape: Any = None, name: str | None = 'Const',
    verify_shape: _bool = False,
) -> Tensor:
    """Creates a tensor whose value is fixed when the graph is built: a Const node."""

class constant_initializer(Initializer):
    """Initializes a variable with a constant: one number everywhere, or a list that fills the shape in
    row-major order."""
    fields: _tuple[str, ...]
    def __call__(
        self, shape: Any, dtype: Any = None, partition_info: Any = None, verify_shape: _bool | None = None,
    ) -> Tensor: ...
    def __init__(self, value: Any = 0, dtype: Any = ..., verify_shape: _bool = False) -> None: ...
    value: Any
    dtype: Any

def container(container_name: str) -> Any:
    """Variables, queues and tables made inside the block live in this resource container."""

def control_dependencies(control_inputs: Sequence[Any] | None) -> Any:
    """Makes the operations made inside the block run only after others, though they use none of their
    values."""

def control_flow_v2_enabled() -> Any:
    """Whether the program asked for functional conditionals and loops."""

def convert_to_tensor(
    value: Any, dtype: Any = None, name: str | None = None, preferred_dtype: Any = None,
    dtype_hint: Any = None,
) -> Tensor:
    """`value` as a tensor: returns a tensor itself, reads a variable, makes a constant of Python and NumPy
    values."""

def convert_to_tensor_or_indexed_slices(value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """`value` itself if it is IndexedSlices or a SparseTensor, else `value` as a tensor."""

def convert_to_tensor_or_sparse_tensor(value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """`value` as a SparseTensor if it is one or a SparseTensorValue, else as a tensor."""

@overload
def cos(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """The cosine of each angle in radians."""
@overload
def cos(x: Any, name: str | None = None) -> Tensor:
    """The cosine of each angle in radians."""

@overload
def cosh(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """The hyperbolic cosine of each element."""
@overload
def cosh(x: Any, name: str | None = None) -> Tensor:
    """The hyperbolic cosine of each element."""

def count_nonzero(
    input_tensor: Any = None, axis: Any = None, keepdims: _bool | None = None, dtype: Any = ...,
    name: str | None = None, reduction_indices: Any = None, keep_dims: _bool | None = None,
    input: Any = None,
) -> Any:
    """How many elements along axes are not zero (not empty, for strings)."""

def count_up_to(ref: Any, limit: int, name: str | None = None) -> Tensor:
    """Increments a variable and returns its value from before; at `limit` the run raises
    OutOfRangeError."""

def create_partitioned_variables(
    shape: Any, slicing: list[int], initializer: Any, dtype: Any = ..., trainable: _bool | None = True,
    collections: Any = None, name: str | None = None, reuse: Any = None,
) -> list[Any]:
    """The parts of a variable that is split as `slicing` says; the older form of a partitioner."""

def cross(a: Any, b: Any, name: str | None = None) -> Tensor:
    """The cross product of 3-vectors in the last axis."""

def cumprod(
    x: Any, axis: Any = 0, exclusive: Any = False, reverse: Any = False, name: str | None = None,
) -> Any:
    """Computes the cumulative product along an axis: [a, a * b, a * b * c]."""

def cumsum(
    x: Any, axis: Any = 0, exclusive: Any = False, reverse: Any = False, name: str | None = None,
) -> Any:
    """Computes the cumulative sum along an axis: [a, a + b, a + b + c]."""

def custom_gradient(f: Any) -> Any:
    """Decorator that gives a function of tensors a gradient of your own in the place of the derived one."""

def decode_base64(input: Any, name: str | None = None) -> Any:
    """Decodes strings of web-safe base64, with or without padding."""

def decode_compressed(bytes: Any, compression_type: Any = '', name: str | None = None) -> Any:
    """Decompresses strings; `compression_type` is "ZLIB", "GZIP" or "" for none."""

def decode_csv(
    records: Any, record_defaults: Any, field_delim: Any = ',', use_quote_delim: Any = True,
    name: str | None = None, na_value: Any = '', select_cols: Any = None,
) -> list[Tensor]:
    """Parses lines of comma-separated values to one tensor per column, of the shape of `records`."""

def decode_json_example(json_examples: Any, name: str | None = None) -> Tensor:
    """Converts Examples from protobuf's JSON form to serialized form."""

def decode_raw(
    input_bytes: Any = None, out_type: Any = None, little_endian: _bool = True, name: str | None = None,
    bytes: Any = None,
) -> Tensor:
    """Reinterprets the bytes of each string as numbers, along a new last axis."""

def delete_session_tensor(handle: Any, name: str | None = None) -> _tuple[Tensor, Operation]:
    """(a placeholder for the text of a handle, an operation that lets the session forget the tensor under
    it)."""

def depth_to_space(
    input: Any, block_size: int, name: str | None = None, data_format: str = 'NHWC',
) -> Tensor:
    """Moves channels of images into square blocks: the inverse of `tf.space_to_depth`."""

def dequantize(
    input: Any, min_range: Any, max_range: Any, mode: str = 'MIN_COMBINED', name: str | None = None,
) -> Tensor:
    """Dequantizes: the numbers that integers represent."""

def deserialize_many_sparse(
    serialized_sparse: Any, dtype: Any, rank: Any = None, name: str | None = None,
) -> SparseTensor:
    """Deserializes the sparse tensors in the rows of a matrix, stacked along a new first axis."""

def device(device_name_or_function: Any) -> Any:
    """Places the operations made inside the block on a device."""

def diag(diagonal: Any, name: str | None = None) -> Tensor:
    """A diagonal tensor of twice the rank: zero except where both halves of the index agree."""

def diag_part(input: Any, name: str | None = None) -> Tensor:
    """The diagonal of a tensor of even rank: the elements where both halves of the index agree."""

@overload
def digamma(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """The digamma function, the derivative of lgamma."""
@overload
def digamma(x: Any, name: str | None = None) -> Tensor:
    """The digamma function, the derivative of lgamma."""

def dimension_at_index(shape: TensorShape, index: int) -> Dimension:
    """The Dimension at an index of a shape, unknown if the rank is."""

def dimension_value(dimension: Any) -> Any:
    """The size in a Dimension; a value of another type is returned unchanged."""

def disable_control_flow_v2() -> None:
    """Asks for TensorFlow 1's conditionals and loops: evergraph's behave alike, and are functional all the
    same."""

def disable_eager_execution() -> None:
    """Makes ops go to graphs again, which sessions run."""

def disable_resource_variables() -> None:
    """Makes `tf.Variable` and `tf.get_variable` give ref variables where nothing else is asked for."""

def disable_tensor_equality() -> None:
    """Makes tensors and variables equal to themselves alone, as they are at first."""

def disable_v2_behavior() -> None:
    """Asks for TensorFlow 1's ways, which are there at first."""

def disable_v2_tensorshape() -> None:
    """Makes the elements of shapes `tf.Dimension`s, as they are at first."""

@overload
def div(x: RaggedTensor | RaggedTensorValue, y: Any, name: str | None = None) -> Any:
    """Divides element by element as Python 2's `/` does: floats exactly, integers rounded down."""
@overload
def div(x: Any, y: Any, name: str | None = None) -> Any:
    """Divides element by element as Python 2's `/` does: floats exactly, integers rounded down."""

@overload
def div_no_nan(x: RaggedTensor | RaggedTensorValue, y: Any, name: str | None = None) -> Any:
    """Divides element by element, with 0 where the divisor is 0."""
@overload
def div_no_nan(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Divides element by element, with 0 where the divisor is 0."""

@overload
def divide(x: RaggedTensor | RaggedTensorValue, y: Any, name: str | None = None) -> Any:
    """Divides element by element as Python's `/` does for tensors: see `tf.truediv` for the dtypes."""
@overload
def divide(x: Any, y: Any, name: str | None = None) -> Any:
    """Divides element by element as Python's `/` does for tensors: see `tf.truediv` for the dtypes."""

double: DType

def dynamic_partition(
    data: Any, partitions: Any, num_partitions: int, name: str | None = None,
) -> list[Tensor]:
    """Partitions the slices of `data` into `num_partitions` tensors by the numbers in `partitions`."""

def dynamic_stitch(indices: Any, data: Any, name: str | None = None) -> Tensor:
    """Interleaves slices of several tensors: result[indices[i][j]] is data[i][j]; of duplicates the last
    wins."""

def edit_distance(
    hypothesis: Any, truth: Any, normalize: _bool = True, name: str = 'edit_distance',
) -> Tensor:
    """The Levenshtein distances of sequences: how many insertions, deletions and replacements lead from one
    to another."""

def einsum(equation: Any, *inputs: Any, **kwargs: Any) -> Any:
    """The sums of products that Einstein's notation spells."""

def enable_control_flow_v2() -> None:
    """Asks for functional conditionals and loops, which evergraph builds in any case."""

def enable_eager_execution(
    config: Any = None, device_policy: Any = None, execution_mode: Any = None,
) -> None:
    """Makes ops run when they are called, for the rest of the program."""

def enable_resource_variables() -> None:
    """Makes `tf.Variable` and `tf.get_variable` give resource variables where nothing else is asked for."""

def enable_tensor_equality() -> None:
    """Makes `==` and `!=` compare tensors and variables element by element, with eager execution and in
    functions."""

def enable_v2_behavior() -> None:
    """Asks for TensorFlow 2's ways at a program's start: eager execution, resource variables, shapes of
    plain numbers, tensors that are compared element by element, functional control flow."""

def enable_v2_tensorshape() -> None:
    """Makes the elements of shapes plain numbers, None where a size is unknown, from now on."""

def encode_base64(input: Any, pad: Any = False, name: str | None = None) -> Any:
    """Encodes strings in web-safe base64, padded with "=" to a multiple of four if `pad` is true."""

def ensure_shape(x: Any, shape: Any, name: str | None = None) -> Tensor:
    """`x`, whose shape must fit `shape` when it runs; where the static shape contradicts it, at once."""

@overload
def equal(x: RaggedTensor | RaggedTensorValue, y: Any, name: str | None = None) -> Any:
    """Whether the elements are equal."""
@overload
def equal(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Whether the elements are equal."""

def erf(x: Any, name: str | None = None) -> Any:
    """The error function."""

@overload
def erfc(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """The complementary error function 1 - erf(x)."""
@overload
def erfc(x: Any, name: str | None = None) -> Tensor:
    """The complementary error function 1 - erf(x)."""

def executing_eagerly() -> Any:
    """Whether ops run when they are called, rather than being added to a graph that a session runs."""

@overload
def exp(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """The exponential e ** x of each element."""
@overload
def exp(x: Any, name: str | None = None) -> Tensor:
    """The exponential e ** x of each element."""

@overload
def expand_dims(
    input: RaggedTensor | RaggedTensorValue, axis: Any = None, name: str | None = None, dim: Any = None,
) -> Any:
    """Inserts an axis of size 1 into the shape of a tensor."""
@overload
def expand_dims(input: Any, axis: Any = None, name: str | None = None, dim: Any = None) -> Tensor:
    """Inserts an axis of size 1 into the shape of a tensor."""

@overload
def expm1(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """exp(x) - 1, accurate near zero."""
@overload
def expm1(x: Any, name: str | None = None) -> Tensor:
    """exp(x) - 1, accurate near zero."""

def extract_image_patches(
    images: Any, ksizes: Any = None, strides: Any = None, rates: Any = None, padding: Any = None,
    name: str | None = None, sizes: Any = None,
) -> Tensor:
    """Extracts patches of images (im2col): each window, flattened into the last axis."""

def extract_volume_patches(
    input: Any, ksizes: Any, strides: Any, padding: str, name: str | None = None,
) -> Tensor:
    """Extracts patches of volumes: each window, flattened into the last axis."""

def eye(
    num_rows: Any, num_columns: Any = None, batch_shape: Any = None, dtype: Any = ...,
    name: str | None = None,
) -> Tensor:
    """Creates an identity matrix, with ones on the main diagonal and zeros elsewhere, or a batch of
    them."""

def fake_quant_with_min_max_args(
    inputs: Any, min: float = -6.0, max: float = 6.0, num_bits: int = 8, narrow_range: _bool = False,
    name: str | None = None,
) -> Tensor:
    """Fake quantization: rounds numbers to the levels of a fixed range."""

def fake_quant_with_min_max_args_gradient(
    gradients: Any, inputs: Any, min: float = -6.0, max: float = 6.0, num_bits: int = 8,
    narrow_range: _bool = False, name: str | None = None,
) -> Tensor:
    """The gradient of FakeQuantWithMinMaxArgs: passes inside the range, zero outside; see there."""

def fake_quant_with_min_max_vars(
    inputs: Any, min: Any, max: Any, num_bits: int = 8, narrow_range: _bool = False,
    name: str | None = None,
) -> Tensor:
    """Fake quantization with a range that may be trained."""

def fake_quant_with_min_max_vars_gradient(
    gradients: Any, inputs: Any, min: Any, max: Any, num_bits: int = 8, narrow_range: _bool = False,
    name: str | None = None,
) -> _FakeQuantWithMinMaxVarsGradient:
    """The gradients of FakeQuantWithMinMaxVars, see there: of the input inside the range, of the bounds
    beyond them."""

def fake_quant_with_min_max_vars_per_channel(
    inputs: Any, min: Any, max: Any, num_bits: int = 8, narrow_range: _bool = False,
    name: str | None = None,
) -> Tensor:
    """Fake quantization with a range per channel (the last axis)."""

def fake_quant_with_min_max_vars_per_channel_gradient(
    gradients: Any, inputs: Any, min: Any, max: Any, num_bits: int = 8, narrow_range: _bool = False,
    name: str | None = None,
) -> _FakeQuantWithMinMaxVarsPerChannelGradient:
    """The gradients of rounding by channel; see `tf.fake_quant_with_min_max_vars_per_channel`."""

def fft(input: Any, name: str | None = None) -> Tensor:
    """The discrete Fourier transform in 1 dimensions, over the last axes."""

def fft2d(input: Any, name: str | None = None) -> Tensor:
    """The discrete Fourier transform in 2 dimensions, over the last axes."""

def fft3d(input: Any, name: str | None = None) -> Tensor:
    """The discrete Fourier transform in 3 dimensions, over the last axes."""

def fill(dims: Any, value: Any, name: str | None = None) -> Tensor:
    """A tensor of shape `dims` filled with `value`."""

def fingerprint(data: Any, method: Any = 'farmhash64', name: str | None = None) -> Tensor:
    """An 8-byte fingerprint of each row of `data`."""

def fixed_size_partitioner(num_shards: int, axis: int = 0) -> Callable[[TensorShape, DType], list[int]]:
    """Splits `axis` into `num_shards` parts."""

float16: DType
float32: DType
float64: DType

@overload
def floor(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """Rounds down to an integer."""
@overload
def floor(x: Any, name: str | None = None) -> Tensor:
    """Rounds down to an integer."""

@overload
def floor_div(x: RaggedTensor | RaggedTensorValue, y: Any, name: str | None = None) -> Any:
    """x / y rounded down."""
@overload
def floor_div(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x / y rounded down."""

@overload
def floordiv(x: RaggedTensor | RaggedTensorValue, y: Any, name: str | None = None) -> Any:
    """Divides element by element and rounds down, as Python's `//` does: -7 // 2 is -4."""
@overload
def floordiv(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Divides element by element and rounds down, as Python's `//` does: -7 // 2 is -4."""

@overload
def floormod(x: RaggedTensor | RaggedTensorValue, y: Any, name: str | None = None) -> Any:
    """The remainder, with the sign of `y`."""
@overload
def floormod(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The remainder, with the sign of `y`."""

def foldl(
    fn: Any, elems: Any, initializer: Any = None, parallel_iterations: Any = 10, back_prop: Any = True,
    swap_memory: _bool = False, name: str | None = None,
) -> Any:
    """Reduces the rows of tensors to one result by a function, from first to last; `tf.scan` keeps every
    step."""

def foldr(
    fn: Any, elems: Any, initializer: Any = None, parallel_iterations: Any = 10, back_prop: Any = True,
    swap_memory: _bool = False, name: str | None = None,
) -> Any:
    """Reduces the rows of tensors to one result by a function, from last to first; `tf.scan` keeps every
    step."""

def function(
    func: Callable[..., Any] | None = None, input_signature: Sequence[Any] | None = None,
    autograph: _bool = True, experimental_autograph_options: Any = None,
    experimental_relax_shapes: _bool = False, experimental_compile: _bool | None = None,
) -> Any:
    """Traces a Python function into a graph when it is called; later calls with the same kind of arguments
    run that."""

@overload
def gather(
    params: RaggedTensor | RaggedTensorValue, indices: Any, validate_indices: Any = None,
    name: str | None = None, axis: Any = None, batch_dims: int = 0,
) -> Any:
    """Selects slices of a tensor by their indices along `axis`; by default rows, result[i] =
    params[indices[i]]."""
@overload
def gather(
    params: Any, indices: Any, validate_indices: Any = None, name: str | None = None, axis: Any = None,
    batch_dims: int = 0,
) -> Tensor:
    """Selects slices of a tensor by their indices along `axis`; by default rows, result[i] =
    params[indices[i]]."""

@overload
def gather_nd(
    params: RaggedTensor | RaggedTensorValue, indices: Any, name: str | None = None, batch_dims: int = 0,
) -> Any:
    """Selects elements or slices of a tensor by coordinates: result[i] = params[indices[i, 0], indices[i,
    1], ...]."""
@overload
def gather_nd(params: Any, indices: Any, name: str | None = None, batch_dims: int = 0) -> Tensor:
    """Selects elements or slices of a tensor by coordinates: result[i] = params[indices[i, 0], indices[i,
    1], ...]."""

def get_collection(key: Any, scope: str | None = None) -> list[Any]:
    """A copy of a collection of the default graph."""

def get_collection_ref(key: Any) -> list[Any]:
    """A collection of the default graph itself: changes to the list change the collection."""

def get_default_graph() -> Graph:
    """The graph of the innermost `graph.as_default()` block, or the global one."""

def get_default_session() -> Any:
    """The session of the innermost with-block, or None."""

def get_local_variable(
    name: str, shape: Any = None, dtype: Any = None, initializer: Any = None, regularizer: Any = None,
    trainable: _bool | None = False, collections: Any = None, caching_device: Any = None,
    partitioner: Any = None, validate_shape: _bool = True, use_resource: _bool | None = None,
    custom_getter: Any = None, constraint: Any = None, synchronization: Any = ..., aggregation: Any = ...,
) -> Any:
    """Gets or creates a local variable, as `tf.get_variable` does: in LOCAL_VARIABLES, not trainable, not
    saved."""

def get_logger() -> Logger:
    """The logger that tf.logging writes to."""

def get_seed(op_seed: int | None) -> _tuple[int | None, int | None]:
    """The two seeds of a random op that is made now with the argument `seed=op_seed`."""

def get_session_handle(data: Any, name: str | None = None) -> Tensor:
    """A handle for the value of `data`, which stays in the session until the fetched handle goes."""

def get_session_tensor(handle: Any, dtype: Any, name: str | None = None) -> _tuple[Tensor, Tensor]:
    """(a placeholder for the text of a handle, the tensor that the session keeps under it)."""

def get_static_value(tensor: Any, partial: _bool = False) -> Any:
    """The value of a tensor that constants, shapes and a few ops on them give, else None."""

def get_variable(
    name: str, shape: Any = None, dtype: Any = None, initializer: Any = None, regularizer: Any = None,
    trainable: _bool | None = None, collections: Any = None, caching_device: Any = None,
    partitioner: Any = None, validate_shape: _bool = True, use_resource: _bool | None = None,
    custom_getter: Any = None, constraint: Any = None, synchronization: Any = ..., aggregation: Any = ...,
) -> Any:
    """Gets the variable of this name in the current variable scope, or creates it, as the scope's `reuse`
    says."""

def get_variable_scope() -> VariableScope:
    """Returns the current variable scope."""

def global_norm(t_list: Any, name: str | None = None) -> Tensor:
    """Computes the L2 norm of all tensors as if they were one vector, sqrt(sum of all squares); None is
    left out."""

def global_variables(scope: str | None = None) -> list[Any]:
    """Returns the variables that checkpoints save and processes share: the GLOBAL_VARIABLES collection."""

def global_variables_initializer() -> Operation:
    """Returns an operation that initializes all global variables created so far; run it once before
    training."""

class glorot_normal_initializer(variance_scaling_initializer):
    """Glorot (Xavier) normal initialization (Glorot and Bengio, 2010): truncated, variance 2 / (fan_in +
    fan_out)."""
    fields: _tuple[str, ...]
    def __init__(self, seed: int | None = None, dtype: Any = ...) -> None: ...

class glorot_uniform_initializer(variance_scaling_initializer):
    """Glorot (Xavier) uniform initialization (Glorot and Bengio, 2010): uniform on +-sqrt(6 / (fan_in +
    fan_out))."""
    fields: _tuple[str, ...]
    def __init__(self, seed: int | None = None, dtype: Any = ...) -> None: ...

def grad_pass_through(f: Any) -> Any:
    """Wraps a function in a straight-through estimator: forward it is `f`, backward the identity."""

def gradients(
    ys: Any, xs: Any, grad_ys: Any = None, name: str = 'gradients',
    colocate_gradients_with_ops: Any = False, gate_gradients: Any = False, aggregation_method: Any = None,
    stop_gradients: Any = None, unconnected_gradients: Any = ...,
) -> Any:
    """Adds nodes that compute d(sum(ys))/dx for each x in `xs`, by reverse-mode automatic
    differentiation."""

@overload
def greater(x: RaggedTensor | RaggedTensorValue, y: Any, name: str | None = None) -> Any:
    """Whether x > y, element by element."""
@overload
def greater(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Whether x > y, element by element."""

@overload
def greater_equal(x: RaggedTensor | RaggedTensorValue, y: Any, name: str | None = None) -> Any:
    """Whether x >= y, element by element."""
@overload
def greater_equal(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Whether x >= y, element by element."""

def group(*inputs: Any, **kwargs: Any) -> Any:
    """Groups operations: returns one operation that is done when all of `inputs` are done."""

def guarantee_const(input: Any, name: str | None = None) -> Tensor:
    """Declares that `input`, which is no variable, has the same value in every step."""

half: DType

def hessians(
    ys: Any, xs: Any, name: str = 'hessians', colocate_gradients_with_ops: Any = False,
    gate_gradients: Any = False, aggregation_method: Any = None,
) -> Any:
    """Adds nodes that compute the Hessians of sum(ys), one for each tensor of `xs`: their shape is shape(x)
    + shape(x)."""

def histogram_fixed_width(
    values: Any, value_range: Any, nbins: Any = 100, dtype: Any = ..., name: str | None = None,
) -> Tensor:
    """How many values fall into each of `nbins` equal parts of a range; those outside count in the first or
    last."""

def histogram_fixed_width_bins(
    values: Any, value_range: Any, nbins: Any = 100, dtype: Any = ..., name: str | None = None,
) -> Any:
    """Which of `nbins` equal parts of a range each value falls into; values outside belong to the first or
    last."""

@overload
def identity(input: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """Copies a tensor to a new node, which can have control dependencies, a device and a name of its
    own."""
@overload
def identity(input: Any, name: str | None = None) -> Any:
    """Copies a tensor to a new node, which can have control dependencies, a device and a name of its
    own."""

def identity_n(input: Any, name: str | None = None) -> list[Tensor]:
    """Forwards a list of tensors unchanged, in one node."""

def ifft(input: Any, name: str | None = None) -> Tensor:
    """The inverse discrete Fourier transform in 1 dimensions, over the last axes."""

def ifft2d(input: Any, name: str | None = None) -> Tensor:
    """The inverse discrete Fourier transform in 2 dimensions, over the last axes."""

def ifft3d(input: Any, name: str | None = None) -> Tensor:
    """The inverse discrete Fourier transform in 3 dimensions, over the last axes."""

def igamma(a: Any, x: Any, name: str | None = None) -> Tensor:
    """The lower regularized incomplete gamma function."""

def igammac(a: Any, x: Any, name: str | None = None) -> Tensor:
    """The upper regularized incomplete gamma function."""

@overload
def imag(input: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """The imaginary part; that of real numbers is 0."""
@overload
def imag(input: Any, name: str | None = None) -> Tensor:
    """The imaginary part; that of real numbers is 0."""

def import_graph_def(
    graph_def: Any, input_map: Mapping[str, Any] | None = None,
    return_elements: Iterable[str] | None = None, name: str | None = None, op_dict: Any = None,
    producer_op_list: Any = None,
) -> list[Any] | None:
    """Adds the nodes of a GraphDef to the default graph."""

def init_scope() -> AbstractContextManager[None]:
    """Operations made inside the block belong to the outermost graph and wait for nothing."""

initialize_all_tables = tables_initializer
initialize_all_variables = global_variables_initializer
initialize_local_variables = local_variables_initializer
initialize_variables = variables_initializer
int16: DType
int32: DType
int64: DType
int8: DType

def invert_permutation(x: Any, name: str | None = None) -> Tensor:
    """The inverse permutation: y[x[i]] = i."""

@overload
def is_finite(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """Whether the number is finite."""
@overload
def is_finite(x: Any, name: str | None = None) -> Tensor:
    """Whether the number is finite."""

@overload
def is_inf(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """Whether the number is infinite."""
@overload
def is_inf(x: Any, name: str | None = None) -> Tensor:
    """Whether the number is infinite."""

@overload
def is_nan(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """Whether the number is NaN."""
@overload
def is_nan(x: Any, name: str | None = None) -> Tensor:
    """Whether the number is NaN."""

def is_non_decreasing(x: Any, name: str | None = None) -> Tensor:
    """Whether no element is smaller than the one before it; fewer than two elements are in order."""

def is_numeric_tensor(tensor: Any) -> Any:
    """Whether `tensor` is a tensor of numbers."""

def is_strictly_increasing(x: Any, name: str | None = None) -> Tensor:
    """Whether every element is larger than the one before it; fewer than two elements are in order."""

def is_tensor(x: Any) -> _bool:
    """Whether `x` is a tensor, a sparse tensor, indexed slices or a variable."""

def is_variable_initialized(variable: Any) -> Tensor:
    """Whether the variable has a value."""

def lbeta(x: Any, name: str | None = None) -> Tensor:
    """The logarithm of the beta function of each vector in the last axis."""

@overload
def less(x: RaggedTensor | RaggedTensorValue, y: Any, name: str | None = None) -> Any:
    """Whether x < y, element by element."""
@overload
def less(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Whether x < y, element by element."""

@overload
def less_equal(x: RaggedTensor | RaggedTensorValue, y: Any, name: str | None = None) -> Any:
    """Whether x <= y, element by element."""
@overload
def less_equal(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Whether x <= y, element by element."""

@overload
def lgamma(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """log |gamma(x)|, the log-gamma function."""
@overload
def lgamma(x: Any, name: str | None = None) -> Tensor:
    """log |gamma(x)|, the log-gamma function."""

def lin_space(start: Any, stop: Any, num: Any, name: str | None = None) -> Tensor:
    """`num` evenly spaced values from `start` to `stop`, both included."""

linspace = lin_space

def load_file_system_library(library_filename: str) -> NoReturn:
    """TensorFlow loads a shared library with a file system here; evergraph's file systems are those of
    fsspec."""

def load_library(library_location: str) -> NoReturn:
    """As `load_op_library`, for a file or all files of a directory."""

def load_op_library(library_filename: str) -> NoReturn:
    """TensorFlow loads a shared library of custom ops here, compiled against its headers."""

def local_variables(scope: str | None = None) -> list[Any]:
    """Returns the variables of this process alone, which checkpoints leave out, such as a metric's
    counters."""

def local_variables_initializer() -> Operation:
    """Returns an operation that initializes all local variables created so far, such as the counters of
    metrics."""

@overload
def log(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """The natural logarithm of each element."""
@overload
def log(x: Any, name: str | None = None) -> Tensor:
    """The natural logarithm of each element."""

@overload
def log1p(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """log(1 + x), accurate near zero."""
@overload
def log1p(x: Any, name: str | None = None) -> Tensor:
    """log(1 + x), accurate near zero."""

@overload
def log_sigmoid(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """The logarithm of the sigmoid, as -softplus(-x), which does not underflow."""
@overload
def log_sigmoid(x: Any, name: str | None = None) -> Tensor:
    """The logarithm of the sigmoid, as -softplus(-x), which does not underflow."""

@overload
def logical_and(x: RaggedTensor | RaggedTensorValue, y: Any, name: str | None = None) -> Any:
    """Whether both x and y are true, element by element."""
@overload
def logical_and(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Whether both x and y are true, element by element."""

@overload
def logical_not(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """Whether x is false, element by element."""
@overload
def logical_not(x: Any, name: str | None = None) -> Tensor:
    """Whether x is false, element by element."""

@overload
def logical_or(x: RaggedTensor | RaggedTensorValue, y: Any, name: str | None = None) -> Any:
    """Whether x or y or both are true, element by element."""
@overload
def logical_or(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Whether x or y or both are true, element by element."""

def logical_xor(x: Any, y: Any, name: str = 'LogicalXor') -> Tensor:
    """Whether exactly one is true."""

def make_ndarray(tensor: Any) -> ndarray:
    """The NumPy array that a TensorProto message holds."""

def make_template(
    name_: str, func_: Callable[..., Any], create_scope_now_: _bool = False,
    unique_name_: str | None = None, custom_getter_: Any = None, **kwargs: Any,
) -> Any:
    """`func_` as a function whose calls share the variables that it makes with `tf.get_variable`."""

def make_tensor_proto(
    values: Any, dtype: Any = None, shape: Any = None, verify_shape: _bool = False,
    allow_broadcast: _bool = False,
) -> Any:
    """A TensorProto message that holds these values."""

@overload
def map_fn(
    fn: RaggedTensor | RaggedTensorValue, elems: Any, dtype: Any = None, parallel_iterations: Any = None,
    back_prop: Any = True, swap_memory: _bool = False, infer_shape: Any = True, name: str | None = None,
) -> Any:
    """Maps a function over the rows (slices along the first axis) of tensors and stacks the results."""
@overload
def map_fn(
    fn: Any, elems: Any, dtype: Any = None, parallel_iterations: Any = None, back_prop: Any = True,
    swap_memory: _bool = False, infer_shape: Any = True, name: str | None = None,
) -> Any:
    """Maps a function over the rows (slices along the first axis) of tensors and stacks the results."""

def matching_files(pattern: Any, name: str | None = None) -> Tensor:
    """The sorted paths that match a glob pattern, or one of several; see `tf.io.gfile.glob`."""

@overload
def matmul(
    a: LinearOperator, b: Any, transpose_a: Any = False, transpose_b: Any = False, adjoint_a: Any = False,
    adjoint_b: Any = False, a_is_sparse: Any = False, b_is_sparse: Any = False, name: str | None = None,
) -> Any:
    """The matrix product of `a` and `b` over their last two axes; the axes before them broadcast."""
@overload
def matmul(
    a: Any, b: Any, transpose_a: Any = False, transpose_b: Any = False, adjoint_a: Any = False,
    adjoint_b: Any = False, a_is_sparse: Any = False, b_is_sparse: Any = False, name: str | None = None,
) -> Tensor:
    """The matrix product of `a` and `b` over their last two axes; the axes before them broadcast."""

def matrix_band_part(input: Any, num_lower: Any, num_upper: Any, name: str | None = None) -> Tensor:
    """The central band of matrices: keeps `num_lower` subdiagonals and `num_upper` superdiagonals (all if
    negative)."""

@overload
def matrix_determinant(input: LinearOperator, name: str | None = None) -> Any:
    """The determinants of square matrices."""
@overload
def matrix_determinant(input: Any, name: str | None = None) -> Tensor:
    """The determinants of square matrices."""

def matrix_diag(
    diagonal: Any, name: str = 'diag', k: Any = 0, num_rows: Any = -1, num_cols: Any = -1,
    padding_value: Any = 0,
) -> Tensor:
    """Matrices with given diagonals."""

@overload
def matrix_diag_part(
    input: LinearOperator, name: str = 'diag_part', k: Any = 0, padding_value: Any = 0,
) -> Any:
    """The diagonals of matrices."""
@overload
def matrix_diag_part(input: Any, name: str = 'diag_part', k: Any = 0, padding_value: Any = 0) -> Tensor:
    """The diagonals of matrices."""

@overload
def matrix_inverse(input: LinearOperator, adjoint: _bool = False, name: str | None = None) -> Any:
    """The inverse of square matrices, or with `adjoint` the inverse of their adjoints."""
@overload
def matrix_inverse(input: Any, adjoint: _bool = False, name: str | None = None) -> Tensor:
    """The inverse of square matrices, or with `adjoint` the inverse of their adjoints."""

def matrix_set_diag(input: Any, diagonal: Any, name: str = 'set_diag', k: Any = 0) -> Tensor:
    """Matrices with diagonals replaced."""

@overload
def matrix_solve(
    matrix: LinearOperator, rhs: Any, adjoint: _bool = False, name: str | None = None,
) -> Any:
    """Solves the linear systems matrix * x = rhs, or with `adjoint` matrix^H * x = rhs."""
@overload
def matrix_solve(matrix: Any, rhs: Any, adjoint: _bool = False, name: str | None = None) -> Tensor:
    """Solves the linear systems matrix * x = rhs, or with `adjoint` matrix^H * x = rhs."""

def matrix_solve_ls(
    matrix: Any, rhs: Any, l2_regularizer: Any = 0.0, fast: Any = True, name: str | None = None,
) -> Any:
    """The x that makes |matrix x - rhs|^2 + l2_regularizer |x|^2 smallest, and among equals the
    shortest."""

def matrix_square_root(input: Any, name: str | None = None) -> Tensor:
    """The principal matrix square root."""

def matrix_transpose(a: Any, name: str | None = 'matrix_transpose', conjugate: _bool = False) -> Tensor:
    """Transposes the matrices in the last two axes of a tensor."""

def matrix_triangular_solve(
    matrix: Any, rhs: Any, lower: _bool = True, adjoint: _bool = False, name: str | None = None,
) -> Tensor:
    """Solves linear systems with a triangular matrix; the other triangle is not read."""

@overload
def maximum(x: RaggedTensor | RaggedTensorValue, y: Any, name: str | None = None) -> Any:
    """The maximum of x and y."""
@overload
def maximum(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The maximum of x and y."""

def meshgrid(*args: Any, **kwargs: Any) -> list[Tensor]:
    """Coordinate grids of N vectors: N tensors of rank N, in which each vector runs along one axis."""

def min_max_variable_partitioner(
    max_partitions: int = 1, axis: int = 0, min_slice_size: int = 262144,
    bytes_per_string_element: int = 16,
) -> Callable[[TensorShape, DType], list[int]]:
    """Splits `axis` into at most `max_partitions` parts of at least `min_slice_size` bytes."""

@overload
def minimum(x: RaggedTensor | RaggedTensorValue, y: Any, name: str | None = None) -> Any:
    """The minimum of x and y."""
@overload
def minimum(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The minimum of x and y."""

mod = floormod

def model_variables(scope: str | None = None) -> list[Any]:
    """The variables that inference needs, as far as layers have listed them."""

def moving_average_variables(scope: str | None = None) -> list[Any]:
    """The variables that an ExponentialMovingAverage follows."""

def multinomial(
    logits: Any, num_samples: Any, seed: int | None = None, name: str | None = None,
    output_dtype: Any = None,
) -> Tensor:
    """Draws class indices from the categorical distributions softmax(logits); older name of
    `tf.random.categorical`."""

@overload
def multiply(x: RaggedTensor | RaggedTensorValue, y: Any, name: str | None = None) -> Any:
    """The product x * y, element by element."""
@overload
def multiply(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The product x * y, element by element."""

class name_scope:
    """Operations made inside the block get `name/` before their names."""
    @property
    def name(self) -> str | None:
        """The name that was asked for."""
    def __enter__(self) -> str: ...
    def __exit__(self, *error: Any) -> None: ...
    def __init__(
        self, name: str | None, default_name: str | None = None, values: Sequence[Any] | None = None,
    ) -> None: ...

def negative(x: Any, name: str | None = None) -> Any:
    """The negative -x."""

newaxis: None

def no_gradient(op_type: Any) -> None:
    """Declares that an op type is not differentiable: `tf.gradients` does not go through it."""

def no_op(name: str | None = None) -> Operation:
    """Does nothing; serves as a target of control dependencies."""

def no_regularizer(_: Any) -> None:
    """A regularizer that does nothing: keeps that of the scopes around away."""

def nondifferentiable_batch_function(
    num_batch_threads: int, max_batch_size: int, batch_timeout_micros: int,
    allowed_batch_sizes: Sequence[int] | None = None, max_enqueued_batches: int = 10,
    autograph: _bool = True,
) -> Callable[..., Any]:
    """Decorator that batches concurrent calls of a function: steps that run at the same time share one
    call."""

def norm(
    tensor: Any, ord: Any = 'euclidean', axis: Any = None, keepdims: _bool | None = None,
    name: str | None = None, keep_dims: _bool | None = None,
) -> Tensor:
    """The norm of vectors or matrices."""

@overload
def not_equal(x: RaggedTensor | RaggedTensorValue, y: Any, name: str | None = None) -> Any:
    """Whether the elements differ."""
@overload
def not_equal(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Whether the elements differ."""

def numpy_function(func: Any, inp: Any, Tout: Any, name: str | None = None) -> Any:
    """The same as `tf.py_func` with `stateful=True`."""

@overload
def one_hot(
    indices: RaggedTensor | RaggedTensorValue, depth: Any, on_value: Any = None, off_value: Any = None,
    axis: int | None = None, dtype: Any = None, name: str | None = None,
) -> Any:
    """Encodes indices as one-hot vectors along a new axis: `on_value` at position index, `off_value`
    elsewhere."""
@overload
def one_hot(
    indices: Any, depth: Any, on_value: Any = None, off_value: Any = None, axis: int | None = None,
    dtype: Any = None, name: str | None = None,
) -> Tensor:
    """Encodes indices as one-hot vectors along a new axis: `on_value` at position index, `off_value`
    elsewhere."""

def ones(shape: Any, dtype: Any = ..., name: str | None = None) -> Tensor:
    """Creates a tensor in which every element is one: the number 1, or True."""

class ones_initializer(Initializer):
    """Initializes a variable with ones."""
    fields: _tuple[str, ...]
    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor: ...
    def __init__(self, dtype: Any = ...) -> None: ...
    dtype: Any

@overload
def ones_like(
    tensor: RaggedTensor | RaggedTensorValue, dtype: Any = None, name: str | None = None,
    optimize: _bool = True,
) -> Any:
    """Creates a tensor of ones in the shape and dtype of another tensor."""
@overload
def ones_like(
    tensor: Any, dtype: Any = None, name: str | None = None, optimize: _bool = True,
) -> Tensor:
    """Creates a tensor of ones in the shape and dtype of another tensor."""

def op_scope(values: Sequence[Any], name: str | None, default_name: str | None = None) -> _name_scope:
    """The same as `tf.name_scope(name, default_name, values)`, with the older order of arguments."""

class orthogonal_initializer(Initializer):
    """Orthogonal initialization (Saxe et al., 2013): a random matrix with orthonormal rows or columns,
    times `gain`."""
    fields: _tuple[str, ...]
    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor: ...
    def __init__(self, gain: float = 1.0, seed: int | None = None, dtype: Any = ...) -> None: ...
    gain: Any
    seed: Any
    dtype: Any

def pad(
    tensor: Any, paddings: Any, mode: str = 'CONSTANT', name: str | None = None, constant_values: Any = 0,
) -> Tensor:
    """Pads a tensor at the borders of its axes: with a constant, or with its own elements mirrored."""

def parallel_stack(values: Sequence[Any], name: str = 'parallel_stack') -> Tensor:
    """`tf.stack` along the first axis, for values whose static shapes are known."""

def parse_example(
    serialized: Any, features: Any, name: str | None = None, example_names: Any = None,
) -> Any:
    """Parses the features of a batch of serialized Examples to tensors."""

def parse_single_example(
    serialized: Any, features: Any, name: str | None = None, example_names: Any = None,
) -> Any:
    """Parses the features of one serialized Example to tensors: `tf.parse_example` without the batch
    dimension."""

def parse_single_sequence_example(
    serialized: Any, context_features: Any = None, sequence_features: Any = None, example_name: Any = None,
    name: str | None = None,
) -> _tuple[Any, Any]:
    """Parses the context and the feature lists of one serialized SequenceExample to tensors."""

def parse_tensor(serialized: Any, out_type: Any, name: str | None = None) -> Tensor:
    """Parses a serialized TensorProto to a tensor."""

def placeholder(dtype: Any, shape: Any = None, name: str | None = None) -> Tensor:
    """Creates a tensor without a value of its own: every `Session.run` that needs it must feed one in
    `feed_dict`."""

def placeholder_with_default(input: Any, shape: Any, name: str | None = None) -> Tensor:
    """A placeholder that defaults to `input` when no value is fed."""

def polygamma(a: Any, x: Any, name: str | None = None) -> Tensor:
    """The polygamma function of order `a`."""

@overload
def pow(x: RaggedTensor | RaggedTensorValue, y: Any, name: str | None = None) -> Any:
    """The power x ** y."""
@overload
def pow(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The power x ** y."""

def print(*inputs: Any, **kwargs: Any) -> Operation:
    """Returns an operation that prints `inputs` whenever it runs; it needs a control dependency or a fetch
    to run."""

def py_func(func: Any, inp: Any, Tout: Any, stateful: Any = True, name: str | None = None) -> Any:
    """Wraps a Python function of NumPy arrays as a node, which calls it in every run."""

def py_function(
    func: Callable[..., Any], inp: Sequence[Any], Tout: Any, name: str | None = None,
) -> Any:
    """Calls a Python function of tensors that have values when the graph runs."""

qint16: DType
qint32: DType
qint8: DType

def qr(input: Any, full_matrices: _bool = False, name: str | None = None) -> _Qr:
    """The QR decomposition: Q with orthonormal columns and R upper triangular, input = Q R."""

def quantize(
    input: Any, min_range: Any, max_range: Any, T: Any, mode: Any = 'MIN_COMBINED',
    round_mode: Any = 'HALF_AWAY_FROM_ZERO', name: str | None = None,
) -> _QuantizeV2:
    """Numbers as integers of few bits, which stand for levels between `min_range` and `max_range`."""

def quantize_v2(
    input: Any, min_range: Any, max_range: Any, T: Any, mode: Any = 'MIN_COMBINED', name: str | None = None,
    round_mode: Any = 'HALF_AWAY_FROM_ZERO',
) -> _QuantizeV2:
    """The same as `tf.quantization.quantize`, with the older order of arguments."""

def quantized_concat(
    concat_dim: Any, values: Any, input_mins: Any, input_maxes: Any, name: str | None = None,
) -> _QuantizedConcat:
    """Concatenates quantized tensors along an axis, requantized to a range that contains all of theirs."""

quint16: DType
quint8: DType

def random_crop(value: Any, size: Any, seed: int | None = None, name: str | None = None) -> Tensor:
    """Crops a window of a given size out of a tensor at a uniformly random offset."""

def random_gamma(
    shape: Any, alpha: Any, beta: Any = None, dtype: Any = ..., seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Draws from gamma distributions; the samples are differentiable by `alpha` and `beta`."""

def random_normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = ..., seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Draws from the normal distribution N(mean, stddev**2), new numbers in every run."""

class random_normal_initializer(Initializer):
    """Initializes a variable from the normal distribution N(mean, stddev**2)."""
    fields: _tuple[str, ...]
    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor: ...
    def __init__(
        self, mean: Any = 0.0, stddev: Any = 1.0, seed: int | None = None, dtype: Any = ...,
    ) -> None: ...
    mean: Any
    stddev: Any
    seed: Any
    dtype: Any

def random_poisson(
    lam: Any, shape: Any, dtype: Any = ..., seed: int | None = None, name: str | None = None,
) -> Tensor:
    """Draws counts from Poisson distributions with the rates `lam`."""

def random_shuffle(value: Any, seed: int | None = None, name: str | None = None) -> Tensor:
    """Shuffles a tensor along its first axis: rows change places at random and stay whole."""

def random_uniform(
    shape: Any, minval: Any = 0, maxval: Any = None, dtype: Any = ..., seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Draws from the uniform distribution on [minval, maxval), new numbers in every run."""

class random_uniform_initializer(Initializer):
    """Initializes a variable from the uniform distribution on [minval, maxval)."""
    fields: _tuple[str, ...]
    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor: ...
    def __init__(
        self, minval: Any = 0, maxval: Any = None, seed: int | None = None, dtype: Any = ...,
    ) -> None: ...
    minval: Any
    maxval: Any
    seed: Any
    dtype: Any

def range(
    start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, name: str = 'range',
) -> Tensor:
    """Creates the vector start, start + delta, start + 2 * delta, ... of all numbers before `limit`."""

@overload
def rank(input: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """Returns the number of axes of a tensor or SparseTensor as a scalar int32 tensor."""
@overload
def rank(input: Any, name: str | None = None) -> Tensor:
    """Returns the number of axes of a tensor or SparseTensor as a scalar int32 tensor."""

def read_file(filename: Any, name: str | None = None) -> Tensor:
    """Reads a whole file."""

@overload
def real(input: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """The real part; real numbers are their own."""
@overload
def real(input: Any, name: str | None = None) -> Tensor:
    """The real part; real numbers are their own."""

@overload
def realdiv(x: RaggedTensor | RaggedTensorValue, y: Any, name: str | None = None) -> Any:
    """The ratio x / y."""
@overload
def realdiv(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The ratio x / y."""

@overload
def reciprocal(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """The reciprocal 1 / x."""
@overload
def reciprocal(x: Any, name: str | None = None) -> Tensor:
    """The reciprocal 1 / x."""

def recompute_grad(f: Any) -> Any:
    """Wraps a function for gradient checkpointing: the backward pass recomputes `f` and keeps no
    activations."""

@overload
def reduce_all(
    input_tensor: RaggedTensor | RaggedTensorValue, axis: Any = None, keepdims: _bool | None = None,
    name: str | None = None, reduction_indices: Any = None, keep_dims: _bool | None = None,
) -> Any:
    """Computes the logical AND of a boolean tensor along axes."""
@overload
def reduce_all(
    input_tensor: Any, axis: Any = None, keepdims: _bool | None = None, name: str | None = None,
    reduction_indices: Any = None, keep_dims: _bool | None = None,
) -> Tensor:
    """Computes the logical AND of a boolean tensor along axes."""

@overload
def reduce_any(
    input_tensor: RaggedTensor | RaggedTensorValue, axis: Any = None, keepdims: _bool | None = None,
    name: str | None = None, reduction_indices: Any = None, keep_dims: _bool | None = None,
) -> Any:
    """Computes the logical OR of a boolean tensor along axes."""
@overload
def reduce_any(
    input_tensor: Any, axis: Any = None, keepdims: _bool | None = None, name: str | None = None,
    reduction_indices: Any = None, keep_dims: _bool | None = None,
) -> Tensor:
    """Computes the logical OR of a boolean tensor along axes."""

def reduce_join(
    inputs: Any, axis: Any = None, keep_dims: Any = None, separator: str = '', name: str | None = None,
    reduction_indices: Any = None, keepdims: Any = None,
) -> Tensor:
    """Joins the strings along axes."""

def reduce_logsumexp(
    input_tensor: Any, axis: Any = None, keepdims: _bool | None = None, name: str | None = None,
    reduction_indices: Any = None, keep_dims: _bool | None = None,
) -> Tensor:
    """Computes log(sum(exp(x))) along axes in a numerically stable way, as max(x) + log(sum(exp(x -
    max(x))))."""

@overload
def reduce_max(
    input_tensor: RaggedTensor | RaggedTensorValue, axis: Any = None, keepdims: _bool | None = None,
    name: str | None = None, reduction_indices: Any = None, keep_dims: _bool | None = None,
) -> Any:
    """Computes the maximum of a tensor along axes."""
@overload
def reduce_max(
    input_tensor: Any, axis: Any = None, keepdims: _bool | None = None, name: str | None = None,
    reduction_indices: Any = None, keep_dims: _bool | None = None,
) -> Tensor:
    """Computes the maximum of a tensor along axes."""

@overload
def reduce_mean(
    input_tensor: RaggedTensor | RaggedTensorValue, axis: Any = None, keepdims: _bool | None = None,
    name: str | None = None, reduction_indices: Any = None, keep_dims: _bool | None = None,
) -> Any:
    """Averages the elements of a tensor along axes; means of integers are truncated to integers."""
@overload
def reduce_mean(
    input_tensor: Any, axis: Any = None, keepdims: _bool | None = None, name: str | None = None,
    reduction_indices: Any = None, keep_dims: _bool | None = None,
) -> Tensor:
    """Averages the elements of a tensor along axes; means of integers are truncated to integers."""

@overload
def reduce_min(
    input_tensor: RaggedTensor | RaggedTensorValue, axis: Any = None, keepdims: _bool | None = None,
    name: str | None = None, reduction_indices: Any = None, keep_dims: _bool | None = None,
) -> Any:
    """Computes the minimum of a tensor along axes."""
@overload
def reduce_min(
    input_tensor: Any, axis: Any = None, keepdims: _bool | None = None, name: str | None = None,
    reduction_indices: Any = None, keep_dims: _bool | None = None,
) -> Tensor:
    """Computes the minimum of a tensor along axes."""

@overload
def reduce_prod(
    input_tensor: RaggedTensor | RaggedTensorValue, axis: Any = None, keepdims: _bool | None = None,
    name: str | None = None, reduction_indices: Any = None, keep_dims: _bool | None = None,
) -> Any:
    """Multiplies the elements of a tensor along axes."""
@overload
def reduce_prod(
    input_tensor: Any, axis: Any = None, keepdims: _bool | None = None, name: str | None = None,
    reduction_indices: Any = None, keep_dims: _bool | None = None,
) -> Tensor:
    """Multiplies the elements of a tensor along axes."""

@overload
def reduce_sum(
    input_tensor: RaggedTensor | RaggedTensorValue, axis: Any = None, keepdims: _bool | None = None,
    name: str | None = None, reduction_indices: Any = None, keep_dims: _bool | None = None,
) -> Any:
    """Sums the elements of a tensor along axes."""
@overload
def reduce_sum(
    input_tensor: Any, axis: Any = None, keepdims: _bool | None = None, name: str | None = None,
    reduction_indices: Any = None, keep_dims: _bool | None = None,
) -> Tensor:
    """Sums the elements of a tensor along axes."""

def regex_replace(
    input: Any, pattern: Any, rewrite: Any, replace_global: _bool = True, name: str | None = None,
) -> Tensor:
    """Replaces matches of an RE2 regular expression in each string."""

def register_tensor_conversion_function(
    base_type: Any, conversion_func: Callable[..., Any], priority: int = 100,
) -> None:
    """Registers a function that converts values of `base_type` to tensors."""

def repeat(input: Any, repeats: Any, axis: int | None = None, name: str | None = None) -> Tensor:
    """Each element (or slice) of a tensor several times in a row."""

def report_uninitialized_variables(
    var_list: Sequence[Any] | None = None, name: str = 'report_uninitialized_variables',
) -> Tensor:
    """Returns the names of the variables that have no value yet, as a 1-D string tensor."""

def required_space_to_batch_paddings(
    input_shape: Any, block_shape: Any, base_paddings: Any = None, name: str | None = None,
) -> _tuple[Tensor, Tensor]:
    """The paddings that make a shape divisible into blocks, and the crops that undo what was added for
    that."""

def reset_default_graph() -> None:
    """Replaces the global default graph by an empty one."""

def reshape(tensor: Any, shape: Any, name: str | None = None) -> Tensor:
    """Reshapes `tensor` to `shape`; one size may be -1 and is inferred."""

resource: DType

def resource_variables_enabled() -> _bool:
    """Whether variables are resource variables by default."""

reverse = reverse_v2

def reverse_sequence(
    input: Any, seq_lengths: Any, seq_axis: int | None = None, batch_axis: int | None = None,
    name: str | None = None, seq_dim: int | None = None, batch_dim: int | None = None,
) -> Tensor:
    """Reverses the first `seq_lengths[i]` elements of sequence i and keeps what follows, such as
    padding."""

def reverse_v2(tensor: Any, axis: Any, name: str | None = None) -> Tensor:
    """Reverses `tensor` along the axes in `axis`."""

@overload
def rint(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """Rounds half to even."""
@overload
def rint(x: Any, name: str | None = None) -> Tensor:
    """Rounds half to even."""

def roll(input: Any, shift: Any, axis: Any, name: str | None = None) -> Tensor:
    """Rolls `input`: shifts its elements by `shift` along `axis`, wrapping around."""

@overload
def round(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """Rounds to the nearest integer, halves to the even one: 0.5 -> 0, 1.5 -> 2."""
@overload
def round(x: Any, name: str | None = None) -> Tensor:
    """Rounds to the nearest integer, halves to the even one: 0.5 -> 0, 1.5 -> 2."""

@overload
def rsqrt(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """The reciprocal square root."""
@overload
def rsqrt(x: Any, name: str | None = None) -> Tensor:
    """The reciprocal square root."""

@overload
def saturate_cast(value: RaggedTensor | RaggedTensorValue, dtype: Any, name: str | None = None) -> Any:
    """Converts to another dtype; numbers outside its range become its smallest or largest number."""
@overload
def saturate_cast(value: Any, dtype: Any, name: str | None = None) -> Any:
    """Converts to another dtype; numbers outside its range become its smallest or largest number."""

def scalar_mul(scalar: Any, x: Any, name: str | None = None) -> Any:
    """Multiplies a tensor or IndexedSlices by one number."""

def scan(
    fn: Any, elems: Any, initializer: Any = None, parallel_iterations: Any = 10, back_prop: Any = True,
    swap_memory: _bool = False, infer_shape: Any = True, reverse: Any = False, name: str | None = None,
) -> Any:
    """Folds a function over the rows of tensors and stacks all intermediate results: a prefix scan."""

def scatter_add(
    ref: Any, indices: Any, updates: Any, use_locking: _bool = False, name: str | None = None,
) -> Any:
    """Adds to rows of a variable."""

def scatter_div(
    ref: Any, indices: Any, updates: Any, use_locking: _bool = False, name: str | None = None,
) -> Any:
    """Divides rows of a variable."""

def scatter_max(
    ref: Any, indices: Any, updates: Any, use_locking: _bool = False, name: str | None = None,
) -> Any:
    """Keeps the larger of rows of a variable and the updates."""

def scatter_min(
    ref: Any, indices: Any, updates: Any, use_locking: _bool = False, name: str | None = None,
) -> Any:
    """Keeps the smaller of rows of a variable and the updates."""

def scatter_mul(
    ref: Any, indices: Any, updates: Any, use_locking: _bool = False, name: str | None = None,
) -> Any:
    """Multiplies rows of a variable."""

def scatter_nd(indices: Any, updates: Any, shape: Any, name: str | None = None) -> Tensor:
    """Scatters `updates` into zeros of shape `shape`; updates of the same index are added."""

def scatter_nd_add(
    ref: Any, indices: Any, updates: Any, use_locking: _bool = False, name: str | None = None,
) -> Any:
    """Adds to places of a variable."""

def scatter_nd_sub(
    ref: Any, indices: Any, updates: Any, use_locking: _bool = False, name: str | None = None,
) -> Any:
    """Subtracts from places of a variable."""

def scatter_nd_update(
    ref: Any, indices: Any, updates: Any, use_locking: _bool = True, name: str | None = None,
) -> Any:
    """Assigns places of a variable."""

def scatter_sub(
    ref: Any, indices: Any, updates: Any, use_locking: _bool = False, name: str | None = None,
) -> Any:
    """Subtracts from rows of a variable."""

def scatter_update(
    ref: Any, indices: Any, updates: Any, use_locking: _bool = True, name: str | None = None,
) -> Any:
    """Assigns rows of a variable."""

def searchsorted(
    sorted_sequence: Any, values: Any, side: str = 'left', out_type: Any = ..., name: str | None = None,
) -> Tensor:
    """Finds by binary search the index at which each value could be inserted so that a row stays sorted."""

def segment_max(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """The maximum of the rows of each segment."""

def segment_mean(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """The mean of the rows of each segment."""

def segment_min(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """The minimum of the rows of each segment."""

def segment_prod(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """The product of the rows of each segment."""

def segment_sum(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """The sum of the rows of each segment."""

def self_adjoint_eig(tensor: Any, name: str | None = None) -> _tuple[Any, Any]:
    """The eigenvalues of self-adjoint matrices in rising order, and the eigenvectors as columns."""

def self_adjoint_eigvals(tensor: Any, name: str | None = None) -> Any:
    """The eigenvalues of self-adjoint matrices in rising order."""

def sequence_mask(
    lengths: Any, maxlen: Any = None, dtype: Any = ..., name: str | None = None,
) -> Tensor:
    """Converts sequence lengths to masks: row i is true at its first lengths[i] positions and false behind
    them."""

def serialize_many_sparse(sp_input: Any, name: str | None = None, out_type: Any = ...) -> Tensor:
    """Serializes the slices of a sparse tensor along its first axis to rows of three; see
    `tf.serialize_sparse`."""

def serialize_sparse(sp_input: Any, name: str | None = None, out_type: Any = ...) -> Tensor:
    """Serializes a sparse tensor to a vector of three elements: indices, values and shape."""

def serialize_tensor(tensor: Any, name: str | None = None) -> Tensor:
    """Serializes a tensor to a TensorProto."""

def set_random_seed(seed: int) -> None:
    """Sets the seed of the default graph, from which every random op created afterwards derives its own."""

def setdiff1d(x: Any, y: Any, index_dtype: Any = ..., name: str | None = None) -> _ListDiff:
    """The elements of one vector that are not in another, and where they stand: (out, idx)."""

def shape(input: Any, name: str | None = None, out_type: Any = ...) -> Tensor:
    """Returns the run-time shape of a tensor as a 1-D integer tensor; `tensor.shape` is the static one."""

def shape_n(input: Any, out_type: Any = ..., name: str | None = None) -> list[Tensor]:
    """The shape of each tensor of a list."""

def sigmoid(x: Any, name: str | None = None) -> Tensor:
    """Sigmoid: 1 / (1 + exp(-x))."""

def sign(x: Any, name: str | None = None) -> Any:
    """The sign: -1, 0 or 1; for complex numbers x / |x|."""

@overload
def sin(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """The sine of each angle in radians."""
@overload
def sin(x: Any, name: str | None = None) -> Tensor:
    """The sine of each angle in radians."""

@overload
def sinh(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """The hyperbolic sine of each element."""
@overload
def sinh(x: Any, name: str | None = None) -> Tensor:
    """The hyperbolic sine of each element."""

@overload
def size(input: RaggedTensor | RaggedTensorValue, name: str | None = None, out_type: Any = ...) -> Any:
    """Returns the number of elements of a tensor, the product of its sizes."""
@overload
def size(input: Any, name: str | None = None, out_type: Any = ...) -> Tensor:
    """Returns the number of elements of a tensor, the product of its sizes."""

def slice(input_: Any, begin: Any, size: Any, name: str | None = None) -> Tensor:
    """Extracts the box of a tensor that begins at `begin` and has the shape `size`; `x[i:j, k:l]` is easier
    to read."""

def sort(values: Any, axis: int = -1, direction: str = 'ASCENDING', name: str | None = None) -> Tensor:
    """Sorts a tensor along one of its axes."""

def space_to_batch(
    input: Any, paddings: Any, block_size: int | None = None, name: str | None = None,
    block_shape: Any = None,
) -> Tensor:
    """Pads images and moves square blocks of them into the batch."""

def space_to_batch_nd(input: Any, block_shape: Any, paddings: Any, name: str | None = None) -> Tensor:
    """SpaceToBatch: pads the spatial dimensions, then moves blocks of them into the batch dimension."""

def space_to_depth(
    input: Any, block_size: int, name: str | None = None, data_format: str = 'NHWC',
) -> Tensor:
    """Moves square blocks of images into their channels."""

def sparse_add(a: Any, b: Any, threshold: Any = None, thresh: Any = None) -> Any:
    """Adds two tensors of which at least one is sparse."""

def sparse_concat(
    axis: Any, sp_inputs: Any, name: str | None = None, expand_nonconcat_dim: Any = False,
    concat_dim: Any = None, expand_nonconcat_dims: Any = None,
) -> Any:
    """Concatenates sparse tensors along an axis."""

def sparse_fill_empty_rows(
    sp_input: Any, default_value: Any, name: str | None = None,
) -> _tuple[SparseTensor, Any]:
    """Adds an entry of `default_value` in the first column of each empty row."""

def sparse_mask(a: Any, mask_indices: Any, name: str | None = None) -> IndexedSlices:
    """IndexedSlices without the rows in `mask_indices`."""

def sparse_matmul(
    a: Any, b: Any, transpose_a: _bool = False, transpose_b: _bool = False, a_is_sparse: _bool = False,
    b_is_sparse: _bool = False, name: str | None = None,
) -> Tensor:
    """The product of matrices with many zeros, as `tf.matmul`; `a_is_sparse` and `b_is_sparse` have no
    effect."""

def sparse_maximum(sp_a: Any, sp_b: Any, name: str | None = None) -> SparseTensor:
    """The elementwise maximum of two sparse tensors; missing entries count as 0."""

def sparse_merge(
    sp_ids: Any, sp_values: Any, vocab_size: Any, name: str | None = None, already_sorted: Any = False,
) -> SparseTensor:
    """Merges ids and values to a sparse tensor whose last axis is the vocabulary: each value at its id."""

def sparse_minimum(sp_a: Any, sp_b: Any, name: str | None = None) -> SparseTensor:
    """The elementwise minimum of two sparse tensors; missing entries count as 0."""

def sparse_placeholder(dtype: Any, shape: Any = None, name: str | None = None) -> SparseTensor:
    """Creates a placeholder for a SparseTensor; feed a SparseTensorValue or (indices, values,
    dense_shape)."""

def sparse_reduce_max(
    sp_input: Any, axis: Any = None, keepdims: _bool | None = None, reduction_axes: Any = None,
    keep_dims: _bool | None = None,
) -> Any:
    """The maximum of a sparse tensor along axes, as a dense tensor; 0 where it is empty."""

def sparse_reduce_max_sparse(
    sp_input: Any, axis: Any = None, keepdims: _bool | None = None, reduction_axes: Any = None,
    keep_dims: _bool | None = None,
) -> Any:
    """The maximum of a sparse tensor along axes, as a sparse tensor."""

def sparse_reduce_sum(
    sp_input: Any, axis: Any = None, keepdims: _bool | None = None, reduction_axes: Any = None,
    keep_dims: _bool | None = None,
) -> Any:
    """The sum of a sparse tensor along axes, as a dense tensor."""

def sparse_reduce_sum_sparse(
    sp_input: Any, axis: Any = None, keepdims: _bool | None = None, reduction_axes: Any = None,
    keep_dims: _bool | None = None,
) -> Any:
    """The sum of a sparse tensor along axes, as a sparse tensor."""

def sparse_reorder(sp_input: Any, name: str | None = None) -> SparseTensor:
    """Sorts the entries of a sparse tensor in row-major order."""

def sparse_reset_shape(sp_input: Any, new_shape: Any = None) -> SparseTensor:
    """Changes the dense shape of a sparse tensor to a larger one, or to the tight bounding shape of its
    entries."""

def sparse_reshape(sp_input: Any, shape: Any, name: str | None = None) -> SparseTensor:
    """Reshapes a sparse tensor."""

def sparse_retain(sp_input: Any, to_retain: Any) -> SparseTensor:
    """Retains the entries that a bool vector marks."""

def sparse_segment_mean(
    data: Any, indices: Any, segment_ids: Any, name: str | None = None, num_segments: Any = None,
) -> Any:
    """The mean over each segment of the rows that `indices` pick."""

def sparse_segment_sqrt_n(
    data: Any, indices: Any, segment_ids: Any, name: str | None = None, num_segments: Any = None,
) -> Any:
    """The sum over each segment of the rows that `indices` pick, divided by the root of their number."""

def sparse_segment_sum(
    data: Any, indices: Any, segment_ids: Any, name: str | None = None, num_segments: Any = None,
) -> Any:
    """The sum over each segment of the rows that `indices` pick."""

def sparse_slice(sp_input: Any, start: Any, size: Any, name: str | None = None) -> SparseTensor:
    """The slice of a sparse tensor that starts at `start` and has at most the shape `size`."""

def sparse_softmax(sp_input: Any, name: str | None = None) -> SparseTensor:
    """Softmax along the last axis over the stored entries, which must be sorted."""

def sparse_split(
    keyword_required: Any = ..., sp_input: Any = None, num_split: Any = None, axis: Any = None,
    name: str | None = None, split_dim: Any = None,
) -> Any:
    """Splits a sparse tensor along an axis."""

def sparse_tensor_dense_matmul(
    sp_a: Any, b: Any, adjoint_a: Any = False, adjoint_b: Any = False, name: str | None = None,
) -> Tensor:
    """Multiplies a sparse matrix by a dense one."""

def sparse_tensor_to_dense(
    sp_input: Any, default_value: Any = None, validate_indices: Any = True, name: str | None = None,
) -> Tensor:
    """Converts a sparse tensor to a dense one."""

def sparse_to_dense(
    sparse_indices: Any, output_shape: Any, sparse_values: Any, default_value: Any = 0,
    validate_indices: Any = True, name: str | None = None,
) -> Tensor:
    """Converts to a dense tensor: `sparse_values` at `sparse_indices`, `default_value` elsewhere."""

def sparse_to_indicator(sp_input: Any, vocab_size: Any, name: str | None = None) -> Tensor:
    """A multi-hot dense bool tensor whose last axis is the vocabulary: true at the ids in each row of
    `sp_input`."""

def sparse_transpose(sp_input: Any, perm: Any = None, name: str | None = None) -> SparseTensor:
    """Transposes a sparse tensor: permutes its axes."""

def split(
    value: Any, num_or_size_splits: Any, axis: Any = 0, num: int | None = None, name: str = 'split',
) -> list[Tensor]:
    """Splits a tensor along an axis into parts of equal or of given sizes; undoes `tf.concat`."""

def sqrt(x: Any, name: str | None = None) -> Any:
    """The square root."""

def square(x: Any, name: str | None = None) -> Any:
    """The square x ** 2."""

@overload
def squared_difference(x: RaggedTensor | RaggedTensorValue, y: Any, name: str | None = None) -> Any:
    """(x - y) ** 2, elementwise."""
@overload
def squared_difference(x: Any, y: Any, name: str | None = None) -> Tensor:
    """(x - y) ** 2, elementwise."""

@overload
def squeeze(
    input: RaggedTensor | RaggedTensorValue, axis: Any = None, name: str | None = None,
    squeeze_dims: Any = None,
) -> Any:
    """Drops axes of size 1."""
@overload
def squeeze(input: Any, axis: Any = None, name: str | None = None, squeeze_dims: Any = None) -> Tensor:
    """Drops axes of size 1."""

@overload
def stack(values: RaggedTensor | RaggedTensorValue, axis: int = 0, name: str = 'stack') -> Any:
    """Stacks tensors of one shape along a new axis: n tensors of rank r become one of rank r + 1."""
@overload
def stack(values: Any, axis: int = 0, name: str = 'stack') -> Tensor:
    """Stacks tensors of one shape along a new axis: n tensors of rank r become one of rank r + 1."""

def stop_gradient(input: Any, name: str | None = None) -> Tensor:
    """Forwards its input; gradients treat it as a constant."""

def strided_slice(
    input_: Any, begin: Any, end: Any, strides: Any = None, begin_mask: int = 0, end_mask: int = 0,
    ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0, var: Any = None,
    name: str | None = None,
) -> Tensor:
    """What `input_[begin[0]:end[0]:strides[0], ...]` means; bit i of a mask is about item i."""

string: DType

def string_join(inputs: Any, separator: str = '', name: str | None = None) -> Any:
    """Joins the strings at the same position of all inputs, elementwise; scalars broadcast."""

def string_split(
    source: Any, sep: Any = None, skip_empty: _bool = True, delimiter: Any = None,
    result_type: str = 'SparseTensor', name: str | None = None,
) -> Any:
    """Splits strings at any of the bytes of a delimiter."""

def string_strip(input: Any, name: str | None = None) -> Any:
    """Strips white space from both ends of each string."""

def string_to_hash_bucket(
    string_tensor: Any = None, num_buckets: int | None = None, name: str | None = None, input: Any = None,
) -> Tensor:
    """The hash bucket in [0, num_buckets) of each string, by TensorFlow's oldest hash."""

def string_to_hash_bucket_fast(input: Any, num_buckets: Any, name: str | None = None) -> Any:
    """The hash bucket of each string, by FarmHash; not resistant to deliberate collisions."""

def string_to_hash_bucket_strong(
    input: Any, num_buckets: Any, key: Any, name: str | None = None,
) -> Any:
    """The hash bucket of each string, by SipHash with a secret key of two integers; resists deliberate
    collisions."""

def string_to_number(
    string_tensor: Any = None, out_type: Any = ..., name: str | None = None, input: Any = None,
) -> Tensor:
    """Parses strings as numbers: float32, float64, int32 or int64."""

def substr(input: Any, pos: Any, len: Any, name: str | None = None, unit: str = 'BYTE') -> Tensor:
    """Substrings of `len` bytes, or characters with unit "UTF8_CHAR", from `pos` on."""

@overload
def subtract(x: RaggedTensor | RaggedTensorValue, y: Any, name: str | None = None) -> Any:
    """The difference x - y, element by element."""
@overload
def subtract(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The difference x - y, element by element."""

def svd(
    tensor: Any, full_matrices: Any = False, compute_uv: Any = True, name: str | None = None,
) -> Any:
    """The singular value decomposition: tensor = u * diag(s) * adjoint(v)."""

def switch_case(
    branch_index: Any, branch_fns: Any, default: Any = None, name: str = 'switch_case',
) -> Any:
    """Builds a jump table: runs the function whose index is `branch_index` at run time."""

def tables_initializer(name: str = 'init_all_tables') -> Any:
    """An operation that initializes all tables of the graph."""

@overload
def tan(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> Any:
    """The tangent of each angle in radians."""
@overload
def tan(x: Any, name: str | None = None) -> Tensor:
    """The tangent of each angle in radians."""

def tanh(x: Any, name: str | None = None) -> Any:
    """The hyperbolic tangent."""

def tensor_scatter_add(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> Tensor:
    """`tensor` with `updates` added at the index vectors `indices`."""

tensor_scatter_nd_add = tensor_scatter_add
tensor_scatter_nd_sub = tensor_scatter_sub
tensor_scatter_nd_update = tensor_scatter_update

def tensor_scatter_sub(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> Tensor:
    """`tensor` with `updates` subtracted at the index vectors `indices`."""

def tensor_scatter_update(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> Tensor:
    """`tensor` with the slices at the index vectors `indices` replaced by `updates`."""

def tensordot(a: Any, b: Any, axes: Any, name: str | None = None) -> Tensor:
    """The sum of products over axes of two tensors."""

@overload
def tile(input: RaggedTensor | RaggedTensorValue, multiples: Any, name: str | None = None) -> Any:
    """Tiles `input`: repeats it `multiples[i]` times along axis i."""
@overload
def tile(input: Any, multiples: Any, name: str | None = None) -> Tensor:
    """Tiles `input`: repeats it `multiples[i]` times along axis i."""

def timestamp(name: str | None = None) -> Tensor:
    """The time of execution in seconds since 1970 (Unix time)."""

def to_bfloat16(x: Any, name: str = 'ToBFloat16') -> Any:
    """`x` as bfloat16; the older form of `tf.cast(x, tf.bfloat16)`."""

def to_complex128(x: Any, name: str = 'ToComplex128') -> Any:
    """`x` as complex128; the older form of `tf.cast(x, tf.complex128)`."""

def to_complex64(x: Any, name: str = 'ToComplex64') -> Any:
    """`x` as complex64; the older form of `tf.cast(x, tf.complex64)`."""

def to_double(x: Any, name: str = 'ToDouble') -> Any:
    """`x` as float64; the older form of `tf.cast(x, tf.float64)`."""

def to_float(x: Any, name: str = 'ToFloat') -> Any:
    """`x` as float32; the older form of `tf.cast(x, tf.float32)`."""

def to_int32(x: Any, name: str = 'ToInt32') -> Any:
    """`x` as int32; the older form of `tf.cast(x, tf.int32)`."""

def to_int64(x: Any, name: str = 'ToInt64') -> Any:
    """`x` as int64; the older form of `tf.cast(x, tf.int64)`."""

@overload
def trace(x: LinearOperator, name: str | None = None) -> Any:
    """The sums of the main diagonals of matrices."""
@overload
def trace(x: Any, name: str | None = None) -> Tensor:
    """The sums of the main diagonals of matrices."""

def trainable_variables(scope: str | None = None) -> list[Any]:
    """Returns the variables that optimizers update by default: those created with `trainable=True`."""

def transpose(
    a: Any, perm: Any = None, name: str | None = 'transpose', conjugate: _bool = False,
) -> Tensor:
    """Permutes the axes of a tensor; the transpose of a matrix by default."""

@overload
def truediv(x: RaggedTensor | RaggedTensorValue, y: Any, name: str | None = None) -> Any:
    """Divides element by element as Python 3's `/` does: integers of 8 and 16 bits become float32, others
    float64."""
@overload
def truediv(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Divides element by element as Python 3's `/` does: integers of 8 and 16 bits become float32, others
    float64."""

def truncated_normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = ..., seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Draws from the normal distribution truncated at two standard deviations from the mean."""

class truncated_normal_initializer(Initializer):
    """Initializes a variable from the normal distribution truncated at two standard deviations from the
    mean."""
    fields: _tuple[str, ...]
    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor: ...
    def __init__(
        self, mean: Any = 0.0, stddev: Any = 1.0, seed: int | None = None, dtype: Any = ...,
    ) -> None: ...
    mean: Any
    stddev: Any
    seed: Any
    dtype: Any

@overload
def truncatediv(x: RaggedTensor | RaggedTensorValue, y: Any, name: str | None = None) -> Any:
    """x / y rounded towards zero."""
@overload
def truncatediv(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x / y rounded towards zero."""

@overload
def truncatemod(x: RaggedTensor | RaggedTensorValue, y: Any, name: str | None = None) -> Any:
    """The remainder, with the sign of `x`."""
@overload
def truncatemod(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The remainder, with the sign of `x`."""

def tuple(tensors: Any, name: str | None = None, control_inputs: Any = None) -> Any:
    """Synchronizes tensors: returns copies of them, each available only when all of them are computed."""

uint16: DType
uint32: DType
uint64: DType
uint8: DType

class uniform_unit_scaling_initializer(Initializer):
    """Uniform random numbers that keep the scale of a layer's input: within sqrt(3 / inputs) * factor."""
    fields: _tuple[str, ...]
    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor: ...
    def __init__(self, factor: float = 1.0, seed: int | None = None, dtype: Any = ...) -> None: ...
    factor: Any
    seed: Any
    dtype: Any

def unique(x: Any, out_idx: Any = ..., name: str | None = None) -> _Unique:
    """The unique elements of `x` in order of appearance, and the index of each element among them."""

def unique_with_counts(x: Any, out_idx: Any = ..., name: str | None = None) -> _UniqueWithCounts:
    """Unique, with the number of occurrences of each unique element."""

def unravel_index(indices: Any, dims: Any, name: str | None = None) -> Tensor:
    """Converts flat `indices` to coordinates in a tensor of shape `dims`, one row per axis."""

@overload
def unsorted_segment_max(
    data: RaggedTensor | RaggedTensorValue, segment_ids: Any, num_segments: Any, name: str | None = None,
) -> Any:
    """Segment maximum; the dtype's lowest value for an empty segment."""
@overload
def unsorted_segment_max(
    data: Any, segment_ids: Any, num_segments: Any, name: str | None = None,
) -> Tensor:
    """Segment maximum; the dtype's lowest value for an empty segment."""

def unsorted_segment_mean(
    data: Any, segment_ids: Any, num_segments: Any, name: str | None = None,
) -> Tensor:
    """The mean of the rows of each segment."""

@overload
def unsorted_segment_min(
    data: RaggedTensor | RaggedTensorValue, segment_ids: Any, num_segments: Any, name: str | None = None,
) -> Any:
    """Segment minimum; the dtype's highest value for an empty segment."""
@overload
def unsorted_segment_min(
    data: Any, segment_ids: Any, num_segments: Any, name: str | None = None,
) -> Tensor:
    """Segment minimum; the dtype's highest value for an empty segment."""

@overload
def unsorted_segment_prod(
    data: RaggedTensor | RaggedTensorValue, segment_ids: Any, num_segments: Any, name: str | None = None,
) -> Any:
    """The product of the rows of each segment."""
@overload
def unsorted_segment_prod(
    data: Any, segment_ids: Any, num_segments: Any, name: str | None = None,
) -> Tensor:
    """The product of the rows of each segment."""

def unsorted_segment_sqrt_n(
    data: Any, segment_ids: Any, num_segments: Any, name: str | None = None,
) -> Tensor:
    """The sum of the rows of each segment, divided by the root of their number."""

@overload
def unsorted_segment_sum(
    data: RaggedTensor | RaggedTensorValue, segment_ids: Any, num_segments: Any, name: str | None = None,
) -> Any:
    """The sum of the rows of each segment."""
@overload
def unsorted_segment_sum(
    data: Any, segment_ids: Any, num_segments: Any, name: str | None = None,
) -> Tensor:
    """The sum of the rows of each segment."""

def unstack(value: Any, num: int | None = None, axis: int = 0, name: str = 'unstack') -> list[Tensor]:
    """Splits a tensor into the list of its slices along an axis, each without that axis; undoes
    `tf.stack`."""

def variable_axis_size_partitioner(
    max_shard_bytes: int, axis: int = 0, bytes_per_string_element: int = 16, max_shards: int | None = None,
) -> Callable[[TensorShape, DType], list[int]]:
    """Splits `axis` so that no part is larger than `max_shard_bytes`, as far as `max_shards` allows."""

def variable_creator_scope(variable_creator: Callable[..., Any]) -> AbstractContextManager[None]:
    """Variables made inside the block are made by `variable_creator(next_creator, **kwargs)`."""

def variable_op_scope(
    values: Sequence[Any], name_or_scope: Any, default_name: str | None = None, initializer: Any = None,
    regularizer: Any = None, caching_device: Any = None, partitioner: Any = None, custom_getter: Any = None,
    reuse: Any = None, dtype: Any = None, use_resource: _bool | None = None, constraint: Any = None,
) -> AbstractContextManager[VariableScope]:
    """The same as `tf.variable_scope`, with the older order of arguments."""

class variable_scope:
    """Opens a scope for variables: `tf.get_variable` prefixes names with it, shares by `reuse`, uses its
    defaults."""
    def __enter__(self) -> VariableScope: ...
    def __exit__(self, *error: Any) -> None: ...
    def __init__(
        self, name_or_scope: Any, default_name: str | None = None, values: Sequence[Any] | None = None,
        initializer: Any = None, regularizer: Any = None, caching_device: Any = None, partitioner: Any = None,
        custom_getter: Any = None, reuse: Any = None, dtype: Any = None, use_resource: _bool | None = None,
        constraint: Any = None, auxiliary_name_scope: _bool = True,
    ) -> None: ...

def variables_initializer(var_list: Sequence[Any], name: str = 'init') -> Operation:
    """Returns an operation that gives variables their initial values."""

class variance_scaling_initializer(Initializer):
    """Initializes with random numbers of variance scale / n, n being fan-in, fan-out or their mean."""
    fields: _tuple[str, ...]
    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor: ...
    def __init__(
        self, scale: float = 1.0, mode: str = 'fan_in', distribution: str = 'truncated_normal',
        seed: int | None = None, dtype: Any = ...,
    ) -> None: ...
    distribution: Any
    scale: Any
    mode: Any
    seed: Any
    dtype: Any

variant: DType

def vectorized_map(fn: Callable[[Any], Any], elems: Any) -> Any:
    """Applies a function to the rows (slices along the first axis) of tensors and stacks the results."""

def verify_tensor_all_finite(
    t: Any = None, msg: Any = None, name: str | None = None, x: Any = None, message: str | None = None,
) -> Tensor:
    """The tensor, which must hold neither NaN nor infinity when it runs."""

@overload
def where(
    condition: RaggedTensor | RaggedTensorValue, x: Any = None, y: Any = None, name: str | None = None,
) -> Any:
    """Selects elementwise between `x` and `y` by a condition; without them, returns the coordinates of true
    elements."""
@overload
def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Tensor:
    """Selects elementwise between `x` and `y` by a condition; without them, returns the coordinates of true
    elements."""

def where_v2(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Tensor:
    """`tf.where` in which condition, x and y broadcast."""

def while_loop(
    cond: Any, body: Any, loop_vars: Any, shape_invariants: Any = None, parallel_iterations: Any = 10,
    back_prop: Any = True, swap_memory: _bool = False, name: str | None = None,
    maximum_iterations: Any = None, return_same_structure: Any = False,
) -> Any:
    """Builds a loop: runs `body` while `cond` is true at run time, and returns the final loop variables."""

def wrap_function(fn: Callable[..., Any], signature: Sequence[Any], name: str | None = None) -> Any:
    """Traces a function of TensorFlow 1's kind: once, with variables of its own, and without what no result
    needs."""

def write_file(filename: Any, contents: Any, name: str | None = None) -> Operation:
    """Writes a whole file, and creates missing parent directories."""

def zeros(shape: Any, dtype: Any = ..., name: str | None = None) -> Tensor:
    """Creates a tensor in which every element is zero: the number 0, False or the empty string, as `dtype`
    says."""

class zeros_initializer(Initializer):
    """Initializes a variable with zeros."""
    fields: _tuple[str, ...]
    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor: ...
    def __init__(self, dtype: Any = ...) -> None: ...
    dtype: Any

@overload
def zeros_like(
    tensor: RaggedTensor | RaggedTensorValue, dtype: Any = None, name: str | None = None,
    optimize: _bool = True,
) -> Any:
    """Creates a tensor of zeros in the shape and dtype of another tensor."""
@overload
def zeros_like(
    tensor: Any, dtype: Any = None, name: str | None = None, optimize: _bool = True,
) -> Tensor:
    """Creates a tensor of zeros in the shape and dtype of another tensor."""

def zeta(x: Any, q: Any, name: str | None = None) -> Tensor:
    """The Hurwitz zeta function."""
