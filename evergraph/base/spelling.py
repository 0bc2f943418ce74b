"""TensorFlow's conversion of op names to function names."""

import re


def snake_case(name: str) -> str:
    """MatMul -> mat_mul, Conv2D -> conv2d, ConcatV2 -> concat_v2, TopKV2 -> top_kv2, LRN -> lrn."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z0-9])(?=[A-Z][a-z])", "_", name).lower()
