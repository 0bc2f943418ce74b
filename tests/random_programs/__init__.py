"""Random programs of other sorts than graphs: pipelines, training, control flow, eager execution, files and more."""
