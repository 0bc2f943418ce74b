"""The messages of TensorFlow Serving: its requests and answers, its configuration files, and its logs of requests."""

from google.protobuf import any_pb2, wrappers_pb2
from tensorboard.compat.proto import meta_graph_pb2, tensor_pb2

from evergraph.proto import error_codes_pb2, example_pb2
from evergraph.proto.schema import define

define(globals(), {
    # ---- what every call names, and what it may answer
    "ModelSpec": """
        name: string = 1,
        version_choice.version: google.protobuf.Int64Value = 2,
        version_choice.version_label: string = 4,
        signature_name: string = 3""",
    "StatusProto": "error_code: evergraph.error.Code = 1, error_message: string = 2",
    # ---- PredictionService
    "PredictRequest": """
        model_spec: ModelSpec = 1,
        inputs: {string: tensorboard.TensorProto} = 2,
        output_filter: string* = 3""",
    "PredictResponse": "model_spec: ModelSpec = 2, outputs: {string: tensorboard.TensorProto} = 1",
    "ExampleList": "examples: evergraph.Example* = 1",
    "ExampleListWithContext": "examples: evergraph.Example* = 1, context: evergraph.Example = 2",
    "Input": "kind.example_list: ExampleList = 1, kind.example_list_with_context: ExampleListWithContext = 2",
    "Class": "label: string = 1, score: float = 2",
    "Classifications": "classes: Class* = 1",
    "ClassificationResult": "classifications: Classifications* = 1",
    "ClassificationRequest": "model_spec: ModelSpec = 1, input: Input = 2",
    "ClassificationResponse": "model_spec: ModelSpec = 2, result: ClassificationResult = 1",
    "Regression": "value: float = 1",
    "RegressionResult": "regressions: Regression* = 1",
    "RegressionRequest": "model_spec: ModelSpec = 1, input: Input = 2",
    "RegressionResponse": "model_spec: ModelSpec = 2, result: RegressionResult = 1",
    "InferenceTask": "model_spec: ModelSpec = 1, method_name: string = 2",
    "InferenceResult": """
        model_spec: ModelSpec = 1,
        result.classification_result: ClassificationResult = 2,
        result.regression_result: RegressionResult = 3""",
    "MultiInferenceRequest": "tasks: InferenceTask* = 1, input: Input = 2",
    "MultiInferenceResponse": "results: InferenceResult* = 1",
    "SignatureDefMap": "signature_def: {string: tensorboard.SignatureDef} = 1",
    "GetModelMetadataRequest": "model_spec: ModelSpec = 1, metadata_field: string* = 2",
    "GetModelMetadataResponse": "model_spec: ModelSpec = 1, metadata: {string: google.protobuf.Any} = 2",
    # ---- ModelService
    "GetModelStatusRequest": "model_spec: ModelSpec = 1",
    "ModelVersionStatus": "version: int64 = 1, state: ModelVersionStatus.State = 2, status: StatusProto = 3",
    "ModelVersionStatus.State": {
        "UNKNOWN": 0, "START": 10, "LOADING": 20, "AVAILABLE": 30, "UNLOADING": 40, "END": 50},
    "GetModelStatusResponse": "model_version_status: ModelVersionStatus* = 1",
    "ReloadConfigRequest": "config: ModelServerConfig = 1, metric_names: string* = 2",
    "ReloadConfigResponse": "status: StatusProto = 1",
    # ---- configuration files
    "FileSystemStoragePathSourceConfig": "file_system_poll_wait_seconds: int64 = 3",
    "FileSystemStoragePathSourceConfig.ServableVersionPolicy": """
        policy_choice.latest: FileSystemStoragePathSourceConfig.ServableVersionPolicy.Latest = 100,
        policy_choice.all: FileSystemStoragePathSourceConfig.ServableVersionPolicy.All = 101,
        policy_choice.specific: FileSystemStoragePathSourceConfig.ServableVersionPolicy.Specific = 102""",
    "FileSystemStoragePathSourceConfig.ServableVersionPolicy.Latest": "num_versions: uint32 = 1",
    "FileSystemStoragePathSourceConfig.ServableVersionPolicy.All": "",
    "FileSystemStoragePathSourceConfig.ServableVersionPolicy.Specific": "versions: int64* = 1",
    "ModelType": {"MODEL_TYPE_UNSPECIFIED": 0, "TENSORFLOW": 1, "OTHER": 2},
    "ModelConfig": """
        name: string = 1,
        base_path: string = 2,
        model_type: ModelType = 3,
        model_platform: string = 4,
        model_version_policy: FileSystemStoragePathSourceConfig.ServableVersionPolicy = 7,
        version_labels: {string: int64} = 8""",
    "ModelConfigList": "config: ModelConfig* = 1",
    "ModelServerConfig": """
        config.model_config_list: ModelConfigList = 1,
        config.custom_model_config: google.protobuf.Any = 2""",
    "BatchingParameters": """
        max_batch_size: google.protobuf.Int64Value = 1,
        batch_timeout_micros: google.protobuf.Int64Value = 2,
        max_enqueued_batches: google.protobuf.Int64Value = 3,
        num_batch_threads: google.protobuf.Int64Value = 4,
        thread_pool_name: google.protobuf.StringValue = 5,
        allowed_batch_sizes: int64* = 6,
        pad_variable_length_inputs: bool = 7,
        enable_large_batch_splitting: google.protobuf.BoolValue = 8,
        max_execution_batch_size: google.protobuf.Int64Value = 9""",
    "PrometheusConfig": "enable: bool = 1, path: string = 2",
    "MonitoringConfig": "prometheus_config: PrometheusConfig = 1",
    "SSLConfig": "server_key: string = 1, server_cert: string = 2, custom_ca: string = 3, client_verify: bool = 4",
    # ---- logged requests, such as those for warming up
    "ClassifyLog": "request: ClassificationRequest = 1, response: ClassificationResponse = 2",
    "RegressLog": "request: RegressionRequest = 1, response: RegressionResponse = 2",
    "PredictLog": "request: PredictRequest = 1, response: PredictResponse = 2",
    "MultiInferenceLog": "request: MultiInferenceRequest = 1, response: MultiInferenceResponse = 2",
    "PredictionLog": """
        log_type.classify_log: ClassifyLog = 2,
        log_type.regress_log: RegressLog = 3,
        log_type.predict_log: PredictLog = 6,
        log_type.multi_inference_log: MultiInferenceLog = 4""",
}, uses=[any_pb2, wrappers_pb2, meta_graph_pb2, tensor_pb2, error_codes_pb2, example_pb2],
   package="evergraph.serving")  # fmt: skip
