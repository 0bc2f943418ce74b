"""tensorflow.python.debug: sessions that show or keep the value of every tensor of a step."""
