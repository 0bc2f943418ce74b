"""tf.feature_column: columns that turn raw features into the inputs of a model."""
