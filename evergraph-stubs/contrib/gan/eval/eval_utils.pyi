# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.gan.eval.eval_utils."""

from evergraph.contrib.gan.eval import image_grid as image_grid
from evergraph.contrib.gan.eval import image_reshaper as image_reshaper
