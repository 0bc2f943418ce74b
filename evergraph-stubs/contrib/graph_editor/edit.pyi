# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.graph_editor.edit."""

from evergraph.contrib.graph_editor import bypass as bypass
from evergraph.contrib.graph_editor import connect as connect
from evergraph.contrib.graph_editor import detach as detach
from evergraph.contrib.graph_editor import detach_control_inputs as detach_control_inputs
from evergraph.contrib.graph_editor import detach_control_outputs as detach_control_outputs
from evergraph.contrib.graph_editor import detach_inputs as detach_inputs
from evergraph.contrib.graph_editor import detach_outputs as detach_outputs
