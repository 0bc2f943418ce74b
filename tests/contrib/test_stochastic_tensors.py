"""tf.contrib.bayesflow.stochastic_tensor: distributions that stand for a sample or a mean."""

import numpy as np
import pytest

import evergraph as tf

st = tf.contrib.bayesflow.stochastic_tensor


def test_a_distribution_stands_for_its_mean_or_for_samples(session):
    normal = tf.distributions.Normal(3.0, 0.001)
    with st.value_type(st.MeanValue()):
        mean = st.StochasticTensor(normal)
        with st.value_type(st.SampleValue(shape=[5])):
            many = st.StochasticTensor(normal, name="many")
        assert isinstance(st.get_current_value_type(), st.MeanValue)
    assert session.run(tf.square(mean)) == 9
    found = session.run(tf.identity(many))
    assert found.shape == (5,) and np.allclose(found, 3, atol=0.01)
    assert session.run(many.value()).shape == (5,) and many.name == "many/" and many.dtype == tf.float32
    assert isinstance(st.StochasticTensor(normal).value_type, st.SampleValue)
    with pytest.raises(TypeError, match="MeanValue"), st.value_type("mean"):
        pass
    with pytest.raises(ValueError, match="float32"):
        tf.convert_to_tensor(mean, tf.int32)


def test_gradients_flow_through_samples_or_through_their_probability(session):
    location = tf.Variable(2.0)
    normal = tf.distributions.Normal(location, 0.5)
    flowing = st.StochasticTensor(normal)
    stopped = st.StochasticTensor(normal, dist_value_type=st.SampleValue(stop_gradient=True))
    session.run(location.initializer)
    assert session.run(tf.gradients(tf.identity(flowing), location)) == [1]
    assert flowing.loss(1.0) is None and tf.gradients(tf.identity(stopped), location) == [None]
    [slope] = tf.gradients(stopped.loss(tf.constant(4.0)), location)
    value, found = session.run([stopped.value(), slope])
    np.testing.assert_allclose(found, 4 * (value - 2.0) / 0.25, rtol=1e-4)
