# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.graph_editor.subgraph."""

from evergraph.contrib.graph_editor import make_view as _make_view, make_view_from_scope as _make_view_from_scope

from evergraph.contrib.graph_editor import SubGraphView as SubGraphView
from evergraph.contrib.graph_editor import make_view as make_view
from evergraph.contrib.graph_editor import make_view_from_scope as make_view_from_scope
sgv = _make_view
sgv_scope = _make_view_from_scope
