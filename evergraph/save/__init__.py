"""Persistence: MetaGraphs, checkpoints, SavedModels."""
