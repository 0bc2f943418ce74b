"""tf.contrib.gan: generative adversarial networks, as TensorFlow up to 1.14 had them."""
