# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.graph_editor.tests."""

from evergraph.contrib.graph_editor.tests import match as match
