"""What a case file needs: `case`, `program` and makers of inputs. Needs NumPy only: TensorFlow loads it too."""

from tests.harness.case import Case, Input, case, in_order, program, ref, resource, typed
from tests.harness.inputs import array, bf16, bools, f16, f64, floats, i32, i64, ints, strings

__all__ = ["Case", "Input", "array", "bf16", "bools", "case", "f16", "f64", "floats", "i32", "i64", "in_order", "ints",
           "program", "ref", "resource", "strings", "typed"]
