"""Ops that create, index, reshape, search and rearrange tensors."""
