"""Ops of gradient-boosted decision trees."""
