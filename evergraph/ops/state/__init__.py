"""Stateful ops: variables, queues, tables, readers, checkpoints, summaries."""
