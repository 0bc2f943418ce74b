"""`tf.autograph`: Python control flow turned into graph control flow. See docs/autograph.md."""
