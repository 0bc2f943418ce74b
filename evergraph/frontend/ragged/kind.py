"""tf.RaggedTensor with all it can do: its operators, its indexing, and what functions of tensors mean for it."""
from evergraph.base.export import export
from evergraph.frontend.ragged import elements, index, reduce, rows  # noqa: F401 - for their effects
from evergraph.frontend.ragged.tensor import RaggedTensor

export("RaggedTensor")(RaggedTensor)
