# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.resource_loader."""

def get_data_files_path() -> str:
    """The directory of the file that calls this."""

def get_path_to_datafile(path: str) -> str:
    """The path of a file that is given relative to the file that calls this."""

def get_root_dir_with_all_resources() -> str:
    """The directory of the runfiles that Bazel made for the program, or else that of the file that calls
    this."""

def load_resource(path: str) -> bytes:
    """The content of a file that is given relative to evergraph's package."""

def readahead_file_path(path: str, readahead: str = '128M') -> str:
    """The path as it is: files are read ahead by the system, so `readahead` has no meaning, as in
    TensorFlow."""
