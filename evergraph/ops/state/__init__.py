"""Ops on what a session keeps: variables, queues, tables, readers, checkpoints, summaries."""
