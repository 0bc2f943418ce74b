"""Classes and functions that programs register by name for configurations: tf.keras.utils.get_custom_objects."""

from __future__ import annotations

from typing import Any

CUSTOM: dict[str, Any] = {}
