# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.slim.utils."""

from evergraph.contrib.layers.utils import append_tensor_alias as append_tensor_alias
from evergraph.contrib.layers.utils import channel_dimension as channel_dimension
from evergraph.contrib.layers.utils import collect_named_outputs as collect_named_outputs
from evergraph.contrib.layers.utils import constant_value as constant_value
from evergraph.contrib.layers.utils import convert_collection_to_dict as convert_collection_to_dict
from evergraph.contrib.layers.utils import gather_tensors_aliases as gather_tensors_aliases
from evergraph.contrib.layers.utils import get_tensor_aliases as get_tensor_aliases
from evergraph.contrib.layers.utils import get_variable_collections as get_variable_collections
from evergraph.contrib.layers.utils import last_dimension as last_dimension
from evergraph.contrib.layers.utils import n_positive_integers as n_positive_integers
from evergraph.contrib.layers.utils import smart_cond as smart_cond
from evergraph.contrib.layers.utils import static_cond as static_cond
from evergraph.contrib.layers.utils import two_element_tuple as two_element_tuple
