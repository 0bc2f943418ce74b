"""Control flow ops: conditionals, loops, calls, tensor lists, assertions, Python functions."""
