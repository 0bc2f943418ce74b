"""Ops on sparse tensors and sets."""
