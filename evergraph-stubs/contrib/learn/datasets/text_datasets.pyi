# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.learn.datasets.text_datasets."""

from evergraph.contrib.learn.datasets.base import Datasets

def load_dbpedia(size: str = 'small', test_with_fake_data: bool = False) -> Datasets:
    """First sentences of articles, with which of 14 kinds of things each is about."""

def maybe_download_dbpedia(data_dir: str) -> None:
    """Downloads the DBpedia ontology data (Zhang and LeCun, 2015), unless it is in `data_dir`."""
