"""Random programs of other sorts than graphs: pipelines, training, feature columns, static shapes."""
