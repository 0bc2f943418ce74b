"""Heads: what turns logits and labels into losses, metrics, predictions and exports."""
