"""tf.keras for model functions: layers that own their variables, and models made of layers."""
