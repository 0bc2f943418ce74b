"""Random programs of other sorts than graphs: pipelines, training, columns, static shapes, sparse tensors."""
