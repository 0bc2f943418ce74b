"""Random nestings of statements give what they give in Python, however many of the arguments are tensors."""

import itertools
import os

import numpy as np
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import evergraph as tf
from tests.autograph.random_functions import function_of, sources

COUNT = int(os.environ.get("AUTOGRAPH_FUNCTIONS", "20"))
numbers = itertools.count()
small = st.integers(-5, 12)


@settings(max_examples=COUNT, deadline=None, derandomize=COUNT < 100, suppress_health_check=list(HealthCheck),
          report_multiple_bugs=False, phases=[Phase.explicit, Phase.generate], database=None)
@given(sources(), st.lists(small, min_size=7, max_size=7), st.integers(0, 15))
def test_a_random_function(source, values, staged):
    function, (a, b, c, *v) = function_of(source, next(numbers)), values
    wanted = function(a, b, c, list(v))
    converted = tf.autograph.to_graph(function)
    assert int(converted(a, b, c, list(v))) == wanted
    arguments = [tf.constant(value) if staged >> place & 1 else value for place, value in enumerate((a, b, c))]
    rows = tf.constant(v) if staged & 8 else np.array(v, np.int32)
    assert int(tf.function(lambda: tf.cast(converted(*arguments, rows), tf.int32))()) == wanted
