# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.config."""

def enable_unsafe_deserialization() -> None:
    """Lets files of models bring Python code along: that of Lambda layers whose function has no name."""
