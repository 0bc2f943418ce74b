# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.learn.utils.gc."""

from evergraph.contrib.session_bundle.gc import Path as Path
from evergraph.contrib.session_bundle.gc import get_paths as get_paths
from evergraph.contrib.session_bundle.gc import largest_export_versions as largest_export_versions
from evergraph.contrib.session_bundle.gc import mod_export_version as mod_export_version
from evergraph.contrib.session_bundle.gc import negation as negation
from evergraph.contrib.session_bundle.gc import one_of_every_n_export_versions as one_of_every_n_export_versions
from evergraph.contrib.session_bundle.gc import union as union
