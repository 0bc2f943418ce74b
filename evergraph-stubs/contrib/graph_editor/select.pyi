# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.graph_editor.select."""

from evergraph.contrib.graph_editor import can_be_regex as can_be_regex
from evergraph.contrib.graph_editor import check_cios as check_cios
from evergraph.contrib.graph_editor import compute_boundary_ts as compute_boundary_ts
from evergraph.contrib.graph_editor import filter_ops as filter_ops
from evergraph.contrib.graph_editor import filter_ops_from_regex as filter_ops_from_regex
from evergraph.contrib.graph_editor import filter_ts as filter_ts
from evergraph.contrib.graph_editor import filter_ts_from_regex as filter_ts_from_regex
from evergraph.contrib.graph_editor import get_backward_walk_ops as get_backward_walk_ops
from evergraph.contrib.graph_editor import get_forward_walk_ops as get_forward_walk_ops
from evergraph.contrib.graph_editor import get_name_scope_ops as get_name_scope_ops
from evergraph.contrib.graph_editor import get_ops_ios as get_ops_ios
from evergraph.contrib.graph_editor import get_walks_intersection_ops as get_walks_intersection_ops
from evergraph.contrib.graph_editor import get_walks_union_ops as get_walks_union_ops
from evergraph.contrib.graph_editor import get_within_boundary_ops as get_within_boundary_ops
from evergraph.contrib.graph_editor import make_regex as make_regex
from evergraph.contrib.graph_editor import select_ops as select_ops
from evergraph.contrib.graph_editor import select_ops_and_ts as select_ops_and_ts
from evergraph.contrib.graph_editor import select_ts as select_ts
