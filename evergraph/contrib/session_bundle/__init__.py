"""tf.contrib.session_bundle."""
