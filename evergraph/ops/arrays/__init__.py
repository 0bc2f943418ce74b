"""Ops that make, index, reshape, search and rearrange tensors."""
