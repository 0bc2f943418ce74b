"""Programs made at random, each a list of steps that runs unchanged in TensorFlow and here."""
