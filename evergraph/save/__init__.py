"""Files that outlive a session: MetaGraphs, checkpoints, SavedModels."""
