"""Signatures and assets of a session bundle, which its meta graph holds as messages of any type.

Their package is TensorFlow's, because such messages are told apart by their full names.
"""

from evergraph.proto.schema import define

define(globals(), {
    "TensorBinding": "tensor_name: string = 1",
    "AssetFile": "tensor_binding: TensorBinding = 1, filename: string = 2",
    "RegressionSignature": "input: TensorBinding = 1, output: TensorBinding = 2",
    "ClassificationSignature": "input: TensorBinding = 1, classes: TensorBinding = 2, scores: TensorBinding = 3",
    "GenericSignature": "map: {string: TensorBinding} = 1",
    "Signature": """
        type.regression_signature: RegressionSignature = 1,
        type.classification_signature: ClassificationSignature = 2,
        type.generic_signature: GenericSignature = 3""",
    "Signatures": "default_signature: Signature = 1, named_signatures: {string: Signature} = 2",
}, package="tensorflow.serving")  # fmt: skip
