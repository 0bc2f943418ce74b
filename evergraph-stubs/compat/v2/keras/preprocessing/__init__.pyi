# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras.preprocessing."""

from evergraph.compat.v2.keras.preprocessing import image as image, sequence as sequence, text as text
