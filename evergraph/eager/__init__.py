"""Eager execution: ops that run when they are called, and gradients from a tape of what ran."""
