"""Turns the control flow and tensor arrays of imported TensorFlow 1 graphs into functional nodes and tensor lists."""
