"""Packs: small values of a store side by side in one array, which a program takes and returns as one.

Handing an array to a program and getting another one back takes two or three microseconds, as long as updating some
thousand numbers. An optimizer has one or two slots for each variable, which nobody but its updates looks at.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from evergraph.kernel.storage import Form

LEAST_PACKED = 8  # values; fewer are not worth it
MOST_ELEMENTS = 1 << 16  # of a value: joining and splitting larger ones takes longer than handing them over
ALIGNMENT = 16  # each value starts at a multiple of so many numbers


class Pack(str):
    """Where float32 values lie in an array: the key of that array in a store, the same for the same values.

    Args:
        shapes: key of a value -> its shape.

    Attributes:
        starts: key of a value -> where it starts.
        size: the length of the array.
    """

    starts: Mapping[str, int]
    shapes: Mapping[str, tuple[int, ...]]
    size: int

    def __new__(cls, shapes: Mapping[str, tuple[int, ...]]) -> Pack:
        pack = super().__new__(cls, f"//pack {hashlib.blake2b(repr(shapes).encode(), digest_size=16).hexdigest()}")
        sizes = [-(-math.prod(shape) // ALIGNMENT) * ALIGNMENT for shape in shapes.values()]
        *starts, pack.size = accumulate(sizes, initial=0)
        pack.starts, pack.shapes = dict(zip(shapes, starts)), shapes
        return pack

    def joined(self, values: Sequence[Any]) -> np.ndarray[Any, Any]:
        """An array with these values, in the order of the keys."""
        array: np.ndarray[Any, Any] = np.zeros(self.size, np.float32)
        for (_, part), value in zip(self.parts(array), values, strict=True):
            part[...] = value
        return array

    def parts(self, array: Any) -> Iterator[tuple[str, Any]]:
        """(key, value) of each value in an array, of NumPy's or traced."""
        for key, start in self.starts.items():
            shape = self.shapes[key]
            yield key, array[start : start + math.prod(shape)].reshape(shape)


def pack_of(forms: Mapping[str, Form | None]) -> Pack | None:
    """A pack of those of the values that are small, by their shapes and dtypes; None if there are too few."""
    shapes = {key: form[0] for key, form in forms.items()
              if form is not None and form[1] == np.float32 and 0 < math.prod(form[0]) <= MOST_ELEMENTS}
    return Pack(shapes) if len(shapes) >= LEAST_PACKED else None
