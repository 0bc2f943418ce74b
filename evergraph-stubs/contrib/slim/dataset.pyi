# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.slim.dataset."""

from typing import Any

class Dataset:
    """What there is to know about a dataset of files."""
    def __init__(
        self, data_sources: Any, reader: Any, decoder: Any, num_samples: Any, items_to_descriptions: Any,
        **kwargs: Any,
    ) -> None: ...
