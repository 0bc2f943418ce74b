"""tf.RaggedTensor with all it can do: its operators, its indexing, and what functions of tensors mean for it."""
from evergraph.base.export import export
from evergraph.frontend import ragged_elements, ragged_index, ragged_reduce, ragged_rows  # noqa: F401 - for their effects
from evergraph.frontend.ragged import RaggedTensor

export("RaggedTensor")(RaggedTensor)
