"""Errors of programs, shown without what is not theirs, with the remedy where it is known."""
