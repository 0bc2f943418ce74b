# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.graph_editor.transform."""

from evergraph.contrib.graph_editor import Transformer as Transformer
from evergraph.contrib.graph_editor import TransformerInfo as TransformerInfo
from evergraph.contrib.graph_editor import copy as copy
from evergraph.contrib.graph_editor import copy_op_handler as copy_op_handler
from evergraph.contrib.graph_editor import copy_with_input_replacements as copy_with_input_replacements
from evergraph.contrib.graph_editor import graph_replace as graph_replace
from evergraph.contrib.graph_editor import keep_t_if_possible_handler as keep_t_if_possible_handler
from evergraph.contrib.graph_editor import replace_t_with_placeholder_handler as replace_t_with_placeholder_handler
