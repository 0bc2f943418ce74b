"""Ops on images and sound."""
