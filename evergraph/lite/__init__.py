"""`tf.lite`: conversion of models to TensorFlow Lite's files, and the interpreter that runs them."""
