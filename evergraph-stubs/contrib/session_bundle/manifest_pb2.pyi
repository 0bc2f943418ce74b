# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.session_bundle.manifest_pb2."""

from google.protobuf.internal.containers import MessageMap
from google.protobuf.message import Message
from typing import Any

class AssetFile(Message):
    tensor_binding: TensorBinding
    filename: str
    def __init__(self, *, tensor_binding: Any = ..., filename: Any = ...) -> None: ...

class ClassificationSignature(Message):
    input: TensorBinding
    classes: TensorBinding
    scores: TensorBinding
    def __init__(self, *, input: Any = ..., classes: Any = ..., scores: Any = ...) -> None: ...

class GenericSignature(Message):
    map: MessageMap[str, TensorBinding]
    def __init__(self, *, map: Any = ...) -> None: ...

class RegressionSignature(Message):
    input: TensorBinding
    output: TensorBinding
    def __init__(self, *, input: Any = ..., output: Any = ...) -> None: ...

class Signature(Message):
    regression_signature: RegressionSignature
    classification_signature: ClassificationSignature
    generic_signature: GenericSignature
    def __init__(
        self, *, regression_signature: Any = ..., classification_signature: Any = ...,
        generic_signature: Any = ...,
    ) -> None: ...

class Signatures(Message):
    default_signature: Signature
    named_signatures: MessageMap[str, Signature]
    def __init__(self, *, default_signature: Any = ..., named_signatures: Any = ...) -> None: ...

class TensorBinding(Message):
    tensor_name: str
    def __init__(self, *, tensor_name: Any = ...) -> None: ...
