# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.preprocessing."""

from evergraph.keras.preprocessing import image as image, sequence as sequence, text as text
