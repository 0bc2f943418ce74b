"""Ops on images and audio."""
