# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.graph_editor.reroute."""

from evergraph.contrib.graph_editor import add_control_inputs as add_control_inputs
from evergraph.contrib.graph_editor import remove_control_inputs as remove_control_inputs
from evergraph.contrib.graph_editor import reroute_inputs as reroute_inputs
from evergraph.contrib.graph_editor import reroute_ios as reroute_ios
from evergraph.contrib.graph_editor import reroute_outputs as reroute_outputs
from evergraph.contrib.graph_editor import reroute_ts as reroute_ts
from evergraph.contrib.graph_editor import swap_inputs as swap_inputs
from evergraph.contrib.graph_editor import swap_ios as swap_ios
from evergraph.contrib.graph_editor import swap_outputs as swap_outputs
from evergraph.contrib.graph_editor import swap_ts as swap_ts
