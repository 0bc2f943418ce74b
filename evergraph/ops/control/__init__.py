"""Ops that control what runs: conditionals, loops, calls, tensor lists, assertions, Python functions."""
