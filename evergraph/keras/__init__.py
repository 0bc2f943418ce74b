"""tf.keras as model functions use it: layers that keep their variables to themselves, and models made of them."""
