"""The precision of products of float32 on accelerators.

NVIDIA's tensor cores multiply float32 rounded to TensorFloat-32 (TF32): the range of float32 with 10 bits of fraction,
added up in float32. TensorFlow's matrix products and convolutions use it since 2.4, NVIDIA's builds of 1.15 do too.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from evergraph.kernel.fence import platform

FULL = "highest"  # JAX's name


class Setting:
    """What the program has chosen; read when a step is traced.

    Attributes:
        uses_tf32: whether GPUs that have TF32 may use it. NVIDIA_TF32_OVERRIDE=0 in the environment forbids it.
    """

    uses_tf32 = os.environ.get("NVIDIA_TF32_OVERRIDE") != "0"


setting = Setting()


def of_products(dtype: Any) -> str | None:
    """The precision to ask JAX for in a traced matrix product or convolution; None is the hardware's own.

    For float32 that is TF32 on GPUs. TPUs would multiply in bfloat16, so they get full precision.
    """
    if np.dtype(dtype).itemsize < 4:
        return None
    return None if setting.uses_tf32 and platform() == "gpu" else FULL
