# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.manip."""

from evergraph import reverse_v2

from evergraph import batch_to_space_nd as batch_to_space_nd
from evergraph import gather_nd as gather_nd
from evergraph import reshape as reshape
reverse = reverse_v2
from evergraph import roll as roll
from evergraph import scatter_nd as scatter_nd
from evergraph import space_to_batch_nd as space_to_batch_nd
from evergraph import tile as tile
